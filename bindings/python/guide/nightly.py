import datetime
import os
import sqlite3
import sys

import vitalwire
from signing import token_of


def renew(reason: str) -> vitalwire.Token:
    """Returns a new token. Called when the client needs one."""
    token, expires_at = token_of("person-1")
    return vitalwire.Token(token, expires_at=expires_at)


# Today is not over, so the last day is yesterday.
yesterday = datetime.date.today() - datetime.timedelta(days=1)
last = datetime.date.fromisoformat((sys.argv[1:] or [str(yesterday)])[0])
# Providers deliver late, so each run reads a week again.
first = last - datetime.timedelta(days=6)
os.umask(0o077)  # Only you can read the file.
store = sqlite3.connect("days.sqlite")
store.execute("CREATE TABLE IF NOT EXISTS days (date TEXT PRIMARY KEY, steps REAL)")
base_url = os.environ["VITALWIRE_BASE_URL"]
with vitalwire.Client(base_url, token=renew) as client, store:
    week = client.statistics.daily(first, last, ["steps"])
    dates = (str(first), str(last))
    store.execute("DELETE FROM days WHERE date BETWEEN ? AND ?", dates)
    for day in week.statistics or ():
        steps = None if day.values is None else day.values.get("steps")
        row = (str(day.date), steps)
        store.execute("INSERT OR REPLACE INTO days VALUES (?, ?)", row)
print(store.execute("SELECT count(*) FROM days").fetchone()[0], "days stored")
