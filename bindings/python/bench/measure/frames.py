"""Measures the conversion of a year of hourly statistics from bytes to pandas, in processor time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pandas as pd

import equality
from baseline import msgspec_numpy, orjson_records, pydantic_normalize
from report import Line, milliseconds
from rounds import compare
from setting import Setting

import vitalwire

#: Baselines and their gates.
BASELINES = {
    "msgspec structs + numpy columns": (msgspec_numpy, 3.6),
    "orjson + from_records": (orjson_records, 8.4),
    "pydantic v2 + json_normalize": (pydantic_normalize, 35.8),
}


def ours(body: bytes) -> pd.DataFrame:
    """Converts hourly statistics with the package, without lists of record ids."""
    return vitalwire.Table.read("interval_statistics", "interval_statistics", body).to_pandas(lists=False)


def ours_with_ids(body: bytes) -> pd.DataFrame:
    """Converts hourly statistics with the package, including lists of record ids."""
    return vitalwire.Table.read("interval_statistics", "interval_statistics", body).to_pandas(lists=True)


def run(setting: Setting) -> Iterator[Line]:
    """Measures baseline time divided by our time, for each baseline. Repeats this with record ids."""
    body = setting.body("interval")
    plain = {name: module.frame for name, (module, _) in BASELINES.items()}
    for line, (_, gate) in zip(_compare(setting, "hourly year, bytes -> pandas", body, ours, plain), BASELINES.values()):
        yield line.at_least(gate)
    with_ids: dict[str, Way] = {"msgspec structs + numpy columns": msgspec_numpy.frame_with_ids}
    yield from _compare(setting, "the same with ids", body, ours_with_ids, with_ids)


Way = Callable[[bytes], pd.DataFrame]


def _compare(setting: Setting, what: str, body: bytes, mine: Way, baselines: dict[str, Way]) -> Iterator[Line]:
    for name, frame in baselines.items():
        equality.frames(mine(body), frame(body), f"{what}: {name}")
    alternatives = {name: lambda frame=frame: frame(body) for name, frame in baselines.items()}
    found = compare(setting.budget, time.process_time, {"ours": lambda: mine(body), **alternatives})
    for name in baselines:
        figure = found.ratio(name, "ours")
        yield Line(f"{what}: {name}", milliseconds(found.median("ours")), milliseconds(found.median(name)), figure)
