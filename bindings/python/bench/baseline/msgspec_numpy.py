"""Decoder as an expert would write it: msgspec structs with typed leaves, then one numpy array for each column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np
import pandas as pd


class Values(msgspec.Struct):
    """Numbers of an hour. Absent numbers default to NaN, so that columns need no second pass."""

    activity_score: float = math.nan
    calories_burned_active: float = math.nan
    calories_burned_basal: float = math.nan
    calories_burned_total: float = math.nan
    distance_cycling: float = math.nan
    distance_running: float = math.nan
    distance_total: float = math.nan
    distance_walking: float = math.nan
    heartrate: float = math.nan
    heartrate_max: float = math.nan
    heartrate_min: float = math.nan
    heartrate_resting: float = math.nan
    hrv_rmssd: float = math.nan
    hrv_sdnn: float = math.nan
    recovery_score: float = math.nan
    sleep_duration_total: float = math.nan
    sleep_score: float = math.nan
    sleep_skin_temperature_deviation: float = math.nan
    steps: float = math.nan
    stress_score: float = math.nan


class Bucket(msgspec.Struct):
    """Statistics of an hour."""

    from_timestamp: str
    to_timestamp: str
    values: Values


class BucketWithIds(Bucket):
    """Statistics of an hour, with the ids of its records. A separate class, because skipping undeclared fields is faster."""

    record_ids: list[str] = []


Row = TypeVar("Row", bound=Bucket)


class Interval(msgspec.Struct, Generic[Row]):
    """A response with hourly statistics."""

    statistics: list[Row]


_INTERVAL = msgspec.json.Decoder(Interval[Bucket])
_INTERVAL_WITH_IDS = msgspec.json.Decoder(Interval[BucketWithIds])


def frame(body: bytes) -> pd.DataFrame:
    """Converts a year of hourly statistics to a DataFrame."""
    buckets = _INTERVAL.decode(body).statistics
    return pd.DataFrame(_columns(buckets), copy=False)


def frame_with_ids(body: bytes) -> pd.DataFrame:
    """Converts hourly statistics to a DataFrame with lists of record ids."""
    buckets = _INTERVAL_WITH_IDS.decode(body).statistics
    columns = _columns(buckets)
    columns["record_ids"] = [bucket.record_ids for bucket in buckets]
    return pd.DataFrame(columns, copy=False)


def _columns(buckets: Sequence[Bucket]) -> dict[str, Any]:
    rows = [bucket.values for bucket in buckets]
    columns: dict[str, Any] = {name: _instants(buckets, name) for name in ("from_timestamp", "to_timestamp")}
    for name in Values.__struct_fields__:
        columns[name] = np.fromiter(map(attrgetter(name), rows), np.float64, len(rows))
    return columns


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


class Samples(msgspec.Struct):
    """Samples of a night."""

    durations: list[float] = []
    offsets: list[float] = []
    values: dict[str, list[float]] = {}


class Night(msgspec.Struct):
    """A night."""

    sleep_id: str
    start_at_timestamp: datetime | None = None
    end_at_timestamp: datetime | None = None
    duration: int | None = None
    metrics: Metrics | None = None
    stages: list[Stage] | None = None
    samples: Samples | None = None


_NIGHT = msgspec.json.Decoder(Night)


def night(body: bytes) -> Night:
    """Decodes a night."""
    return _NIGHT.decode(body)


def samples(body: bytes) -> pd.DataFrame:
    """Converts the samples of a night to a DataFrame."""
    found = _NIGHT.decode(body).samples
    assert found is not None
    lists = {"offset": found.offsets, "duration": found.durations, **found.values}
    return pd.DataFrame({name: np.array(numbers) for name, numbers in lists.items()}, copy=False)
