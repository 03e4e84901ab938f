"""The clock of a picture: the user's own by the record's offset, or the one that is asked for."""

# The dates of matplotlib are not annotated.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime

from vitalwire._refuse import bad_type, bad_value
from vitalwire.plot._axes import ticks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

UTC = datetime.timezone.utc


def zone(tz: str | datetime.tzinfo | None, offset_minutes: int | None) -> datetime.tzinfo:
    """The time zone to draw in: `tz`, else the record's offset, else UTC."""
    if isinstance(tz, str):
        return _named(tz)
    if tz is not None:
        if not isinstance(tz, datetime.tzinfo):
            raise bad_type("tz", "the name of a time zone or a tzinfo")
        return tz
    # A clock is at most a day away.
    if offset_minutes is None or offset_minutes == 0 or abs(offset_minutes) >= 24 * 60:
        return UTC
    return datetime.timezone(datetime.timedelta(minutes=offset_minutes))


def show(ax: Axes, tz: datetime.tzinfo, first: datetime.datetime, last: datetime.datetime) -> None:
    """Makes the horizontal axis one of hours, and says by which clock.

    What is drawn is in UTC: sums of local times and durations are wrong where a clock is changed.
    """
    from matplotlib.dates import DateFormatter, date2num

    from vitalwire.plot._hours import HourLocator

    # An axis has a length; an hour is one on which hours can be read.
    ax.set_xlim(float(date2num(first)), float(date2num(last if first < last else first + datetime.timedelta(hours=1))))
    ax.xaxis.set_major_locator(HourLocator(tz, ticks(ax)))
    ax.xaxis.set_major_formatter(DateFormatter("%H:%M", tz=tz))
    ax.set_xlabel(label([tz]))


def label(zones: Iterable[datetime.tzinfo]) -> str:
    """What an axis of these clocks is called."""
    names = {None if tz is UTC else _name(tz) for tz in zones}
    if len(names) > 1:
        return "local time of each night"
    (name,) = names
    return "time (UTC)" if name is None else f"local time ({name})"


def _named(name: str) -> datetime.tzinfo:
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        # Raised below: the exception before it would quote the name.
        pass
    raise bad_value("tz", "no time zone of this name is known here (where the system has none, install tzdata)")


def _name(tz: datetime.tzinfo) -> str:
    return str(getattr(tz, "key", None) or tz).replace("$", r"\$")
