"""Samples of a metric during a night."""

from __future__ import annotations

import datetime
import math

from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import SleepRecord
from vitalwire.plot import _axes, _clock
from vitalwire.plot._labels import shown_unit, with_unit
from vitalwire.plot._units import METRIC_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from vitalwire._native import SleepSamples

#: Minimum gap as a multiple of the median distance between samples, for samples without durations.
_PAUSE = 2.5


def samples(
    night: SleepRecord,
    name: str,
    *,
    ax: Axes | None = None,
    tz: str | datetime.tzinfo | None = None,
    gap: datetime.timedelta | None = None,
    figsize: tuple[float, float] = (9.0, 2.8),
    **line: object,
) -> Axes:
    """Draws the samples of one metric during a night as a line.

    night: A night that was requested with `include_samples=True`.

    name: The metric, such as "heartrate": one of `night.samples.values`. A known metric without samples in this night results in empty
    axes.

    ax: Axes to draw into. Defaults to a new figure of `figsize` inches.

    tz: Time zone of the axis: a name such as "Europe/Berlin", or a `tzinfo`. Defaults to the record's `user_time_offset_minutes`, or to
    UTC if the record has none.

    gap: Time without a sample after which the line is interrupted, counted from the end of the previous sample. A single sample between
    two gaps is drawn as a dot. Defaults to half the median distance between samples, or to 1.5 times for samples without durations.

    figsize: Width and height of the new figure, in inches.

    line: Other keywords of matplotlib's `plot`, such as `color`, `linewidth` or `label`.

    Returns the axes.

    Raises `InvalidArgumentError` if the night was requested without samples, if the metric is neither known nor in the night, if the
    samples have no offsets, or if the time zone is unknown.
    """
    if not isinstance(name, str):
        raise invalid_type("name", "a str")
    found = _samples_of(night)
    values = None if found is None or found.values is None else found.values.get(name)
    if values is None and not _is_metric(name):
        raise invalid_value("name", "must be a known metric or one with samples in this night; use a name in night.samples.values")
    clock = _clock.zone(tz, night.user_time_offset_minutes)
    times, numbers = _line(night, found, values, gap)
    unit, factor = shown_unit(METRIC_NAME.get(name), numbers)
    axes = _axes.new(1, figsize)[0] if ax is None else _axes.check_axes(ax)
    if times:
        style: dict[str, object] = {"linewidth": 1.4, "marker": ".", "markevery": _axes.isolated(numbers), **_axes.line_style(line)}
        axes.plot(times, [number / factor for number in numbers], **style)  # type: ignore[arg-type]
    else:
        _axes.show_no_data(axes)
    axes.set_ylabel(with_unit(name, unit))
    axes.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    _axes.hide_spines(axes)
    first = min([night.start_at_timestamp, *times[:1]])
    last = max([night.end_at_timestamp or first, *times[-1:]])
    _clock.show(axes, clock, first, last)
    return axes


def _is_metric(name: str) -> bool:
    from vitalwire.constants import MetricName

    return name in [known for constant, known in vars(MetricName).items() if constant.isupper()]


def _samples_of(night: SleepRecord) -> SleepSamples | None:
    if not isinstance(night, SleepRecord):
        raise invalid_type("night", "a SleepRecord")
    if night.samples is None:
        raise invalid_value("night", "the record has no samples; request it with include_samples=True")
    return night.samples


def _line(
    night: SleepRecord, found: SleepSamples | None, values: memoryview[float] | None, gap: datetime.timedelta | None
) -> tuple[list[datetime.datetime], list[float]]:
    """Returns times and numbers in chronological order, with a NaN in each gap."""
    if gap is not None and not isinstance(gap, datetime.timedelta):
        raise invalid_type("gap", "a timedelta")
    if found is None or values is None or len(values) == 0:
        return [], []
    if found.offsets is None or len(found.offsets) < len(values):
        raise invalid_value("night", "the samples must have offsets, which state their times")
    durations = found.durations if found.durations is not None and len(found.durations) >= len(values) else [0.0] * len(values)
    rows = sorted(zip(found.offsets, durations, values))
    steps = sorted(after[0] - before[0] for before, after in zip(rows, rows[1:]) if after[0] > before[0])
    usual = steps[len(steps) // 2] if steps else 0.0
    times: list[datetime.datetime] = []
    numbers: list[float] = []
    end = None
    for offset, duration, value in rows:
        # A sample without a duration lasts for the median distance.
        pause = 0.0 if end is None else offset - end
        allowed = gap / datetime.timedelta(milliseconds=1) if gap is not None else (usual / 2 if duration > 0 else usual * (_PAUSE - 1))
        if end is not None and pause > allowed:
            times.append(times[-1])
            numbers.append(math.nan)
        times.append(night.start_at_timestamp + datetime.timedelta(milliseconds=offset))
        numbers.append(value)
        end = offset + (duration if duration > 0 or gap is not None else usual)
    return times, numbers
