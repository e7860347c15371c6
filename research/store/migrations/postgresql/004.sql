-- Whether all accounts may read a run.
ALTER TABLE runs ADD COLUMN shared integer NOT NULL DEFAULT 0;

DROP INDEX runs_listed;

CREATE INDEX runs_listed ON runs (created_at, id, state, starred, account, shared);

DROP INDEX runs_by_state;

CREATE INDEX runs_by_state ON runs (state, created_at, id, account, shared);

-- Each account looks through the pages of its own runs, counted for itself; they are entered anew.
DELETE FROM page_uses;

ALTER TABLE seen_pages ADD COLUMN account text COLLATE "C" NOT NULL DEFAULT '';

DROP INDEX seen_pages_by_address;

DROP INDEX seen_pages_by_reading;

CREATE UNIQUE INDEX seen_pages_by_address ON seen_pages (account, md5(url), sha256);

CREATE INDEX seen_pages_by_reading ON seen_pages (account, last_read, id);

INSERT INTO seen_waiting SELECT id FROM runs ON CONFLICT DO NOTHING;

-- Who did what: no reference to runs, as it outlasts them.
CREATE TABLE actions (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at text COLLATE "C" NOT NULL,
    account text NOT NULL,
    action text NOT NULL,
    run text NOT NULL
);

CREATE INDEX actions_by_time ON actions (at, id);
