"""Daily statistics as series with a number or a gap for each day."""

from __future__ import annotations

import datetime
import math

from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import DailyStatistics, MergedRange, RangeCall, Table
from vitalwire.plot._columns import read_columns, to_date, to_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import polars  # type: ignore[import-not-found,unused-ignore]

    from vitalwire._people import _Columns

    #: Objects that contain daily statistics.
    _Statistics: TypeAlias = (
        DailyStatistics
        | Table
        | RangeCall[DailyStatistics, datetime.date]
        | MergedRange[DailyStatistics, datetime.date]
        | MergedRange[Table, datetime.date]
        | pandas.DataFrame
        | polars.DataFrame
    )

#: Name of the table of daily statistics.
_TABLE = "daily_statistics"


class Days:
    """All days from the first to the last, and their numbers."""

    __slots__ = ("dates", "names", "numbers")

    def __init__(self, rows: Iterable[tuple[datetime.date, dict[str, float]]], *ends: datetime.date) -> None:
        self.numbers: dict[datetime.date, dict[str, float]] = {}
        for date, numbers in rows:
            self.numbers.setdefault(date, {}).update(numbers)
        there = [*ends, *self.numbers]
        first = min(there, default=None)
        length = 0 if first is None else (max(there) - first).days + 1
        self.dates = [] if first is None else [first + datetime.timedelta(days=at) for at in range(length)]
        self.names = sorted({name for numbers in self.numbers.values() for name in numbers})

    def series(self, name: str) -> list[float]:
        """Returns a number for each day, NaN if missing."""
        return [self.numbers.get(date, {}).get(name, math.nan) for date in self.dates]


def to_days(statistics: _Statistics) -> dict[str, Days]:
    """Converts a record, a range call, a merged range, a table or a frame to the days of each person."""
    if isinstance(statistics, MergedRange):
        statistics = statistics.response
    if isinstance(statistics, DailyStatistics):
        there = ((bucket.date, dict(bucket.values or {})) for bucket in statistics.statistics)
        return {"": Days(((date, numbers) for date, numbers in there if date is not None), statistics.from_date, statistics.to_date)}
    if isinstance(statistics, Table) and statistics.name != _TABLE:
        raise invalid_type("statistics", "DailyStatistics, a range of them, their table, or a frame of it")
    found = {person: _days(columns) for person, columns in read_columns("statistics", statistics, _TABLE, "date").items()}
    if not any(days.dates for days in found.values()):
        raise invalid_value("statistics", "must contain at least one day")
    return found


def _days(columns: _Columns) -> Days:
    rows = [
        (to_date(date), {name: number for name, values in columns.items() if (number := to_number(values[row])) is not None})
        for row, date in enumerate(columns["date"])
        if date is not None
    ]
    return Days(rows)


def rolling_mean(values: Sequence[float], window: int) -> list[float]:
    """Returns the mean of each day and the days before it, `window` days in total. NaN if fewer than half of them have a number."""
    means = []
    for at in range(len(values)):
        there = [value for value in values[max(0, at + 1 - window) : at + 1] if value == value]
        means.append(math.fsum(there) / len(there) if 2 * len(there) >= window else math.nan)
    return means
