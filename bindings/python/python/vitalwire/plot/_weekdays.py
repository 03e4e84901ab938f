"""Distribution of a daily statistic by weekday."""

from __future__ import annotations

import statistics as stats

from vitalwire._errors import invalid_value
from vitalwire.plot import _axes, _people
from vitalwire.plot._columns import read_days
from vitalwire.plot._labels import shown_unit, with_unit
from vitalwire.plot._units import STATISTIC_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType

_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
#: Half the width in which the days of a weekday are spread, and the width of a box.
_SPREAD, _BOX = 0.18, 0.5
#: Width of all people of a weekday.
_SLOT = 0.8
#: Area of a dot, and the smallest share of it if there are many people.
_DOT, _LEAST = 12.0, 0.6
#: Minimum number of days for quartiles.
_QUARTILES = 4


def weekdays(statistics: Any, name: str, *, ax: Axes | None = None, figsize: tuple[float, float] | None = None) -> Axes:
    """Draws the distribution of a daily statistic by weekday: a dot for each day, and a box with the median and the quartiles. Several
    people have boxes side by side, in their own colour.

    statistics: Daily statistics, a range of them or its result, their table, or a frame with `date` and the statistic. A table of
    `vitalwire.concat` and its frame have several people.

    name: Name of the statistic.

    ax: Axes to draw into. Defaults to a new figure of `figsize` inches.
    """
    people = read_days("statistics", statistics, name)
    if not any(people.values()):
        raise invalid_value("statistics", "must contain at least one day with a value")
    if ax is None:
        (ax,) = _axes.new(1, figsize or (7.0, 3.4))
    else:
        ax = _axes.check_axes(ax)
    unit, factor = shown_unit(STATISTIC_NAME.get(name), [value for days in people.values() for _, value in days])
    colors = _people.colors(list(people))
    share = 1 / len(people)
    for at, (person, days) in enumerate(people.items()):
        place = (at + 0.5) * share * _SLOT - _SLOT / 2
        _draw(ax, _by_weekday([(day, value / factor) for day, value in days]), colors[person], place, share)
    if len(people) > 1:
        _people.legend(ax, colors, {person: "" for person, days in people.items() if days})
    ax.set_xticks(range(len(_NAMES)), _NAMES)
    ax.set_xlim(-0.6, len(_NAMES) - 0.4)
    ax.set_ylabel(with_unit(name, unit))
    ax.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    _axes.hide_spines(ax)
    return ax


def _draw(ax: Axes, groups: dict[int, list[float]], color: ColorType, place: float, share: float) -> None:
    """Draws the dots and boxes of a person. `place` is their distance from the weekday, `share` their width as a share of a single person's."""
    box, spread = _BOX * share, _SPREAD * share
    line = _axes.text_color(ax) if share == 1 else color
    for weekday, values in groups.items():
        # Spread in the order of the days, so that the picture is the same each time.
        steps = [(at / max(1, len(values) - 1) - 0.5) * 2 * spread for at in range(len(values))]
        ax.scatter([weekday + place + step for step in steps], values, s=_DOT * max(share, _LEAST), color=color, alpha=0.5, linewidths=0)
    boxes = {weekday: values for weekday, values in groups.items() if len(values) >= _QUARTILES}
    if boxes:
        drawn = {"color": line, "linewidth": 1.0}
        ax.boxplot(
            list(boxes.values()),
            positions=[weekday + place for weekday in boxes],
            widths=box,
            showfliers=False,
            showcaps=False,
            medianprops={**drawn, "linewidth": 2.2},
            boxprops=drawn,
            whiskerprops={**drawn, "alpha": 0.5},
            manage_ticks=False,
        )
    for weekday in groups.keys() - boxes.keys():
        middle = weekday + place
        ax.hlines(stats.median(groups[weekday]), middle - box / 2, middle + box / 2, color=line, linewidth=2.2)


def _by_weekday(days: list[tuple[datetime.date, float]]) -> dict[int, list[float]]:
    groups: dict[int, list[float]] = {}
    for day, value in days:
        groups.setdefault(day.weekday(), []).append(value)
    return dict(sorted(groups.items()))
