"""Measures decoding a night of 10,000 stages and reading three attributes of each, from JSON and over loopback.

From JSON, the package decodes with the function that restores pickles, and processor time is measured. Over loopback, wall time is
measured, and msgspec gets its bytes from the standard library's client on one open connection.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from baseline import http_client, msgspec_numpy
from report import Line, milliseconds
from rounds import Clock, compare
from setting import LONG_NIGHT, TOKEN, Setting

PATH = f"/v3/queries/sleeps/{LONG_NIGHT}?include_stages=true"


def times(night: Any) -> list[tuple[Any, ...]]:
    """Returns the fields that a hypnogram needs."""
    return [(stage.stage, stage.start_at, stage.duration) for stage in night.stages]


def metrics_of_struct(night: Any) -> list[tuple[Any, ...]]:
    """Returns stage, duration and heart rate of each stage, read with msgspec."""
    return [(stage.stage, stage.duration, stage.metrics.heartrate) for stage in night.stages]


def metrics_of_record(night: Any) -> list[tuple[Any, ...]]:
    """Returns stage, duration and heart rate of each stage, read with the package."""
    return [(stage.stage, stage.duration, stage.metrics["heartrate"]) for stage in night.stages]


Reader = Callable[[Any], list[tuple[Any, ...]]]
#: Names of the attributes that are read, with the functions that read them from the package's and the baseline's objects.
READERS: tuple[tuple[str, Reader, Reader], ...] = (
    ("stage, start_at, duration", times, times),
    ("stage, duration, a metric", metrics_of_record, metrics_of_struct),
)
Alternatives = Mapping[str, Callable[[], list[tuple[Any, ...]]]]


def run(setting: Setting) -> Iterator[Line]:
    """Measures our time divided by the baseline's."""
    client, bytes_of = setting.client(), http_client.Client(setting.base_url, TOKEN)
    restore, (name, *_) = cast("tuple[Any, tuple[Any, ...]]", client.sleeps.get(LONG_NIGHT, include_stages=True).__reduce__())
    body = setting.body("sleep_long")
    text = body.decode()

    def read(what: str, mine: Reader, theirs: Reader) -> Iterator[Line]:
        decoded: Alternatives = {"ours": lambda: mine(restore(name, text)), "baseline": lambda: theirs(msgspec_numpy.night(body))}
        yield _compare(setting, f"10,000 stages, {what}: msgspec", time.process_time, decoded).at_most(1)
        called: Alternatives = {
            "ours": lambda: mine(client.sleeps.get(LONG_NIGHT, include_stages=True)),
            "baseline": lambda: theirs(msgspec_numpy.night(bytes_of.body(PATH))),
        }
        yield _compare(setting, "the same over loopback HTTP: http.client + msgspec", time.perf_counter, called)

    for reader in READERS:
        yield from read(*reader)


def _compare(setting: Setting, what: str, clock: Clock, alternatives: Alternatives) -> Line:
    read = alternatives["ours"]()
    assert read == alternatives["baseline"]() and len(read) == 10_000, what
    found = compare(setting.budget, clock, alternatives)
    figure = found.ratio("ours", "baseline")
    return Line(what, milliseconds(found.median("ours")), milliseconds(found.median("baseline")), figure)
