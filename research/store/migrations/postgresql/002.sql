-- Whose run it is: a name from the login of a team's server; empty where there is none.
ALTER TABLE runs ADD COLUMN account text NOT NULL DEFAULT '';

CREATE INDEX runs_by_account ON runs (account, created_at);
