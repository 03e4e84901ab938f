"""Glucose with meals."""

# matplotlib.dates has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime

from vitalwire._errors import invalid_value
from vitalwire.plot import _axes, _clock
from vitalwire.plot._columns import read_columns
from vitalwire.plot._units import METRIC_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes

_COLOR, _MEAL, _TARGET = "#0072b2", "#e69f00", "#009e73"
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
    """Draws glucose over time, with a line and the energy of each meal.

    samples: A night with samples, a table `sleep_samples` or a search for nights, or a frame with the columns `at` and `glucose`.

    meals: A list of nutrition records, their table or range, or a frame with `consumed_at` and `energy_kcal`. Defaults to none.

    target: Bounds of the target range, drawn as a band, in the unit of the samples. Defaults to 70 to 180 mg/dL.

    tz: Time zone of the axis. Defaults to UTC.

    ax: Axes to draw into. Defaults to a new figure of `figsize` inches.
    """
    columns = read_columns("samples", samples, "sleep_samples", "at", "glucose")
    points = sorted((at, value) for at, value in zip(columns["at"], columns["glucose"], strict=True) if at is not None and value is not None)
    if not points:
        raise invalid_value("samples", "must contain at least one number of glucose")
    eaten = _meals(meals)
    if ax is None:
        (ax,) = _axes.new(1, figsize or (9.0, 3.2))
    else:
        ax = _axes.check_axes(ax)
    if target is not None:
        ax.axhspan(*target, color=_TARGET, alpha=0.12, linewidth=0)
    for line in _lines(points):
        times, values = [at for at, _ in line], [value for _, value in line]
        ax.plot(times, values, color=_COLOR, linewidth=1.6, marker="." if len(line) == 1 else None)  # type: ignore[arg-type]
    for at, energy in eaten:
        ax.axvline(at, color=_MEAL, linewidth=1.2, alpha=0.9)  # type: ignore[arg-type]
        if energy is not None:
            ax.annotate(f" {energy:.0f} kcal", (at, _LABEL), xycoords=("data", "axes fraction"), va="top", fontsize="small", color=_axes.text_color(ax))
    there = [at for at, _ in points] + [at for at, _ in eaten]
    # Points and labels at the ends stay readable.
    margin = (max(there) - min(there)) / 40 + datetime.timedelta(minutes=5)
    _clock.show(ax, _clock.zone(tz, None), min(there) - margin, max(there) + margin * (3 if eaten and max(there) == max(at for at, _ in eaten) else 1))
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


def _meals(meals: Any) -> list[tuple[datetime.datetime, float | None]]:
    if meals is None:
        return []
    columns = read_columns("meals", meals, "nutrition_records", "consumed_at")
    energies = columns.get("energy_kcal", [None] * len(columns["consumed_at"]))
    return sorted(((at, energy) for at, energy in zip(columns["consumed_at"], energies, strict=True) if at is not None), key=lambda meal: meal[0])
