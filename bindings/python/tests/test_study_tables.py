"""Tests tables for studies: a row per sleep, days without a sleep, several people in one table, units, durations and files. Values are
written by hand or compared with records."""

from __future__ import annotations

import datetime
import io
import json
import pathlib
import pickle
import subprocess
import sys
import typing
import warnings

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from serving import Reply, Request, Service

import vitalwire
from vitalwire import Table

DAY = datetime.timedelta(days=1)
FIRST, LAST = datetime.date(2025, 10, 25), datetime.date(2025, 10, 29)
#: Sleeps by id. The first begins before the end of summer time in Berlin and ends after it; `nap` is a nap; 28 October has no sleep.
SLEEPS: dict[str, dict[str, object]] = {
    "clocks": {
        "sleep_date": "2025-10-26",
        "start_at_timestamp": "2025-10-25T21:19:00Z",
        "end_at_timestamp": "2025-10-26T06:19:00Z",
        "user_time_offset_minutes": 60,
        "duration": 32_400_000,
        "score": 80,
        "provider_slug": "oura",
        "metrics": {"sleep_duration": 28_800_000, "sleep_efficiency": 88.9, "hrv_rmssd": 41.5, "sleep_duration_rem": 5_400_000.5},
    },
    "nap": {
        "sleep_date": "2025-10-27",
        "start_at_timestamp": "2025-10-27T12:00:00Z",
        "duration": 1_200_000,
        "provider_slug": "garmin",
        "metrics": {"sleep_duration": 1_200_000, "sleep_duration_nap": 1_200_000},
    },
    "night": {
        "sleep_date": "2025-10-27",
        "start_at_timestamp": "2025-10-26T22:00:00Z",
        "end_at_timestamp": "2025-10-27T05:00:00Z",
        "user_time_offset_minutes": -240,
        "provider_slug": "garmin",
    },
    "last": {"sleep_date": "2025-10-29", "start_at_timestamp": "2025-10-28T23:00:00Z", "record_ids": ["11111111-1111-4111-8111-111111111111"]},
}
DAYS = {"2025-10-26": ["clocks"], "2025-10-27": ["nap", "night"], "2025-10-28": ["no-sleep"], "2025-10-29": ["last"]}


def respond(request: Request) -> Reply:
    """Responds to daily statistics with the ids of each day, and to requests for a sleep."""
    path = request.target.partition("?")[0]
    if "/sleeps/" not in path:
        days = [{"date": day, "record_ids": ids, "values": {"sleep_duration_total": 1, "steps": 1}} for day, ids in DAYS.items()]
        return Reply(body=json.dumps({"from_date": str(FIRST), "to_date": str(LAST), "statistics": days}).encode())
    found = SLEEPS.get(path.rpartition("/")[2])
    if found is None:
        return Reply(404, b'{"status": 404}')
    return Reply(body=json.dumps({"sleep_id": path.rpartition("/")[2], "modified_at": "2025-10-30T00:00:00Z", **found}).encode())


def client(service: Service) -> vitalwire.Client:
    return vitalwire.Client(service.url, token="token-0", allow_plain_http=True, proxy="none", max_retries=0)


@pytest.fixture(scope="module")
def sleeps() -> typing.Iterator[vitalwire.NightSearch]:
    with Service(respond) as service, client(service) as own:
        yield own.sleeps.between(FIRST, LAST)


def read(query: str) -> list[tuple[object, ...]]:
    found: typing.Any = duckdb.sql(query)
    rows: list[tuple[object, ...]] = found.fetchall()
    return rows


def daily(values: list[dict[str, object]], name: str = "daily_statistics") -> Table:
    rows = [{"date": str(FIRST + at * DAY), "values": found} for at, found in enumerate(values)]
    return Table.read(name, "daily_statistics", json.dumps({"from_date": str(FIRST), "to_date": str(LAST), "statistics": rows}).encode())


def test_a_night_is_a_row(sleeps: vitalwire.NightSearch) -> None:
    frame = sleeps.to_pandas()
    assert frame["sleep_id"].tolist() == ["clocks", "nap", "night", "last"]
    assert frame["is_nap"].tolist() == [False, True, False, False] and frame["is_nap"].dtype == "bool"
    assert frame["sleep_date"].tolist() == [datetime.date(2025, 10, day) for day in (26, 27, 27, 29)]
    assert frame["score"][0] == 80 and frame["score"].isna().tolist() == [False, True, True, True]
    assert frame["sleep_efficiency"].tolist()[0] == 88.9 and frame["hrv_rmssd"].isna().tolist() == [False, True, True, True]
    # Local times follow the offset of each record, and are missing without one. A time zone applies to all, also before the clocks change.
    assert frame["start_at_timestamp_local"].tolist()[2] == pandas.Timestamp("2025-10-26 18:00") and frame["start_at_timestamp_local"].isna()[3]
    berlin = sleeps.to_pandas(tz="Europe/Berlin")
    assert berlin["start_at_timestamp_local"][0] == pandas.Timestamp("2025-10-25 23:19") and berlin["end_at_timestamp_local"][0].hour == 7
    assert sleeps.to_polars()["sleep_id"].to_list() == sleeps.to_arrow()["sleep_id"].to_pylist() == sleeps.to_dict()["sleep_id"]


@pytest.mark.parametrize("style", ["sync", "async"])
def test_days_without_a_night_are_rows_on_request(style: str) -> None:
    with Service(respond) as service:
        if style == "sync":
            search = client(service).sleeps.between(FIRST, LAST)
            frame, table = search.to_pandas(missing="row"), search.collect_table(missing="row").response
        else:
            import asyncio

            async def read() -> tuple[pandas.DataFrame, Table]:
                async with vitalwire.AsyncClient(service.url, token="t", allow_plain_http=True, proxy="none", max_retries=0) as own:
                    search = own.sleeps.between(FIRST, LAST)
                    return await search.to_pandas(missing="row"), (await search.collect_table(missing="row")).response

            frame, table = asyncio.run(read())
    assert [str(day)[-2:] for day in frame["sleep_date"]] == ["25", "26", "27", "27", "28", "29"]
    assert frame["sleep_id"].isna().tolist() == [True, False, False, False, True, False]
    # A missing night is no nap and has no zero.
    missing = frame[frame["sleep_id"].isna()].drop(columns="sleep_date")
    assert missing.isna().all(axis=None) and frame["is_nap"].isna().sum() == 2
    assert table["sleep_duration"] == [None, 28_800_000.0, 1_200_000.0, None, None, None]


def test_missing_rows_are_only_for_sleeps(sleeps: vitalwire.NightSearch) -> None:
    calls: list[typing.Callable[[], object]] = [
        lambda: sleeps.to_pandas("sleep_stages", missing="row"),
        lambda: sleeps.to_dict(missing="zero"),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(vitalwire.InvalidArgumentError) as raised:
            call()
        assert raised.value.argument == "missing"


def test_people_are_joined_and_keep_their_metadata() -> None:
    anna, ben = daily([{"steps": 1}, {"steps": 2}]), daily([{"steps": 3, "heartrate": 50, "moon": 7}])
    nobody = daily([])
    table = vitalwire.concat({"anna": anna, "ben": ben, "nobody": nobody})
    assert table.columns[:2] == ("user", "date")
    assert table["user"] == ["anna", "anna", "ben"] and table["heartrate"] == [None, None, 50.0] and table["moon"] == [None, None, 7.0]
    assert (table.units["steps"], table.units["heartrate"], table.name) == ("count", "bpm", "daily_statistics")
    assert table.to_polars().schema["user"] == polars.String and pyarrow.table(table).schema.field("user").nullable is False
    assert pickle.loads(pickle.dumps(table)).to_dict() == table.to_dict()
    assert vitalwire.concat({1: anna}, key="participant").columns[0] == "participant"
    empty = vitalwire.concat({"nobody": nobody})
    assert (len(empty), empty.columns) == (0, ("user", "date"))


def test_people_of_other_kinds_or_without_a_table_are_rejected() -> None:
    table = daily([{"steps": 1}])
    night = Table.read("sleep_stages", "get_sleep", b'{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"}')
    for tables, key, argument in [({"a": table, "b": night}, "user", "table"), ({}, "user", "tables"), ({"a": table}, "date", "key")]:
        with pytest.raises(vitalwire.InvalidArgumentError) as raised:
            vitalwire.concat(tables, key)
        assert raised.value.argument == argument
    with pytest.raises(vitalwire.InvalidArgumentError, match="must not have two keys with the same text"):
        vitalwire.concat({1: table, "1": table})
    for wrong in ([table], {"a": 5}, {"a": {"steps": [1]}}):
        with pytest.raises(TypeError, match="argument 'tables': must be"):
            vitalwire.concat(wrong)  # type: ignore[arg-type]


def test_collected_nights_are_joined_without_another_request(sleeps: vitalwire.NightSearch) -> None:
    found = sleeps.collect()
    table = vitalwire.concat({"anna": found, "ben": list(found.response), "cleo": [night.sleep for night in found.response][:1]})
    assert table["sleep_id"] == ["clocks", "nap", "night", "last"] * 2 + ["clocks"] and table["user"][3:5] == ["anna", "ben"]
    one = vitalwire.concat({"anna": sleeps}).to_dict()
    assert {name: values[:4] for name, values in table.to_dict().items()} == one
    with pytest.raises(TypeError, match="argument 'tables'"):
        vitalwire.concat({"anna": []})


def test_notebooks_show_nights(sleeps: vitalwire.NightSearch) -> None:
    found, table = sleeps.collect(), sleeps.collect_table()
    assert "2025-10-26" in found.response[0]._repr_html_() and found._repr_html_() == "<p>MergedRange(parts=5, duplicates=0, failures=0)</p>"
    assert table._repr_html_().count("<table") == 1 and "clocks" in table._repr_html_()


def test_nights_of_several_providers_and_time_zones_are_one_table(sleeps: vitalwire.NightSearch) -> None:
    table = vitalwire.concat({"anna": sleeps, "ben": sleeps.collect_table(), "cleo": sleeps.table().head(1)})
    assert table["user"] == ["anna"] * 4 + ["ben"] * 4 + ["cleo"]
    assert table["provider_slug"][:4] == ["oura", "garmin", "garmin", None]
    mixed = vitalwire.concat({"anna": sleeps.table().local_time("Asia/Kolkata"), "ben": sleeps.table()})
    assert [str(time)[11:16] for time in mixed["start_at_timestamp_local"][::4]] == ["02:49", "22:19"]


def test_a_table_is_read_by_name_index_slice_and_row() -> None:
    table = daily([{"steps": at, "heartrate": 50 + at} for at in range(8)])
    assert table["steps"] == [float(at) for at in range(8)] and table[-1] == {"date": FIRST + 7 * DAY, "heartrate": 57.0, "steps": 7.0}
    assert [len(table.head()), len(table.head(3)), len(table.head(99))] == [5, 3, 8]
    assert table[1:3]["steps"] == [1.0, 2.0] and table[::-1]["steps"] == table["steps"][::-1] and isinstance(table[:0], Table)
    assert (len(table[:0]), table[:0].columns, table[:0].units) == (0, table.columns, table.units)
    assert [row["steps"] for row in table] == table["steps"] and "steps" in table and "Steps" not in table and 5 not in table
    pandas.testing.assert_frame_equal(pandas.DataFrame(table), table.to_pandas(), check_dtype=False, check_like=True)
    with pytest.raises(KeyError, match="no column has this name") as raised:
        table["step"]
    if sys.version_info >= (3, 11):
        assert raised.value.__notes__ == ['"step" is not a name that this version knows; did you mean "steps"?']
    for wrong in (8, -9):
        with pytest.raises(IndexError):
            table[wrong]
    with pytest.raises(TypeError, match="name of a column, an index or a slice"):
        table[1.5]  # type: ignore[call-overload]


def test_slices_of_lists_keep_their_class(service: vitalwire.Sandbox) -> None:
    meals = service.client().nutrition_records.list("2025-11-01T00:00:00Z", "2025-11-10T00:00:00Z")
    assert len(meals) > 5 and isinstance(meals[:3], vitalwire.Records)
    assert meals[:3].to_pandas()["record_id"].tolist() == [meal.record_id for meal in meals][:3]
    assert meals[:3] == meals[0:3] and len(meals[99:]) == 0 and meals[99:].to_pandas().columns.tolist()[:2] == ["basis", "record_id"]
    assert meals._repr_html_().count("<tr>") > 5


def test_notebooks_show_tables_of_statistics(service: vitalwire.Sandbox) -> None:
    html = service.client().statistics.daily("2025-11-01", "2025-11-09", ["steps"])._repr_html_()
    assert html.count("<table") == 2 and "2025-11-05" in html and "count" in html


def test_units_travel_with_frames(sleeps: vitalwire.NightSearch) -> None:
    frame = sleeps.to_pandas()
    assert frame.attrs["table"] == "sleeps" and frame.attrs["units"]["sleep_duration"] == "ms" and frame.attrs["units"]["hrv_rmssd"] == "ms"
    assert frame[["hrv_rmssd"]].attrs == frame.attrs and frame.head(1).attrs == frame.attrs
    assert sleeps.to_pandas(dtype_backend="pyarrow").attrs == frame.attrs
    assert set(frame.attrs["units"]) <= set(frame.columns)


def test_durations_have_types_of_their_own(sleeps: vitalwire.NightSearch) -> None:
    expected = [datetime.timedelta(hours=8), datetime.timedelta(minutes=20), None, None]
    frame = sleeps.to_pandas(durations="timedelta")
    assert frame["sleep_duration"].dtype == "timedelta64[us]" and frame["duration"].dtype == "timedelta64[us]"
    assert [None if pandas.isna(value) else value.to_pytimedelta() for value in frame["sleep_duration"]] == expected
    assert frame["sleep_duration_rem"][0] == pandas.Timedelta(5_400_000_500, "us"), "half a millisecond is kept"
    assert frame["hrv_rmssd"][0] == 41.5, "a variability is no duration"
    assert "sleep_duration" not in frame.attrs["units"] and frame.attrs["units"]["hrv_rmssd"] == "ms"
    typed = sleeps.to_polars(durations="timedelta")
    assert typed.schema["sleep_duration"] == polars.Duration("us") and typed["sleep_duration"].to_list() == expected
    arrow = sleeps.to_pandas(dtype_backend="pyarrow", durations="timedelta")["sleep_duration"]
    assert str(arrow.dtype) == "duration[us][pyarrow]" and [None if pandas.isna(value) else value.to_pytimedelta() for value in arrow] == expected
    with pytest.raises(vitalwire.InvalidArgumentError, match="argument durations"):
        sleeps.table().to_pandas(durations="hours")  # type: ignore[arg-type]


def test_a_frame_without_rows_keeps_columns_types_and_units() -> None:
    full, none = daily([{"steps": 1, "sleep_duration_total": 5}]), daily([{"steps": 1, "sleep_duration_total": 5}])[:0]
    for settings in ({}, {"durations": "timedelta"}, {"dtype_backend": "pyarrow"}, {"dtype_backend": "pyarrow", "durations": "timedelta"}):
        filled, empty = full.to_pandas(**settings), none.to_pandas(**settings)  # type: ignore[arg-type]
        assert (len(empty), list(empty.columns), empty.dtypes.tolist(), empty.attrs) == (0, list(filled.columns), filled.dtypes.tolist(), filled.attrs)
    assert none.to_polars(durations="timedelta").schema == full.to_polars(durations="timedelta").schema
    assert vitalwire.concat({"anna": none}).to_pandas().dtypes.tolist() == vitalwire.concat({"anna": full}).to_pandas().dtypes.tolist()
    assert none.to_arrow().schema.equals(full.to_arrow().schema, check_metadata=True)


def test_a_year_without_data_is_a_table_without_rows() -> None:
    def nothing(_: Request) -> Reply:
        return Reply(body=b'{"from_date": "2024-01-01", "to_date": "2024-12-31", "statistics": []}')

    with Service(nothing) as service, client(service) as own:
        nights = own.sleeps.between("2024-01-01", "2024-12-31")
        assert nights.to_pandas().shape[0] == 0 and "is_nap" in nights.to_pandas()
        missing = nights.to_pandas(missing="row")
        assert len(missing) == 366 and missing["sleep_date"].nunique() == 366 and missing["sleep_id"].isna().all()
        days = own.statistics.daily_range("2024-01-01", "2024-12-31", ["steps"]).to_pandas()
        assert (len(days), list(days.columns)) == (0, ["date", "steps"])


def test_ids_are_in_every_export_exactly_if_they_were_requested() -> None:
    with Service(respond) as service, client(service) as own:
        for requested in (False, True):
            days = own.statistics.daily(FIRST, LAST, ["steps"], include_record_ids=requested)
            ranged = own.statistics.daily_range(FIRST, LAST, ["steps"], include_record_ids=requested)
            # The service sends ids in both cases; without a request they are kept, because they are there.
            for found in (days, ranged):
                columns = [found.to_pandas().columns, found.to_polars().columns, found.to_arrow().column_names, found.table().to_dict()]
                assert ["record_ids" in names for names in columns] == [True] * 4
    without = json.dumps({"from_date": str(FIRST), "to_date": str(LAST), "statistics": [{"date": str(FIRST), "values": {"steps": 1}}]}).encode()
    with Service(lambda _: Reply(body=without)) as service, client(service) as own:
        for requested in (False, True):
            days = own.statistics.daily(FIRST, LAST, ["steps"], include_record_ids=requested)
            ranged = own.statistics.daily_range(FIRST, LAST, ["steps"], include_record_ids=requested)
            for found in (days, ranged):
                columns = [found.to_polars().columns, found.to_arrow().column_names, found.table().to_dict()]
                assert ["record_ids" in names for names in columns] == [requested] * 3


def test_parquet_files_have_the_units(sleeps: vitalwire.NightSearch, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "nights.parquet"
    table = sleeps.table()
    table.to_parquet(path, tz="Europe/Berlin")
    schema = pyarrow.parquet.read_schema(path)
    assert schema.field("sleep_duration").metadata[b"unit"] == b"ms" and schema.metadata[b"vitalwire.table"] == b"sleeps"
    assert read(f"select count(*), sum(sleep_duration), count(distinct start_at_timestamp_local) from '{path}'") == [(4, 30_000_000.0, 4)]
    held = io.BytesIO()
    table[:0].to_parquet(held)
    assert pyarrow.parquet.read_table(held).column_names == list(table.columns)


def test_csv_files_are_for_programs_and_for_spreadsheets(tmp_path: pathlib.Path) -> None:
    meal = {"record_id": "=1+1", "status": "completed", "uploaded_at": "2025-03-01T12:00:00Z", "modified_at": "2025-03-01T12:00:00Z"}
    table = Table.read("nutrition_records", "get_nutrition_record", json.dumps({**meal, "dish_name": "@Zürich, -5", "nutritional_fields": {"energy_kcal": -5}}).encode())
    path = tmp_path / "meals.csv"
    table.to_csv(path)
    assert path.read_bytes().startswith(b"basis,record_id,") and "\r\nper_serving,=1+1," in path.read_bytes().decode()
    table.to_csv(str(path), encoding="utf-8-sig", escape_formulas=True, units=True)
    text = path.read_bytes()
    assert text.startswith(b"\xef\xbb\xbfbasis") and b"'=1+1" in text and "\"'@Zürich, -5\"".encode() in text and b"energy_kcal [kcal]" in text
    assert b",-5" in text, "numbers are not escaped"
    held = io.BytesIO()
    table.to_csv(held)
    assert held.getvalue().count(b"\r\n") == 2
    with pytest.raises(vitalwire.InvalidArgumentError, match="argument encoding"):
        table.to_csv(path, encoding="latin-1")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        table.to_csv(tmp_path / "nowhere" / "x.csv")


def test_tables_need_no_other_package(tmp_path: pathlib.Path) -> None:
    script = f"""
import sys
for name in ("pyarrow", "pandas", "polars", "numpy"):
    sys.modules[name] = None
import vitalwire
table = vitalwire.Table.read("daily_statistics", "daily_statistics", b'{{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[{{"date":"2025-01-01","values":{{"steps":1}}}}]}}')
both = vitalwire.concat({{"a": table, "b": table}})
both.to_csv({str(tmp_path / "x.csv")!r})
print(both["user"], both.head(1)[0]["steps"], vitalwire.coverage({{"a": table}}).last_days())
try:
    table.to_parquet({str(tmp_path / "x.parquet")!r})
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=None)
    assert done.stdout.splitlines() == [
        "['a', 'b'] 1.0 {('a', 'steps'): datetime.date(2025, 1, 1)}",
        "to_parquet needs pyarrow: pip install pyarrow",
    ]


def test_values_are_those_of_the_records(service: vitalwire.Sandbox) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        own = service.client()
        search = own.sleeps.between("2025-11-01", "2025-11-19")
        records = [night.sleep for night in search.collect().response]
        frame = search.to_pandas()
    assert len(frame) == len(records) >= 19 and frame["is_nap"].sum() == sum(record.score is None for record in records)
    for row, record in zip(frame.to_dict("records"), records, strict=True):
        assert row["sleep_id"] == record.sleep_id and row["start_at_timestamp"] == record.start_at_timestamp
        for name, value in (record.metrics or {}).items():
            assert row[name] == value
    assert isinstance(frame["sleep_duration"].to_numpy(), numpy.ndarray)
