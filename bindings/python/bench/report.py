"""What a run found, as lines of JSON in the format of the crate `vitalwire-bench`; `cargo xtask bench` makes a table of them."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass
class Line:
    """One measure."""

    #: What was measured.
    measure: str
    #: Our figure, with its unit.
    ours: str
    #: The baseline's figure, with its unit; empty where there is none.
    baseline: str
    #: What the gate is held against: a ratio where there is a baseline, else our figure.
    figure: float
    gate: str = ""
    met: bool | None = None

    def at_least(self, least: float) -> Line:
        """The figure must be this or more."""
        self.gate, self.met = f">= {least:g}", self.figure >= least
        return self

    def at_most(self, most: float) -> Line:
        """The figure must be this or less."""
        self.gate, self.met = f"<= {most:g}", self.figure <= most
        return self

    def print(self) -> None:
        """Prints the line for the program that reads them."""
        print(json.dumps(vars(self)), flush=True)


def milliseconds(seconds: float) -> str:
    """As people read them."""
    return f"{seconds * 1e3:.2f} ms"


def microseconds(seconds: float) -> str:
    """As people read them."""
    return f"{seconds * 1e6:.0f} us"
