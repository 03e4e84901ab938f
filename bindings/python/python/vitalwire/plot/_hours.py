"""Ticks at whole hours of a clock. matplotlib is imported with this module."""

# The dates of matplotlib are not annotated.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime

from matplotlib.dates import date2num, num2date
from matplotlib.ticker import Locator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Minutes between ticks.
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440)


class HourLocator(Locator):
    """Ticks the same time apart, also through the hour that a clock shows twice or skips. matplotlib's own leave that one out."""

    def __init__(self, tz: datetime.tzinfo, most: int) -> None:
        self._tz = tz
        self._most = most

    def __call__(self) -> Sequence[float]:
        """The ticks of what is shown."""
        assert self.axis is not None
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin: float, vmax: float) -> Sequence[float]:
        """The ticks between two instants."""
        # Instants on an axis are doubles, and a microsecond or so beside themselves.
        near = datetime.timedelta(milliseconds=1)
        first, last = num2date(min(vmin, vmax), self._tz) - near, num2date(max(vmin, vmax), self._tz) + near
        # Of the axis: between two times of one zone, Python counts what the clock says.
        minutes = round(abs(vmax - vmin) * 1440)
        # A view of many days is no night; then days are too close as well.
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
