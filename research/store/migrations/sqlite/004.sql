-- Every page over all runs, for looking through them (see `research.store.seen`), counted by its uses.
CREATE TABLE seen_pages (
    id INTEGER PRIMARY KEY,
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
    UNIQUE (url, sha256)
);

CREATE INDEX seen_pages_by_reading ON seen_pages (last_read, id);

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

-- What the summaries of a run came to, and how many of them the cache spared it.
CREATE TABLE run_savings (
    run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    spared INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    cost_usd REAL,
    model TEXT
) WITHOUT ROWID;

-- Runs whose pages, quotes or report have changed since they were entered in these tables.
CREATE TABLE seen_waiting (
    run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
) WITHOUT ROWID;

INSERT INTO seen_waiting SELECT id FROM runs;

CREATE TRIGGER seen_run_entered AFTER INSERT ON runs BEGIN
    INSERT OR IGNORE INTO seen_waiting VALUES (new.id);
END;

CREATE TRIGGER seen_run_changed AFTER UPDATE OF record ON runs BEGIN
    INSERT OR IGNORE INTO seen_waiting VALUES (new.id);
END;

CREATE TRIGGER seen_page_entered AFTER INSERT ON run_pages BEGIN
    INSERT OR IGNORE INTO seen_waiting VALUES (new.run);
END;

CREATE TRIGGER seen_quote_entered AFTER INSERT ON events WHEN new.type = 'evidence_found' BEGIN
    INSERT OR IGNORE INTO seen_waiting VALUES (new.run);
END;
