"""Comparison of alternatives in rounds, with medians of the rounds' ratios.

A neighbour's load or a change of clock between two measures would be taken for a difference; within a round of some hundred
milliseconds all alternatives run on the same machine state.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

#: Seconds since some start: `time.perf_counter` for wall time, `time.process_time` for processor time.
Clock = Callable[[], float]


class Budget(NamedTuple):
    """Time for a comparison."""

    #: Rounds of each comparison.
    rounds: int
    #: Seconds per alternative and round; a slower alternative runs once.
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
    """Runs all alternatives in turn; the order changes from round to round."""
    for run in alternatives.values():
        _slice(budget.slice, clock, run)
    names = list(alternatives)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for at in range(budget.rounds):
        first = at % len(names)
        for name in names[first:] + names[:first]:
            # Garbage of another alternative does not count; its own does.
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
