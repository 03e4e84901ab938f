"""The stages of a night as steps."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from typing import overload

from vitalwire._native import SleepRecord
from vitalwire._refuse import bad_type, bad_value
from vitalwire.plot import _axes, _clock, _colors, _nights
from vitalwire.plot._labels import words
from vitalwire.plot._stages import Span, has_depth, lanes, spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType

#: Up to here the end of a stage and the start of the next are the same instant, rounded.
_ROUNDING = datetime.timedelta(minutes=1)

#: Inches of a figure with one night.
_SIZE = (9.0, 2.8)

#: Of a lane, how much of its height a stage takes.
_BAR = 0.56


@overload
def hypnogram(
    night: SleepRecord,
    *,
    ax: Axes | None = None,
    tz: str | datetime.tzinfo | None = None,
    colors: Mapping[str, ColorType] | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes: ...
@overload
def hypnogram(
    night: Iterable[SleepRecord],
    *,
    tz: str | datetime.tzinfo | None = None,
    colors: Mapping[str, ColorType] | None = None,
    figsize: tuple[float, float] | None = None,
) -> tuple[Axes, ...]: ...
def hypnogram(
    night: SleepRecord | Iterable[SleepRecord],
    *,
    ax: Axes | None = None,
    tz: str | datetime.tzinfo | None = None,
    colors: Mapping[str, ColorType] | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes | tuple[Axes, ...]:
    """Draws the stages of a night as steps between awake, REM, light and deep, and returns the axes: of several nights a tuple of them.

    night: a night that was asked for with `include_stages=True`. Stages that are not among the usual ones have lanes of their own;
    those without a place between awake and deep, `unknown` and names that are newer than this version, are at the bottom, hatched,
    and no step leads to them. Where no stage is known, between two of them too, nothing is drawn. A night whose list of stages is
    empty gives empty axes.

    Several nights are drawn one below the other, in the order in which they are given, each beside its date. What is below the same
    hour of the one clock that they share happened at the same time of day. The clock begins and ends with the hours of these nights,
    over midnight too. Each night is on the user's own clock, by the one offset that its record has, or by that of `tz` when it began, so
    that every bar is as long as it lasted: after a change of clocks within a night, its axis goes on by the same clock.

    ax: draws one night into these axes. Unless given, there is a new figure of the size `figsize` (inches).

    tz: the clock of the axis, a name such as "Europe/Berlin" or a `tzinfo`. Unless given, the clock is the user's, by the record's
    `user_time_offset_minutes`, and UTC where the record has none.

    colors: colours of matplotlib by stage, instead of ours. Ours can be told apart by the colour-blind and in grey.

    Raises `InvalidArgumentError` for a night that came without stages, for no night at all, for `ax` with several nights, and for a
    time zone that is not known here.
    """
    if colors is not None and not isinstance(colors, Mapping):
        raise bad_type("colors", "a mapping of colours by stage")
    if not isinstance(night, SleepRecord):
        return _several(night, ax, tz, colors or {}, figsize)
    found = spans(night)
    clock = _clock.zone(tz, night.user_time_offset_minutes)
    axes = _axes.new(1, figsize or _SIZE)[0] if ax is None else _axes.given(ax)
    rows = lanes(found)
    _draw(axes, found, rows, colors or {})
    axes.set_yticks(list(range(len(rows))), [words(stage) for stage in reversed(rows)])
    first, last = _ends(night, found)
    _clock.show(axes, clock, first, last)
    return axes


def _several(
    nights: Iterable[SleepRecord],
    ax: Axes | None,
    tz: str | datetime.tzinfo | None,
    colors: Mapping[str, ColorType],
    figsize: tuple[float, float] | None,
) -> tuple[Axes, ...]:
    """All nights with the same lanes, which a legend names: there is no room for names beside every night."""
    if not isinstance(nights, Iterable) or isinstance(nights, (str, bytes)):
        raise bad_type("night", "a SleepRecord or several")
    given = list(nights)
    found = [spans(night) for night in given]
    if not given:
        raise bad_value("night", "there is no night to draw")
    if ax is not None:
        raise bad_value("ax", "several nights have axes of their own")
    zones = [_clock.zone(tz, night.user_time_offset_minutes) for night in given]
    windows = _nights.windows([_ends(night, stages) for night, stages in zip(given, found)], zones)
    rows = lanes([span for stages in found for span in stages])
    panels = _nights.panels(len(given), figsize)
    for axes, night, stages, window in zip(panels, given, found, windows):
        _draw(axes, stages, rows, colors)
        _nights.show(axes, window, _nights.date_of(night, window.clock), last=axes is panels[-1])
    panels[-1].set_xlabel(_clock.label(zones))
    handles = {handle.get_gid(): handle for axes in panels for handle in axes.collections}
    _nights.legend(panels[0], [handles[stage] for stage in rows if stage in handles])
    return tuple(panels)


def _ends(night: SleepRecord, found: list[Span]) -> tuple[datetime.datetime, datetime.datetime]:
    """When the night begins and ends, and its stages with it."""
    first = min([night.start_at_timestamp, *(span.start for span in found)])
    return first, max([night.end_at_timestamp or first, *(span.end for span in found)])


def _draw(axes: Axes, found: list[Span], rows: list[str], colors: Mapping[str, ColorType]) -> None:
    """Bars, steps and the lanes for them; the axis of time and the names of the lanes are the caller's."""
    places = {stage: len(rows) - 1 - at for at, stage in enumerate(rows)}
    for stage in rows:
        _bars(axes, [span for span in found if span.stage == stage], stage, places[stage], colors)
    _steps(axes, found, places)
    if not found:
        _axes.no_data(axes)
    # Few lanes are as high as four.
    spare = max(0, 4 - len(rows)) / 2
    axes.set_yticks(list(range(len(rows))), [""] * len(rows))
    axes.set_ylim(-0.6 - spare, len(rows) - 0.4 + spare)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    _axes.quiet_frame(axes)


def _bars(axes: Axes, found: list[Span], stage: str, place: int, colors: Mapping[str, ColorType]) -> None:
    if not found:
        return
    known = has_depth(stage)
    color = colors.get(stage, _colors.STAGES.get(stage, _colors.UNKNOWN))
    ranges = [(span.start, span.end - span.start) for span in found]
    bars = axes.broken_barh(ranges, (place - _BAR / 2, _BAR), label=words(stage), linewidth=0.6)  # type: ignore[arg-type]
    bars.set_gid(stage)
    bars.set_edgecolor(color)
    bars.set_facecolor(color if known else "none")
    if not known:
        bars.set_hatch("////")


def _steps(axes: Axes, found: list[Span], places: dict[str, int]) -> None:
    """The line: level in each stage, upright from one to the next, broken where a stage has no depth or none is known."""
    times: list[datetime.datetime] = []
    levels: list[float] = []
    previous: Span | None = None
    for span in found:
        if not has_depth(span.stage):
            previous = None
            continue
        if times and (previous is None or span.start - previous.end > _ROUNDING):
            times.append(times[-1])
            levels.append(math.nan)
        times.extend((span.start, span.end))
        levels.extend((places[span.stage], places[span.stage]))
        previous = span
    if times:
        (line,) = axes.plot(times, levels, color=_axes.ink(axes), linewidth=1.0, solid_joinstyle="miter")  # type: ignore[arg-type]
        line.set_gid("steps")
