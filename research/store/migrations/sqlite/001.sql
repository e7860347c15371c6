CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    question TEXT NOT NULL,
    brief TEXT NOT NULL,
    analyst TEXT NOT NULL,
    state TEXT NOT NULL,
    heartbeat REAL NOT NULL,
    wish TEXT,
    finished_at TEXT,
    seconds REAL,
    record TEXT,
    markdown TEXT
) WITHOUT ROWID;

CREATE INDEX runs_by_time ON runs (created_at);

CREATE TABLE events (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (run, seq)
);

CREATE INDEX events_by_type ON events (run, type);

CREATE TABLE pages (
    sha256 TEXT PRIMARY KEY,
    text BLOB NOT NULL
);

CREATE TABLE run_pages (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    page TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES pages (sha256),
    facts TEXT NOT NULL,
    PRIMARY KEY (run, page)
) WITHOUT ROWID;

CREATE INDEX run_pages_by_content ON run_pages (sha256);
