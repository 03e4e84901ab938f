"""Tests files and frames of responses, ranges and collected nights. Values are written by hand or compared with those of tables."""

from __future__ import annotations

import asyncio
import datetime
import io
import json
import os
import pathlib
import typing
import urllib.parse

import pandas
import polars
import pyarrow.parquet
import pytest
from serving import Reply, Request, Service

import vitalwire
from vitalwire import Table

FIRST, LAST = datetime.date(2025, 3, 3), datetime.date(2025, 3, 6)
DAYS = {"2025-03-03": {"steps": 5.0, "sleep_duration_total": 60_000}, "2025-03-05": {"steps": 7.0}}


def respond(request: Request) -> Reply:
    """Responds with statistics, and with a night on 3 March. Fails for the part that begins on 5 March if the token is `broken`."""
    if "/sleeps/" in request.target:
        record: dict[str, object] = {"sleep_id": "s", "modified_at": "2025-03-03T08:00:00Z", "sleep_date": "2025-03-03"}
        record |= {"start_at_timestamp": "2025-03-02T22:00:00Z", "end_at_timestamp": "2025-03-03T06:00:00Z"}
        record |= {"metrics": {"sleep_latency": 1_740_000, "wakeup_latency": 90_000}}
        record |= {"stages": [{"stage": "deep", "start_at": "2025-03-02T22:00:00Z", "duration": 600_000}]}
        return Reply(body=json.dumps(record).encode())
    asked = urllib.parse.parse_qs(request.target.partition("?")[2])
    first, last = asked["from_date"][0], asked["to_date"][0]
    if "include_record_ids" in asked:
        nights = [{"date": date, "record_ids": ["s"], "values": {"sleep_duration_total": 1}} for date in ("2025-03-03",) if first <= date <= last]
        return Reply(body=json.dumps({"from_date": first, "to_date": last, "statistics": nights}).encode())
    if "broken" in request.headers["authorization"] and first == "2025-03-05":
        return Reply(500, b"{}")
    days = [{"date": date, "values": values} for date, values in DAYS.items() if first <= date <= last]
    return Reply(body=json.dumps({"from_date": first, "to_date": last, "statistics": days}).encode())


@pytest.fixture(scope="module")
def service() -> typing.Iterator[Service]:
    with Service(respond) as service:
        yield service


def client(service: Service, token: str = "token-0") -> vitalwire.Client:
    return vitalwire.Client(service.url, token=token, allow_plain_http=True, proxy="none", max_retries=0)


def steps(path: typing.Any) -> list[float]:
    values: list[float] = pandas.read_parquet(path)["steps"].tolist()
    return values


def test_responses_ranges_and_their_results_are_written_as_tables(service: Service, tmp_path: pathlib.Path) -> None:
    own = client(service)
    call = own.statistics.daily_range(FIRST, LAST, ["steps", "sleep_duration_total"], part_length="2d")
    merged = call.collect()
    results: list[typing.Any] = [call, merged, merged.response, call.collect_table(), call.table()]
    for at, result in enumerate(results):
        parquet, csv = tmp_path / f"{at}.parquet", tmp_path / f"{at}.csv"
        result.to_parquet(parquet)
        result.to_csv(str(csv), units=True)
        assert steps(parquet) == [5, 7]
        fields = pyarrow.parquet.read_schema(parquet)
        assert fields.field("sleep_duration_total").metadata[b"unit"] == b"ms" and fields.metadata[b"vitalwire.table"] == b"daily_statistics"
        assert csv.read_text().splitlines() == ["date,steps [count],sleep_duration_total [ms]", "2025-03-03,5,60000", "2025-03-05,7,"]
    file = io.BytesIO()
    call.to_csv(file, encoding="utf-8-sig")
    assert file.getvalue().startswith(b"\xef\xbb\xbfdate,steps,")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_new_files_are_private_and_replaced_files_keep_their_mode(tmp_path: pathlib.Path) -> None:
    table = vitalwire.Client(mock_responses=vitalwire.MockResponses.samples()).lab_reports.list().table()
    earlier = os.umask(0o022)
    try:
        writers: dict[str, typing.Callable[[typing.Any], None]] = {"rows.csv": table.to_csv, "rows.parquet": table.to_parquet}
        for name, write in writers.items():
            path = tmp_path / name
            write(path)
            assert path.stat().st_mode & 0o777 == 0o600, name
            path.chmod(0o640)
            write(str(path))
            assert path.stat().st_mode & 0o777 == 0o640, name
    finally:
        os.umask(earlier)


def test_an_async_range_is_written(service: Service, tmp_path: pathlib.Path) -> None:
    async def write() -> None:
        async with vitalwire.AsyncClient(service.url, token="token-0", allow_plain_http=True, proxy="none", max_retries=0) as own:
            call = own.statistics.daily_range(FIRST, LAST, ["steps"], part_length="2d")
            await call.to_parquet(tmp_path / "days.parquet")
            await call.to_csv(tmp_path / "days.csv")
            await own.sleeps.between(FIRST, LAST).to_csv(tmp_path / "nights.csv", missing="row")

    asyncio.run(write())
    assert steps(tmp_path / "days.parquet") == [5, 7]
    assert (tmp_path / "days.csv").read_text().splitlines()[1:] == ["2025-03-03,5,60000", "2025-03-05,7,"]
    assert len((tmp_path / "nights.csv").read_text().splitlines()) == 5, "a row for each of four days"


def test_invalid_files_are_found_before_a_request(service: Service, tmp_path: pathlib.Path) -> None:
    call = client(service).statistics.daily_range(FIRST, LAST, ["steps"], part_length="2d")
    before = len(service.requests)
    with pytest.raises(FileNotFoundError, match="the folder of the file does not exist"):
        call.to_parquet(tmp_path / "typo" / "days.parquet")
    with pytest.raises(vitalwire.InvalidArgumentError, match="encoding"):
        call.to_csv(tmp_path / "days.csv", encoding="latin-1")  # type: ignore[arg-type]
    with pytest.raises(vitalwire.InvalidArgumentError, match="argument path"):
        call.to_csv(str(tmp_path) + "/\0")
    assert len(service.requests) == before
    kept = tmp_path / "kept.csv"
    kept.write_text("earlier")
    with pytest.raises(vitalwire.ServiceError):
        client(service, "broken").statistics.daily_range(FIRST, LAST, ["steps"], part_length="2d").to_csv(kept)
    assert kept.read_text() == "earlier", "a range that fails leaves the file as it was"


def test_records_and_lists_are_written() -> None:
    own = vitalwire.Client(mock_responses=vitalwire.MockResponses.samples())
    meals = own.nutrition_records.list("2025-11-19T00:00:00Z", "2025-11-21T00:00:00Z")
    night = own.sleeps.get("x", include_stages=True)
    cases: list[tuple[typing.Any, str | None]] = [(meals, None), (night, "sleep_stages")]
    for result, table in cases:
        written, expected = io.BytesIO(), io.BytesIO()
        result.to_csv(written, table)
        result.table(table).to_csv(expected)
        assert written.getvalue() == expected.getvalue() != b""
        result.to_parquet(file := io.BytesIO(), table, tz="Europe/Berlin")
        assert pandas.read_parquet(file).columns.tolist() == result.to_pandas(table, tz="Europe/Berlin").columns.tolist()


def test_collected_nights_are_tables_and_frames_without_other_requests(service: Service, tmp_path: pathlib.Path) -> None:
    search = client(service).sleeps.between(FIRST, LAST, include_stages=True)
    found = search.collect()
    before = len(service.requests)
    assert found.table().name == "sleeps" and found.table()["sleep_id"] == ["s"]
    assert found.to_pandas("sleep_stages")["stage"].tolist() == found.to_polars("sleep_stages")["stage"].to_list() == ["deep"]
    assert found.to_arrow(columns=["sleep_date"]).column_names == ["sleep_date"]
    assert polars.DataFrame(found)["sleep_id"].to_list() == ["s"]
    found.to_parquet(tmp_path / "stages.parquet", "sleep_stages")
    assert pandas.read_parquet(tmp_path / "stages.parquet")["sleep_id"].tolist() == ["s"]
    assert len(service.requests) == before
    assert found.table() == search.table()
    with pytest.raises(vitalwire.InvalidArgumentError, match="include_samples|argument name"):
        found.table("sleep_samples")
    with pytest.raises(vitalwire.InvalidArgumentError, match="argument name"):
        found.table("naps")
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be the table that was collected"):
        search.collect_table().to_pandas("sleep_stages")


def test_no_nights_are_an_empty_table(service: Service) -> None:
    found = client(service).sleeps.between("2025-03-04", LAST).collect()
    assert found.response == () and len(found.table()) == 0 and found.table().name == "sleeps"
    assert len(found.to_pandas()) == 0 and vitalwire.concat({"anna": found}).name == "sleeps"


def test_results_without_some_parts_warn(service: Service) -> None:
    merged = client(service, "broken").statistics.daily_range(FIRST, LAST, ["steps"], part_length="2d", on_error="collect").collect()
    with pytest.warns(RuntimeWarning, match="1 part of the range failed"):
        assert merged.to_pandas()["steps"].tolist() == [5]
    with pytest.warns(RuntimeWarning, match="1 part of the range failed"):
        vitalwire.concat({"anna": merged})


def test_latencies_are_durations(service: Service) -> None:
    table = client(service).sleeps.between(FIRST, LAST).table()
    assert (table.units["sleep_latency"], table.units["wakeup_latency"]) == ("ms", "ms")
    frame = table.to_pandas(durations="timedelta")
    assert frame["sleep_latency"].tolist() == [datetime.timedelta(minutes=29)] and frame["wakeup_latency"].tolist() == [datetime.timedelta(seconds=90)]
    assert table.to_polars(durations="timedelta").schema["sleep_latency"] == polars.Duration("us")
