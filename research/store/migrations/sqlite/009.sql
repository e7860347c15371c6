-- The schedule that a run came of, which may be gone; empty for one that somebody started.
ALTER TABLE runs ADD COLUMN schedule TEXT NOT NULL DEFAULT '';

CREATE INDEX runs_by_schedule ON runs (schedule, created_at) WHERE schedule <> '';
