"""Decoder of a quick script: orjson, flat rows and `DataFrame.from_records`."""

from __future__ import annotations

import orjson
import pandas as pd


def frame(body: bytes) -> pd.DataFrame:
    """Converts a year of hourly statistics to a DataFrame."""
    rows = [
        {"from_timestamp": bucket["from_timestamp"], "to_timestamp": bucket["to_timestamp"], **bucket["values"]}
        for bucket in orjson.loads(body)["statistics"]
    ]
    table = pd.DataFrame.from_records(rows)
    for name in ("from_timestamp", "to_timestamp"):
        table[name] = pd.to_datetime(table[name], utc=True, format="ISO8601")
    return table
