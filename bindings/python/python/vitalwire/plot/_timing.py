"""Sleep timing: when somebody sleeps, over many days."""

from __future__ import annotations

import datetime
import math

from vitalwire._errors import invalid_value
from vitalwire.plot import _axes, _clock, _people
from vitalwire.plot._columns import read_columns, to_date

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from matplotlib.axes import Axes

    from vitalwire._people import _Columns

    #: Date, local start, local end, whether it is a nap, and UTC offset in minutes.
    _Sleep: TypeAlias = tuple[datetime.date, datetime.datetime, datetime.datetime, bool, int | None]
    #: Row, start and end in hours from its midnight, and whether it is a nap.
    _Span: TypeAlias = tuple[datetime.date, float, float, bool]

#: Colours of nights and naps.
_NIGHT, _NAP = "#0072b2", "#009e73"
#: Opacity of the naps of one of several people.
_PALE = 0.45
#: Window of a day in a raster, in hours from its midnight: from the evening before.
_FIRST, _LAST = -6.0, 18.0
#: Height of a bar, in rows, and inches of a row in figures of few and many days.
_BAR, _FEW, _MANY, _REST = 0.8, 0.2, 0.09, 1.0
_WEEKS = 45
_DAY = 24.0


def sleep_timing(
    nights: Any,
    *,
    style: Literal["raster", "actogram"] = "raster",
    tz: str | datetime.tzinfo | None = None,
    ax: Axes | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes:
    """Draws when somebody sleeps: a row for each day, with bars from the start to the end of each sleep. Days without a sleep are empty rows.

    Several people share the rows: each has a thinner bar in their own colour, pale for naps.

    nights: A night search or its result, a table `sleeps`, a frame of it, or a list of sleeps. A table of `vitalwire.concat` and its frame
    have several people.

    style: `"raster"` has a row for each `sleep_date`, from the evening before. `"actogram"` has a row for each calendar day, which shows
    that day and the next one, so that shifts of the rhythm are visible across midnight.

    tz: Time zone of the axis. Defaults to the offset of each record. Pass it if nights cross a change of clocks.

    ax: Axes to draw into. Defaults to a new figure of `figsize` inches.
    """
    if style not in ("raster", "actogram"):
        raise invalid_value("style", "must be 'raster' or 'actogram'")
    people = {person: _read(columns, tz) for person, columns in _columns_of(nights).items()}
    if not any(people.values()):
        raise invalid_value("nights", "must contain at least one sleep")
    drawn = {person: _raster(found) if style == "raster" else _actogram(found) for person, found in people.items() if found}
    sleeps, spans = [sleep for found in people.values() for sleep in found], [span for found in drawn.values() for span in found]
    days = [day for day, *_ in spans]
    first, last = min(days), max(days)
    count = (last - first).days + 1
    if ax is None:
        (ax,) = _axes.new(1, figsize or (7.5, _REST + max(count, 7) * (_FEW if count <= _WEEKS else _MANY)))
    else:
        ax = _axes.check_axes(ax)
    colors = _people.colors(list(people))
    height = _BAR / len(people)
    for at, person in enumerate(people):
        place, shown = (at + 0.5) * height - _BAR / 2, drawn.get(person, [])
        alone = len(people) == 1
        for is_nap, color, alpha in ((False, _NIGHT if alone else colors[person], 1.0), (True, _NAP if alone else colors[person], 1.0 if alone else _PALE)):
            bars = [(day, start, end) for day, start, end, nap in shown if nap == is_nap]
            rows, left = [(day - first).days + place for day, *_ in bars], [start for _, start, _ in bars]
            if bars:
                label = "nap" if is_nap else "sleep"
                ax.barh(rows, [end - start for _, start, end in bars], left=left, height=height, color=color, alpha=alpha, label=label)
    window = (0.0, 2 * _DAY) if style == "actogram" else (min(_FIRST, *(start for _, start, *_ in spans)), max(_LAST, *(end for _, _, end, _ in spans)))
    _set_up(ax, window, first, count)
    zones = [_clock.UTC] if tz is None and all(offset is None for *_, offset in sleeps) else [_clock.zone(tz, None)] if tz is not None else []
    ax.set_xlabel(_clock.label(zones) if zones else "local time")
    if len(people) > 1:
        _people.legend(ax, colors, dict.fromkeys(drawn, ""))
    elif len({nap for *_, nap in spans}) > 1:
        ax.legend(loc="lower right", bbox_to_anchor=(1, 1.0), ncols=2, frameon=False, borderaxespad=0.2)
    return ax


def _columns_of(nights: Any) -> dict[str, _Columns]:
    return read_columns("nights", nights, "sleeps", "start_at_timestamp", "end_at_timestamp")


def _read(columns: _Columns, tz: str | datetime.tzinfo | None) -> list[_Sleep]:
    """Returns date, local start, local end, whether it is a nap, and the UTC offset of each sleep with a known start and end."""
    absent: list[Any] = [None] * len(columns["start_at_timestamp"])
    rows = zip(
        columns.get("sleep_date", absent),
        columns["start_at_timestamp"],
        columns["end_at_timestamp"],
        columns.get("duration", absent),
        columns.get("is_nap", absent),
        columns.get("user_time_offset_minutes", absent),
        strict=True,
    )
    found = []
    for date, start, end, duration, is_nap, offset in rows:
        if start is not None and end is None and duration is not None:
            length = duration if isinstance(duration, datetime.timedelta) else datetime.timedelta(milliseconds=duration)
            end = start + length
        if start is None or end is None or end <= start:
            continue
        zone = _clock.zone(tz, None if offset is None else int(offset))
        local = [moment.astimezone(zone).replace(tzinfo=None) for moment in (start, end)]
        day = local[1].date() if date is None else to_date(date)
        found.append((day, local[0], local[1], bool(is_nap), offset))
    return found


def _raster(sleeps: list[_Sleep]) -> list[_Span]:
    return [(day, _hours(start, day), _hours(end, day), is_nap) for day, start, end, is_nap, _ in sleeps]


def _actogram(sleeps: list[_Sleep]) -> list[_Span]:
    """Returns each sleep on every row that shows a part of it: the day of its start, the day before, and the day of its end."""
    rows = (min(start.date() for _, start, *_ in sleeps), max(end.date() for _, _, end, *_ in sleeps))
    spans = []
    for _, start, end, is_nap, _ in sleeps:
        day = start.date() - datetime.timedelta(days=1)
        while day <= end.date():
            first, last = max(0.0, _hours(start, day)), min(_hours(end, day), 2 * _DAY)
            if first < last and rows[0] <= day <= rows[1]:
                spans.append((day, first, last, is_nap))
            day += datetime.timedelta(days=1)
    return spans


def _hours(moment: datetime.datetime, day: datetime.date) -> float:
    """Returns the hours of wall-clock time since the midnight at which a day begins."""
    return (moment - datetime.datetime.combine(day, datetime.time())) / datetime.timedelta(hours=1)


def _set_up(ax: Axes, window: tuple[float, float], first: datetime.date, count: int) -> None:
    ax.set_xlim(*window)
    step = 6 if window[1] - window[0] > 30 else 3 if window[1] - window[0] > 12 else 2
    ticks = list(range(math.ceil(window[0] / step) * step, math.floor(window[1]) + 1, step))
    ax.set_xticks(ticks, [f"{tick % 24:02d}:00" for tick in ticks])
    ax.set_ylim(count - 0.5, -0.5)
    every = next((days for days in (1, 7, 14, 28) if count / days <= 16), 56)
    # Labels of weeks are Mondays.
    start = 0 if every == 1 else (7 - first.weekday()) % 7
    rows = list(range(start, count, every))
    ax.set_yticks(rows, [f"{first + datetime.timedelta(days=row):%a %d %b}" for row in rows])
    ax.grid(visible=True, axis="x", alpha=0.25, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.axvline(0.0, color=_axes.text_color(ax), alpha=0.35, linewidth=0.8)
    if window[1] > _DAY:
        ax.axvline(_DAY, color=_axes.text_color(ax), alpha=0.35, linewidth=0.8)
    _axes.hide_spines(ax)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
