"""Measures the conversion of samples of a night, ten series of 10,000 numbers, from bytes to pandas, in processor time."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pandas as pd

from baseline import msgspec_numpy, orjson_records
from report import Line, milliseconds
from rounds import compare
from setting import Setting

import vitalwire


def ours(body: bytes) -> pd.DataFrame:
    """Converts samples with the package."""
    return vitalwire.Table.read("sleep_samples", "get_sleep", body).to_pandas()


def run(setting: Setting) -> Iterator[Line]:
    """Measures baseline time divided by our time, without a gate."""
    body = setting.body("sleep")
    baselines = {"msgspec + numpy": msgspec_numpy.samples, "orjson + DataFrame": orjson_records.samples}
    mine = ours(body)
    for name, frame in baselines.items():
        theirs = frame(body)
        assert len(mine) == len(theirs) == 10_000, name
        for series in theirs.columns.difference(["offset", "duration"]):
            assert np.array_equal(mine[series].to_numpy(dtype=np.float64), theirs[series].to_numpy(dtype=np.float64)), f"{name}: {series}"
    alternatives = {name: lambda frame=frame: frame(body) for name, frame in baselines.items()}
    found = compare(setting.budget, time.process_time, {"ours": lambda: ours(body), **alternatives})
    for name in baselines:
        figure = found.ratio(name, "ours")
        yield Line(f"samples of a night, bytes -> pandas: {name}", milliseconds(found.median("ours")), milliseconds(found.median(name)), figure)
