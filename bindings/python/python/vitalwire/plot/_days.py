"""Statistics by day: one number, or none, for every day of a range."""

from __future__ import annotations

import datetime
import math

from vitalwire._native import DailyStatistics, MergedRange, RangeCall, Table
from vitalwire._refuse import bad_type, bad_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    #: What holds daily statistics.
    _Statistics: TypeAlias = (
        DailyStatistics
        | Table
        | RangeCall[DailyStatistics, datetime.date]
        | MergedRange[DailyStatistics, datetime.date]
        | MergedRange[Table, datetime.date]
    )

#: The table of daily statistics.
_TABLE = "daily_statistics"


class Days:
    """Every day from the first to the last, and the numbers of those that have some."""

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
        """A number for each day, NaN where there is none."""
        return [self.numbers.get(date, {}).get(name, math.nan) for date in self.dates]


def days(statistics: _Statistics) -> Days:
    """The days of an answer, of a range, of what a range was collected into, or of a table."""
    if isinstance(statistics, MergedRange):
        statistics = statistics.response
    if isinstance(statistics, DailyStatistics):
        there = ((bucket.date, dict(bucket.values or {})) for bucket in statistics.statistics)
        return Days(((date, numbers) for date, numbers in there if date is not None), statistics.from_date, statistics.to_date)
    if isinstance(statistics, RangeCall):
        statistics = statistics.table()
    if not isinstance(statistics, Table) or statistics.name != _TABLE:
        raise bad_type("statistics", "DailyStatistics, a range of them, or their table")
    columns = statistics.to_dict()
    names = [name for name, kind in statistics.kinds.items() if kind == "number"]
    found = Days(
        (date, {name: number for name in names if isinstance(number := columns[name][row], float)})
        for row, date in enumerate(columns["date"])
        if isinstance(date, datetime.date)
    )
    if not found.dates:
        raise bad_value("statistics", "the table has no day, so nobody knows what to draw")
    return found


def rolling_mean(values: Sequence[float], window: int) -> list[float]:
    """The mean of each day and those before it, `window` days in all; NaN where fewer than half of them have a number."""
    means = []
    for at in range(len(values)):
        there = [value for value in values[max(0, at + 1 - window) : at + 1] if value == value]
        means.append(math.fsum(there) / len(there) if 2 * len(there) >= window else math.nan)
    return means
