-- Runs that workers carry out, and schedules: see `migrations/sqlite/007.sql`.
ALTER TABLE runs ADD COLUMN task text NOT NULL DEFAULT '';

ALTER TABLE runs ADD COLUMN breaks integer NOT NULL DEFAULT 0;

ALTER TABLE runs ADD COLUMN heard integer NOT NULL DEFAULT 0;

ALTER TABLE runs ADD COLUMN claimed double precision NOT NULL DEFAULT 0;

CREATE INDEX runs_by_turn ON runs (account, claimed);

CREATE TABLE schedules (
    id text COLLATE "C" PRIMARY KEY,
    rhythm text NOT NULL,
    zone text NOT NULL,
    brief text NOT NULL,
    analyst text NOT NULL,
    task text NOT NULL,
    account text NOT NULL DEFAULT '',
    due double precision NOT NULL,
    last_run text COLLATE "C" REFERENCES runs (id) ON DELETE SET NULL
);
