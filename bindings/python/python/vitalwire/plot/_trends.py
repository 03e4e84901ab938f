"""Statistics by day."""

# The dates of matplotlib are not annotated.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

from vitalwire._refuse import bad_type, bad_value
from vitalwire.plot import _axes
from vitalwire.plot._days import Days, days, rolling_mean
from vitalwire.plot._labels import shown_unit, with_unit, words
from vitalwire.plot._units import STATISTIC_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from vitalwire.plot._days import _Statistics

#: Up to so many days each is a dot on the line.
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
    """Draws statistics by day, and returns the axes: those of one name, or a tuple with as many as there are names.

    statistics: the answer of `client.statistics.daily`, a range of `daily_range` or what it was collected into, or their table.

    names: one statistic, or several, each in axes of its own, one below the other. Unless given, all that the days have. A known
    statistic without a number gives empty axes. A day without a number is a gap.

    ax: draws into these axes, as many as there are names. Unless given, there is a new figure of the size `figsize` (inches).

    rolling: also draws the mean of each day and those before it, so many days in all, where at least half of them have a number.

    Units are those of the service, but for long times, which are in hours or minutes, and long ways, which are in kilometres.

    Raises `InvalidArgumentError` for a name that is neither known nor there, for no name at all, for another number of axes than of
    names, for a table without a day, and for `rolling` below 2.
    """
    table = days(statistics)
    chosen = _names(names, table)
    if rolling is not None and (isinstance(rolling, bool) or not isinstance(rolling, int)):
        raise bad_type("rolling", "an int")
    if rolling is not None and rolling < 2:
        raise bad_value("rolling", "fewer than 2 days have no mean of their own")
    axes = _all_axes(ax, len(chosen), figsize)
    for place, name in zip(axes, chosen):
        _draw(place, table, name, rolling, first=place is axes[0], alone=len(chosen) == 1)
    _time(axes, table)
    return axes[0] if isinstance(names, str) else tuple(axes)


def _names(names: str | Sequence[str] | None, table: Days) -> list[str]:
    from vitalwire.constants import StatisticName

    known = [name for constant, name in vars(StatisticName).items() if constant.isupper()]
    if names is None:
        chosen = [name for name in known if name in table.names] + [name for name in table.names if name not in known]
    else:
        chosen = [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
    if not all(isinstance(name, str) for name in chosen):
        raise bad_type("names", "a str or a sequence of str")
    if not chosen:
        raise bad_value("names", "there is no statistic to draw")
    if any(name not in known and name not in table.names for name in chosen):
        raise bad_value("names", "one is no known statistic, and no day has it")
    return chosen


def _all_axes(ax: Axes | Sequence[Axes] | None, count: int, figsize: tuple[float, float] | None) -> list[Axes]:
    if ax is None:
        return _axes.new(count, figsize or (9.0, 3.0 if count == 1 else 0.7 + 1.6 * count))
    several = list(ax) if hasattr(ax, "__iter__") else [ax]
    if len(several) != count:
        raise bad_value("ax", "there are not as many axes as names")
    return [_axes.given(one) for one in several]


def _draw(axes: Axes, table: Days, name: str, rolling: int | None, *, first: bool, alone: bool) -> None:
    values = table.series(name)
    unit, factor = shown_unit(STATISTIC_NAME.get(name), values)
    values = [value / factor for value in values]
    if all(value != value for value in values):
        _axes.no_data(axes)
    else:
        dots = None if len(values) <= _DOTS else _axes.isolated(values)
        faint = 1.0 if rolling is None else 0.45
        (line,) = axes.plot(
            table.dates, values, linewidth=1.2, marker=".", markersize=5, markevery=dots, alpha=faint, label="day"  # type: ignore[arg-type]
        )
        if rolling is not None:
            means = rolling_mean(values, rolling)
            label = f"mean of {rolling} days"
            axes.plot(table.dates, means, color=line.get_color(), linewidth=2.2, label=label)  # type: ignore[arg-type]
            # A legend would hide days; the thick line is the only one to be told.
            axes.set_title(label if first else "", loc="right", fontsize="small", color=line.get_color())
    if alone:
        axes.set_ylabel(with_unit(name, unit))
    else:
        axes.set_title(words(name), loc="left", fontsize="medium")
        axes.set_ylabel(unit)
    axes.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    _axes.quiet_frame(axes)


def _time(axes: list[Axes], table: Days) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num

    for place in axes:
        locator = AutoDateLocator(minticks=3, maxticks=_axes.ticks(place))
        place.xaxis.set_major_locator(locator)
        place.xaxis.set_major_formatter(ConciseDateFormatter(locator))
        # Half a day on each side, so that the first and the last day are seen whole.
        place.set_xlim(float(date2num(table.dates[0])) - 0.5, float(date2num(table.dates[-1])) + 0.5)
