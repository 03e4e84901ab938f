import polars as pl

import vitalwire.polars
from vitalwire import cohort

credentials = cohort.UserCredentials.from_file("users.csv")
columns = ["date", "steps"]
days = vitalwire.polars.scan_daily(
    credentials, "2025-01-01", "2025-12-31", columns=columns
)
june = days.filter(pl.col("date").dt.month() == 6)  # Requests only June.
means = june.group_by("user").agg(
    pl.len().alias("days"), pl.col("steps").mean().round()
)
print(means.sort("user").collect())
