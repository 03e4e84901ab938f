"""Tests tables of the installed package and their import by data libraries. Bodies and expected cells are written by hand."""

from __future__ import annotations

import copy
import datetime
import gc
import json
import math
import pickle
import subprocess
import sys
import threading
import typing
import warnings
import zoneinfo
from collections.abc import Callable

import duckdb
import pandas
import polars
import pyarrow
import pytest

import vitalwire
from vitalwire import Table
from vitalwire._native import _restore_table

UTC = datetime.timezone.utc
#: Unit of times in frames: the default of pandas.
UNIT = "us" if int(pandas.__version__.partition(".")[0]) >= 3 else "ns"
ID = "00000000-0000-4000-8000-00000000000a"
#: Three hours around the end of summer time in Berlin, whose clock shows 02:30 twice. `hops` is an unknown name.
HOURS = {
    "statistics": [
        {
            "from_timestamp": "2025-10-26T00:30:00Z",
            "to_timestamp": "2025-10-26T01:30:00Z",
            "record_ids": [ID, "b"],
            "values": {"steps": 120, "distance_cycling": 80.5},
        },
        {"from_timestamp": "2025-10-26T01:30:00.000001Z", "to_timestamp": None, "record_ids": [], "values": {"steps": 0, "hops": 3}},
        {"from_timestamp": "2025-10-26T02:30:00Z", "values": None},
    ]
}
KNOWN = ("from_timestamp", "to_timestamp", "record_ids", "distance_cycling", "steps", "hops")
#: A lab report with two sections. The boolean `tested_positive` is missing in one result.
REPORT = {
    "record_id": "r-1",
    "status": "completed",
    "uploaded_at": "2025-01-01T00:00:00Z",
    "sections": [
        {"standard_section_name": "Blood & <b>", "results": [{"value": 1.5, "tested_positive": True}, {"value_text": "< 3", "tested_positive": False}]},
        {"results": [{}]},
    ],
}


def hours() -> Table:
    return Table.read("interval_statistics", "interval_statistics", json.dumps(HOURS).encode())


#: Columns of fields that were added to the specifications later. They have no values in `HOURS`.
GAINED = {name: [None] * 3 for name in hours().columns if name not in KNOWN}
NAMES = (*KNOWN[:-1], *GAINED, KNOWN[-1])


def labs() -> Table:
    return Table.read("lab_results", "get_lab_report", bytearray(json.dumps(REPORT).encode()))


def daily(*days: typing.Mapping[str, object]) -> Table:
    body = {"from_date": "2025-01-01", "to_date": "2025-01-02", "statistics": days}
    return Table.read("daily_statistics", "daily_statistics", json.dumps(body).encode())


def instants(*instants: str) -> Table:
    body = {"statistics": [{"from_timestamp": instant} for instant in instants]}
    return Table.read("interval_statistics", "interval_statistics", json.dumps(body).encode())


def at(hour: int, minute: int = 30) -> datetime.datetime:
    return datetime.datetime(2025, 10, 26, hour, minute, tzinfo=UTC)


def test_a_table_has_name_columns_and_units() -> None:
    table = hours()
    assert (len(table), table.name, table.columns, table.skipped) == (3, "interval_statistics", NAMES, 0)
    assert repr(table) == f"Table(interval_statistics: 3 x {len(NAMES)})"
    assert table.units == {"distance_cycling": "m", "steps": "count"}
    assert [table.kinds[name] for name in KNOWN] == ["instant", "instant", "text_list", "number", "number", "number"]
    assert table.docs["from_timestamp"] == "Start of the bucket."
    assert table and not daily()
    assert Table.__module__ == "vitalwire"


def test_a_table_converts_to_a_dict() -> None:
    assert hours().to_dict() == {
        "from_timestamp": [at(0), at(1).replace(microsecond=1), at(2)],
        "to_timestamp": [at(1), None, None],
        "record_ids": [[ID, "b"], [], None],
        "distance_cycling": [80.5, None, None],
        "steps": [120.0, 0.0, None],
        "hops": [None, 3.0, None],
        **GAINED,
    }
    table = labs().to_dict()
    assert table["record_id"] == ["r-1"] * 3
    assert table["tested_positive"] == [True, False, None]
    assert table["value"] == [1.5, None, None]
    assert daily({"date": "1969-12-31", "values": {"steps": 1}}, {}).to_dict()["date"] == [datetime.date(1969, 12, 31), None]


def test_local_times_are_right_across_the_end_of_summer_time() -> None:
    shown = [datetime.datetime(2025, 10, 26, 2, 30), datetime.datetime(2025, 10, 26, 2, 30, 0, 1), datetime.datetime(2025, 10, 26, 3, 30)]
    for table in (hours().local_time("Europe/Berlin"), hours().local_time(zoneinfo.ZoneInfo("Europe/Berlin"))):
        assert table.columns[:4] == ("from_timestamp", "from_timestamp_local", "to_timestamp", "to_timestamp_local")
        assert table.to_dict()["from_timestamp_local"] == shown
        assert table.to_dict()["to_timestamp_local"] == [shown[0], None, None]
    assert hours().to_dict(tz="Europe/Berlin")["from_timestamp_local"] == shown
    frame = hours().to_pandas(tz="Europe/Berlin")
    assert list(frame["from_timestamp_local"].dt.hour) == [2, 2, 3]
    assert list(frame["from_timestamp"].dt.hour) == [0, 1, 2]
    assert hours().to_polars(tz="Europe/Berlin")["from_timestamp_local"].dt.hour().to_list() == [2, 2, 3]
    assert hours().to_arrow(tz="Europe/Berlin").schema.field("from_timestamp_local").type == pyarrow.timestamp("us")


def test_a_table_converts_to_pandas() -> None:
    frame = hours().to_pandas()
    assert list(hours().to_pandas(lists=False).columns) == [name for name in NAMES if name != "record_ids"]
    assert list(frame.columns) == list(NAMES)
    assert [str(dtype) for dtype in frame.drop(columns=[*GAINED, "record_ids"]).dtypes] == [f"datetime64[{UNIT}, UTC]"] * 2 + ["float64"] * 3
    assert frame["from_timestamp"][1] == pandas.Timestamp("2025-10-26T01:30:00.000001Z")
    assert frame["to_timestamp"][1] is pandas.NaT
    assert frame["steps"][:2].tolist() == [120.0, 0.0] and math.isnan(frame["steps"][2])
    assert math.isnan(frame["hops"][0]) and frame["hops"][1] == 3
    # The caller may change the frame.
    frame.loc[0, "steps"] = 7.0
    frame["steps"] += 1
    assert frame["steps"][0] == 8.0 and hours().to_dict()["steps"][0] == 120.0
    assert frame["record_ids"].tolist() == [[ID, "b"], [], None]
    text = labs().to_pandas()
    assert text["record_id"].tolist() == ["r-1"] * 3
    assert text["value_text"].isna().tolist() == [True, False, True]
    assert str(text["tested_positive"].dtype) == "boolean"
    assert text["tested_positive"].isna().tolist() == [False, False, True] and bool(text["tested_positive"][0])
    assert text["value_text"].dtype == pandas.Series(["text"]).dtype
    of_night = [{"stage": "deep", "duration": 600_000}, {"stage": "light"}, {"duration": 0}]
    night = {"modified_at": "2025-01-02T08:00:00Z", "start_at_timestamp": "2025-01-01T22:00:00Z", "stages": of_night}
    stages = Table.read("sleep_stages", "get_sleep", json.dumps(night).encode()).to_pandas()
    assert str(stages["duration"].dtype) == "Int64" and stages["duration"].isna().tolist() == [False, True, False]
    assert stages["duration"].dropna().tolist() == [600_000, 0]
    empty = daily().to_pandas()
    assert (len(empty), list(empty.columns)) == (0, ["date"])
    assert frame.columns.dtype == empty.columns.dtype


def test_pandas_2_gets_the_same_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [hours(), hours().local_time("Europe/Berlin"), labs(), daily(), daily({"date": "2025-01-02"}), instants("2025-01-01T00:00:00Z")]
    frames = [table.to_pandas(lists=True) for table in tables]
    monkeypatch.setitem(sys.modules, "pandas.api.internals", None)
    for table, frame in zip(tables, frames, strict=True):
        pandas.testing.assert_frame_equal(table.to_pandas(lists=True), frame)


def test_frames_of_a_table_share_no_memory() -> None:
    table = hours()
    frame, other = table.to_pandas(), table.to_pandas()
    for name in ("steps", "from_timestamp"):
        before = other[name].tolist()
        frame.loc[0, name] = before[1]
        assert frame[name].tolist()[:2] == [before[1]] * 2 and other[name].tolist()[:2] == before[:2] == table.to_pandas()[name].tolist()[:2]


def test_dates_convert_to_pandas() -> None:
    days = daily({"date": "2025-01-02", "values": {"steps": 1}}, {"values": {"steps": 2}}).to_pandas()
    assert days["date"].tolist() == [datetime.date(2025, 1, 2), None]
    # Nanoseconds cannot represent this date.
    assert daily({"date": "1500-01-02"}).to_pandas()["date"].tolist() == [datetime.date(1500, 1, 2)]


def test_a_table_converts_to_pandas_with_arrow() -> None:
    frame = hours().to_pandas(dtype_backend="pyarrow")
    assert frame["steps"].dtype == pandas.ArrowDtype(pyarrow.float64())
    assert frame["steps"].isna().tolist() == [False, False, True]
    assert "record_ids" not in hours().to_pandas(dtype_backend="pyarrow", lists=False)
    assert frame["record_ids"].dtype.name.startswith("list")


def warnings_of(call: Callable[[], object]) -> list[str]:
    """Returns the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(issubclass(warning.category, RuntimeWarning) for warning in caught)
    return [str(warning.message) for warning in caught]


def test_digits_beyond_the_unit_are_rounded_down_with_one_warning() -> None:
    def table() -> Table:
        return instants("2025-10-26T01:30:00.000000999Z", "1969-12-31T23:59:59.999999999Z", "2025-10-26T01:30:00Z")

    cut = '2 times of column from_timestamp are rounded down to microseconds; time_unit="ns" keeps every digit'
    exports: list[Callable[[Table], typing.Any]] = [
        lambda table: table.to_pandas()["from_timestamp"].dt.as_unit("us").astype("int64").tolist(),
        lambda table: table.to_arrow()["from_timestamp"].cast(pyarrow.int64()).to_pylist(),
        lambda table: table.to_polars()["from_timestamp"].dt.epoch("us").to_list(),
        lambda table: pyarrow.table(table)["from_timestamp"].cast(pyarrow.int64()).to_pylist(),
    ]
    for export in exports:
        one = table()
        numbers: list[int] = []
        assert warnings_of(lambda export=export, one=one, numbers=numbers: numbers.extend(export(one))) == [cut]  # type: ignore[misc]
        assert numbers == [1761442200_000000, -1, 1761442200_000000]
        assert warnings_of(lambda export=export, one=one: export(one)) == []  # type: ignore[misc]
    assert warnings_of(lambda: table().to_pandas(time_unit="ns")) == []
    whole = table().to_pandas(time_unit="ns")["from_timestamp"]
    assert whole.astype("int64").tolist() == [1761442200_000000999, -1, 1761442200_000000000]
    # Python's datetimes have microseconds, as fields of records do.
    assert warnings_of(lambda: table().to_dict()) == []


def test_times_out_of_the_nanosecond_range_are_skipped() -> None:
    table = instants("1500-01-01T00:00:00Z", "2025-10-26T01:30:00Z")
    assert table.to_pandas()["from_timestamp"][0] == pandas.Timestamp("1500-01-01", tz="UTC")
    note = "1 value of column from_timestamp was left out (expected a time of the years 1677 to 2262)"
    frames: list[typing.Any] = []
    assert warnings_of(lambda: frames.append(table.to_pandas(time_unit="ns"))) == [note]
    assert frames[0]["from_timestamp"].isna().tolist() == [True, False]
    assert (table.skipped, table.in_time_unit("ns").skipped_by_column) == (0, {"from_timestamp": 1})


def test_skipped_values_emit_one_warning() -> None:
    odd: list[dict[str, object]] = [{"values": {"steps": "1200"}}, {"values": {"steps": True, "jane": "x"}}, {"values": {"steps": {"value": 3}, "jane": 1}}, {"date": 7}]
    note = (
        "1 value of column date was left out (expected a date); 3 values of column steps were left out (expected a number); "
        "1 value of columns that this version does not know was left out (expected a number)"
    )
    exports: list[Callable[[Table], object]] = [
        Table.to_pandas,
        Table.to_polars,
        Table.to_arrow,
        Table.to_dict,
        lambda table: table.to_pandas(dtype_backend="pyarrow"),
        lambda table: table.to_pandas(tz="Europe/Berlin"),
        pyarrow.table,
        polars.DataFrame,
    ]
    for export in exports:
        table = daily(*odd)
        assert warnings_of(lambda export=export, table=table: export(table)) == [note]  # type: ignore[misc]
        for again in exports:
            assert warnings_of(lambda again=again, table=table: again(table)) == []  # type: ignore[misc]
        assert table.skipped == 5
        assert table.skipped_by_column == {"date": 1, "jane": 1, "steps": 3}
    assert warnings_of(lambda: daily({"date": "2025-01-01", "values": {"steps": None}}).to_pandas()) == []
    # If warnings are turned into errors, the warning is raised each time.
    table = daily({"values": {"steps": "x"}})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(RuntimeWarning, match="column steps"):
                table.to_dict()


def test_a_requested_time_zone_overrides_that_of_the_record() -> None:
    # A night from 23:19 on, across the end of summer time in Berlin. The record has the UTC offset at the end of the night.
    night = {
        "modified_at": "2025-10-26T08:00:00Z",
        "start_at_timestamp": "2025-10-25T21:19:00Z",
        "user_time_offset_minutes": 60,
        "stages": [{"stage": "deep", "start_at": "2025-10-25T21:19:00Z"}, {"stage": "rem", "start_at": "2025-10-26T02:30:00Z"}],
    }
    stages = Table.read("sleep_stages", "get_sleep", json.dumps(night).encode())
    shown = [datetime.datetime(2025, 10, 25, 23, 19), datetime.datetime(2025, 10, 26, 3, 30)]
    assert stages.to_dict()["start_at_local"] == [datetime.datetime(2025, 10, 25, 22, 19), shown[1]]
    assert stages.to_dict(tz="Europe/Berlin")["start_at_local"] == shown
    assert stages.to_pandas(tz="Europe/Berlin")["start_at_local"].tolist() == [pandas.Timestamp(time) for time in shown]
    assert stages.to_polars(tz=zoneinfo.ZoneInfo("Europe/Berlin"))["start_at_local"].to_list() == shown


def test_data_libraries_import_a_table() -> None:
    table = buckets = hours()
    frame = polars.DataFrame(table)
    assert frame.columns == list(NAMES)
    assert frame.schema["from_timestamp"] == polars.Datetime("us", "UTC")
    assert frame["steps"].to_list() == [120.0, 0.0, None]
    assert frame["record_ids"].to_list() == [[ID, "b"], [], None]
    assert frame.equals(table.to_polars())
    arrow = pyarrow.table(table)
    assert arrow == table.to_arrow() and arrow.num_rows == 3
    arrow.validate(full=True)
    assert arrow.schema.field("distance_cycling").metadata == {b"unit": b"m"}
    assert arrow.schema.field("hops").metadata is None
    assert pyarrow.schema(table) == arrow.schema
    assert [arrow["steps"].null_count, arrow["steps"].to_pylist()] == [1, [120.0, 0.0, None]]
    counted = duckdb.sql("select count(*), count(steps), sum(steps) from buckets")
    assert counted and counted.fetchall() == [(3, 2, 120.0)]
    if hasattr(pandas.DataFrame, "from_arrow"):  # since pandas 3
        assert pandas.DataFrame.from_arrow(table)["steps"].tolist()[:2] == [120.0, 0.0]  # type: ignore[attr-defined]
    assert pyarrow.table(labs())["tested_positive"].to_pylist() == [True, False, None]
    assert polars.DataFrame(daily()).columns == ["date"], "ids were not requested"


def test_arrow_shares_the_tables_memory_and_keeps_it() -> None:
    table = hours()
    first, second = pyarrow.table(table)["steps"].chunk(0), pyarrow.table(table)["steps"].chunk(0)
    assert first.buffers()[1].address == second.buffers()[1].address
    stream = table.__arrow_c_stream__()
    del table, second
    gc.collect()
    # A capsule that nobody has consumed frees its content.
    del stream
    assert first.to_pylist() == [120.0, 0.0, None]
    assert "arrow_array_stream" in repr(hours().__arrow_c_stream__(None))
    assert "arrow_schema" in repr(hours().__arrow_c_schema__())


def test_tables_are_compared_and_copied() -> None:
    table = hours()
    assert table == hours() and table != labs() and table != daily() and table != 3
    assert table != table.local_time("UTC")
    with pytest.raises(TypeError):
        hash(table)
    for made in (hours(), labs(), daily(), table.local_time("Asia/Kolkata")):
        for twin in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
            assert twin == made and repr(twin) == repr(made)
            assert twin.to_dict() == made.to_dict() and twin.units == made.units
    skipping = daily({"values": {"steps": "many"}})
    twin = pickle.loads(pickle.dumps(skipping))
    assert skipping.skipped == twin.skipped == 1 and skipping.skipped_by_column == twin.skipped_by_column == {"steps": 1}
    fine = instants("2025-10-26T01:30:00.000000001Z")
    for made in (fine, fine.in_time_unit("ns")):
        twin = pickle.loads(pickle.dumps(made))
        assert twin.time_unit == made.time_unit
        assert twin.to_pandas(time_unit="ns")["from_timestamp"][0] == pandas.Timestamp("2025-10-26T01:30:00.000000001Z")


def test_a_damaged_pickle_of_a_table_is_rejected(capfd: pytest.CaptureFixture[str]) -> None:
    made: typing.Any = hours().__reduce__()
    restore, (name, stream, *others) = made
    refusals = 0
    for at in range(len(stream)):
        for damaged in (stream[:at], stream[:at] + bytes([stream[at] ^ 0xFF]) + stream[at + 1 :]):
            try:
                table = restore(name, damaged, *others)
            except vitalwire.DecodeError as error:
                assert error.argument is None
                refusals += 1
            else:
                # If the damage is not detected, the result is a different but complete table.
                assert pickle.loads(pickle.dumps(table)).columns == table.columns
                assert len(table.to_dict()) == len(table.columns) and table._repr_html_()
    assert refusals > len(stream)
    assert capfd.readouterr() == ("", "")


def test_days_outside_the_years_of_python_are_errors() -> None:
    made: typing.Any = daily({"date": "2025-01-01"}).__reduce__()
    restore, (name, stream, *others) = made
    # 2025-01-01 is day 20,089 after 1970-01-01. Python's dates range from day -719,162 to day 2,932,896.
    assert stream.count((20_089).to_bytes(4, "little")) == 1

    def with_date(days: int) -> Table:
        table: Table = restore(name, stream.replace((20_089).to_bytes(4, "little"), days.to_bytes(4, "little", signed=True)), *others)
        return table

    assert with_date(2_932_896).to_dict()["date"] == [datetime.date.max] and with_date(-719_162).to_dict()["date"] == [datetime.date.min]
    for days in (2_932_897, -719_163, 2**31 - 1, -(2**31)):
        with pytest.raises(vitalwire.InternalError):
            with_date(days).to_dict()
        with pytest.raises(vitalwire.InternalError):
            with_date(days)._repr_html_()


@pytest.mark.parametrize("name", ["sleep_stages", "of another version", "\ud800"])
def test_untrusted_pickled_bytes_are_rejected(name: str) -> None:
    for stream in (b"", b"canary", b"\xff" * 64):
        with pytest.raises(vitalwire.DecodeError) as caught:
            _restore_table(name, stream, {}, "us")
        assert caught.value.argument is None and "canary" not in str(caught.value)


def test_a_notebook_shows_the_first_and_last_rows() -> None:
    html = labs()._repr_html_()
    assert "Blood &amp; &lt;b&gt;" in html and "&lt; 3" in html and "<b>" not in html
    html = hours()._repr_html_()
    assert f"interval_statistics: 3 rows, {len(NAMES)} columns" in html
    assert "distance_cycling<br><small>m</small>" in html and "<td>80.5</td>" in html
    # Each of the two rows has two instants, which must not wrap. The notebook aligns numbers.
    assert html.count('<td style="text-align:left;white-space:nowrap">2025-') == 4
    many = daily(*({"values": {"steps": number}} for number in range(10_000)))._repr_html_()
    assert len(many) < 3000
    assert "<td>4.0</td>" in many and "<td>5.0</td>" not in many and "<td>9995.0</td>" in many and "<td>9999.0</td>" in many


def test_the_repr_of_a_table_contains_no_value() -> None:
    for table in (hours(), labs()):
        assert not any(value in repr(table) + str(table) for value in ("r-1", "Blood", "120", ID))


def expect_rejected(call: Callable[[], object], argument: str) -> None:
    with pytest.raises(vitalwire.InvalidArgumentError) as caught:
        call()
    assert caught.value.argument == argument
    assert isinstance(caught.value, ValueError)


def test_invalid_arguments_of_a_table_are_rejected() -> None:
    expect_rejected(lambda: Table.read("secret-name", "get_sleep", b"{}"), "name")
    expect_rejected(lambda: Table.read("sleep_stages", "list_sleeps", b"{}"), "table")
    expect_rejected(lambda: hours().local_time("Europe/Atlantis"), "zone")
    expect_rejected(lambda: hours().to_pandas(tz="Europe/Atlantis"), "tz")
    expect_rejected(lambda: hours().to_arrow(time_unit="ms"), "time_unit")  # type: ignore[arg-type]
    expect_rejected(lambda: hours().in_time_unit("ps"), "unit")  # type: ignore[arg-type]
    expect_rejected(lambda: hours().to_pandas(dtype_backend="numpy"), "dtype_backend")  # type: ignore[arg-type]
    calls: list[Callable[[], object]] = [
        lambda: hours().local_time(3),  # type: ignore[arg-type]
        lambda: Table.read(3, "get_sleep", b""),  # type: ignore[arg-type]
        lambda: Table.read("sleep_stages", "get_sleep", "{}"),  # type: ignore[arg-type]
        lambda: Table(),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    with pytest.raises(vitalwire.DecodeError) as caught:
        Table.read("lab_results", "get_lab_report", b'{"status": "completed", "sections": "private"}')
    assert caught.value.json_path == "record_id" and "private" not in str(caught.value)


def test_threads_share_a_table() -> None:
    table = hours()
    seen: list[object] = []

    def convert_often() -> None:
        for _ in range(50):
            seen.append((table.to_polars()["steps"].sum(), table.to_dict()["steps"][0], len(table.to_pandas())))

    threads = [threading.Thread(target=convert_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert seen == [(120.0, 120.0, 3)] * 200


#: A program in an environment without optional packages.
BARE = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "pandas", "polars", "pyarrow", "duckdb"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refuse())
import vitalwire
body = b'{"from_date": "2025-01-01", "to_date": "2025-01-01", "statistics": [{"values": {"steps": 5}}]}'
table = vitalwire.Table.read("daily_statistics", "daily_statistics", body)
assert table.to_dict()["steps"] == [5.0]
assert "arrow_array_stream" in repr(table.__arrow_c_stream__()), table
assert table._repr_html_() and table.local_time("UTC")
for method, package in [("to_pandas", "pandas"), ("to_polars", "polars"), ("to_arrow", "pyarrow")]:
    try:
        getattr(table, method)()
    except ImportError as error:
        print(error)
        assert error.name == package
"""


def test_tables_work_without_optional_packages() -> None:
    done = subprocess.run([sys.executable, "-I", "-c", BARE], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "to_pandas needs pandas: pip install pandas",
        "to_polars needs polars: pip install polars",
        "to_arrow needs pyarrow: pip install pyarrow",
    ]
