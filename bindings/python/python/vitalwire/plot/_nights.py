"""Several nights, one below the other, on one clock."""

# The dates of matplotlib are not annotated.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime
import math

from vitalwire.plot import _axes, _clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from vitalwire._native import SleepRecord

_HOUR = datetime.timedelta(hours=1)
_DAY = 24 * _HOUR

#: Inches of a figure: its width, what the axis of time and the legend take, and each night, of few and of many.
_WIDTH, _REST, _FEW, _MANY = 9.0, 0.9, 0.85, 0.5

#: Up to so many nights are few.
_WEEK = 10


class Window:
    """What of a night's time is shown, and by which clock."""

    __slots__ = ("clock", "first", "last")

    def __init__(self, clock: datetime.tzinfo, first: datetime.datetime, last: datetime.datetime) -> None:
        self.clock = clock
        self.first = first
        self.last = last


def windows(nights: Sequence[tuple[datetime.datetime, datetime.datetime]], zones: Sequence[datetime.tzinfo]) -> list[Window]:
    """Windows of the same length that begin at the same time of day and at a whole hour, one around each night, by its own clock.

    The day is cut where nobody sleeps for the longest time, or at noon where there is no such time.
    """
    # As the clock was at the start, so that a day has 24 hours and a bar its length.
    clocks = [_fixed(first.astimezone(zone)) for (first, _), zone in zip(nights, zones)]
    spans = [(_time_of_day(first.astimezone(clock)), last - first) for (first, last), clock in zip(nights, clocks)]
    cut = _cut(spans)
    before = cut % _HOUR
    shifts = [(start - cut) % _DAY + before for start, _ in spans]
    end = max(shift + length for shift, (_, length) in zip(shifts, spans))
    shown = max(1, math.ceil(end / _HOUR)) * _HOUR
    return [Window(clock, first - shift, first - shift + shown) for clock, shift, (first, _) in zip(clocks, shifts, nights)]


def panels(count: int, figsize: tuple[float, float] | None) -> list[Axes]:
    """Axes for as many nights, one below the other in a new figure."""
    return _axes.new(count, figsize or (_WIDTH, _REST + count * (_FEW if count <= _WEEK else _MANY)), sharex=False)


def date_of(night: SleepRecord, clock: datetime.tzinfo) -> datetime.date:
    """The date of a night: by the record, else that of its end."""
    return night.sleep_date or (night.end_at_timestamp or night.start_at_timestamp).astimezone(clock).date()


def show(axes: Axes, window: Window, date: datetime.date, *, last: bool) -> None:
    """Puts a night into its window and its date beside it. Only the last one has the times of all."""
    _clock.show(axes, window.clock, window.first, window.last)
    axes.set_xlabel("")
    axes.tick_params(axis="x", labelbottom=last, length=3 if last else 0)
    axes.grid(visible=True, axis="x", alpha=0.25, linewidth=0.6)
    axes.set_ylabel(f"{date:%a %d %b}", rotation=0, ha="right", va="center", labelpad=2)


def legend(axes: Axes, handles: Sequence[Artist]) -> None:
    """What the colours mean, above all nights, in the order of the lanes."""
    figure = axes.get_figure(root=True)
    if figure and handles:
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), frameon=False)


def _fixed(time: datetime.datetime) -> datetime.tzinfo:
    return datetime.timezone(time.utcoffset() or datetime.timedelta())


def _time_of_day(time: datetime.datetime) -> datetime.timedelta:
    return datetime.timedelta(hours=time.hour, minutes=time.minute, seconds=time.second, microseconds=time.microsecond)


def _cut(spans: Sequence[tuple[datetime.timedelta, datetime.timedelta]]) -> datetime.timedelta:
    """The time of day at which the longest time without a night ends."""
    # Nights of the day before may reach into this one.
    until = max(start + length for start, length in spans) - _DAY
    cut, longest = _DAY / 2, datetime.timedelta()
    for start, length in sorted(spans):
        if start - until > longest:
            cut, longest = start, start - until
        until = max(until, start + length)
    return cut
