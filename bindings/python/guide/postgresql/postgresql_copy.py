import os
import sys

import psycopg
from psycopg.types.json import Jsonb

import vitalwire

# Stores a state unless another run has stored one since this run has read its own.
# Locks the user's row until the end of the transaction, so another run waits.
STORE = """
UPDATE synced_users SET state = %s
WHERE user_id = %s AND state IS NOT DISTINCT FROM %s
"""
PUT = """
INSERT INTO records (user_id, kind, id, day, rows) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (user_id, kind, id) DO UPDATE
SET day = excluded.day, rows = excluded.rows
"""
REMOVE = "DELETE FROM records WHERE user_id = %s AND kind = %s AND id = %s"
REMOVE_DAY = "DELETE FROM records WHERE user_id = %s AND kind = %s AND day = %s"


def token_of(client: vitalwire.Client, user: str) -> str:
    signature = vitalwire.sign_user_id(os.environ["APPLICATION_KEY"], user)
    application_id = int(os.environ["APPLICATION_ID"])
    return client.tokens.exchange(application_id, user, signature).access_token


def apply(database: psycopg.Connection, user: str, change: vitalwire.Change) -> None:
    if change.type in ("added", "changed"):
        record = (user, change.kind, change.id, change.day, Jsonb(change.rows))
        database.execute(PUT, record)
    elif change.type == "removed":
        database.execute(REMOVE, (user, change.kind, change.id))
    else:  # day_removed: records of this day that still exist follow.
        database.execute(REMOVE_DAY, (user, change.kind, change.day))


def sync(database: psycopg.Connection, client: vitalwire.Client, user: str) -> None:
    query = "SELECT state FROM synced_users WHERE user_id = %s"
    state = (database.execute(query, (user,)).fetchone() or [None])[0]
    call = client.sync(
        ["daily", "sleeps", "nutrition"],
        secret=bytes.fromhex(os.environ["SYNC_SECRET"]),
        user=user,
        state=state,
        first="2026-01-01",
        token=token_of(client, user),
        expect_account=user,  # Rejects the token of another user.
    )
    parts, changes, failure = iter(call), 0, None
    while True:
        try:
            part = next(parts, None)
        except vitalwire.VitalwireError as error:
            failure = error  # Other parts may succeed.
            continue
        if part is None:
            break
        with database.transaction():  # Changes and state together or not at all.
            stored = database.execute(STORE, (part.state, user, state))
            if stored.rowcount == 0:
                print(f"{user}: skipped, because another run has stored its state")
                return
            for change in part.changes:
                apply(database, user, change)
        state = part.state
        changes += len(part.changes)
    print(f"{user}: {changes} changes")
    if failure is not None:
        raise failure  # The next run requests the missing days.


failed = False
url = os.environ["DATABASE_URL"]
with (
    psycopg.connect(url, autocommit=True) as database,
    vitalwire.Client(os.environ["VITALWIRE_BASE_URL"]) as client,
):
    users = database.execute("SELECT user_id FROM synced_users ORDER BY user_id")
    for (user,) in users.fetchall():
        try:
            sync(database, client, user)
        except vitalwire.VitalwireError as error:
            failed = True
            print(f"{user}: {error}", file=sys.stderr)
sys.exit(1 if failed else 0)
