"""Compares the conversion of a year of hourly statistics to pandas, and the reading of a long night. Checks first that values are equal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from functools import partial
from typing import Any, cast

import pandas as pd

import program
from baseline import httpx_pydantic, msgspec_numpy, orjson_records, pydantic_normalize

import vitalwire

Reader = Callable[[Any], list[tuple[Any, ...]]]
#: Id of the server's night with 10,000 stages.
LONG_NIGHT = "00000000-0000-4000-8000-000000000003"
START, END = datetime(2025, 1, 1, tzinfo=timezone.utc), datetime(2026, 1, 1, tzinfo=timezone.utc)
#: Names of the requested statistics.
TYPES = [value for name, value in vars(vitalwire.StatisticName).items() if name.isupper() and value != "sleep_duration_total"]
#: Decoders of the baselines, with the minimum of their time divided by ours.
DECODERS = {
    "msgspec structs + numpy columns": (msgspec_numpy.frame, 3.6),
    "orjson + from_records": (orjson_records.frame, 8.4),
    "pydantic v2 + json_normalize": (pydantic_normalize.frame, 35.8),
}


def declare() -> None:
    """Declares the rows."""
    body = program.body("interval")

    def ours() -> pd.DataFrame:
        return vitalwire.Table.read("interval_statistics", "interval_statistics", body).to_pandas(lists=False)

    baselines = {name: (partial(frame, body), f">= {gate}") for name, (frame, gate) in DECODERS.items()}
    for frame, _ in DECODERS.values():
        check(ours(), frame(body))
    program.compare("hourly year, bytes -> pandas", ours, baselines, clock="cpu")
    over_http()
    stages()


def check(ours: pd.DataFrame, theirs: pd.DataFrame) -> None:
    """Checks that two tables have the same values, regardless of their column types and prefixes."""
    theirs = theirs.rename(columns=lambda name: name.removeprefix("values.")).dropna(axis="columns", how="all")
    # A year of hours, with two timestamps and 19 statistics.
    assert theirs.shape == (8_760, 21), theirs.shape
    pd.testing.assert_frame_equal(ours[list(theirs.columns)].astype(theirs.dtypes.to_dict()), theirs, check_exact=True)


def over_http() -> None:
    """Compares a request over loopback, converted to pandas."""
    client, baseline = program.client(), httpx_pydantic.Client(program.BASE_URL, program.TOKEN)
    params = {"interval": "1h", "types": ",".join(TYPES), "from_timestamp": START.isoformat(), "to_timestamp": END.isoformat()}

    def ours() -> pd.DataFrame:
        return client.statistics.interval(START, END, TYPES).to_pandas(lists=False)

    def theirs() -> pd.DataFrame:
        return pydantic_normalize.frame(baseline.body("/v3/queries/statistics/interval", params))

    check(ours(), theirs())
    program.compare("hourly year, loopback HTTP -> pandas", ours, {"httpx + pydantic + pandas": (theirs, ">= 15")})


def stages() -> None:
    """Compares decoding a night of 10,000 stages and reading three attributes of each. The package decodes as it restores pickles."""
    night = program.client().sleeps.get(LONG_NIGHT, include_stages=True)
    restore, (name, *_) = cast("tuple[Any, tuple[Any, ...]]", night.__reduce__())
    body = program.body("sleep_long")
    text = body.decode()

    def times(night: Any) -> list[tuple[Any, ...]]:
        return [(stage.stage, stage.start_at, stage.duration) for stage in night.stages]

    def metrics(night: Any) -> list[tuple[Any, ...]]:
        return [(stage.stage, stage.duration, stage.metrics["heartrate"]) for stage in night.stages]

    def metrics_of_struct(night: Any) -> list[tuple[Any, ...]]:
        return [(stage.stage, stage.duration, stage.metrics.heartrate) for stage in night.stages]

    def reader(read: Reader, decode: Callable[[], Any]) -> Callable[[], list[tuple[Any, ...]]]:
        return lambda: read(decode())

    for what, read, read_struct in (("stage, start_at, duration", times, times), ("stage, duration, a metric", metrics, metrics_of_struct)):
        ours, theirs = reader(read, lambda: restore(name, text)), reader(read_struct, lambda: msgspec_numpy.night(body))
        assert ours() == theirs() and len(ours()) == 10_000, what
        program.compare(f"10,000 stages, {what}", ours, {"msgspec": (theirs, "<= 0.69")}, figure="time", clock="cpu")
