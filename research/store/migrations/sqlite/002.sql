-- Takes the place of `runs.wish`, which stays for programs of version 1 that have the file open.
CREATE TABLE steering (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
) WITHOUT ROWID;
