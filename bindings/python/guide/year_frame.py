import os

import vitalwire

with vitalwire.Client.from_env() as client:
    year = client.statistics.daily_range("2025-01-01", "2025-12-31", ["steps"])
    days = year.to_pandas()

days["month"] = days["date"].map(lambda date: date.strftime("%B"))
months = days.groupby("month", sort=False)["steps"].agg(["count", "mean"])
print(months.round())
os.umask(0o077)  # Only you can read the file.
days.to_csv("2025.csv", index=False)
