"""Comparison of a daily statistic before and after a day."""

# matplotlib.dates has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import datetime
import math
import statistics as stats

from vitalwire._arguments import check_day
from vitalwire._errors import invalid_value
from vitalwire.plot import _axes, _people
from vitalwire.plot._columns import read_days
from vitalwire.plot._labels import shown_unit, with_unit
from vitalwire.plot._units import STATISTIC_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType

_COLORS = ("#666666", "#0072b2")
_HALF = datetime.timedelta(hours=12)


def before_after(
    statistics: Any,
    name: str,
    day: datetime.date | str,
    *,
    confidence: float = 0.95,
    ax: Axes | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes:
    """Draws a daily statistic before and from a day on, with the mean of each period and its confidence interval as a band.

    The title has the difference of the means with its confidence interval (Welch's). Both intervals treat days as independent: they are too
    narrow if a day resembles the day before. Several people have their own colour each, and their differences are in the legend.

    statistics: Daily statistics, a range of them or its result, their table, or a frame with `date` and the statistic. A table of
    `vitalwire.concat` and its frame have several people.

    name: Name of the statistic.

    day: First day of the second period.

    confidence: Level of the intervals, between 0 and 1. Defaults to 0.95.

    ax: Axes to draw into. Defaults to a new figure of `figsize` inches.
    """
    split = check_day("day", day)
    if split is None:
        raise invalid_value("day", "must be a date, such as 2025-01-31")
    if not 0 < confidence < 1:
        raise invalid_value("confidence", "must be between 0 and 1")
    people = read_days("statistics", statistics, name)
    periods = {person: [[one for one in days if one[0] < split], [one for one in days if one[0] >= split]] for person, days in people.items()}
    if not any(_is_enough(both) for both in periods.values()):
        raise invalid_value("day", "must have at least two days with a value before it and from it on")
    if ax is None:
        (ax,) = _axes.new(1, figsize or (9.0, 3.2))
    else:
        ax = _axes.check_axes(ax)
    unit, factor = shown_unit(STATISTIC_NAME.get(name), [value for days in people.values() for _, value in days])
    colors = _people.colors(list(people))
    differences = {}
    for person, both in periods.items():
        if not any(both):
            continue
        own = _COLORS if len(people) == 1 else (colors[person],) * 2
        scaled = [[(day, value / factor) for day, value in period] for period in both]
        differences[person] = _draw(ax, scaled, own, confidence, f" {unit}" if unit else "")
    dates = [day for days in people.values() for day, _ in days]
    _set_up(ax, split, min(dates), max(dates))
    if len(people) == 1:
        ax.set_title(f"difference {next(iter(differences.values()))}", loc="left", fontsize="medium")
    else:
        _people.legend(ax, colors, differences)
    ax.set_ylabel(with_unit(name, unit))
    return ax


def _is_enough(periods: list[list[tuple[datetime.date, float]]]) -> bool:
    return min(len(period) for period in periods) >= 2


def _draw(ax: Axes, periods: list[list[tuple[datetime.date, float]]], colors: Sequence[ColorType], confidence: float, unit: str) -> str:
    """Draws the periods of a person. Returns the difference of their means with its interval."""
    is_enough = _is_enough(periods)
    summaries = []
    for period, color in zip(periods, colors, strict=True):
        values = [value for _, value in period]
        ax.scatter([one for one, _ in period], values, s=14, color=color, alpha=0.55, linewidths=0)  # type: ignore[arg-type]
        if not is_enough:
            continue
        mean, error = stats.fmean(values), stats.stdev(values) / math.sqrt(len(values))
        reach = _t_quantile(confidence, len(values) - 1) * error
        ends = [period[0][0], period[-1][0]]
        ax.fill_between(ends, mean - reach, mean + reach, color=color, alpha=0.22, linewidth=0)  # type: ignore[arg-type]
        ax.plot(ends, [mean, mean], color=color, linewidth=2.2)  # type: ignore[arg-type]
        summaries.append((mean, error, len(values)))
    if not is_enough:
        return "too few days"
    difference, reach = _welch(summaries[0], summaries[1], confidence)
    return f"{_signed(difference)}{unit} ({confidence:.0%} interval {_signed(difference - reach)} to {_signed(difference + reach)})"


def _signed(value: float) -> str:
    """Formats a number with its sign and three digits. Large numbers have all digits before the point, not an exponent."""
    return f"{value:+,.0f}" if abs(value) >= 999.5 else f"{value:+.3g}"


def _welch(first: tuple[float, float, int], second: tuple[float, float, int], confidence: float) -> tuple[float, float]:
    """Returns the difference of two means and half the width of its confidence interval. Each is a mean, its standard error and its count."""
    (mean, error, count), (other, other_error, other_count) = first, second
    variance = error**2 + other_error**2
    if variance == 0:
        return other - mean, 0.0
    freedom = variance**2 / (error**4 / (count - 1) + other_error**4 / (other_count - 1))
    return other - mean, _t_quantile(confidence, freedom) * math.sqrt(variance)


def _t_quantile(confidence: float, freedom: float) -> float:
    """Returns the two-sided quantile of Student's t distribution, by bisection of its numerically integrated density."""
    low, high = 0.0, 1.0
    while _central(high, freedom) < confidence and high < 1e6:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _central(middle, freedom) < confidence else (low, middle)
    return (low + high) / 2


def _central(t: float, freedom: float) -> float:
    """Returns the probability between -t and t. The substitution t = sqrt(freedom) tan(angle) makes the integrand smooth and bounded."""
    constant = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    end, steps = math.atan(t / math.sqrt(freedom)), 200
    width = end / steps
    values = [math.pow(math.cos(at * width), freedom - 1) for at in range(steps + 1)]
    # Simpson's rule.
    return 2 * constant * width / 3 * (values[0] + values[-1] + 4 * sum(values[1:-1:2]) + 2 * sum(values[2:-1:2]))


def _set_up(ax: Axes, split: datetime.date, first: datetime.date, last: datetime.date) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num

    boundary = datetime.datetime.combine(split, datetime.time()) - _HALF
    ax.axvline(float(date2num(boundary)), color=_axes.text_color(ax), alpha=0.5, linewidth=1, linestyle="--")
    locator = AutoDateLocator(minticks=3, maxticks=_axes.tick_count(ax))
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    ax.set_xlim(float(date2num(first)) - 0.7, float(date2num(last)) + 0.7)
    ax.grid(visible=True, axis="y", alpha=0.25, linewidth=0.6)
    _axes.hide_spines(ax)
