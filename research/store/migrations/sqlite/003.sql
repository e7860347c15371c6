-- What the user says of a run, and which run it repeats.
ALTER TABLE runs ADD COLUMN title TEXT NOT NULL DEFAULT '';

ALTER TABLE runs ADD COLUMN starred INTEGER NOT NULL DEFAULT 0;

ALTER TABLE runs ADD COLUMN follows TEXT REFERENCES runs (id) ON DELETE SET NULL;

CREATE INDEX runs_by_earlier ON runs (follows);

CREATE INDEX runs_by_state ON runs (state, created_at);

-- Holds all that a list is filtered and ordered by, as the rows themselves are long.
CREATE INDEX runs_listed ON runs (created_at, id, state, starred);

CREATE TABLE tags (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (run, tag)
) WITHOUT ROWID;

CREATE INDEX tags_by_name ON tags (tag);

-- The words of each run, folded for searching (see `research.store.search`), and the index over them.
CREATE TABLE search_texts (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE,
    head TEXT NOT NULL,
    report TEXT NOT NULL,
    sources TEXT NOT NULL
);

CREATE VIRTUAL TABLE search_index
USING fts5 (head, report, sources, content = 'search_texts', content_rowid = 'id');

CREATE TRIGGER search_text_entered AFTER INSERT ON search_texts BEGIN
    INSERT INTO search_index (rowid, head, report, sources)
    VALUES (new.id, new.head, new.report, new.sources);
END;

CREATE TRIGGER search_text_gone AFTER DELETE ON search_texts BEGIN
    INSERT INTO search_index (search_index, rowid, head, report, sources)
    VALUES ('delete', old.id, old.head, old.report, old.sources);
END;

-- Runs whose words have changed; whoever writes, with whatever version, they are noted here.
CREATE TABLE search_waiting (
    run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
) WITHOUT ROWID;

INSERT INTO search_waiting SELECT id FROM runs;

CREATE TRIGGER search_run_entered AFTER INSERT ON runs BEGIN
    INSERT OR IGNORE INTO search_waiting VALUES (new.id);
END;

CREATE TRIGGER search_run_changed AFTER UPDATE OF title, question, markdown ON runs BEGIN
    INSERT OR IGNORE INTO search_waiting VALUES (new.id);
END;

CREATE TRIGGER search_page_entered AFTER INSERT ON run_pages BEGIN
    INSERT OR IGNORE INTO search_waiting VALUES (new.run);
END;
