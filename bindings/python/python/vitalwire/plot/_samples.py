"""One metric through a night."""

from __future__ import annotations

import datetime
import math

from vitalwire._native import SleepRecord
from vitalwire._refuse import bad_type, bad_value
from vitalwire.plot import _axes, _clock
from vitalwire.plot._labels import shown_unit, with_unit
from vitalwire.plot._units import METRIC_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from vitalwire._native import SleepSamples

#: Without durations, a pause is a gap once it is this many times the usual distance between samples.
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
    """Draws the samples of one metric through a night as a line, and returns the axes.

    night: a night that was asked for with `include_samples=True`.

    name: the metric, such as "heartrate": one of `night.samples.values`. A known metric that the night has no samples of gives empty
    axes.

    ax: draws into these axes. Unless given, there is a new figure of the size `figsize` (inches).

    tz: the clock of the axis, a name such as "Europe/Berlin" or a `tzinfo`. Unless given, the clock is the user's, by the record's
    `user_time_offset_minutes`, and UTC where the record has none.

    gap: the line is broken where the next sample is later than this after the end of the last. Unless given, that is half the usual
    distance between samples. A sample alone between gaps is a dot.

    line: what else matplotlib's `plot` takes: `color`, `linewidth`, `label` and so on.

    Raises `InvalidArgumentError` for a night that came without samples, a name that is neither known nor there, samples without
    offsets, and a time zone that is not known here.
    """
    if not isinstance(name, str):
        raise bad_type("name", "a str")
    found = _samples_of(night)
    values = None if found is None or found.values is None else found.values.get(name)
    if values is None and not _is_metric(name):
        raise bad_value("name", "it is no known metric, and the night has no samples of it; night.samples.values has the names")
    clock = _clock.zone(tz, night.user_time_offset_minutes)
    times, numbers = _line(night, found, values, gap)
    unit, factor = shown_unit(METRIC_NAME.get(name), numbers)
    axes = _axes.new(1, figsize)[0] if ax is None else _axes.given(ax)
    if times:
        style: dict[str, object] = {"linewidth": 1.4, "marker": ".", "markevery": _axes.isolated(numbers), **_axes.line_style(line)}
        axes.plot(times, [number / factor for number in numbers], **style)  # type: ignore[arg-type]
    else:
        _axes.no_data(axes)
    axes.set_ylabel(with_unit(name, unit))
    axes.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    _axes.quiet_frame(axes)
    first = min([night.start_at_timestamp, *times[:1]])
    last = max([night.end_at_timestamp or first, *times[-1:]])
    _clock.show(axes, clock, first, last)
    return axes


def _is_metric(name: str) -> bool:
    from vitalwire.constants import MetricName

    return name in [known for constant, known in vars(MetricName).items() if constant.isupper()]


def _samples_of(night: SleepRecord) -> SleepSamples | None:
    if not isinstance(night, SleepRecord):
        raise bad_type("night", "a SleepRecord")
    if night.samples is None:
        raise bad_value("night", "it came without samples; ask for them by include_samples=True")
    return night.samples


def _line(
    night: SleepRecord, found: SleepSamples | None, values: memoryview[float] | None, gap: datetime.timedelta | None
) -> tuple[list[datetime.datetime], list[float]]:
    """Times and numbers in the order of time, with a NaN in each gap."""
    if gap is not None and not isinstance(gap, datetime.timedelta):
        raise bad_type("gap", "a timedelta")
    if found is None or values is None or len(values) == 0:
        return [], []
    if found.offsets is None or len(found.offsets) < len(values):
        raise bad_value("night", "its samples have no offsets, so nobody knows when they were taken")
    durations = found.durations if found.durations is not None and len(found.durations) >= len(values) else [0.0] * len(values)
    rows = sorted(zip(found.offsets, durations, values))
    steps = sorted(after[0] - before[0] for before, after in zip(rows, rows[1:]) if after[0] > before[0])
    usual = steps[len(steps) // 2] if steps else 0.0
    times: list[datetime.datetime] = []
    numbers: list[float] = []
    end = None
    for offset, duration, value in rows:
        # A sample without a length lasts until the next one is due.
        pause = 0.0 if end is None else offset - end
        allowed = gap / datetime.timedelta(milliseconds=1) if gap is not None else (usual / 2 if duration > 0 else usual * (_PAUSE - 1))
        if end is not None and pause > allowed:
            times.append(times[-1])
            numbers.append(math.nan)
        times.append(night.start_at_timestamp + datetime.timedelta(milliseconds=offset))
        numbers.append(value)
        end = offset + (duration if duration > 0 or gap is not None else usual)
    return times, numbers
