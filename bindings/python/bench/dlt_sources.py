"""Measures the dlt source of the package and the `rest_api` source of dlt, from a sandbox to DuckDB.

    python bindings/python/bench/dlt_sources.py --program target/release/vitalwire

The environment needs the package, httpx, polars, dlt and DuckDB (`xtask/python/engines.txt`). Both load the same days of the same users, which
is checked. The figures are wall time of `pipeline.run`, without imports.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import dlt
import vitalwire.dlt
from baseline import dlt_rest_api
from cohort import sandbox, write_users
from cohort_work import Work
from vitalwire.cohort import Settings, UserCredentials

USERS = 50
FIRST, LAST = "2024-11-21", "2025-11-20"


def _load(work: Work, pipeline: dlt.Pipeline) -> None:
    credentials = UserCredentials.from_file(work.out / "users.csv")
    pipeline.run(vitalwire.dlt.source(credentials, "daily", work.first, work.last, Settings(work.base_url, proxy="none")))


def _measure(load: Callable[[Work, dlt.Pipeline], None], work: Work, name: str, steps: str) -> tuple[float, tuple[object, ...]]:
    """Returns the wall time, and the number of rows, users and steps in the database."""
    destination = dlt.destinations.duckdb(os.fspath(work.out / f"{name}.duckdb"))
    pipeline = dlt.pipeline(name, pipelines_dir=os.fspath(work.out / "pipelines"), destination=destination, dataset_name="study")
    start = time.perf_counter()
    load(work, pipeline)
    taken = time.perf_counter() - start
    with pipeline.sql_client() as client:
        rows = client.execute_sql(f'select count(*), count(distinct "user"), sum({steps}) from {work.table}')
    assert rows
    return taken, rows[0]


def main() -> None:
    """Prints one line of JSON."""
    parser = argparse.ArgumentParser(description="Measures dlt sources.")
    parser.add_argument("--program", type=Path, required=True, help="the program vitalwire, a release build")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ours, others = [], []
    with tempfile.TemporaryDirectory() as folder, sandbox(options.program, USERS) as running:
        out = Path(folder)
        write_users(out / "users.csv", USERS, *running)
        with (out / "users.csv").open(newline="", encoding="utf-8") as file:
            users = [(row["user"], row["token"]) for row in csv.DictReader(file)]
        work = Work(running[0], users, "daily", FIRST, LAST, out)
        for at in range(options.rounds):
            own, rows = _measure(_load, work, f"ours_{at}", "steps")
            other, other_rows = _measure(dlt_rest_api.load, work, f"rest_api_{at}", "values__steps")
            assert rows == other_rows, (rows, other_rows)
            ours.append(own)
            others.append(other)
    ratio = statistics.median(other / own for own, other in zip(ours, others, strict=True))
    figures = {"ours": statistics.median(ours), "rest_api": statistics.median(others), "ratio": ratio}
    print(json.dumps({"users": USERS, "rows": rows[0], **{name: round(value, 2) for name, value in figures.items()}}))


if __name__ == "__main__":
    main()
