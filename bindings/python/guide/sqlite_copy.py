import json
import os
import pathlib
import secrets
import sqlite3
import sys

import vitalwire

os.umask(0o077)  # Only you can read the files.
USER = "user-7"  # Your own id of the user.
key_file = pathlib.Path("sync.key")
if not key_file.exists():
    with key_file.open("xb") as file:
        file.write(secrets.token_bytes(32))

store = sqlite3.connect("copy.sqlite", isolation_level=None)
store.executescript("""
CREATE TABLE IF NOT EXISTS records (
    user TEXT, kind TEXT, id TEXT, day TEXT, rows TEXT,
    PRIMARY KEY (user, kind, id));
CREATE TABLE IF NOT EXISTS states (user TEXT PRIMARY KEY, state BLOB);
""")


def apply(change: vitalwire.Change) -> None:
    day = None if change.day is None else change.day.isoformat()
    if change.type in ("added", "changed"):
        rows = json.dumps(change.rows)
        record = (USER, change.kind, change.id, day, rows)
        store.execute("REPLACE INTO records VALUES (?, ?, ?, ?, ?)", record)
        return
    # day_removed: records of this day that still exist follow.
    column = "id" if change.type == "removed" else "day"
    value = change.id if change.type == "removed" else day
    where = f"user = ? AND kind = ? AND {column} = ?"
    row = (USER, change.kind, value)
    store.execute(f"DELETE FROM records WHERE {where}", row)


def read_state() -> bytes | None:
    query = "SELECT state FROM states WHERE user = ?"
    row = store.execute(query, (USER,)).fetchone()
    return None if row is None else row[0]


state = read_state()
with vitalwire.Client.from_env() as client:
    call = client.sync(
        ["daily", "sleeps"],
        secret=key_file.read_bytes(),
        user=USER,
        state=state,
        first="2026-01-01",
    )
    for part in call:  # If parts fail, the last error is raised after the others.
        with store:  # Changes and state are stored together or not at all.
            store.execute("BEGIN IMMEDIATE")
            if read_state() != state:
                sys.exit("another sync of this user has stored its state")
            for change in part.changes:
                apply(change)
            row = (USER, part.state)
            store.execute("REPLACE INTO states VALUES (?, ?)", row)
        state = part.state
        progress = f"{part.progress.done_days} of {part.progress.total_days}"
        print(f"{progress} days, {len(part.changes)} changes")
