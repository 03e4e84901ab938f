"""A night of 10,000 stages: decoded, and three attributes of each stage read. Wall time, over loopback on both sides.

The package has no public way from bytes to records but its calls, so msgspec gets its bytes by the leanest client of the standard
library, on a kept connection.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from baseline import http_client, msgspec_numpy
from report import Line, milliseconds
from rounds import compare
from setting import LONG_NIGHT, TOKEN, Setting

PATH = f"/v3/queries/sleeps/{LONG_NIGHT}?include_stages=true"


def times(night: Any) -> list[tuple[Any, ...]]:
    """What a hypnogram is drawn from."""
    return [(stage.stage, stage.start_at, stage.duration) for stage in night.stages]


def metrics_of_struct(night: Any) -> list[tuple[Any, ...]]:
    """One of a stage's metrics, as msgspec has them."""
    return [(stage.stage, stage.duration, stage.metrics.heartrate) for stage in night.stages]


def metrics_of_record(night: Any) -> list[tuple[Any, ...]]:
    """One of a stage's metrics, as the package has them."""
    return [(stage.stage, stage.duration, stage.metrics["heartrate"]) for stage in night.stages]


READERS: tuple[tuple[str, Callable[[Any], list[tuple[Any, ...]]], Callable[[Any], list[tuple[Any, ...]]]], ...] = (
    ("stage, start_at, duration", times, times),
    ("stage, duration, a metric", metrics_of_record, metrics_of_struct),
)


def run(setting: Setting) -> Iterator[Line]:
    """Our time by the baseline's."""
    client, bytes_of = setting.client(), http_client.Client(setting.base_url, TOKEN)
    for what, mine, theirs in READERS:
        ways = {
            "ours": lambda mine=mine: mine(client.sleeps.get(LONG_NIGHT, include_stages=True)),
            "baseline": lambda theirs=theirs: theirs(msgspec_numpy.night(bytes_of.body(PATH))),
        }
        assert ways["ours"]() == ways["baseline"]() != [], what
        found = compare(setting.effort, time.perf_counter, ways)
        figure = found.ratio("ours", "baseline")
        line = Line(f"10,000 stages, {what}: msgspec", milliseconds(found.median("ours")), milliseconds(found.median("baseline")), figure)
        yield line.at_most(1)
