"""Ticks at whole hours of local time. Importing this module imports matplotlib."""

# matplotlib.dates has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime

from matplotlib.dates import date2num, num2date
from matplotlib.ticker import Locator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Possible distances of ticks in minutes.
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440)


class HourLocator(Locator):
    """Locator of equidistant ticks, even across a daylight saving change, where matplotlib's locators omit the hour."""

    def __init__(self, tz: datetime.tzinfo, most: int) -> None:
        self._tz = tz
        self._most = most

    def __call__(self) -> Sequence[float]:
        """Returns the ticks of the visible interval."""
        assert self.axis is not None
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin: float, vmax: float) -> Sequence[float]:
        """Returns the ticks between two instants."""
        # Axis values are doubles, which are inexact by about a microsecond.
        near = datetime.timedelta(milliseconds=1)
        first, last = num2date(min(vmin, vmax), self._tz) - near, num2date(max(vmin, vmax), self._tz) + near
        # Uses axis values, because Python subtracts two datetimes of one zone in local time.
        minutes = round(abs(vmax - vmin) * 1440)
        # A view of many days needs ticks more than a day apart.
        step = next((step for step in _STEPS if minutes / step <= self._most), 1440 * max(1, round(minutes / 1440 / self._most)))
        midnight = first.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(datetime.timezone.utc)
        length = datetime.timedelta(minutes=step)
        tick = midnight
        ticks = []
        while tick <= last:
            if tick >= first:
                ticks.append(float(date2num(tick)))
            tick += length
        return ticks
