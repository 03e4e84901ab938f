"""Hypnograms: sleep stages of a night as steps."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from typing import overload

from vitalwire._errors import invalid_type, invalid_value
from vitalwire.plot import _axes, _clock, _colors, _nights
from vitalwire.plot._labels import words
from vitalwire.plot._stages import Span, Stages, has_depth, lanes, read_stages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import polars  # type: ignore[import-not-found,unused-ignore]
    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType

    from vitalwire._native import MergedRange, NightResult, NightSearch, SleepRecord, Table

#: Maximum gap between two stages that is treated as a rounding difference.
_ROUNDING = datetime.timedelta(minutes=1)

#: Default size in inches of a figure with one night.
_SIZE = (9.0, 2.8)

#: Height of a bar, as a fraction of its lane.
_BAR = 0.56


@overload
def hypnogram(
    night: SleepRecord | NightResult,
    *,
    ax: Axes | None = None,
    tz: str | datetime.tzinfo | None = None,
    colors: Mapping[str, ColorType] | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes: ...
@overload
def hypnogram(
    night: Iterable[SleepRecord | NightResult] | NightSearch | MergedRange[tuple[NightResult, ...], datetime.date],
    *,
    tz: str | datetime.tzinfo | None = None,
    colors: Mapping[str, ColorType] | None = None,
    figsize: tuple[float, float] | None = None,
) -> tuple[Axes, ...]: ...
@overload
def hypnogram(
    night: Table | pandas.DataFrame | polars.DataFrame,
    *,
    ax: Axes | None = None,
    tz: str | datetime.tzinfo | None = None,
    colors: Mapping[str, ColorType] | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes | tuple[Axes, ...]: ...
def hypnogram(
    night: Any,
    *,
    ax: Axes | None = None,
    tz: str | datetime.tzinfo | None = None,
    colors: Mapping[str, ColorType] | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes | tuple[Axes, ...]:
    """Draws a hypnogram: the stages of a night as steps between awake, REM, light and deep.

    night: A night that was requested with `include_stages=True`, or several of them as a list, a night search or its result. Or a table
    `sleep_stages` or a frame of it, which may have several nights and, from `vitalwire.concat`, several people. A night with an empty list
    of stages results in empty axes.

    ax: Axes for a single night. Defaults to a new figure of `figsize` inches.

    tz: Time zone of the axis: a name such as "Europe/Berlin", or a `tzinfo`. Defaults to the record's `user_time_offset_minutes`, or to
    UTC if the record has none.

    colors: matplotlib colours by stage. The default colours are distinct for colour-blind people and in greyscale.

    figsize: Width and height of the new figure, in inches.

    Returns the axes; for several nights, a tuple of axes.

    Raises `InvalidArgumentError` if a night was requested without stages, if there is no night, if `ax` is set for several nights, or
    if the time zone is unknown.

    Other stages have lanes of their own. Stages without a depth, such as `unknown`, are hatched at the bottom and have no steps.
    Periods without a known stage are left blank.

    Several nights are stacked in the given order and labelled with their dates, after the key of the person if there are several people.
    They share a time axis: times of day are aligned, even past midnight. Each night uses the UTC offset at its start, so that bars keep
    their length across a daylight saving change.
    """
    if colors is not None and not isinstance(colors, Mapping):
        raise invalid_type("colors", "a mapping from stages to colours")
    nights, is_single = read_stages(night)
    if not is_single:
        return _draw_nights(nights, ax, tz, colors or {}, figsize)
    (found,) = nights
    clock = _clock.zone(tz, found.offset)
    axes = _axes.new(1, figsize or _SIZE)[0] if ax is None else _axes.check_axes(ax)
    rows = lanes(found.spans)
    _draw(axes, found.spans, rows, colors or {})
    axes.set_yticks(list(range(len(rows))), [words(stage) for stage in reversed(rows)])
    _clock.show(axes, clock, found.first, found.last)
    return axes


def _draw_nights(
    nights: list[Stages],
    ax: Axes | None,
    tz: str | datetime.tzinfo | None,
    colors: Mapping[str, ColorType],
    figsize: tuple[float, float] | None,
) -> tuple[Axes, ...]:
    """Draws several nights with the same lanes. A legend replaces lane labels, for which there is no room."""
    if ax is not None:
        raise invalid_value("ax", "must be None for several nights, which get new axes")
    zones = [_clock.zone(tz, night.offset) for night in nights]
    windows = _nights.windows([(night.first, night.last) for night in nights], zones)
    rows = lanes([span for night in nights for span in night.spans])
    panels = _nights.panels(len(nights), figsize)
    for axes, night, window in zip(panels, nights, windows):
        _draw(axes, night.spans, rows, colors)
        _nights.show(axes, window, night, last=axes is panels[-1])
    panels[-1].set_xlabel(_clock.label(zones))
    handles = {handle.get_gid(): handle for axes in panels for handle in axes.collections}
    _nights.legend(panels[0], [handles[stage] for stage in rows if stage in handles])
    return tuple(panels)


def _draw(axes: Axes, found: list[Span], rows: list[str], colors: Mapping[str, ColorType]) -> None:
    """Draws bars, steps and lanes. The caller sets up the time axis and the lane labels."""
    places = {stage: len(rows) - 1 - at for at, stage in enumerate(rows)}
    for stage in rows:
        _bars(axes, [span for span in found if span.stage == stage], stage, places[stage], colors)
    _steps(axes, found, places)
    if not found:
        _axes.show_no_data(axes)
    # Fewer than four lanes get the height of four.
    spare = max(0, 4 - len(rows)) / 2
    axes.set_yticks(list(range(len(rows))), [""] * len(rows))
    axes.set_ylim(-0.6 - spare, len(rows) - 0.4 + spare)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    _axes.hide_spines(axes)


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
    """Draws the step line. It is interrupted at stages without depth and at gaps."""
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
        (line,) = axes.plot(times, levels, color=_axes.text_color(axes), linewidth=1.0, solid_joinstyle="miter")  # type: ignore[arg-type]
        line.set_gid("steps")
