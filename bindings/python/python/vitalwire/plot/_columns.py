"""Columns of responses, ranges, tables, lists of records and frames."""

from __future__ import annotations

import datetime

from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import MergedRange, Night, SleepRecord, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

#: Fields of a sleep that plots need.
_SLEEP = ("sleep_date", "start_at_timestamp", "end_at_timestamp", "duration", "user_time_offset_minutes")


def read_columns(argument: str, source: Any, table: str, *needed: str) -> dict[str, list[Any]]:
    """Returns columns as lists, with `None` for missing values. `table` is the table of responses and ranges.

    Raises `TypeError` for other objects, and `InvalidArgumentError` if a needed column is missing.
    """
    if isinstance(source, MergedRange):
        source = source.response
    if isinstance(source, Night):
        source = source.sleep
    if isinstance(source, SleepRecord) and table == "sleeps":
        source = [source]
    if isinstance(source, (list, tuple)) and table == "sleeps" and all(isinstance(item, (SleepRecord, Night)) for item in source):
        found = _sleeps([item.sleep if isinstance(item, Night) else item for item in source])
    elif isinstance(source, Table):
        found = source.to_dict()
    elif hasattr(source, "to_series") or hasattr(source, "iloc"):
        # polars and pandas: neither is imported here. A DataFrame of polars has `to_series`, one of pandas has `iloc`.
        found = source.to_dict(as_series=False) if hasattr(source, "to_series") else source.to_dict("list")
    elif callable(getattr(source, "table", None)):
        read = source.table(table)
        if not isinstance(read, Table):
            raise invalid_type(argument, "a response, a range of a Client, a table or a frame; await the table of an AsyncClient")
        found = read.to_dict()
    else:
        raise invalid_type(argument, "a response, a range, a table or a frame")
    missing = [name for name in needed if name not in found]
    if missing:
        raise invalid_value(argument, f"must have the columns {', '.join(needed)}")
    return {name: [None if value is None or value != value else value for value in values] for name, values in found.items()}


def _sleeps(sleeps: Sequence[SleepRecord]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [getattr(sleep, name) for sleep in sleeps] for name in _SLEEP}
    naps = [sleep.metrics.get("sleep_duration_nap") if sleep.metrics else None for sleep in sleeps]
    columns["is_nap"] = [nap is not None and nap > 0 for nap in naps]
    return columns


def to_date(value: Any) -> datetime.date:
    """Returns the date of a `date`, or of a `datetime` as pandas reads dates from files."""
    if isinstance(value, str):
        return datetime.date.fromisoformat(value[:10])
    return value.date() if isinstance(value, datetime.datetime) else value


def read_days(argument: str, source: Any, name: str) -> list[tuple[datetime.date, float]]:
    """Returns the days with a value of a daily statistic, in order."""
    columns = read_columns(argument, source, "daily_statistics", "date", name)
    days = zip(columns["date"], columns[name], strict=True)
    return sorted((to_date(day), float(value)) for day, value in days if day is not None and value is not None)
