-- Whether all accounts may read a run.
ALTER TABLE runs ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;

DROP INDEX runs_listed;

CREATE INDEX runs_listed ON runs (created_at, id, state, starred, account, shared);

DROP INDEX runs_by_state;

CREATE INDEX runs_by_state ON runs (state, created_at, id, account, shared);

-- Each account looks through the pages of its own runs, counted for itself; they are entered anew.
DROP TABLE page_uses;

DROP TABLE seen_pages;

CREATE TABLE seen_pages (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL DEFAULT '',
    url TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    title TEXT NOT NULL,
    site TEXT NOT NULL,
    origin TEXT NOT NULL,
    kind TEXT NOT NULL,
    published TEXT,
    words TEXT NOT NULL,
    last_read TEXT NOT NULL DEFAULT '',
    runs INTEGER NOT NULL DEFAULT 0,
    cited INTEGER NOT NULL DEFAULT 0,
    quotes INTEGER NOT NULL DEFAULT 0,
    UNIQUE (account, url, sha256)
);

CREATE INDEX seen_pages_by_reading ON seen_pages (account, last_read, id);

CREATE TABLE page_uses (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    page TEXT NOT NULL,
    seen INTEGER NOT NULL REFERENCES seen_pages (id),
    read_at TEXT NOT NULL,
    number INTEGER,
    quotes INTEGER NOT NULL,
    PRIMARY KEY (run, page)
) WITHOUT ROWID;

CREATE INDEX page_uses_by_page ON page_uses (seen, read_at);

CREATE TRIGGER page_use_entered AFTER INSERT ON page_uses BEGIN
    UPDATE seen_pages SET last_read = max(last_read, new.read_at), runs = runs + 1,
        cited = cited + (new.number IS NOT NULL), quotes = quotes + new.quotes WHERE id = new.seen;
END;

CREATE TRIGGER page_use_gone AFTER DELETE ON page_uses BEGIN
    UPDATE seen_pages SET runs = runs - 1, cited = cited - (old.number IS NOT NULL),
        quotes = quotes - old.quotes,
        last_read = coalesce((SELECT max(read_at) FROM page_uses WHERE seen = old.seen), '')
    WHERE id = old.seen;
    DELETE FROM seen_pages WHERE id = old.seen AND runs = 0;
END;

INSERT OR IGNORE INTO seen_waiting SELECT id FROM runs;

-- Who did what: no reference to runs, as it outlasts them.
CREATE TABLE actions (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    account TEXT NOT NULL,
    action TEXT NOT NULL,
    run TEXT NOT NULL
);

CREATE INDEX actions_by_time ON actions (at, id);
