"""Validated models: pydantic v2, then `pandas.json_normalize`."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import pandas as pd
from pydantic import BaseModel


class Values(BaseModel):
    """Numbers of an hour."""

    activity_score: float | None = None
    calories_burned_active: float | None = None
    calories_burned_basal: float | None = None
    calories_burned_total: float | None = None
    distance_cycling: float | None = None
    distance_running: float | None = None
    distance_total: float | None = None
    distance_walking: float | None = None
    heartrate: float | None = None
    heartrate_max: float | None = None
    heartrate_min: float | None = None
    heartrate_resting: float | None = None
    hrv_rmssd: float | None = None
    hrv_sdnn: float | None = None
    recovery_score: float | None = None
    sleep_duration_total: float | None = None
    sleep_score: float | None = None
    sleep_skin_temperature_deviation: float | None = None
    steps: float | None = None
    stress_score: float | None = None


class Bucket(BaseModel):
    """An hour."""

    from_timestamp: datetime
    to_timestamp: datetime
    record_ids: list[UUID] = []
    values: Values


class Interval(BaseModel):
    """The answer."""

    from_timestamp: datetime | None = None
    to_timestamp: datetime | None = None
    statistics: list[Bucket]


def objects(body: bytes) -> Interval:
    """Models of an answer."""
    return Interval.model_validate_json(body)


def frame(body: bytes) -> pd.DataFrame:
    """A year of hours as columns."""
    return normalized(Interval.model_validate_json(body))


def normalized(answer: Interval) -> pd.DataFrame:
    """Models as columns."""
    return pd.json_normalize(answer.model_dump()["statistics"])
