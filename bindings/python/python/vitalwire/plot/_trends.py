"""Trends of daily statistics."""

# matplotlib.dates has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import overload

from vitalwire._errors import invalid_type, invalid_value
from vitalwire.plot import _axes, _people
from vitalwire.plot._days import Days, rolling_mean, to_days
from vitalwire.plot._labels import shown_unit, with_unit, words
from vitalwire.plot._units import STATISTIC_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime

    from matplotlib.axes import Axes

    from vitalwire.plot._days import _Statistics

#: Maximum number of days that are drawn as dots on the line.
_DOTS = 62


@overload
def trends(  # type: ignore[overload-overlap]
    statistics: _Statistics,
    names: str,
    *,
    ax: Axes | None = None,
    rolling: int | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes: ...
@overload
def trends(
    statistics: _Statistics,
    names: Sequence[str] | None = None,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    rolling: int | None = None,
    figsize: tuple[float, float] | None = None,
) -> tuple[Axes, ...]: ...
def trends(
    statistics: _Statistics,
    names: str | Sequence[str] | None = None,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    rolling: int | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes | tuple[Axes, ...]:
    """Draws daily statistics as lines, with a gap for each day without a number. Several people have a line each, in their own colour.

    statistics: The record of `client.statistics.daily`, a range call of `daily_range`, its collected result, their table, or a frame with
    `date` and the statistics. A table of `vitalwire.concat` and its frame have several people.

    names: One statistic, or several in stacked axes. A known statistic without any number results in empty axes. Defaults to all
    statistics of the days.

    ax: Axes to draw into, one for each name. Defaults to a new figure of `figsize` inches.

    rolling: Number of days of an additional rolling mean, at least 2. A mean needs numbers for half of its days.

    figsize: Width and height of the new figure, in inches.

    Returns the axes for one name, and a tuple of axes otherwise.

    Raises `InvalidArgumentError` if a name is neither known nor in the statistics, if there is no name, if the number of axes differs
    from that of names, if the table has no day, or if `rolling` is below 2.

    Units are those of the service. Long durations are in hours or minutes, long distances in kilometres.
    """
    people = to_days(statistics)
    chosen = _names(names, {name for days in people.values() for name in days.names})
    if rolling is not None and (isinstance(rolling, bool) or not isinstance(rolling, int)):
        raise invalid_type("rolling", "an int")
    if rolling is not None and rolling < 2:
        raise invalid_value("rolling", "must be at least 2")
    axes = _all_axes(ax, len(chosen), figsize)
    for place, name in zip(axes, chosen):
        _draw(place, people, name, rolling, first=place is axes[0], alone=len(chosen) == 1)
    if len(people) > 1:
        shown = {person: "" for person, days in people.items() if not set(chosen).isdisjoint(days.names)}
        _people.legend(axes[0], _people.colors(list(people)), shown)
    dates = [date for days in people.values() for date in days.dates]
    _time(axes, min(dates), max(dates))
    return axes[0] if isinstance(names, str) else tuple(axes)


def _names(names: str | Sequence[str] | None, there: set[str]) -> list[str]:
    from vitalwire.constants import StatisticName

    known = [name for constant, name in vars(StatisticName).items() if constant.isupper()]
    if names is None:
        chosen = [name for name in known if name in there] + sorted(there.difference(known))
    else:
        chosen = [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
    if not all(isinstance(name, str) for name in chosen):
        raise invalid_type("names", "a str or a sequence of str")
    if not chosen:
        raise invalid_value("names", "must contain at least one statistic")
    if any(name not in known and name not in there for name in chosen):
        raise invalid_value("names", "must be known statistics or ones that a day has; use the constants of StatisticName")
    return chosen


def _all_axes(ax: Axes | Sequence[Axes] | None, count: int, figsize: tuple[float, float] | None) -> list[Axes]:
    if ax is None:
        return _axes.new(count, figsize or (9.0, 3.0 if count == 1 else 0.7 + 1.6 * count))
    several = list(ax) if hasattr(ax, "__iter__") else [ax]
    if len(several) != count:
        raise invalid_value("ax", "the number of axes must equal the number of names")
    return [_axes.check_axes(one) for one in several]


def _draw(axes: Axes, people: dict[str, Days], name: str, rolling: int | None, *, first: bool, alone: bool) -> None:
    series = {person: days.series(name) for person, days in people.items()}
    unit, factor = shown_unit(STATISTIC_NAME.get(name), itertools.chain.from_iterable(series.values()))
    colors = _people.colors(list(people)) if len(people) > 1 else {}
    faint = 1.0 if rolling is None else 0.45
    drawn = False
    for person, days in people.items():
        values = [value / factor for value in series[person]]
        if all(value != value for value in values):
            continue
        drawn = True
        dots = None if len(values) <= _DOTS else _axes.isolated(values)
        text = _people.label(person) or "day"
        style = {"color": colors.get(person), "linewidth": 1.2, "marker": ".", "markersize": 5, "markevery": dots, "alpha": faint}
        (line,) = axes.plot(days.dates, values, label=text, **style)  # type: ignore[arg-type]
        if rolling is not None:
            means = rolling_mean(values, rolling)
            axes.plot(days.dates, means, color=line.get_color(), linewidth=2.2, label=f"mean of {rolling} days")  # type: ignore[arg-type]
            # A title in the line's colour, because a legend would hide days.
            color = _axes.text_color(axes) if colors else line.get_color()
            axes.set_title(f"mean of {rolling} days" if first else "", loc="right", fontsize="small", color=color)
    if not drawn:
        _axes.show_no_data(axes)
    if alone:
        axes.set_ylabel(with_unit(name, unit))
    else:
        axes.set_title(words(name), loc="left", fontsize="medium")
        axes.set_ylabel(unit)
    axes.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    _axes.hide_spines(axes)


def _time(axes: list[Axes], first: datetime.date, last: datetime.date) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num

    for place in axes:
        locator = AutoDateLocator(minticks=3, maxticks=_axes.tick_count(place))
        place.xaxis.set_major_locator(locator)
        place.xaxis.set_major_formatter(ConciseDateFormatter(locator))
        # Half a day on each side, so that the first and the last day are fully visible.
        place.set_xlim(float(date2num(first)) - 0.5, float(date2num(last)) + 0.5)
