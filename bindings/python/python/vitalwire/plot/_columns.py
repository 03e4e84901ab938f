"""Columns of responses, ranges, tables, lists of records and frames, by person."""

from __future__ import annotations

import datetime

from vitalwire import _people
from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import InvalidArgumentError, MergedRange, Night, SleepRecord, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from vitalwire._people import _Columns

#: Fields of a sleep that plots need.
_SLEEP = ("sleep_date", "start_at_timestamp", "end_at_timestamp", "duration", "user_time_offset_minutes")
_DAILY = "daily_statistics"
_MILLISECOND = datetime.timedelta(milliseconds=1)


def read_columns(argument: str, source: Any, table: str, *needed: str) -> dict[str, _Columns]:
    """Returns the columns of each person as lists, with `None` for missing values. Without a column of people, the only person is `""`.

    `table` is the table of responses and ranges. Raises `TypeError` for other objects, and `InvalidArgumentError` if a needed column is
    missing.
    """
    if isinstance(source, MergedRange) and isinstance(source.response, tuple):
        source = source.response
    if isinstance(source, Night):
        source = source.sleep
    if isinstance(source, SleepRecord) and table == "sleeps":
        source = [source]
    key = None
    if isinstance(source, (list, tuple)) and table == "sleeps" and all(isinstance(item, (SleepRecord, Night)) for item in source):
        columns = _sleeps([item.sleep if isinstance(item, Night) else item for item in source])
    else:
        source = _to_table(argument, source, table)
        columns = _people.read_columns(source)
        key = _people.find_key(source, columns, table)
    if any(name not in columns for name in needed):
        raise invalid_value(argument, f"must have the columns {', '.join(needed)}")
    people = {"": columns} if key is None else {person: found for (person,), found in _people.split(columns, key).items()}
    if table == _DAILY:
        for found in people.values():
            _people.check_days(argument, found)
    return people


def _to_table(argument: str, source: Any, table: str) -> Any:
    """Returns a table or a frame."""
    if isinstance(source, Table) or _people.is_frame(source):
        return source
    if isinstance(source, (list, tuple)) and source and all(isinstance(item, (SleepRecord, Night)) for item in source):
        nights = [item.sleep if isinstance(item, Night) else item for item in source]
        return Table._concat([(None, night.table(table)) for night in nights], "")  # type: ignore[attr-defined,arg-type]
    if not callable(getattr(source, "table", None)):
        raise invalid_type(argument, "a response, a range, a table or a frame")
    try:
        read = source.table(table)
    except InvalidArgumentError as error:
        # The response is of another kind.
        if error.argument != "name":
            raise
        read = None
    if read is None:
        raise invalid_type(argument, f"a response, a range, a table or a frame with the table {table}")
    if not isinstance(read, Table):
        if hasattr(read, "close"):
            read.close()
        raise invalid_type(argument, "a response, a range of a Client, a table or a frame; await the table of an AsyncClient")
    return read


def _sleeps(sleeps: Sequence[SleepRecord]) -> _Columns:
    columns: _Columns = {name: [getattr(sleep, name) for sleep in sleeps] for name in _SLEEP}
    naps = [sleep.metrics.get("sleep_duration_nap") if sleep.metrics else None for sleep in sleeps]
    columns["is_nap"] = [nap is not None and nap > 0 for nap in naps]
    return columns


def to_date(value: Any) -> datetime.date:
    """Returns the date of a `date`, or of a `datetime` as pandas reads dates from files."""
    if isinstance(value, str):
        return datetime.date.fromisoformat(value[:10])
    return value.date() if isinstance(value, datetime.datetime) else value


def to_number(value: Any) -> float | None:
    """Returns a number, or the milliseconds of a duration. `None` for other values."""
    if isinstance(value, datetime.timedelta):
        return value / _MILLISECOND
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def read_days(argument: str, source: Any, name: str) -> dict[str, list[tuple[datetime.date, float]]]:
    """Returns the days of each person with a value of a daily statistic, in order."""
    return {person: _days(columns, name) for person, columns in read_columns(argument, source, _DAILY, "date", name).items()}


def _days(columns: _Columns, name: str) -> list[tuple[datetime.date, float]]:
    days = zip(columns["date"], map(to_number, columns[name]), strict=True)
    return sorted((to_date(day), value) for day, value in days if day is not None and value is not None)
