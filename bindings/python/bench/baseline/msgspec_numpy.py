"""Decoder as an expert would write it: msgspec structs with typed leaves, then one numpy array for each column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from . import STATISTICS

#: Numbers of an hour. Absent numbers default to NaN, so that columns need no second pass.
Values: Any = msgspec.defstruct("Values", [(name, float, math.nan) for name in STATISTICS])


class Bucket(msgspec.Struct):
    """Statistics of an hour."""

    from_timestamp: str
    to_timestamp: str
    values: Values  # type: ignore[valid-type,unused-ignore]


class Interval(msgspec.Struct):
    """A response with hourly statistics."""

    statistics: list[Bucket]


_INTERVAL = msgspec.json.Decoder(Interval)


def frame(body: bytes) -> pd.DataFrame:
    """Converts a year of hourly statistics to a DataFrame."""
    buckets = _INTERVAL.decode(body).statistics
    rows = [bucket.values for bucket in buckets]
    columns: dict[str, Any] = {name: _instants(buckets, name) for name in ("from_timestamp", "to_timestamp")}
    for name in STATISTICS:
        columns[name] = np.fromiter(map(attrgetter(name), rows), np.float64, len(rows))
    return pd.DataFrame(columns, copy=False)


def _instants(buckets: Sequence[Bucket], name: str) -> pd.DatetimeIndex:
    # numpy parses ISO 8601 several times faster than pandas. It does not support the final Z, which is cut off here.
    texts = [text[:-1] for text in map(attrgetter(name), buckets)]
    return pd.DatetimeIndex(np.array(texts, dtype="datetime64[ns]"), tz="UTC")


class Metrics(msgspec.Struct):
    """Metrics of a stage in this payload. A struct with all 96 known metrics would be slower."""

    breathing_rate: float | None = None
    glucose: float | None = None
    heartrate: float | None = None
    heartrate_max: float | None = None
    heartrate_min: float | None = None
    hrv_rmssd: float | None = None
    hrv_sdnn: float | None = None
    skin_temperature: float | None = None
    sleep_efficiency: float | None = None
    sleep_skin_temperature_deviation: float | None = None


class Stage(msgspec.Struct):
    """A stage, with the same types as in the package."""

    stage: str | None = None
    start_at: datetime | None = None
    end_at: datetime | None = None
    duration: int | None = None
    metrics: Metrics | None = None


class Night(msgspec.Struct):
    """A night."""

    sleep_id: str
    start_at_timestamp: datetime | None = None
    end_at_timestamp: datetime | None = None
    duration: int | None = None
    metrics: Metrics | None = None
    stages: list[Stage] | None = None


_NIGHT = msgspec.json.Decoder(Night)


def night(body: bytes) -> Night:
    """Decodes a night."""
    return _NIGHT.decode(body)
