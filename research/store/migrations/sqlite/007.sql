-- Runs that workers carry out (see `research.store.queue`): what whoever asked has chosen, as JSON, empty if the process
-- that asks carries it out; how often it broke off, how much of what was asked of it was heard before it last began to
-- wait, and when a worker last took it.
ALTER TABLE runs ADD COLUMN task TEXT NOT NULL DEFAULT '';

ALTER TABLE runs ADD COLUMN breaks INTEGER NOT NULL DEFAULT 0;

ALTER TABLE runs ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;

ALTER TABLE runs ADD COLUMN claimed REAL NOT NULL DEFAULT 0;

CREATE INDEX runs_by_turn ON runs (account, claimed);

-- Questions that are asked again and again (see `research.store.schedules`); `due` is the next time, in seconds.
CREATE TABLE schedules (
    id TEXT PRIMARY KEY,
    rhythm TEXT NOT NULL,
    zone TEXT NOT NULL,
    brief TEXT NOT NULL,
    analyst TEXT NOT NULL,
    task TEXT NOT NULL,
    account TEXT NOT NULL DEFAULT '',
    due REAL NOT NULL,
    last_run TEXT REFERENCES runs (id) ON DELETE SET NULL
) WITHOUT ROWID;
