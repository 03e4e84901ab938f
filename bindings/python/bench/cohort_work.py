"""Command line and requests that the scripts of `cohort.py` share."""

from __future__ import annotations

import argparse
import csv
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

#: Statistics per day.
DAILY = (
    "activity_score calories_burned_active calories_burned_basal calories_burned_total distance_cycling distance_running distance_total "
    "distance_walking heartrate heartrate_max heartrate_min heartrate_resting hrv_rmssd hrv_sdnn recovery_score sleep_duration_total "
    "sleep_score sleep_skin_temperature_deviation steps stress_score"
).split()
#: Statistics per hour. Scores and the sleep duration exist only per day.
HOURLY = [name for name in DAILY if not name.endswith("_score") and name != "sleep_duration_total"]


class Work(NamedTuple):
    """Arguments of a script: the service, the users, a table and its days, and the file to write."""

    base_url: str
    users: list[tuple[str, str]]
    table: str
    first: str
    last: str
    out: Path

    @property
    def path(self) -> str:
        """Returns the path of the operation."""
        return f"/v3/queries/statistics/{'daily' if self.table == 'daily' else 'interval'}"

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """Returns the query parameters."""
        if self.table == "daily":
            return [("from_date", self.first), ("to_date", self.last), *(("types", name) for name in DAILY)]
        bounds = [("from_timestamp", f"{self.first}T00:00:00Z"), ("to_timestamp", f"{self.last}T00:00:00Z"), ("interval", "1h")]
        return [*bounds, *(("types", name) for name in HOURLY)]

    @property
    def key(self) -> str:
        """Returns the name of the column with the day or hour."""
        return "date" if self.table == "daily" else "from_timestamp"


def measure(export: Callable[[Work], None]) -> None:
    """Runs an export with the arguments of the command line. Prints its CPU and wall time in seconds, and its peak memory in MiB."""
    parser = argparse.ArgumentParser()
    for name in ("base-url", "users", "table", "first", "last", "out"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    with open(options.users, newline="", encoding="utf-8") as file:
        users = [(row["user"], row["token"]) for row in csv.DictReader(file)]
    cpu, wall = time.process_time(), time.perf_counter()
    export(Work(options.base_url, users, options.table, options.first, options.last, Path(options.out)))
    figures = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    print(json.dumps({**figures, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
