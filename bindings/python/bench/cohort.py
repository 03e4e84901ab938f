"""Compares `vitalwire cohort export` with two scripts that do the same, from a sandbox to Parquet.

    python bindings/python/bench/cohort.py --program target/release/vitalwire

The environment needs the packages of `xtask/python/bench.txt`, and polars. The times of the scripts exclude imports. The time of the program
is that of its whole process. The daily values of all three are compared.
"""

from __future__ import annotations

import argparse
import csv
import hmac
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import polars as pl

HERE = Path(__file__).parent
#: Scripts in the folder `baseline`.
SCRIPTS = ("cohort_pydantic_pandas", "cohort_orjson_polars")
TODAY = "2025-11-21"
#: Table, number of users, first and last day of each comparison.
WORK = (("daily", 200, "2024-11-21", "2025-11-20"), ("hourly", 50, "2025-08-22", "2025-11-19"))


@contextmanager
def sandbox(program: Path, people: int) -> Iterator[tuple[str, str, int]]:
    """Runs a sandbox. Yields its base URL, the application key and the application id."""
    command = [os.fspath(program), "sandbox", "--ready-json", "--seed", "7", "--today", TODAY, "--people", str(people)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            ready = json.loads(process.stdout.readline())
            yield ready["base_url"], ready["application_key"], ready["application_id"]
        finally:
            process.stdin.close()


def write_users(path: Path, people: int, base_url: str, key: str, application: int) -> None:
    """Writes the file of users, with tokens."""
    with path.open("w", newline="", encoding="utf-8") as file, httpx.Client(base_url=base_url, trust_env=False) as http:
        rows = csv.writer(file)
        rows.writerow(["user", "token"])
        for user in (f"person-{at}" for at in range(1, people + 1)):
            signature = hmac.digest(key.encode(), user.encode(), "sha256").hex()
            body = {"application_id": application, "application_user_id": user, "signature": signature}
            rows.writerow([user, http.post("/v3/auth/hmac", json=body).raise_for_status().json()["access_token"]])


def export(program: Path, base_url: str, users: Path, table: str, first: str, last: str, out: Path) -> dict[str, float]:
    """Runs an export. Returns its CPU time and wall time in seconds, and its peak memory in MiB."""
    line = [os.fspath(program), "cohort", "export", "--users", os.fspath(users), "--out", os.fspath(out)]
    line += ["--tables", table, "--from", first, "--to", last]
    wall = time.perf_counter()
    process = subprocess.Popen(line, env={**os.environ, "VITALWIRE_BASE_URL": base_url}, stdout=subprocess.DEVNULL)
    peak, ended = 0.0, 0
    while not ended:
        # `ru_maxrss` includes the memory of this process before it started the program.
        peak = max(peak, _peak_memory(process.pid))
        time.sleep(0.005)
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return {"cpu": used.ru_utime + used.ru_stime, "wall": time.perf_counter() - wall, "peak": peak}


def _peak_memory(process: int) -> float:
    """Returns the peak memory of a running process so far, in MiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def _rows(path: str, key: str) -> pl.DataFrame:
    rows = pl.read_parquet(path, hive_partitioning=False)
    names = sorted(set(rows.columns) - {"record_ids", "to_timestamp", "user", key, "__index_level_0__"})
    return rows.select("user", pl.col(key).cast(pl.String), *(pl.col(name).cast(pl.Float64) for name in names)).sort("user", key)


def main() -> None:
    """Prints one line of JSON for each table and program."""
    parser = argparse.ArgumentParser(description="Measures exports of cohorts.")
    parser.add_argument("--program", type=Path, required=True, help="the program vitalwire, a release build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=int, nargs="*", default=[], help="numbers of users: also measure the cost per user")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    for table, people, first, last in WORK if options.rounds else ():
        with tempfile.TemporaryDirectory() as folder, sandbox(options.program, people) as running:
            users, out = Path(folder, "users.csv"), Path(folder)
            write_users(users, people, *running)
            found: dict[str, list[dict[str, float]]] = {name: [] for name in ("ours", *SCRIPTS)}
            for at in range(options.rounds):
                found["ours"].append(export(options.program, running[0], users, table, first, last, out / f"dataset-{at}"))
                # The end of an hourly range is exclusive.
                end = last if table == "daily" else "2025-11-20"
                for name in SCRIPTS:
                    line = [sys.executable, "-m", f"baseline.{name}", "--base-url", running[0], "--users", str(users), "--table", table]
                    line += ["--first", first, "--last", end, "--out", str(out / f"{name}.parquet")]
                    found[name].append(json.loads(subprocess.run(line, check=True, capture_output=True, cwd=HERE, text=True).stdout))
            key = "date" if table == "daily" else "from_timestamp"
            ours = _rows(f"{out}/dataset-0/table={table}/*/*.parquet", key)
            for name in SCRIPTS:
                other = _rows(str(out / f"{name}.parquet"), key).select(ours.columns) if table == "daily" else None
                assert other is None or ours.equals(other), f"{name} must write the values of the export"
            for name, figures in found.items():
                median = {part: round(statistics.median(figure[part] for figure in figures), 3) for part in ("cpu", "wall", "peak")}
                ratios = [figure["cpu"] / own["cpu"] for figure, own in zip(figures, found["ours"], strict=True)]
                facts = {"table": table, "users": people, "name": name, "rows": ours.height}
                print(json.dumps({**facts, **median, "cpu_ratio": round(statistics.median(ratios), 2)}))
    for people in options.scale:
        with tempfile.TemporaryDirectory() as folder, sandbox(options.program, people) as running:
            users = Path(folder, "users.csv")
            lines = [f"person-{at},{running[2]},BENCH_KEY\n" for at in range(1, people + 1)]
            users.write_text("user,application_id,key_env\n" + "".join(lines))
            os.environ["BENCH_KEY"] = running[1]
            figure = export(options.program, running[0], users, "daily", "2024-11-21", "2025-11-20", Path(folder, "dataset"))
            rounded = {name: round(value, 3) for name, value in figure.items()}
            print(json.dumps({"users": people, "ms_per_user_year": round(1000 * figure["cpu"] / people, 3), **rounded}))


if __name__ == "__main__":
    main()
