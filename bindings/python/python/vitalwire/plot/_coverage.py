"""Coverage: a row of days for each person and kind of data."""

# matplotlib.dates has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from vitalwire._coverage import STATES, Coverage
from vitalwire._coverage import coverage as find_coverage
from vitalwire.plot import _axes
from vitalwire.plot._labels import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes

#: Colours and labels of the states, readable on light and dark backgrounds.
_STYLES = {
    "has_data": ("#0072b2", "data"),
    "no_data": ("#e69f00", "no data"),
    "failed": ("#d55e00", "failed"),
    "not_requested": ("#999999", "not requested"),
}
#: Inches of a row and of the rest of a figure.
_ROW, _REST = 0.28, 1.1


def coverage(sources: Coverage | Any, *, ax: Axes | None = None, figsize: tuple[float, float] | None = None) -> Axes:
    """Draws which days have data, with a row for each person and kind.

    sources: The result of `vitalwire.coverage`, or its sources.

    ax: Axes to draw into. Defaults to a new figure of `figsize` inches.
    """
    found = sources if isinstance(sources, Coverage) else find_coverage(sources)
    rows = [(person, kind) for person in found.people for kind in found.kinds]
    if ax is None:
        (ax,) = _axes.new(1, figsize or (9, max(1.8, _REST + _ROW * len(rows))))
    else:
        ax = _axes.check_axes(ax)
    from matplotlib.colors import ListedColormap
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
    from matplotlib.patches import Patch

    codes = [[STATES.index(found.state(person, kind, day)) for day in found.days] for person, kind in rows]
    start = date2num(found.days[0])
    extent = (start - 0.5, start + len(found.days) - 0.5, len(rows) - 0.5, -0.5)
    colors = ListedColormap([_STYLES[state][0] for state in STATES])
    ax.imshow(codes, extent=extent, aspect="auto", cmap=colors, vmin=-0.5, vmax=len(STATES) - 0.5, interpolation="nearest")
    several = len(found.people) > 1 or found.people != ("",)
    escaped = {person: person.replace("$", r"\$") for person in found.people}
    labels = [f"{escaped[person]}  {words(kind)}".strip() if several else words(kind) for person, kind in rows]
    ax.set_yticks(range(len(rows)), labels)
    ax.tick_params(axis="y", length=0)
    for line in range(1, len(rows)):
        # People are separated by a wider line than kinds.
        ax.axhline(line - 0.5, color=ax.get_facecolor(), linewidth=4 if rows[line][0] != rows[line - 1][0] else 1.5)
    locator = AutoDateLocator(maxticks=_axes.tick_count(ax))
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    for side in ("top", "right", "left", "bottom"):
        ax.spines[side].set_visible(False)
    present = {code for row in codes for code in row}
    handles = [Patch(color=_STYLES[state][0], label=_STYLES[state][1]) for at, state in enumerate(STATES) if at in present]
    ax.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1.01), ncols=len(handles), frameon=False, handlelength=1.1, borderaxespad=0)
    return ax

