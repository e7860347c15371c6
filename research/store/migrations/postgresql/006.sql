-- Workers, and when they last said that they live, in seconds (see `research.store.queue`).
CREATE TABLE workers (
    name text COLLATE "C" PRIMARY KEY,
    alive double precision NOT NULL
);
