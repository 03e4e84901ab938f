"""Decoder with validated models: pydantic v2, then `pandas.json_normalize`."""

from __future__ import annotations

from datetime import datetime

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
    """Statistics of an hour."""

    from_timestamp: datetime
    to_timestamp: datetime
    values: Values


class Interval(BaseModel):
    """A response with hourly statistics."""

    from_timestamp: datetime | None = None
    to_timestamp: datetime | None = None
    statistics: list[Bucket]


def frame(body: bytes) -> pd.DataFrame:
    """Converts a year of hourly statistics to a DataFrame."""
    return pd.json_normalize(Interval.model_validate_json(body).model_dump()["statistics"])
