"""Samples of a metric during a night."""

from __future__ import annotations

import datetime
import math
from typing import NamedTuple

from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import NightResult, SleepRecord
from vitalwire.plot import _axes, _clock, _people
from vitalwire.plot._clock import local_offset
from vitalwire.plot._columns import read_columns, to_number
from vitalwire.plot._labels import shown_unit, with_unit
from vitalwire.plot._units import METRIC_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from matplotlib.axes import Axes

_MILLISECOND = datetime.timedelta(milliseconds=1)

#: Minimum gap as a multiple of the median distance between samples, for samples without durations.
_PAUSE = 2.5


def samples(
    night: Any,
    name: str,
    *,
    ax: Axes | None = None,
    tz: str | datetime.tzinfo | None = None,
    gap: datetime.timedelta | None = None,
    figsize: tuple[float, float] = (9.0, 2.8),
    **line: object,
) -> Axes:
    """Draws the samples of one metric during a night as a line. Several people have a line each, in their own colour.

    night: A night that was requested with `include_samples=True`; or several nights as a list, a night search, its result, a table
    `sleep_samples` or a frame of it. A table of `vitalwire.concat` and its frame have several people.

    name: The metric, such as "heartrate": one of `night.samples.values`. A known metric without samples in this night results in empty
    axes.

    ax: Axes to draw into. Defaults to a new figure of `figsize` inches.

    tz: Time zone of the axis: a name such as "Europe/Berlin", or a `tzinfo`. Defaults to the record's `user_time_offset_minutes`, or to
    UTC if the record has none, or if people have different ones.

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
    if isinstance(night, NightResult):
        night = night.sleep
    found = {"": _from_record(night, name)} if isinstance(night, SleepRecord) else _from_table(night, name)
    people = {person: series for person, series in found.items() if series is not None}
    if all(series.values is None for series in people.values()) and not _is_metric(name):
        raise invalid_value("name", "must be a known metric or one with samples in this night; use a name in night.samples.values")
    lines = {person: _line(series, gap) for person, series in people.items()}
    offsets = {series.offset for series in people.values()}
    # People in several time zones share an axis in UTC.
    clock = _clock.zone(tz, offsets.pop() if len(offsets) == 1 else None)
    unit, factor = shown_unit(METRIC_NAME.get(name), [number for _, numbers in lines.values() for number in numbers])
    axes = _axes.new(1, figsize)[0] if ax is None else _axes.check_axes(ax)
    colors = _people.colors(list(found)) if len(found) > 1 else {}
    for person, (times, numbers) in lines.items():
        own = {"color": colors[person]} if colors else {}
        style: dict[str, object] = {"linewidth": 1.4, "marker": ".", "markevery": _axes.isolated(numbers), **own, **_axes.line_style(line)}
        if times:
            axes.plot(times, [number / factor for number in numbers], **style)  # type: ignore[arg-type]
    if not any(times for times, _ in lines.values()):
        _axes.show_no_data(axes)
    if colors:
        _people.legend(axes, colors, {person: "" for person, (times, _) in lines.items() if times})
    axes.set_ylabel(with_unit(name, unit))
    axes.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    _axes.hide_spines(axes)
    first = min(min([series.start, *lines[person][0][:1]]) for person, series in people.items())
    last = max(max([series.end or first, *lines[person][0][-1:]]) for person, series in people.items())
    _clock.show(axes, clock, first, last)
    return axes


class _Series(NamedTuple):
    """Samples of a person. Offsets and durations are milliseconds."""

    start: datetime.datetime
    end: datetime.datetime | None
    #: UTC offset in minutes.
    offset: int | None
    offsets: Sequence[float]
    durations: Sequence[float] | None
    #: `None` without this metric.
    values: Sequence[float] | None


def _is_metric(name: str) -> bool:
    from vitalwire.constants import MetricName

    return name in [known for constant, known in vars(MetricName).items() if constant.isupper()]


def _from_record(night: SleepRecord, name: str) -> _Series:
    if night.samples is None:
        raise invalid_value("night", "the record has no samples; request it with include_samples=True")
    found = night.samples
    values = None if found.values is None else found.values.get(name)
    if values is not None and len(values) and (found.offsets is None or len(found.offsets) < len(values)):
        raise invalid_value("night", "the samples must have offsets, which state their times")
    return _Series(night.start_at_timestamp, night.end_at_timestamp, night.user_time_offset_minutes, found.offsets or (), found.durations, values)


def _from_table(night: Any, name: str) -> dict[str, _Series | None]:
    """Returns the samples of each person in a response, a range, a table or a frame. `None` without any time."""
    people: dict[str, _Series | None] = {}
    for person, columns in read_columns("night", night, "sleep_samples", "at").items():
        count = len(columns["at"])
        absent = [None] * count
        rows = [
            (at, local, to_number(duration) or 0.0, value)
            for at, local, duration, value in zip(
                columns["at"], columns.get("at_local", absent), columns.get("duration", absent), map(to_number, columns.get(name, absent)), strict=True
            )
            if at is not None and value is not None
        ]
        if not rows:
            start = min((at for at in columns["at"] if at is not None), default=None)
            people[person] = None if start is None else _Series(start, None, None, (), None, None)
            continue
        rows.sort(key=lambda row: row[0])
        start = rows[0][0]
        offsets = [(at - start) / _MILLISECOND for at, *_ in rows]
        people[person] = _Series(start, None, local_offset(*rows[0][:2]), offsets, [row[2] for row in rows], [row[3] for row in rows])
    if not any(people.values()):
        raise invalid_value("night", "must contain at least one sample")
    return people


def _line(series: _Series, gap: datetime.timedelta | None) -> tuple[list[datetime.datetime], list[float]]:
    """Returns times and numbers in chronological order, with a NaN in each gap."""
    if gap is not None and not isinstance(gap, datetime.timedelta):
        raise invalid_type("gap", "a timedelta")
    values = series.values
    if values is None or len(values) == 0:
        return [], []
    durations = series.durations if series.durations is not None and len(series.durations) >= len(values) else [0.0] * len(values)
    rows = sorted(zip(series.offsets, durations, values))
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
        times.append(series.start + datetime.timedelta(milliseconds=offset))
        numbers.append(value)
        end = offset + (duration if duration > 0 or gap is not None else usual)
    return times, numbers
