-- What searches that have a price answered, packed, until the run ends: one that breaks off does not pay again.
CREATE TABLE run_answers (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    search TEXT NOT NULL,
    answer BLOB NOT NULL,
    PRIMARY KEY (run, search)
) WITHOUT ROWID;
