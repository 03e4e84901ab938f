"""Results as lines of JSON in the format of the crate `vitalwire-bench`. `cargo xtask bench` prints them as a table."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass
class Line:
    """Result of one measure."""

    measure: str
    #: Result of the package, with a unit.
    ours: str
    #: Result of the baseline, with a unit. Empty without a baseline.
    baseline: str
    #: Number that the gate checks: the ratio to the baseline or, without a baseline, our result.
    figure: float
    gate: str = ""
    met: bool | None = None

    def at_least(self, least: float) -> Line:
        """Sets the minimum that the gate allows."""
        self.gate, self.met = f">= {least:g}", self.figure >= least
        return self

    def at_most(self, most: float) -> Line:
        """Sets the maximum that the gate allows."""
        self.gate, self.met = f"<= {most:g}", self.figure <= most
        return self

    def print(self) -> None:
        """Prints the result as JSON, for `cargo xtask bench`."""
        print(json.dumps(vars(self)), flush=True)


def milliseconds(seconds: float) -> str:
    """Formats seconds as milliseconds."""
    return f"{seconds * 1e3:.2f} ms"


def microseconds(seconds: float) -> str:
    """Formats seconds as microseconds."""
    return f"{seconds * 1e6:.0f} us"
