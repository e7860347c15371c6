-- The process that carries a run out (see `research.store.owners`).
ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
