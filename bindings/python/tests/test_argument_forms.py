"""Tests arguments in the forms that people have: texts, pandas, numpy, UUID, and any iterable of names."""

from __future__ import annotations

import asyncio
import datetime
import typing
import urllib.parse
import uuid

import numpy
import pandas
import pytest
from serving import Reply, Request, Service

import vitalwire
from vitalwire import Client

DAY = datetime.date(2025, 3, 2)
NOON = datetime.datetime(2025, 3, 2, 12, tzinfo=datetime.timezone.utc)
EMPTY = b'{"from_date": "2025-03-02", "to_date": "2025-03-02", "statistics": []}'


def targets(*calls: typing.Callable[[Client], object]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns path and query of each call."""
    with Service(lambda _: Reply(body=EMPTY)) as service, Client(service.url, token="t", allow_plain_http=True, proxy="none", max_retries=0) as client:
        for call in calls:
            call(client)
        split = [urllib.parse.urlsplit(request.target) for request in service.requests]
    return [(place.path, urllib.parse.parse_qsl(place.query)) for place in split]


def test_dates_are_accepted_in_every_form() -> None:
    forms: list[typing.Any] = [DAY, "2025-03-02", pandas.Timestamp("2025-03-02"), numpy.datetime64("2025-03-02"), numpy.datetime64("2025-03-02T00:00", "ns"), numpy.array(["2025-03-02"], "M8[s]")[0]]
    sent = targets(*(lambda client, day=form: client.statistics.daily(day, day, ["steps"]) for form in forms))
    sent += targets(*(lambda client, day=form: client.statistics.daily_range(day, day, ["steps"]).collect() for form in forms))
    assert sent == [sent[0]] * 12 and ("from_date", "2025-03-02") in sent[0][1]
    nights = targets(*(lambda client, day=form: client.sleeps.between(day, day).collect() for form in forms))
    assert nights == [nights[0]] * 6


@pytest.mark.parametrize("wrong", ["2025-3-2", "02.03.2025", "2025-02-30", "today", "2025-03-02T00:00:00Z", ""])
def test_other_texts_are_no_dates(wrong: str) -> None:
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be a date, such as 2025-01-31, argument to_date") as raised:
        Client("https://x.example", token="t").statistics.daily(DAY, wrong, ["steps"])
    assert not wrong or wrong not in str(raised.value)


def test_instants_are_accepted_in_every_form() -> None:
    forms: list[typing.Any] = [
        NOON,
        "2025-03-02T12:00:00Z",
        "2025-03-02T13:00:00+01:00",
        "2025-03-02 12:00:00+00:00",
        pandas.Timestamp("2025-03-02T13:00", tz="Europe/Berlin"),
        NOON.astimezone(datetime.timezone(datetime.timedelta(hours=-5))),
    ]
    sent = targets(*(lambda client, moment=form: client.statistics.interval(moment, moment, ["steps"]) for form in forms))
    assert sent == [sent[0]] * 6 and ("from_timestamp", "2025-03-02T12:00:00Z") in sent[0][1] and ("interval", "1h") in sent[0][1]


@pytest.mark.parametrize("wrong", ["2025-03-02T12:00:00", "2025-03-02", "noon", "2025-03-02 12:00"])
def test_texts_without_an_offset_are_no_instants(wrong: str) -> None:
    with pytest.raises(vitalwire.InvalidArgumentError, match="must have a time zone, argument from_timestamp"):
        Client("https://x.example", token="t").statistics.interval(wrong, None, ["steps"])


def test_texts_with_an_offset_but_no_instant_are_rejected() -> None:
    with pytest.raises(vitalwire.InvalidArgumentError, match="must be a date-time in ISO 8601"):
        Client("https://x.example", token="t").statistics.interval("2025-03-02T25:00:00Z", None, ["steps"])
    with pytest.raises(TypeError, match="argument 'from_timestamp': must be a datetime, not a date"):
        Client("https://x.example", token="t").statistics.interval(DAY, None, ["steps"])  # type: ignore[arg-type]


def test_names_are_any_iterable() -> None:
    forms: list[typing.Any] = [["steps", "heartrate"], ("steps", "heartrate"), dict.fromkeys(["steps", "heartrate"]), iter(["steps", "heartrate"]), (name for name in ("steps", "heartrate")), numpy.array(["steps", "heartrate"]), pandas.Index(["steps", "heartrate"])]
    sent = targets(*(lambda client, names=form: client.statistics.daily(DAY, DAY, names) for form in forms))
    assert sent == [sent[0]] * 7 and [value for name, value in sent[0][1] if name == "types"] == ["steps", "heartrate"]
    assert targets(lambda client: client.statistics.daily(DAY, DAY, {"steps"})) == targets(lambda client: client.statistics.daily(DAY, DAY, ["steps"]))
    for wrong in ("steps", b"steps", 5, [5], [None]):
        with pytest.raises(TypeError, match="argument 'types'"):
            Client("https://x.example", token="t").statistics.daily(DAY, DAY, typing.cast(typing.Any, wrong))


def test_ids_may_be_uuids() -> None:
    one = uuid.UUID("00000000-0000-4000-8000-00000000000a")
    night = b'{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"}'

    def respond(_: Request) -> Reply:
        return Reply(body=night)

    with Service(respond) as service:
        with Client(service.url, token="t", allow_plain_http=True, proxy="none") as client:
            client.sleeps.get(one)
            client.sleeps.get(str(one))

        async def call() -> None:
            async with vitalwire.AsyncClient(service.url, token="t", allow_plain_http=True, proxy="none") as other:
                await other.sleeps.get(one)

        asyncio.run(call())
        assert len({request.target for request in service.requests}) == 1 and str(one) in service.requests[0].target


def test_an_interval_has_the_bounds_first_in_both_calls() -> None:
    single = targets(lambda client: client.statistics.interval(NOON, NOON + datetime.timedelta(hours=2), ["steps"]))
    ranged = targets(lambda client: client.statistics.interval_range(NOON, NOON + datetime.timedelta(hours=2), ["steps"]).collect())
    named = targets(lambda client: client.statistics.interval(types=["steps"], to_timestamp=NOON + datetime.timedelta(hours=2), from_timestamp=NOON, interval="1h"))
    assert single == ranged == named
    assert [name for name, _ in targets(lambda client: client.statistics.interval(None, None, ["steps"]))[0][1]] == ["interval", "types"]


def test_parts_may_be_weeks() -> None:
    first, last = "2025-01-01", "2025-01-28"
    weeks = targets(lambda client: client.statistics.daily_range(first, last, ["steps"], part_length="1w", concurrency=1).collect())
    assert weeks == targets(lambda client: client.statistics.daily_range(first, last, ["steps"], part_length="7d", concurrency=1).collect()) and len(weeks) == 4
    for wrong in ("w", "1.5w", "1week", "99999999999w"):
        with pytest.raises(vitalwire.InvalidArgumentError, match="weeks, days or hours, such as 4w, 30d or 6h, argument part_length"):
            Client("https://x.example", token="t").statistics.daily_range(first, last, ["steps"], part_length=wrong)


def test_dates_of_lab_reports_are_parsed_beside_the_text() -> None:
    dates = ["2025-01-31", "2025-01-31T08:00:00Z", "31.01.2025", "2025-02-30", "2025-01-311", None]
    reports = [{"record_id": str(at), "status": "completed", "collection_date": date, "sections": [{"results": [{"value": 1}]}]} for at, date in enumerate(dates)]
    import json

    table = vitalwire.Table.read("lab_results", "list_lab_reports", json.dumps(reports).encode())
    day = datetime.date(2025, 1, 31)
    assert table["collection_date"] == dates and table["collection_day"] == [day, day, None, None, None, None] and table["result_day"] == [None] * 6
    assert table.to_pandas()["collection_day"].tolist()[0] == day and table.kinds["collection_day"] == "date"
