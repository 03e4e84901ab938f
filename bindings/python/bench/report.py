"""Results as lines of JSON in the format of the crate `vitalwire-bench`. `cargo xtask bench` prints them as a table."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass
class Line:
    """One measure."""

    #: Name of the measure.
    measure: str
    #: Our figure, with its unit.
    ours: str
    #: The baseline's figure, with its unit; empty without a baseline.
    baseline: str
    #: The figure that the gate checks: the ratio to the baseline, or our figure without one.
    figure: float
    gate: str = ""
    met: bool | None = None

    def at_least(self, least: float) -> Line:
        """Sets a lower limit for the figure."""
        self.gate, self.met = f">= {least:g}", self.figure >= least
        return self

    def at_most(self, most: float) -> Line:
        """Sets an upper limit for the figure."""
        self.gate, self.met = f"<= {most:g}", self.figure <= most
        return self

    def print(self) -> None:
        """Prints the line for the program that reads them."""
        print(json.dumps(vars(self)), flush=True)


def milliseconds(seconds: float) -> str:
    """Formats seconds as milliseconds."""
    return f"{seconds * 1e3:.2f} ms"


def microseconds(seconds: float) -> str:
    """Formats seconds as microseconds."""
    return f"{seconds * 1e6:.0f} us"
