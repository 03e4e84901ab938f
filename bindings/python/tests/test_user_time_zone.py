"""Tests `tz="user"`: ranges and searches ask the service for the time zone of their user."""

from __future__ import annotations

import asyncio
import datetime
import json
import pathlib
import typing

import pandas
import pytest
from serving import Reply, Request, Service

import vitalwire

MONDAY = datetime.date(2025, 3, 3)
WEDNESDAY = datetime.date(2025, 3, 5)
#: Time zones by token. 22:00 in UTC is 23:00 in Berlin and 17:00 in New York, in winter.
ZONES = {"token-anna": "Europe/Berlin", "token-ben": "America/New_York", "token-carl": None, "token-dora": "canary"}


def respond(request: Request) -> Reply:
    """Responds with the properties of a user and a night on 4 March."""
    token = request.headers["authorization"].removeprefix("Bearer ")
    if "userproperties" in request.target:
        return Reply(body=json.dumps({"properties": {"timezone": ZONES[token]}}).encode())
    if "/sleeps/" in request.target:
        record = {"sleep_id": "s", "modified_at": "2025-03-04T08:00:00Z", "start_at_timestamp": "2025-03-03T22:00:00Z", "sleep_date": "2025-03-04"}
        return Reply(body=json.dumps(record).encode())
    days = [{"date": "2025-03-04", "record_ids": ["s"], "values": {"steps": 5}}]
    return Reply(body=json.dumps({"from_date": "2025-03-03", "to_date": "2025-03-05", "statistics": days}).encode())


def search(service: Service, name: str) -> vitalwire.NightSearch:
    client = vitalwire.Client(service.url, token=f"token-{name}", allow_plain_http=True, proxy="none", max_retries=0)
    return client.sleeps.between(MONDAY, WEDNESDAY)


def hours(times: typing.Any) -> list[int]:
    return [time.hour for time in times]


def test_searches_use_the_time_zone_of_their_user(tmp_path: pathlib.Path) -> None:
    column = "start_at_timestamp_local"
    with Service(respond) as service:
        for name, hour in (("anna", 23), ("ben", 17)):
            nights = search(service, name)
            assert hours(nights.to_pandas(tz="user")[column]) == hours(nights.to_polars(tz="user")[column]) == [hour]
            assert hours(nights.to_dict(tz="user")[column]) == hours(nights.to_arrow(tz="user")[column].to_pylist()) == [hour]
            nights.to_csv(tmp_path / "nights.csv", tz="user")
            nights.to_parquet(tmp_path / "nights.parquet", tz="user")
            read = (pandas.read_csv(tmp_path / "nights.csv", parse_dates=[column]), pandas.read_parquet(tmp_path / "nights.parquet"))
            assert [hours(frame[column]) for frame in read] == [[hour]] * 2
        table = vitalwire.concat({name: search(service, name) for name in ("anna", "ben")}, tz="user")
    assert hours(table[column]) == [23, 17] and table["user"] == ["anna", "ben"]


def test_async_searches_use_the_time_zone_of_their_user() -> None:
    async def read(url: str) -> typing.Any:
        async with vitalwire.AsyncClient(url, token="token-ben", allow_plain_http=True, proxy="none", max_retries=0) as client:
            return await client.sleeps.between(MONDAY, WEDNESDAY).to_pandas(tz="user")

    with Service(respond) as service:
        assert hours(asyncio.run(read(service.url))["start_at_timestamp_local"]) == [17]


def test_a_user_without_a_valid_time_zone_is_an_error_before_a_range_is_requested() -> None:
    with Service(respond) as service:
        for name, rule in (("carl", "the user has none in the service"), ("dora", "no time zone has this name")):
            with pytest.raises(vitalwire.InvalidArgumentError, match=rule) as raised:
                search(service, name).to_pandas(tz="user")
            assert raised.value.argument == "tz" and "canary" not in str(raised.value)
        assert {request.target.rpartition("/")[2] for request in service.requests} == {"userproperties"}
        before = len(service.requests)
        with pytest.raises(vitalwire.InvalidArgumentError, match="no table with this name"):
            search(service, "anna").to_pandas("no_such_table", tz="user")
        assert len(service.requests) == before, "other arguments are checked before the time zone is requested"


def test_results_do_not_know_their_user() -> None:
    with Service(respond) as service:
        found = search(service, "anna").collect()
        for source in (found, found.table()):
            with pytest.raises(vitalwire.InvalidArgumentError, match="works only with range calls and night searches"):
                vitalwire.concat({"anna": source}, tz="user")
