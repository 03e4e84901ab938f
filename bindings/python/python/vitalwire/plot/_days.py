"""Daily statistics as series with a number or a gap for each day."""

from __future__ import annotations

import datetime
import math

from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import DailyStatistics, MergedRange, RangeCall, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    #: Objects that contain daily statistics.
    _Statistics: TypeAlias = (
        DailyStatistics
        | Table
        | RangeCall[DailyStatistics, datetime.date]
        | MergedRange[DailyStatistics, datetime.date]
        | MergedRange[Table, datetime.date]
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


def to_days(statistics: _Statistics) -> Days:
    """Converts a record, a range call, a merged range or a table to days."""
    if isinstance(statistics, MergedRange):
        statistics = statistics.response
    if isinstance(statistics, DailyStatistics):
        there = ((bucket.date, dict(bucket.values or {})) for bucket in statistics.statistics)
        return Days(((date, numbers) for date, numbers in there if date is not None), statistics.from_date, statistics.to_date)
    if isinstance(statistics, RangeCall):
        statistics = statistics.table()
    if not isinstance(statistics, Table) or statistics.name != _TABLE:
        raise invalid_type("statistics", "DailyStatistics, a range of them, or their table")
    columns = statistics.to_dict()
    names = [name for name, kind in statistics.kinds.items() if kind == "number"]
    found = Days(
        (date, {name: number for name in names if isinstance(number := columns[name][row], float)})
        for row, date in enumerate(columns["date"])
        if isinstance(date, datetime.date)
    )
    if not found.dates:
        raise invalid_value("statistics", "must contain at least one day")
    return found


def rolling_mean(values: Sequence[float], window: int) -> list[float]:
    """Returns the mean of each day and the days before it, `window` days in total. NaN if fewer than half of them have a number."""
    means = []
    for at in range(len(values)):
        there = [value for value in values[max(0, at + 1 - window) : at + 1] if value == value]
        means.append(math.fsum(there) / len(there) if 2 * len(there) >= window else math.nan)
    return means
