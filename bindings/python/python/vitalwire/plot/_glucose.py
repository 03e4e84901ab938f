"""Glucose with meals."""

# matplotlib.dates has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime

from vitalwire._errors import invalid_value
from vitalwire.plot import _axes, _clock, _people
from vitalwire.plot._columns import read_columns
from vitalwire.plot._units import METRIC_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes

    from vitalwire._people import _Columns

_MEAL, _TARGET = "#e69f00", "#009e73"
#: Longest time between two samples that a line connects.
_GAP = datetime.timedelta(minutes=30)
#: Height of a meal's label, as a fraction of the axes.
_LABEL = 0.97


def glucose(
    samples: Any,
    meals: Any = None,
    *,
    target: tuple[float, float] | None = (70.0, 180.0),
    tz: str | datetime.tzinfo | None = None,
    ax: Axes | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes:
    """Draws glucose over time, with a line and the energy of each meal. Several people have a line each, in their own colour.

    samples: A night with samples, a table `sleep_samples` or a search for nights, or a frame with the columns `at` and `glucose`. A table
    of `vitalwire.concat` and its frame have several people, and so may the meals; those of people without samples are left out.

    meals: A list of nutrition records, their table or range, or a frame with `consumed_at` and `energy_kcal`. Defaults to none.

    target: Bounds of the target range, drawn as a band, in the unit of the samples. Defaults to 70 to 180 mg/dL.

    tz: Time zone of the axis. Defaults to UTC.

    ax: Axes to draw into. Defaults to a new figure of `figsize` inches.
    """
    everyone = {person: _points(columns) for person, columns in read_columns("samples", samples, "sleep_samples", "at", "glucose").items()}
    people = {person: points for person, points in everyone.items() if points}
    if not people:
        raise invalid_value("samples", "must contain at least one number of glucose")
    eaten = [meal for meal in _meals(meals) if "" in people or meal[0] in ("", *people)]
    if ax is None:
        (ax,) = _axes.new(1, figsize or (9.0, 3.2))
    else:
        ax = _axes.check_axes(ax)
    if target is not None:
        ax.axhspan(*target, color=_TARGET, alpha=0.12, linewidth=0)
    colors = _people.colors(list(everyone))
    for person, points in people.items():
        for line in _lines(points):
            times, values = [at for at, _ in line], [value for _, value in line]
            ax.plot(times, values, color=colors[person], linewidth=1.6, marker="." if len(line) == 1 else None)  # type: ignore[arg-type]
    for person, at, energy in eaten:
        color = colors.get(person, _MEAL) if len(everyone) > 1 else _MEAL
        ax.axvline(at, color=color, linewidth=1.2, alpha=0.9)  # type: ignore[arg-type]
        if energy is not None:
            ax.annotate(f" {energy:.0f} kcal", (at, _LABEL), xycoords=("data", "axes fraction"), va="top", fontsize="small", color=_axes.text_color(ax))
    if len(everyone) > 1:
        _people.legend(ax, colors, dict.fromkeys(people, ""))
    there = [at for points in people.values() for at, _ in points] + [at for _, at, _ in eaten]
    # Points and labels at the ends stay readable.
    margin = (max(there) - min(there)) / 40 + datetime.timedelta(minutes=5)
    _clock.show(ax, _clock.zone(tz, None), min(there) - margin, max(there) + margin * (3 if eaten and max(there) == max(at for _, at, _ in eaten) else 1))
    ax.set_ylabel(f"Glucose ({METRIC_NAME.get('glucose', 'mg/dL')})")
    ax.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    _axes.hide_spines(ax)
    return ax


def _lines(points: list[tuple[datetime.datetime, float]]) -> list[list[tuple[datetime.datetime, float]]]:
    """Splits the samples where they have a gap."""
    lines = [[points[0]]]
    for before, point in zip(points, points[1:]):
        if point[0] - before[0] > _GAP:
            lines.append([])
        lines[-1].append(point)
    return lines


def _points(columns: _Columns) -> list[tuple[datetime.datetime, float]]:
    return sorted((at, value) for at, value in zip(columns["at"], columns["glucose"], strict=True) if at is not None and value is not None)


def _meals(meals: Any) -> list[tuple[str, datetime.datetime, float | None]]:
    """Returns person, time and energy of each meal."""
    if meals is None:
        return []
    found = []
    for person, columns in read_columns("meals", meals, "nutrition_records", "consumed_at").items():
        energies = columns.get("energy_kcal", [None] * len(columns["consumed_at"]))
        found += [(person, at, energy) for at, energy in zip(columns["consumed_at"], energies, strict=True) if at is not None]
    return sorted(found, key=lambda meal: meal[1])
