-- Insert a row to sync a user. Delete it to remove the user's records, too.
CREATE TABLE synced_users (
    user_id text PRIMARY KEY,
    state bytea
);
CREATE TABLE records (
    user_id text REFERENCES synced_users ON DELETE CASCADE,
    kind text,
    id text,
    day date,
    rows jsonb NOT NULL,
    PRIMARY KEY (user_id, kind, id)
);
CREATE INDEX records_of_a_day ON records (user_id, kind, day);
