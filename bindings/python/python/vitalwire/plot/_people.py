"""Colours and legends of people."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType

#: Colours of few people, distinct for colour-blind people.
_FEW = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d00", "#666666")
#: Maximum number of characters of a key, and of rows of a legend.
_LONGEST, _ROWS = 32, 14


def colors(people: Sequence[str]) -> dict[str, ColorType]:
    """Returns a colour for each person."""
    if len(people) <= len(_FEW):
        return dict(zip(people, _FEW))
    from matplotlib import colormaps

    return {person: colormaps["turbo"](0.05 + 0.9 * at / (len(people) - 1)) for at, person in enumerate(people)}


def label(person: str) -> str:
    """Returns the label of a person. matplotlib begins a formula at `$`, and leaves out labels that begin with `_`."""
    text = person[:_LONGEST].replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def legend(ax: Axes, colors: Mapping[str, ColorType], notes: Mapping[str, str]) -> None:
    """Adds a legend of people and colours to the right of the axes. `notes` has a text, or an empty one, for each person with data."""
    from matplotlib.patches import Patch

    texts = {person: notes.get(person, "no data") for person in colors}
    handles = [Patch(color=color, label=": ".join(filter(None, (label(person), texts[person])))) for person, color in colors.items()]
    ax.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(1, 1),
        ncols=(len(handles) - 1) // _ROWS + 1,
        frameon=False,
        fontsize="small",
        handlelength=1.1,
    )
