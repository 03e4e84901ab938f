"""The stages of a night as steps."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping

from vitalwire._refuse import bad_type
from vitalwire.plot import _axes, _clock, _colors
from vitalwire.plot._labels import words
from vitalwire.plot._stages import Span, has_depth, lanes, spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType

    from vitalwire._native import SleepRecord

#: Up to here the end of a stage and the start of the next are the same instant, rounded.
_ROUNDING = datetime.timedelta(minutes=1)

#: Of a lane, how much of its height a stage takes.
_BAR = 0.56


def hypnogram(
    night: SleepRecord,
    *,
    ax: Axes | None = None,
    tz: str | datetime.tzinfo | None = None,
    colors: Mapping[str, ColorType] | None = None,
    figsize: tuple[float, float] = (9.0, 2.8),
) -> Axes:
    """Draws the stages of a night as steps between awake, REM, light and deep, and returns the axes.

    night: a night that was asked for with `include_stages=True`. Stages that are not among the usual ones have lanes of their own;
    those without a place between awake and deep, `unknown` and names that are newer than this version, are at the bottom, hatched,
    and no step leads to them. Where no stage is known, between two of them too, nothing is drawn. A night whose list of stages is
    empty gives empty axes.

    ax: draws into these axes. Unless given, there is a new figure of the size `figsize` (inches).

    tz: the clock of the axis, a name such as "Europe/Berlin" or a `tzinfo`. Unless given, the clock is the user's, by the record's
    `user_time_offset_minutes`, and UTC where the record has none.

    colors: colours of matplotlib by stage, instead of ours. Ours can be told apart by the colour-blind and in grey.

    Raises `InvalidArgumentError` for a night that came without stages and for a time zone that is not known here.
    """
    found = spans(night)
    if colors is not None and not isinstance(colors, Mapping):
        raise bad_type("colors", "a mapping of colours by stage")
    clock = _clock.zone(tz, night.user_time_offset_minutes)
    axes = _axes.new(1, figsize)[0] if ax is None else _axes.given(ax)
    rows = lanes(found)
    places = {stage: len(rows) - 1 - at for at, stage in enumerate(rows)}
    for stage in rows:
        _bars(axes, [span for span in found if span.stage == stage], stage, places[stage], colors or {})
    _steps(axes, found, places)
    if not found:
        _axes.no_data(axes)
    axes.set_yticks(list(range(len(rows))), [words(stage) for stage in reversed(rows)])
    # Few lanes are as high as four.
    spare = max(0, 4 - len(rows)) / 2
    axes.set_ylim(-0.6 - spare, len(rows) - 0.4 + spare)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    _axes.quiet_frame(axes)
    first = min([night.start_at_timestamp, *(span.start for span in found)])
    last = max([night.end_at_timestamp or first, *(span.end for span in found)])
    _clock.show(axes, clock, first, last)
    return axes


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
