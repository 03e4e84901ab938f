"""Decoder with validated models: pydantic v2, then `pandas.json_normalize`."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
from pydantic import BaseModel, create_model

from . import STATISTICS


#: Numbers of an hour.
Values: type[BaseModel] = create_model("Values", **{name: (float | None, None) for name in STATISTICS})


class Bucket(BaseModel):
    """Statistics of an hour."""

    from_timestamp: datetime
    to_timestamp: datetime
    values: Values  # type: ignore[valid-type,unused-ignore]


class Interval(BaseModel):
    """A response with hourly statistics."""

    from_timestamp: datetime | None = None
    to_timestamp: datetime | None = None
    statistics: list[Bucket]


def frame(body: bytes) -> pd.DataFrame:
    """Converts a year of hourly statistics to a DataFrame."""
    return pd.json_normalize(Interval.model_validate_json(body).model_dump()["statistics"])
