import datetime
import os
import sqlite3
import sys

import vitalwire

today = datetime.date.today().isoformat()
last = datetime.date.fromisoformat((sys.argv[1:] or [today])[0])
# Providers deliver late, so each run reads a week again.
first = last - datetime.timedelta(days=7)
os.umask(0o077)  # Only you can read the file.
store = sqlite3.connect("days.sqlite")
store.execute("CREATE TABLE IF NOT EXISTS days (date TEXT PRIMARY KEY, steps REAL)")
with vitalwire.Client.from_env() as client, store:
    week = client.statistics.daily(first, last, ["steps"])
    for day in week.statistics or ():
        steps = None if day.values is None else day.values.get("steps")
        row = (str(day.date), steps)
        store.execute("INSERT OR REPLACE INTO days VALUES (?, ?)", row)
print(store.execute("SELECT count(*) FROM days").fetchone()[0], "days stored")
