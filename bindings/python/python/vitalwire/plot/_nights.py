"""Layout of several nights, stacked on a common time axis."""

# matplotlib.dates has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime
import math

from vitalwire.plot import _axes, _clock, _people

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from vitalwire.plot._stages import Stages

_HOUR = datetime.timedelta(hours=1)
_DAY = 24 * _HOUR

#: Sizes in inches: figure width, height of time axis and legend, and height of a night in a figure with few or many nights.
_WIDTH, _REST, _FEW, _MANY = 9.0, 0.9, 0.85, 0.5

#: Maximum number of nights in a figure for which each night has the height `_FEW`.
_WEEK = 10


class Window:
    """Visible interval of a night, and its time zone."""

    __slots__ = ("clock", "first", "last")

    def __init__(self, clock: datetime.tzinfo, first: datetime.datetime, last: datetime.datetime) -> None:
        self.clock = clock
        self.first = first
        self.last = last


def windows(nights: Sequence[tuple[datetime.datetime, datetime.datetime]], zones: Sequence[datetime.tzinfo]) -> list[Window]:
    """Returns a window around each night. All windows have the same length and begin at the same whole hour of local time.

    The windows begin within the longest time of day in which nobody sleeps, or at noon if there is no such time.
    """
    # The offset at the start applies to the whole night, so that a day has 24 hours and bars keep their length.
    clocks = [_fixed_offset(first.astimezone(zone)) for (first, _), zone in zip(nights, zones)]
    spans = [(_time_of_day(first.astimezone(clock)), last - first) for (first, last), clock in zip(nights, clocks)]
    cut = _day_boundary(spans)
    before = cut % _HOUR
    shifts = [(start - cut) % _DAY + before for start, _ in spans]
    end = max(shift + length for shift, (_, length) in zip(shifts, spans))
    shown = max(1, math.ceil(end / _HOUR)) * _HOUR
    return [Window(clock, first - shift, first - shift + shown) for clock, shift, (first, _) in zip(clocks, shifts, nights)]


def panels(count: int, figsize: tuple[float, float] | None) -> list[Axes]:
    """Creates a figure with stacked axes for `count` nights."""
    return _axes.new(count, figsize or (_WIDTH, _REST + count * (_FEW if count <= _WEEK else _MANY)), sharex=False)


def show(axes: Axes, window: Window, night: Stages, *, last: bool) -> None:
    """Sets up the axes of a night and labels them with its date. Only the last night has tick labels."""
    _clock.show(axes, window.clock, window.first, window.last)
    axes.set_xlabel("")
    axes.tick_params(axis="x", labelbottom=last, length=3 if last else 0)
    axes.grid(visible=True, axis="x", alpha=0.25, linewidth=0.6)
    date = night.date or night.last.astimezone(window.clock).date()
    person = f"{_people.label(night.person)}  " if night.person else ""
    axes.set_ylabel(f"{person}{date:%a %d %b}", rotation=0, ha="right", va="center", labelpad=2)


def legend(axes: Axes, handles: Sequence[Artist]) -> None:
    """Adds a legend of stages above all nights, in the order of the lanes."""
    figure = axes.get_figure(root=True)
    if figure and handles:
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), frameon=False)


def _fixed_offset(time: datetime.datetime) -> datetime.tzinfo:
    return datetime.timezone(time.utcoffset() or datetime.timedelta())


def _time_of_day(time: datetime.datetime) -> datetime.timedelta:
    return datetime.timedelta(hours=time.hour, minutes=time.minute, seconds=time.second, microseconds=time.microsecond)


def _day_boundary(spans: Sequence[tuple[datetime.timedelta, datetime.timedelta]]) -> datetime.timedelta:
    """Returns the time of day at which the longest period without sleep ends."""
    # Nights may extend past midnight.
    until = max(start + length for start, length in spans) - _DAY
    cut, longest = _DAY / 2, datetime.timedelta()
    for start, length in sorted(spans):
        if start - until > longest:
            cut, longest = start, start - until
        until = max(until, start + length)
    return cut
