"""A year of hours from bytes to pandas, in processor time."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pandas as pd

import same
from baseline import msgspec_numpy, orjson_records, pydantic_normalize
from report import Line, milliseconds
from rounds import compare
from setting import Setting

import vitalwire

GATES = {
    "msgspec structs + numpy columns": (msgspec_numpy.frame, 2.5),
    "orjson + from_records": (orjson_records.frame, 4),
    "pydantic v2 + json_normalize": (pydantic_normalize.frame, 20),
}


def ours(body: bytes) -> pd.DataFrame:
    """The same by the package."""
    return vitalwire.Table.read("interval_statistics", "interval_statistics", body).to_pandas()


def run(setting: Setting) -> Iterator[Line]:
    """Baseline time by our time, for each baseline."""
    body = setting.body("interval")
    mine = ours(body)
    for name, (frame, _) in GATES.items():
        same.frames(mine, frame(body), name)
    ways = {name: lambda frame=frame: frame(body) for name, (frame, _) in GATES.items()}
    found = compare(setting.effort, time.process_time, {"ours": lambda: ours(body), **ways})
    for name, (_, gate) in GATES.items():
        figure = found.ratio(name, "ours")
        line = Line(f"hourly year, bytes -> pandas: {name}", milliseconds(found.median("ours")), milliseconds(found.median(name)), figure)
        yield line.at_least(gate)
