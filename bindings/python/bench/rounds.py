"""Compares alternatives in rounds and takes medians of the rounds' ratios.

If the alternatives ran one after the other, a change of load or clock frequency in between would look like a difference. Within a
round of some hundred milliseconds, all alternatives run under the same conditions.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

#: Returns seconds since an arbitrary start: `time.perf_counter` for wall time, `time.process_time` for processor time.
Clock = Callable[[], float]


class Budget(NamedTuple):
    """Number and length of the rounds of a comparison."""

    rounds: int
    #: Seconds per alternative and round. An alternative that takes longer runs once.
    slice: float


FULL = Budget(rounds=15, slice=0.1)
QUICK = Budget(rounds=5, slice=0.04)


@dataclass(frozen=True)
class Measurements:
    """Seconds per run of each alternative, for each round."""

    seconds: dict[str, list[float]]

    def median(self, name: str) -> float:
        """Returns the median time of one run."""
        return statistics.median(self.seconds[name])

    def ratio(self, one: str, other: str) -> float:
        """Returns the median of the rounds' ratios of two alternatives."""
        pairs = zip(self.seconds[one], self.seconds[other], strict=True)
        return statistics.median(first / second for first, second in pairs)

    def difference(self, one: str, other: str) -> float:
        """Returns the median of the rounds' differences of two alternatives, in seconds."""
        pairs = zip(self.seconds[one], self.seconds[other], strict=True)
        return statistics.median(first - second for first, second in pairs)


def compare(budget: Budget, clock: Clock, alternatives: Mapping[str, Callable[[], object]]) -> Measurements:
    """Runs all alternatives in turn, in an order that changes from round to round."""
    for run in alternatives.values():
        _slice(budget.slice, clock, run)
    names = list(alternatives)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for at in range(budget.rounds):
        first = at % len(names)
        for name in names[first:] + names[:first]:
            # Collects the garbage of the previous alternative, so that each alternative pays only for its own.
            gc.collect()
            seconds[name].append(_slice(budget.slice, clock, alternatives[name]))
    return Measurements(seconds)


def _slice(length: float, clock: Clock, run: Callable[[], object]) -> float:
    until = time.perf_counter() + length
    started = clock()
    runs = 0
    while True:
        run()
        runs += 1
        if time.perf_counter() >= until:
            return (clock() - started) / runs
