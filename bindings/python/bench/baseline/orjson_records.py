"""Decoder of a quick script: orjson, flat rows and `DataFrame.from_records`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson
import pandas as pd


def objects(body: bytes) -> Any:
    """Decodes a response to plain dicts and lists."""
    return orjson.loads(body)


def frame(body: bytes) -> pd.DataFrame:
    """Converts a year of hourly statistics to a DataFrame."""
    return _frame(
        {"from_timestamp": bucket["from_timestamp"], "to_timestamp": bucket["to_timestamp"], **bucket["values"]}
        for bucket in orjson.loads(body)["statistics"]
    )


def frame_with_ids(body: bytes) -> pd.DataFrame:
    """Converts hourly statistics to a DataFrame with lists of record ids."""
    return _frame(
        {
            "from_timestamp": bucket["from_timestamp"],
            "to_timestamp": bucket["to_timestamp"],
            "record_ids": bucket["record_ids"],
            **bucket["values"],
        }
        for bucket in orjson.loads(body)["statistics"]
    )


def _frame(rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    table = pd.DataFrame.from_records(list(rows))
    for name in ("from_timestamp", "to_timestamp"):
        table[name] = pd.to_datetime(table[name], utc=True, format="ISO8601")
    return table


def samples(body: bytes) -> pd.DataFrame:
    """Converts the samples of a night to a DataFrame."""
    found = orjson.loads(body)["samples"]
    return pd.DataFrame({"offset": found["offsets"], "duration": found["durations"], **found["values"]})
