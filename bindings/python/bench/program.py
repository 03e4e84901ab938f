"""Declares rows and runs alternatives, as the module `program` of the crate `vitalwire-bench` describes."""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import vitalwire

TOKEN = "bench-token"
BASE_URL = os.environ["BENCH_URL"]

Run = Callable[[], object]
_alternatives: dict[str, Run] = {}


def body(name: str) -> bytes:
    """Returns a payload."""
    return Path(os.environ["BENCH_PAYLOADS"], f"{name}.json").read_bytes()


def client() -> vitalwire.Client:
    """Returns a client of the package with default settings."""
    return vitalwire.Client(BASE_URL, token=TOKEN)


def declare(**line: object) -> None:
    """Prints a row, a measured line or another program."""
    print(json.dumps(line), flush=True)


def compare(measure: str, ours: Run, baselines: Mapping[str, tuple[Run, str]], **options: str) -> None:
    """Declares a row for each baseline, which has a gate."""
    _alternatives[measure] = ours
    for name, (run, gate) in baselines.items():
        row = f"{measure}: {name}"
        _alternatives[row] = run
        declare(measure=row, ours=measure, baseline=row, gate=gate, **options)


def serve() -> None:
    """Runs alternatives until the input ends. Garbage collection is enabled, as for users."""
    print(flush=True)
    for line in sys.stdin:
        times, name = line.rstrip("\n").split(maxsplit=1)
        run, count = _alternatives[name], int(times)
        # Collects the garbage of the previous alternative, so that each alternative pays only for its own.
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(count):
            run()
        print((time.perf_counter() - wall) / count, (time.process_time() - cpu) / count, flush=True)
