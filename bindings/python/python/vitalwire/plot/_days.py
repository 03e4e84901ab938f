"""Statistics by day: one number, or none, for every day of a range."""

from __future__ import annotations

import datetime
import math

from vitalwire._native import DailyBucket, DailyStatistics
from vitalwire.plot._refuse import bad_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Days:
    """Every day from the first to the last, and the numbers of those that have some."""

    __slots__ = ("dates", "names", "numbers")

    def __init__(self, first: datetime.date, last: datetime.date, buckets: Iterable[DailyBucket]) -> None:
        self.numbers: dict[datetime.date, dict[str, float]] = {}
        for bucket in buckets:
            if bucket.date is not None and bucket.values is not None:
                self.numbers.setdefault(bucket.date, {}).update(bucket.values.items())
        first = min([first, *self.numbers])
        last = max([last, *self.numbers])
        self.dates = [first + datetime.timedelta(days=at) for at in range((last - first).days + 1)]
        self.names = sorted({name for numbers in self.numbers.values() for name in numbers})

    def series(self, name: str) -> list[float]:
        """A number for each day, NaN where there is none."""
        return [self.numbers.get(date, {}).get(name, math.nan) for date in self.dates]


def days(statistics: DailyStatistics) -> Days:
    """The days of an answer."""
    if not isinstance(statistics, DailyStatistics):
        raise bad_type("statistics", "DailyStatistics")
    return Days(statistics.from_date, statistics.to_date, statistics.statistics)


def rolling_mean(values: Sequence[float], window: int) -> list[float]:
    """The mean of each day and those before it, `window` days in all; NaN where fewer than half of them have a number."""
    means = []
    for at in range(len(values)):
        there = [value for value in values[max(0, at + 1 - window) : at + 1] if value == value]
        means.append(math.fsum(there) / len(there) if 2 * len(there) >= window else math.nan)
    return means
