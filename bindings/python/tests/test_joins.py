"""Tests joins of frames with dates and datetimes of Python, pandas, polars and DuckDB. The frames have one night and three days, written by
hand."""

from __future__ import annotations

import datetime
import json
import warnings
from collections.abc import Iterator

import duckdb
import pandas
import polars
import pyarrow
import pytest

from vitalwire import Table

UTC = datetime.timezone.utc
NIGHT = {
    "sleep_id": "n",
    "modified_at": "2025-10-26T08:00:00Z",
    "start_at_timestamp": "2025-10-25T21:19:00Z",
    "user_time_offset_minutes": 60,
    "stages": [
        {"stage": "deep", "start_at": "2025-10-25T21:19:00Z", "end_at": "2025-10-25T21:49:00Z", "duration": 1_800_000},
        {"stage": "rem", "start_at": "2025-10-25T21:49:00Z", "end_at": "2025-10-25T22:19:00Z", "duration": 1_800_000},
    ],
}
DAYS = {
    "from_date": "2025-01-01",
    "to_date": "2025-01-03",
    "statistics": [{"date": "2025-01-01", "values": {"steps": 1}}, {"date": "2025-01-02", "values": {"steps": 2}}, {"values": {"steps": 3}}],
}


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    """Turns warnings about truncated or skipped values into errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def stages() -> Table:
    return Table.read("sleep_stages", "get_sleep", json.dumps(NIGHT).encode())


def days() -> Table:
    return Table.read("daily_statistics", "daily_statistics", json.dumps(DAYS).encode())


def instant(hour: int, minute: int) -> datetime.datetime:
    return datetime.datetime(2025, 10, 25, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("expression", "cells"),
    [
        ("date_trunc('hour', start_at)", ["2025-10-25 21:00:00+00"] * 2),
        ("extract(minute from start_at)", ["19", "49"]),
        ("end_at - start_at", ["00:30:00"] * 2),
        ("start_at + interval 1 hour", ["2025-10-25 22:19:00+00", "2025-10-25 22:49:00+00"]),
        ("time_bucket(interval 15 minutes, start_at)", ["2025-10-25 21:15:00+00", "2025-10-25 21:45:00+00"]),
        ("epoch(end_at) - epoch(start_at)", ["1800.0"] * 2),
    ],
)
def test_duckdb_computes_with_instants(expression: str, cells: list[str]) -> None:
    table, arrow, frame = stages(), stages().to_arrow(), stages().to_polars()
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        for name, source in (("own", table), ("arrow", arrow), ("polars", frame), ("pandas", stages().to_pandas())):
            connection.register(name, source)
            rows = connection.sql(f"select ({expression})::varchar from {name}").fetchall()
            assert [row[0] for row in rows] == cells, name


def test_duckdb_joins_dates() -> None:
    frame, table = days().to_pandas(), days()
    with duckdb.connect() as connection:
        for name, source in (("own", table), ("pandas", frame)):
            connection.register(name, source)
            assert connection.sql(f"select steps, typeof(date) from {name} where date = date '2025-01-02'").fetchall() == [(2.0, "DATE")]


def test_pandas_joins_the_nearest_instants() -> None:
    frame = stages().to_pandas()
    # The unit of times is the default of pandas, so that they match the times of other frames.
    unit = "us" if int(pandas.__version__.partition(".")[0]) >= 3 else "ns"
    assert str(frame["start_at"].dtype) == f"datetime64[{unit}, UTC]" and str(frame["start_at_local"].dtype) == f"datetime64[{unit}]"
    assert str(stages().to_pandas(time_unit="us")["start_at"].dtype) == "datetime64[us, UTC]"
    assert str(stages().to_pandas(time_unit="ns")["start_at"].dtype) == "datetime64[ns, UTC]"
    for events in (pandas.to_datetime(["2025-10-25T21:30:00Z", "2025-10-25T22:00:00Z"]), [instant(21, 30), instant(22, 0)]):
        mine = pandas.DataFrame({"start_at": events, "what": ["snack", "alarm"]})
        assert pandas.merge_asof(mine, frame, on="start_at")["stage"].tolist() == ["deep", "rem"]
    for mine in (pandas.DataFrame({"start_at": [instant(21, 49)]}), pandas.DataFrame({"start_at": pandas.to_datetime(["2025-10-25T21:49:00Z"])})):
        assert frame.merge(mine, on="start_at")["stage"].tolist() == ["rem"]


def test_pandas_joins_dates_of_records() -> None:
    mine = pandas.DataFrame({"date": [datetime.date(2025, 1, 2), datetime.date(2025, 1, 9)], "mood": ["good", "bad"]})
    for frame in (days().to_pandas(), days().to_pandas(dtype_backend="pyarrow")):
        assert frame.merge(mine, on="date")[["steps", "mood"]].values.tolist() == [[2.0, "good"]]
    frame = days().to_pandas()
    assert frame["date"].tolist() == [datetime.date(2025, 1, 1), datetime.date(2025, 1, 2), None]
    # pandas parses dates in files as `datetime64`.
    read = pandas.DataFrame({"date": pandas.to_datetime(["2025-01-02"]), "mood": ["good"]})
    assert frame.assign(date=pandas.to_datetime(frame["date"])).merge(read, on="date")["steps"].tolist() == [2.0]


def test_polars_joins_instants_and_dates() -> None:
    frame = stages().to_polars()
    assert frame.schema["start_at"] == polars.Datetime("us", "UTC")
    mine = polars.DataFrame({"start_at": [instant(21, 49)]})
    assert frame.join(mine, on="start_at")["stage"].to_list() == ["rem"]
    events = polars.DataFrame({"start_at": [instant(21, 30), instant(22, 0)]})
    assert events.join_asof(frame, on="start_at")["stage"].to_list() == ["deep", "rem"]
    dates = polars.DataFrame({"date": [datetime.date(2025, 1, 2)]})
    assert days().to_polars().join(dates, on="date")["steps"].to_list() == [2.0]


def test_times_have_nanoseconds_on_request() -> None:
    table = stages().in_time_unit("ns")
    assert (table.time_unit, stages().time_unit) == ("ns", "us")
    kinds = {
        str(stages().to_pandas(time_unit="ns")["start_at"].dtype),
        str(stages().to_pandas(time_unit="ns", dtype_backend="pyarrow")["start_at"].dtype).removesuffix("[pyarrow]"),
        str(stages().to_polars(time_unit="ns").schema["start_at"]),
        str(stages().to_arrow(time_unit="ns").schema.field("start_at").type),
        str(pyarrow.table(table).schema.field("start_at").type),
    }
    assert kinds == {"datetime64[ns, UTC]", "timestamp[ns, tz=UTC]", "Datetime(time_unit='ns', time_zone='UTC')"}
    assert table.to_pandas(time_unit="us")["start_at"].equals(stages().to_pandas(time_unit="us")["start_at"])
