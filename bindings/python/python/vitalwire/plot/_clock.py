"""The time axis of a plot, in the user's time zone or a requested one."""

# matplotlib.dates has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime

from vitalwire._errors import invalid_type, invalid_value
from vitalwire.plot._axes import tick_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

UTC = datetime.timezone.utc
#: Longest time axis with hours only.
_HOURS = datetime.timedelta(hours=48)


def zone(tz: str | datetime.tzinfo | None, offset_minutes: int | None) -> datetime.tzinfo:
    """Returns the time zone of a plot: `tz`, otherwise the offset of the record, otherwise UTC."""
    if isinstance(tz, str):
        return _load_zone(tz)
    if tz is not None:
        if not isinstance(tz, datetime.tzinfo):
            raise invalid_type("tz", "the name of a time zone or a tzinfo")
        return tz
    # `datetime.timezone` accepts only offsets below 24 hours.
    if offset_minutes is None or offset_minutes == 0 or abs(offset_minutes) >= 24 * 60:
        return UTC
    return datetime.timezone(datetime.timedelta(minutes=offset_minutes))


def show(ax: Axes, tz: datetime.tzinfo, first: datetime.datetime, last: datetime.datetime) -> None:
    """Sets up the horizontal axis with hours, or days if it is long, and a label with the time zone.

    Data are drawn in UTC, because sums of local times and durations are wrong at daylight saving changes.
    """
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, DateFormatter, date2num

    from vitalwire.plot._hours import HourLocator

    # An axis needs a length. Empty nights get one hour.
    ax.set_xlim(float(date2num(first)), float(date2num(last if first < last else first + datetime.timedelta(hours=1))))
    if last - first > _HOURS:
        locator = AutoDateLocator(tz=tz, minticks=3, maxticks=tick_count(ax))
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(ConciseDateFormatter(locator, tz=tz))
    else:
        ax.xaxis.set_major_locator(HourLocator(tz, tick_count(ax)))
        ax.xaxis.set_major_formatter(DateFormatter("%H:%M", tz=tz))
    ax.set_xlabel(label([tz]))


def label(zones: Iterable[datetime.tzinfo]) -> str:
    """Returns the label of a time axis for these time zones."""
    names = {None if tz is UTC else _name(tz) for tz in zones}
    if len(names) > 1:
        return "local time of each night"
    (name,) = names
    return "time (UTC)" if name is None else f"local time ({name})"


def local_offset(moment: datetime.datetime, local: datetime.datetime | None) -> int | None:
    """Returns the UTC offset in minutes of a local time. `None` if it is missing."""
    return None if local is None else round((local - moment.replace(tzinfo=None)) / datetime.timedelta(minutes=1))


def _load_zone(name: str) -> datetime.tzinfo:
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        # The error is raised below, because here its context would quote the name.
        pass
    raise invalid_value("tz", "unknown time zone; use an IANA name, and install tzdata if the system has no time zones")


def _name(tz: datetime.tzinfo) -> str:
    return str(getattr(tz, "key", None) or tz).replace("$", r"\$")
