"""Tests the argument `columns` of methods that return tables and data frames."""

from __future__ import annotations

import datetime
import json
import pickle
import sys
import typing

import pandas
import pyarrow
import pytest

import vitalwire
from vitalwire import Table

UTC = datetime.timezone.utc
FIRST, LAST = datetime.date(2025, 11, 1), datetime.date(2025, 11, 19)
STATISTICS = ["steps", "heartrate", "heartrate_resting", "distance_total"]
#: `aura` is an unknown name. `heartrate` has a value of the wrong type.
DAYS = {
    "from_date": "2025-01-01",
    "to_date": "2025-01-02",
    "statistics": [
        {"date": "2025-01-01", "values": {"steps": 100, "heartrate": "fast", "aura": 7}},
        {"date": "2025-01-02", "values": {"steps": 200, "heartrate": 60}},
    ],
}


def read(columns: typing.Iterable[str] | None) -> Table:
    return Table.read("daily_statistics", "daily_statistics", json.dumps(DAYS).encode(), columns=columns)


def test_a_body_is_read_with_only_these_columns() -> None:
    table = read(["aura", "steps", "sleep_score", "steps"])
    assert table.to_dict() == {"aura": [7.0, None], "steps": [100.0, 200.0], "sleep_score": [None, None]}
    assert (table.skipped, read(["heartrate"]).skipped, read(None).skipped) == (0, 1, 1)
    assert read(name for name in ["date"]).to_dict() == {"date": [datetime.date(2025, 1, 1), datetime.date(2025, 1, 2)]}
    assert (len(read([])), read([]).columns) == (2, ())


def test_pickles_keep_the_selected_columns_and_their_order() -> None:
    report = b'{"record_id":"r","status":"completed","sections":[{"results":[{"value":1},{}]}]}'
    # The last table lacks the required columns.
    selected = [read(["steps"]), read(["steps", "date"]), read(["aura", "sleep_score"])]
    for table in [*selected, Table.read("lab_results", "get_lab_report", report, columns=["value_text", "value"])]:
        twin = pickle.loads(pickle.dumps(table))
        assert twin == table and twin.columns == table.columns and twin.to_dict() == table.to_dict()


def test_unknown_columns_are_rejected_with_a_suggestion(client: vitalwire.Client) -> None:
    days = client.statistics.daily(FIRST, LAST, STATISTICS)
    calls: list[typing.Callable[[list[str]], object]] = [
        read,
        lambda columns: days.table(columns=columns),
        lambda columns: days.to_pandas(columns=columns),
        lambda columns: days.table().to_polars(columns=columns),
        lambda columns: client.statistics.daily_range(FIRST, LAST, STATISTICS).table(columns=columns),
        lambda columns: client.statistics.daily_range(FIRST, LAST, STATISTICS).to_arrow(columns=columns),
    ]
    for call in calls:
        with pytest.raises(vitalwire.InvalidArgumentError, match="must be names of columns of the table") as raised:
            call(["date", "heart_rate"])
        assert raised.value.argument == "columns" and "heart_rate" not in str(raised.value)
        if sys.version_info >= (3, 11):
            assert raised.value.__notes__ == ['"heart_rate" is not a name that this version knows; did you mean "heartrate"?']
        with pytest.raises(TypeError, match="argument 'columns': must be a list of str, not a str"):
            call(typing.cast(typing.Any, "date"))


def test_responses_convert_only_these_columns(client: vitalwire.Client) -> None:
    days, columns = client.statistics.daily(FIRST, LAST, STATISTICS), ["steps", "date"]
    frame = days.to_pandas()
    assert frame["steps"].notna().any()
    pandas.testing.assert_frame_equal(days.to_pandas(columns=columns), frame[columns])
    pandas.testing.assert_frame_equal(days.table(columns=columns).to_pandas(), frame[columns])
    pandas.testing.assert_frame_equal(days.table().to_pandas(columns=columns), frame[columns])
    assert days.to_polars(columns=columns).columns == days.to_arrow(columns=columns).column_names == columns
    assert days.to_arrow(columns=columns)["steps"].equals(pyarrow.table(days)["steps"])
    # The response itself keeps all columns.
    assert days.table().columns == tuple(frame.columns)


def test_lists_of_records_convert_only_these_columns(client: vitalwire.Client) -> None:
    meals, columns = client.nutrition_records.list(), ["energy_kcal", "record_id"]
    assert len(meals) > 0
    pandas.testing.assert_frame_equal(meals.to_pandas(columns=columns), meals.to_pandas()[columns])


def test_selected_instants_have_local_times(client: vitalwire.Client) -> None:
    hours = client.statistics.interval(datetime.datetime(2025, 11, 1, tzinfo=UTC), datetime.datetime(2025, 11, 2, tzinfo=UTC), ["steps"])
    frame = hours.to_pandas(columns=["from_timestamp", "steps"], tz="Europe/Berlin")
    assert list(frame) == ["from_timestamp", "from_timestamp_local", "steps"]
    assert list(frame["from_timestamp_local"]) == list(frame["from_timestamp"].dt.tz_convert("Europe/Berlin").dt.tz_localize(None))
    assert frame.attrs["units"] == {"steps": "count"}


def test_ranges_read_only_these_columns(client: vitalwire.Client) -> None:
    days, columns = client.statistics.daily_range(FIRST, LAST, STATISTICS, part_length="5d"), ["heartrate", "date"]
    whole = days.table()
    pandas.testing.assert_frame_equal(days.to_pandas(columns=columns), whole.to_pandas()[columns])
    assert days.table(columns=columns).columns == days.collect_table(columns=columns).response.columns == tuple(columns)
    nights = client.sleeps.between(FIRST, LAST)
    pandas.testing.assert_frame_equal(nights.to_pandas(columns=["sleep_id", "start_at_timestamp"]), nights.to_pandas()[["sleep_id", "start_at_timestamp"]])
