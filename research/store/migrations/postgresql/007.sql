-- What searches that have a price answered, packed, until the run ends: one that breaks off does not pay again.
CREATE TABLE run_answers (
    run text COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    search text COLLATE "C" NOT NULL,
    answer bytea NOT NULL,
    PRIMARY KEY (run, search)
);
