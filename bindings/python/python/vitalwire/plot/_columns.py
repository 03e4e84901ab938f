"""Columns of responses, ranges, tables, lists of records and frames, by person."""

from __future__ import annotations

import contextlib
import datetime
import re

from vitalwire import _people
from vitalwire._arguments import check_day
from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import InvalidArgumentError, MergedRange, NightResult, SleepRecord, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from vitalwire._people import _Columns

#: Fields of a sleep that plots need.
_SLEEP = ("sleep_date", "start_at_timestamp", "end_at_timestamp", "duration", "user_time_offset_minutes")
#: Instants that plots need. A name with `_local` at its end is a local time.
_TIMES = ("start_at_timestamp", "end_at_timestamp", "start_at", "start_at_local", "end_at", "at", "at_local", "consumed_at")
_DAILY = "daily_statistics"
_DECIMALS = re.compile(r"\.\d+")
_MILLISECOND = datetime.timedelta(milliseconds=1)


def read_columns(argument: str, source: Any, table: str, *needed: str) -> dict[str, _Columns]:
    """Returns the columns of each person as lists, with `None` for missing values. Without a column of people, the only person is `""`.

    `table` is the table of responses and ranges. Raises `TypeError` for other objects, and `InvalidArgumentError` if a needed column is
    missing.
    """
    if isinstance(source, MergedRange) and isinstance(source.response, tuple):
        source = source.response
    if isinstance(source, NightResult):
        source = source.sleep
    if isinstance(source, SleepRecord) and table == "sleeps":
        source = [source]
    key = None
    if isinstance(source, (list, tuple)) and table == "sleeps" and all(isinstance(item, (SleepRecord, NightResult)) for item in source):
        columns = _sleeps([item.sleep if isinstance(item, NightResult) else item for item in source])
    else:
        source = _to_table(argument, source, table)
        columns = _people.read_columns(source)
        key = _people.find_key(source, columns, table)
        for name in columns.keys() & set(_TIMES):
            columns[name] = [None if value is None else _to_time(argument, name, value) for value in columns[name]]
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
    if isinstance(source, (list, tuple)) and source and all(isinstance(item, (SleepRecord, NightResult)) for item in source):
        nights = [item.sleep if isinstance(item, NightResult) else item for item in source]
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


def _to_time(argument: str, name: str, value: Any) -> datetime.datetime:
    """Returns a time, or the time of a text of a CSV file. Instants without an offset are in UTC."""
    if isinstance(value, str):
        # Python 3.10 needs three or six decimals and accepts no `Z`.
        text = _DECIMALS.sub(lambda found: found[0][:7].ljust(7, "0"), value.replace("Z", "+00:00"))
        with contextlib.suppress(ValueError):
            value = datetime.datetime.fromisoformat(text)
    if not isinstance(value, datetime.datetime):
        raise invalid_value(argument, f"must have times in the column {name}, such as 2025-01-31T22:00:00Z")
    return value if value.tzinfo or name.endswith("_local") else value.replace(tzinfo=datetime.timezone.utc)


def _sleeps(sleeps: Sequence[SleepRecord]) -> _Columns:
    columns: _Columns = {name: [getattr(sleep, name) for sleep in sleeps] for name in _SLEEP}
    naps = [sleep.metrics.get("sleep_duration_nap") if sleep.metrics else None for sleep in sleeps]
    columns["is_nap"] = [nap is not None and nap > 0 for nap in naps]
    return columns


def to_date(value: Any) -> datetime.date:
    """Returns the date of a `date`, or of a `datetime` as pandas reads dates from files."""
    day: Any = check_day("date", value[:10]) if isinstance(value, str) else value
    found: datetime.date = day.date() if isinstance(day, datetime.datetime) else day
    return found


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
