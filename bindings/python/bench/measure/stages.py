"""Measures decoding a night of 10,000 stages and reading three attributes of each, in processor time.

The package decodes with the function that restores pickles.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, cast

from baseline import msgspec_numpy
from report import Line, milliseconds
from rounds import compare
from setting import LONG_NIGHT, Setting


def times(night: Any) -> list[tuple[Any, ...]]:
    """Returns the fields that a hypnogram needs."""
    return [(stage.stage, stage.start_at, stage.duration) for stage in night.stages]


def metrics_of_struct(night: Any) -> list[tuple[Any, ...]]:
    """Returns stage, duration and heart rate of each stage, read with msgspec."""
    return [(stage.stage, stage.duration, stage.metrics.heartrate) for stage in night.stages]


def metrics_of_record(night: Any) -> list[tuple[Any, ...]]:
    """Returns stage, duration and heart rate of each stage, read with the package."""
    return [(stage.stage, stage.duration, stage.metrics["heartrate"]) for stage in night.stages]


#: Maximum of our time divided by the baseline's.
GATE = 0.69
Reader = Callable[[Any], list[tuple[Any, ...]]]
#: Names of the attributes that are read, with the functions that read them from the package's and the baseline's objects.
READERS: tuple[tuple[str, Reader, Reader], ...] = (
    ("stage, start_at, duration", times, times),
    ("stage, duration, a metric", metrics_of_record, metrics_of_struct),
)


def run(setting: Setting) -> Iterator[Line]:
    """Measures our time divided by the baseline's."""
    night = setting.client().sleeps.get(LONG_NIGHT, include_stages=True)
    restore, (name, *_) = cast("tuple[Any, tuple[Any, ...]]", night.__reduce__())
    body = setting.body("sleep_long")
    text = body.decode()
    for what, mine, theirs in READERS:
        alternatives = {"ours": lambda read=mine: read(restore(name, text)), "msgspec": lambda read=theirs: read(msgspec_numpy.night(body))}
        read = alternatives["ours"]()
        assert read == alternatives["msgspec"]() and len(read) == 10_000, what
        found = compare(setting.budget, time.process_time, alternatives)
        figure = found.ratio("ours", "msgspec")
        line = Line(f"10,000 stages, {what}: msgspec", milliseconds(found.median("ours")), milliseconds(found.median("msgspec")), figure)
        yield line.at_most(GATE)
