"""Tests responses and their tables: lists of records, records with tables, and statistics, whose columns are read before their records."""

from __future__ import annotations

import asyncio
import collections.abc
import copy
import datetime
import json
import math
import pickle

import polars
import pyarrow
import pytest
import serving

import vitalwire

UTC = datetime.timezone.utc
SLEEP = {
    "sleep_id": "00000000-0000-4000-8000-000000000001",
    "provider_slug": "apple",
    "start_at_timestamp": "2025-10-26T00:00:00Z",
    "end_at_timestamp": "2025-10-26T06:00:00Z",
    "modified_at": "2025-10-26T06:00:00Z",
    "user_time_offset_minutes": 120,
    "stages": [{"stage": "deep", "start_at": "2025-10-26T00:00:00Z", "end_at": "2025-10-26T01:00:00Z"}],
}
MEAL = {
    "record_id": "m-1",
    "status": "completed",
    "uploaded_at": "2025-01-01T00:00:00Z",
    "modified_at": "2025-01-01T00:00:01Z",
    "ingredients": [{"name": "rice", "nutritional_fields": {"energy_kcal": 150}}, {"name": "peas"}],
    "nutritional_fields": {"energy_kcal": 0, "fiber_g": 2.5},
}
REPORT = {"record_id": "r-1", "status": "completed", "sections": [{"results": [{"value": 1.5, "original_unit_name": "mmol"}, {}]}]}
DAY = datetime.date(2025, 1, 1)


def days(*statistics: object) -> dict[str, object]:
    return {"from_date": "2025-01-01", "to_date": "2025-01-02", "statistics": statistics}


def serve_body(body: object) -> serving.Service:
    return serving.Service(lambda _: serving.Reply(body=body if isinstance(body, bytes) else json.dumps(body).encode()))


def client_for(service: serving.Service) -> vitalwire.Client:
    return vitalwire.Client(service.url, token="t", allow_plain_http=True, max_retries=0)


def read_daily(body: object) -> vitalwire.DailyStatistics:
    with serve_body(body) as service:
        return client_for(service).statistics.daily(DAY, DAY, ["steps"])


def test_a_list_is_an_immutable_sequence() -> None:
    with serve_body([MEAL, {**MEAL, "record_id": "m-2"}]) as service:
        records = client_for(service).nutrition_records.list()
    # Must not be registered as a `Sequence`, or polars would read single records instead of a table.
    assert isinstance(records, vitalwire.Records) and isinstance(records, collections.abc.Collection)
    assert (len(records), repr(records)) == (2, "Records(2 x NutritionRecord)")
    first, second = records
    assert records[0] is first and records[-1] is second
    assert list(records[:1]) == [first] and isinstance(records[:1], vitalwire.Records) and list(reversed(records)) == [second, first]
    assert first in records and "m-1" not in records and records.index(second) == 1 and records.count(first) == 1
    with pytest.raises(IndexError):
        records[2]
    with pytest.raises(ValueError):
        records.index("m-1")
    with pytest.raises(TypeError):
        records[0] = first  # type: ignore[index]
    assert records.response is not None and records.response.status == 200
    assert [record["record_id"] for record in records.to_dict()] == ["m-1", "m-2"]
    for twin in (pickle.loads(pickle.dumps(records)), copy.copy(records), copy.deepcopy(records)):
        assert twin == records and hash(twin) == hash(records) and repr(twin) == repr(records)
        assert twin.table() == records.table()
    assert records != tuple(records) and records != pickle.loads(pickle.dumps(records)).table()
    assert vitalwire.Records[vitalwire.NutritionRecord] is not None


def test_an_empty_list_is_an_empty_sequence() -> None:
    bodies: list[object] = [[], None]
    for body in bodies:
        with serve_body(body) as service:
            records = client_for(service).nutrition_records.list()
        assert len(records) == 0 and not records and records.to_dict() == []
        assert len(records.table()) == 0 and polars.DataFrame(records).height == 0
        assert pickle.loads(pickle.dumps(records)) == records


def test_a_list_converts_to_tables() -> None:
    with serve_body([MEAL, MEAL]) as service:
        meals = client_for(service).nutrition_records.list()
    assert meals.table().name == "nutrition_records"
    frame = meals.to_pandas()
    assert frame["basis"].tolist() == ["per_serving"] * 2
    assert frame["energy_kcal"].tolist() == [0.0, 0.0] and frame["fiber_g"].tolist() == [2.5, 2.5]
    parts = meals.to_polars("nutrition_ingredients")
    assert parts["name"].to_list() == ["rice", "peas"] * 2
    assert parts["energy_kcal"].to_list() == [150.0, None] * 2
    assert meals.to_arrow(table="nutrition_ingredients").num_rows == 4
    with serve_body([REPORT]) as service:
        reports = client_for(service).lab_reports.list()
    assert polars.DataFrame(reports)["value"].to_list() == [1.5, None]
    for wrong in ("sleep_stages", "nothing"):
        with pytest.raises(vitalwire.InvalidArgumentError) as caught:
            reports.table(wrong)
        assert caught.value.argument == "name" and wrong not in str(caught.value)


def test_a_record_converts_to_tables() -> None:
    with serve_body(SLEEP) as service:
        sleep = client_for(service).sleeps.get(str(SLEEP["sleep_id"]))
    stages = sleep.table()
    assert (stages.name, len(stages)) == ("sleep_stages", 1)
    assert stages.to_dict()["start_at_local"] == [datetime.datetime(2025, 10, 26, 2, 0)]
    assert stages == sleep.table("sleep_stages")
    table = pyarrow.table(sleep)
    del sleep
    assert table["stage"].to_pylist() == ["deep"]


def test_a_table_of_a_list_that_was_not_requested_is_an_error() -> None:
    night = {name: value for name, value in SLEEP.items() if name != "stages"}
    with serve_body(night) as service:
        sleeps = client_for(service).sleeps
        unasked, asked = sleeps.get("n", include_stages=False), sleeps.get("n", include_stages=True, include_samples=True)
    readings: list[collections.abc.Callable[[], object]] = [
        unasked.table,
        unasked.to_pandas,
        lambda: unasked.to_polars("sleep_stages"),
        lambda: pyarrow.table(unasked),
    ]
    for read in readings:
        with pytest.raises(vitalwire.InvalidArgumentError, match="these rows were not requested: pass true, argument include_stages") as caught:
            read()
        assert caught.value.argument == "include_stages"
    with pytest.raises(vitalwire.InvalidArgumentError) as caught:
        unasked.to_arrow(table="sleep_samples")
    assert caught.value.argument == "include_samples"
    # The list was requested and is empty. A pickled copy does not know what was requested.
    assert len(asked.table()) == len(asked.table("sleep_samples")) == len(pickle.loads(pickle.dumps(unasked)).table()) == 0


def test_an_empty_list_converts_to_an_empty_table() -> None:
    for stages in ("[]", "null"):
        with serve_body({**SLEEP, "stages": json.loads(stages)}) as service:
            night = client_for(service).sleeps.get("n")
        assert len(night.to_pandas("sleep_stages")) == 0
    with serve_body({"record_id": "m-1", "status": "pending", "uploaded_at": MEAL["uploaded_at"], "modified_at": MEAL["modified_at"]}) as service:
        meals = client_for(service).nutrition_records
        plain, whole = meals.upload(b"\xff\xd8\xff"), meals.upload(b"\xff\xd8\xff", include_ingredients=True)
    assert len(plain.table()) == 1 and len(whole.table("nutrition_ingredients")) == 0
    with pytest.raises(vitalwire.InvalidArgumentError) as caught:
        plain.table("nutrition_ingredients")
    assert caught.value.argument == "include_ingredients"


def test_a_record_has_the_number_basis_of_its_call() -> None:
    with serve_body(MEAL) as service:
        meals = client_for(service).nutrition_records
        served = meals.get("00000000-0000-4000-8000-000000000001")
        changed = meals.update("00000000-0000-4000-8000-000000000001", serving_size=120)
    for record, basis in ((served, "per_serving"), (changed, "per_100")):
        for twin in (record, pickle.loads(pickle.dumps(record))):
            assert twin.table().to_dict()["basis"] == [basis]
            assert twin.table("nutrition_ingredients").to_dict()["basis"] == [basis] * 2


def test_requested_statistics_are_columns_in_their_order_even_without_values() -> None:
    body = days({"date": "2025-01-01", "values": {"activity_score": 5, "steps": 1200}}, {"date": "2025-01-02"})
    types = ["steps", "heartrate", "lunar_phase", "activity_score"]
    with serve_body(body) as service:
        statistics = client_for(service).statistics
        answer = statistics.daily(DAY, DAY, types)
        whole = statistics.daily_range(DAY, DAY, types)
        (part,) = list(whole)
        frames = [answer.to_pandas(), whole.to_pandas(), part.response.to_pandas(), pickle.loads(pickle.dumps(answer.table())).to_pandas()]
    for frame in frames:
        assert list(frame.columns) == ["date", *types]
        assert [str(kind) for kind in frame.dtypes[1:]] == ["float64"] * 4
        assert frame["heartrate"].isna().all() and frame["lunar_phase"].isna().all() and frame["steps"][0] == 1200
    arrow = answer.to_arrow()
    assert arrow.column_names == ["date", *types]
    assert arrow["heartrate"].null_count == 2 and arrow.schema.field("heartrate").metadata == {b"unit": b"bpm"}
    assert answer.to_polars()["lunar_phase"].to_list() == [None, None]
    assert answer.table().to_dict()["heartrate"] == [None, None]
    # Even a response without days has the requested columns.
    with serve_body(days()) as service:
        nothing = client_for(service).statistics.daily(DAY, DAY, types).to_pandas()
    assert (len(nothing), list(nothing.columns)) == (0, ["date", *types])


def test_statistics_have_columns_at_once_and_records_on_demand() -> None:
    answer = read_daily(days({"date": "2025-01-01", "record_ids": ["a"], "values": {"steps": 1200, "hops": 1}}, {"date": "2025-01-02"}))
    table = answer.table()
    assert table == answer.table("daily_statistics")
    assert table.to_dict()["steps"] == [1200.0, None]
    frame = answer.to_pandas()
    assert frame["steps"][0] == 1200.0 and math.isnan(frame["steps"][1]) and frame["hops"][0] == 1
    assert answer.response is not None and answer.response.status == 200
    first, second = answer.statistics
    assert first.date == DAY and first.values is not None and first.values["steps"] == 1200 and second.values is None
    assert answer.statistics is answer.statistics and answer.from_date == DAY
    assert repr(answer) == "DailyStatistics(from_date, to_date, statistics[2])"
    twin = pickle.loads(pickle.dumps(answer))
    assert twin == answer and hash(twin) == hash(answer) and twin.table() == table
    empty = read_daily(days())
    assert len(empty.table()) == 0 and empty.statistics == () and empty != answer


def test_an_undecodable_body_is_the_same_error_for_columns_and_records() -> None:
    place = {
        b"": "",
        b"[]": "",
        b'{"to_date": "2025-01-01", "statistics": []}': "from_date",
        b'{"from_date": "2025-01-01", "to_date": "private", "statistics": []}': "to_date",
        b'{"from_date": "2025-01-01", "to_date": "2025-01-02", "statistics": [': "statistics",
    }
    for body in place:
        with serve_body(body) as service:
            with pytest.raises(vitalwire.DecodeError) as caught:
                client_for(service).statistics.daily(DAY, DAY, ["steps"])
            # A range decodes the same body as records, not as columns.
            with pytest.raises(vitalwire.DecodeError) as other:
                client_for(service).statistics.daily_range(DAY, DAY, ["steps"]).collect()
        assert (str(caught.value), caught.value.json_path) == (str(other.value), other.value.json_path)
        assert caught.value.status == 200 and caught.value.operation == "daily_statistics" and "private" not in str(caught.value)


def test_an_error_status_raises_instead_of_returning_a_table() -> None:
    with serving.Service(lambda _: serving.Reply(404, b'{"title": "gone"}')) as service, pytest.raises(vitalwire.NotFoundError) as caught:
        client_for(service).statistics.daily(DAY, DAY, ["steps"])
    assert caught.value.problem is not None and caught.value.problem.title == "gone"


def test_the_async_client_returns_the_same_tables() -> None:
    body = days({"date": "2025-01-01", "values": {"steps": 5}})

    async def main() -> tuple[vitalwire.DailyStatistics, vitalwire.Records[vitalwire.NutritionRecord]]:
        with serve_body(body) as service, serve_body([MEAL]) as meals:
            one = vitalwire.AsyncClient(service.url, token="t", allow_plain_http=True)
            two = vitalwire.AsyncClient(meals.url, token="t", allow_plain_http=True)
            return await one.statistics.daily(DAY, DAY, ["steps"]), await two.nutrition_records.list()

    statistics, meals = asyncio.run(main())
    assert statistics == read_daily(body) and statistics.table() == read_daily(body).table()
    assert len(meals) == 1 and meals.table().to_dict()["record_id"] == ["m-1"]
