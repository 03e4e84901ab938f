"""Figures and axes. matplotlib is imported on first use."""

from __future__ import annotations

from vitalwire._errors import invalid_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

#: Minimum distance of tick labels in inches.
TICK_INCHES = 0.75


def check_axes(ax: object, argument: str = "ax") -> Axes:
    """Returns the axes of the caller. Raises `TypeError` for other objects."""
    axes_class = _axes_class()
    if not isinstance(ax, axes_class):
        raise invalid_type(argument, "a matplotlib Axes")
    return ax


def new(rows: int, figsize: tuple[float, float], *, sharex: bool = True) -> list[Axes]:
    """Creates a figure with stacked axes, which share their time axis by default."""
    _axes_class()
    import matplotlib.pyplot as plt

    _, grid = plt.subplots(rows, 1, figsize=figsize, sharex=sharex, squeeze=False, layout="constrained")
    return list(grid[:, 0])


def tick_count(ax: Axes) -> int:
    """Returns the number of tick labels that fit below the axes."""
    figure = ax.get_figure(root=True)
    width = ax.get_position().width * figure.get_figwidth() if figure else 6.0
    return max(3, min(10, int(width / TICK_INCHES)))


def hide_spines(ax: Axes) -> None:
    """Hides the top and right spines."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def text_color(ax: Axes) -> object:
    """Returns the colour of axis labels, which is readable on the background of the caller's style."""
    return ax.xaxis.label.get_color()


def line_style(properties: dict[str, object]) -> dict[str, object]:
    """Expands aliases of line properties: `lw` becomes `linewidth`."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    return normalize_kwargs(properties, Line2D)


def show_no_data(ax: Axes) -> None:
    """Writes "no data" into the axes and removes the scale."""
    ax.set_yticks([])
    ax.text(0.5, 0.5, "no data", transform=ax.transAxes, ha="center", va="center", alpha=0.6)


def isolated(values: Iterable[float]) -> list[int]:
    """Returns the indices of single numbers between gaps, which a line does not show."""
    there = [False, *(value == value for value in values), False]
    return [at - 1 for at in range(1, len(there) - 1) if there[at] and not there[at - 1] and not there[at + 1]]


def _axes_class() -> type[Axes]:
    try:
        from matplotlib.axes import Axes
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "matplotlib":
            raise
        raise ModuleNotFoundError("vitalwire.plot needs matplotlib: pip install 'vitalwire[plot]'", name="matplotlib") from missing
    return Axes
