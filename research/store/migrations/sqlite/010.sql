-- Workers, and when they last said that they live, in seconds (see `research.store.queue`).
CREATE TABLE workers (
    name TEXT PRIMARY KEY,
    alive REAL NOT NULL
) WITHOUT ROWID;
