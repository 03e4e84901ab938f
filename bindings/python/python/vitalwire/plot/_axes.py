"""Figures and axes. matplotlib is imported here, when something is drawn."""

from __future__ import annotations

from vitalwire._refuse import bad_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

#: Inches that a label of a tick needs beside its neighbour.
TICK_INCHES = 0.75


def given(ax: object, argument: str = "ax") -> Axes:
    """The axes of the caller, who has matplotlib then."""
    axes_class = _axes_class()
    if not isinstance(ax, axes_class):
        raise bad_type(argument, "matplotlib axes")
    return ax


def new(rows: int, figsize: tuple[float, float], *, sharex: bool = True) -> list[Axes]:
    """The axes of a new figure, one below the other, with one axis of time by default."""
    _axes_class()
    import matplotlib.pyplot as plt

    _, grid = plt.subplots(rows, 1, figsize=figsize, sharex=sharex, squeeze=False, layout="constrained")
    return list(grid[:, 0])


def ticks(ax: Axes) -> int:
    """How many ticks of time fit below the axes."""
    figure = ax.get_figure(root=True)
    width = ax.get_position().width * figure.get_figwidth() if figure else 6.0
    return max(3, min(10, int(width / TICK_INCHES)))


def quiet_frame(ax: Axes) -> None:
    """Takes away the lines that carry nothing."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def ink(ax: Axes) -> object:
    """The colour of the axes' labels: it can be read on any background that the caller's style has."""
    return ax.xaxis.label.get_color()


def line_style(given: dict[str, object]) -> dict[str, object]:
    """What a caller says of a line, by whole names: `lw` is `linewidth`."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    return normalize_kwargs(given, Line2D)


def no_data(ax: Axes) -> None:
    """Says that there is nothing to see, on a scale without numbers."""
    ax.set_yticks([])
    ax.text(0.5, 0.5, "no data", transform=ax.transAxes, ha="center", va="center", alpha=0.6)


def isolated(values: Iterable[float]) -> list[int]:
    """Where a number stands between gaps: a line alone does not show it."""
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
