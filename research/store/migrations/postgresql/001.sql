-- The store of `migrations/sqlite/001.sql` to `005.sql`, which say what each table is for. Text is compared letter by
-- letter, as SQLite does. What SQLite has of functions and PostgreSQL lacks, stands here under the same name.
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT strpos($1, $2)';

-- PostgreSQL's JSON has no character 0, which pages of strangers may hold.
CREATE FUNCTION json_extract(document text, path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT (CASE WHEN strpos(document, '\u0000') = 0 THEN document
        ELSE regexp_replace(document, '(?<!\\)((?:\\\\)*)\\u0000', '\1', 'g') END)::json
        #>> string_to_array(substr(path, 3), '.')
$$;

CREATE FUNCTION array_as_json(text[]) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT coalesce(array_to_json($1)::text, '[]') $$;

CREATE AGGREGATE json_group_array(text) (SFUNC = array_append, STYPE = text[], FINALFUNC = array_as_json);

CREATE TABLE runs (
    id text COLLATE "C" PRIMARY KEY,
    created_at text COLLATE "C" NOT NULL,
    question text NOT NULL,
    brief text NOT NULL,
    analyst text NOT NULL,
    state text NOT NULL,
    heartbeat double precision NOT NULL,
    finished_at text,
    seconds double precision,
    record text,
    markdown text,
    title text NOT NULL DEFAULT '',
    starred integer NOT NULL DEFAULT 0,
    follows text COLLATE "C" REFERENCES runs (id) ON DELETE SET NULL,
    owner text NOT NULL DEFAULT ''
);

CREATE INDEX runs_by_earlier ON runs (follows);

CREATE INDEX runs_by_state ON runs (state, created_at);

CREATE INDEX runs_listed ON runs (created_at, id, state, starred);

CREATE TABLE events (
    run text COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq integer NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (run, seq)
);

CREATE INDEX events_by_type ON events (run, type);

CREATE TABLE pages (
    sha256 text COLLATE "C" PRIMARY KEY,
    text bytea NOT NULL
);

CREATE TABLE run_pages (
    run text COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    page text COLLATE "C" NOT NULL,
    sha256 text COLLATE "C" NOT NULL REFERENCES pages (sha256),
    facts text NOT NULL,
    PRIMARY KEY (run, page)
);

CREATE INDEX run_pages_by_content ON run_pages (sha256);

CREATE TABLE steering (
    run text COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq integer NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (run, seq)
);

CREATE TABLE tags (
    run text COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    tag text COLLATE "C" NOT NULL,
    PRIMARY KEY (run, tag)
);

CREATE INDEX tags_by_name ON tags (tag);

-- Words are looked up in `vector`; whether they stand side by side is then read in `words`. PostgreSQL's own phrases
-- end after 16,383 words, and a vector holds a megabyte: of a longer text there is none, and all of it is read.
CREATE TABLE search_texts (
    run text COLLATE "C" PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    head text NOT NULL,
    report text NOT NULL,
    sources text NOT NULL,
    words text GENERATED ALWAYS AS (' ' || head || E' \n ' || report || E' \n ' || sources || ' ') STORED,
    vector tsvector GENERATED ALWAYS AS (
        CASE WHEN length(head) + length(report) + length(sources) > 250000 THEN NULL ELSE array_to_tsvector(
            array_remove(string_to_array(head || ' ' || report || ' ' || sources, ' '), '')
        ) END
    ) STORED
);

CREATE INDEX search_vectors ON search_texts USING gin (vector);

CREATE INDEX search_long ON search_texts (run) WHERE vector IS NULL;

CREATE TABLE search_waiting (
    run text COLLATE "C" PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
);

CREATE TABLE seen_pages (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    url text NOT NULL,
    sha256 text NOT NULL,
    title text NOT NULL,
    site text NOT NULL,
    origin text NOT NULL,
    kind text NOT NULL,
    published text COLLATE "C",
    words text NOT NULL,
    last_read text COLLATE "C" NOT NULL DEFAULT '',
    runs integer NOT NULL DEFAULT 0,
    cited integer NOT NULL DEFAULT 0,
    quotes integer NOT NULL DEFAULT 0
);

-- An address may be longer than an entry of an index.
CREATE UNIQUE INDEX seen_pages_by_address ON seen_pages (md5(url), sha256);

CREATE INDEX seen_pages_by_url ON seen_pages USING hash (url);

CREATE INDEX seen_pages_by_reading ON seen_pages (last_read, id);

CREATE TABLE page_uses (
    run text COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    page text COLLATE "C" NOT NULL,
    seen integer NOT NULL REFERENCES seen_pages (id),
    read_at text COLLATE "C" NOT NULL,
    number integer,
    quotes integer NOT NULL,
    PRIMARY KEY (run, page)
);

CREATE INDEX page_uses_by_page ON page_uses (seen, read_at);

CREATE FUNCTION page_use_entered() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE seen_pages SET last_read = greatest(last_read, new.read_at), runs = runs + 1,
        cited = cited + (new.number IS NOT NULL)::integer, quotes = quotes + new.quotes WHERE id = new.seen;
    RETURN NULL;
END $$;

CREATE TRIGGER page_use_entered AFTER INSERT ON page_uses FOR EACH ROW EXECUTE FUNCTION page_use_entered();

CREATE FUNCTION page_use_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE seen_pages SET runs = runs - 1, cited = cited - (old.number IS NOT NULL)::integer,
        quotes = quotes - old.quotes,
        last_read = coalesce((SELECT max(read_at) FROM page_uses WHERE seen = old.seen), '')
    WHERE id = old.seen;
    DELETE FROM seen_pages WHERE id = old.seen AND runs = 0;
    RETURN NULL;
END $$;

CREATE TRIGGER page_use_gone AFTER DELETE ON page_uses FOR EACH ROW EXECUTE FUNCTION page_use_gone();

CREATE TABLE run_savings (
    run text COLLATE "C" PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    spared integer NOT NULL,
    calls integer NOT NULL,
    cost_usd double precision,
    model text
);

CREATE TABLE seen_waiting (
    run text COLLATE "C" PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
);

CREATE FUNCTION search_run() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO search_waiting VALUES (new.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION search_part() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO search_waiting VALUES (new.run) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION seen_run() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO seen_waiting VALUES (new.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION seen_part() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO seen_waiting VALUES (new.run) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER search_run_changed AFTER INSERT OR UPDATE OF title, question, markdown ON runs
    FOR EACH ROW EXECUTE FUNCTION search_run();

CREATE TRIGGER search_page_entered AFTER INSERT ON run_pages FOR EACH ROW EXECUTE FUNCTION search_part();

CREATE TRIGGER seen_run_changed AFTER INSERT OR UPDATE OF record ON runs FOR EACH ROW EXECUTE FUNCTION seen_run();

CREATE TRIGGER seen_page_entered AFTER INSERT ON run_pages FOR EACH ROW EXECUTE FUNCTION seen_part();

CREATE TRIGGER seen_quote_entered AFTER INSERT ON events FOR EACH ROW WHEN (new.type = 'evidence_found')
    EXECUTE FUNCTION seen_part();

-- Summaries of pages (see `research.store.cache`), which a file of their own holds elsewhere.
CREATE TABLE summaries (
    key text COLLATE "C" PRIMARY KEY,
    value text NOT NULL,
    kept_at timestamptz NOT NULL DEFAULT now()
);
