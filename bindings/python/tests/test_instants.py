"""Tests conversion of instants to `datetime` within the limits of Python, and of date and time arguments, including those of pandas."""

import json
import typing
import urllib.parse
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import numpy
import pandas
import pytest
from serving import Reply, Service

from vitalwire import Client, InvalidArgumentError, SleepStage
from vitalwire._native import _restore

NOTHING = b'{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[]}'
HOUR = timedelta(hours=1)
FORMS = json.loads((Path(__file__).parents[3] / "tests/forms/instants.json").read_text(encoding="utf-8"))["forms"]


def stage(start_at: str) -> SleepStage:
    made = _restore("SleepStage", f'{{"start_at":"{start_at}"}}')
    assert isinstance(made, SleepStage)
    return made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-02-29T23:58:59.654321Z", datetime(2024, 2, 29, 23, 58, 59, 654321, timezone.utc)),
        # Decimals after the sixth are truncated, not rounded.
        ("2025-12-31T00:00:00.0000019Z", datetime(2025, 12, 31, 0, 0, 0, 1, timezone.utc)),
        ("2025-01-01T01:30:00+02:00", datetime(2024, 12, 31, 23, 30, tzinfo=timezone.utc)),
        ("1969-12-31T23:59:59.5Z", datetime(1969, 12, 31, 23, 59, 59, 500000, timezone.utc)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=timezone.utc)),
        ("9999-12-31T23:59:59.999999Z", datetime.max.replace(tzinfo=timezone.utc)),
    ],
)
def test_an_instant_keeps_all_its_components(text: str, expected: datetime) -> None:
    found = stage(text).start_at
    assert found == expected
    assert type(found) is datetime and found.tzinfo is timezone.utc
    # The client creates a datetime from bytes. It must behave like a datetime created from numbers.
    assert (repr(found), found.fold, found.isoformat()) == (repr(expected), 0, expected.isoformat())


def test_all_timestamp_formats_of_the_shared_table_are_parsed() -> None:
    for form in FORMS:
        expected = None
        if form["instant"]:
            seconds, _, decimals = form["instant"].removesuffix("Z").partition(".")
            # A Python datetime has at most six decimals.
            expected = datetime.fromisoformat(f"{seconds}+00:00") + timedelta(microseconds=int(decimals[:6].ljust(6, "0")))
        assert stage(form["text"]).start_at == expected, form["text"]


def test_an_instant_before_year_1_stays_text() -> None:
    # In UTC, this instant is in the year 0, which Python does not support.
    early = stage("0001-01-01T00:00:00+14:00")
    assert early.start_at is None
    assert early.extra == {"start_at": "0001-01-01T00:00:00+14:00"}


def sent_query(call: typing.Callable[[Client], object]) -> dict[str, str]:
    """Returns the query parameters that a call sends."""
    with Service(lambda _: Reply(body=NOTHING)) as service:
        call(Client(service.url, token="t", allow_plain_http=True, max_retries=0))
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(service.requests[0].target).query))


@pytest.mark.parametrize(
    "day",
    [
        date(2025, 3, 2),
        datetime(2025, 3, 2),
        pandas.Timestamp("2025-03-02"),
        pandas.Timestamp("2025-03-01") + pandas.Timedelta(days=1),
        pandas.Series([date(2025, 3, 2)], dtype="datetime64[ns]").max(),
        pandas.Timestamp(numpy.datetime64("2025-03-02")),
    ],
)
def test_a_day_is_a_date_or_a_midnight_without_a_time_zone(day: date) -> None:
    query = sent_query(lambda client: client.statistics.daily(day, day, ["steps"]))
    assert (query["from_date"], query["to_date"]) == ("2025-03-02", "2025-03-02")
    assert sent_query(lambda client: client.statistics.daily_range(day, day, ["steps"]).collect())["to_date"] == "2025-03-02"


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2025, 3, 2, 7),
        datetime(2025, 3, 2, 0, 0, 0, 1),
        datetime(2025, 3, 2, tzinfo=timezone.utc),
        pandas.Timestamp("2025-03-02 00:01"),
        pandas.Timestamp("2025-03-02T00:00:00.000000001"),
        pandas.Timestamp("2025-03-02", tz="Europe/Berlin"),
        pandas.NaT,
    ],
)
def test_a_datetime_other_than_midnight_is_rejected_as_a_date(moment: typing.Any) -> None:
    client = Client("https://127.0.0.1:1", token="t")
    with pytest.raises(InvalidArgumentError, match=r"pass its \.date\(\), argument from_date") as refused:
        client.statistics.daily(moment, date(2025, 3, 2), ["steps"])
    assert refused.value.argument == "from_date" and "2025" not in str(refused.value)


def test_a_value_of_another_type_is_rejected_as_a_date() -> None:
    client = Client("https://127.0.0.1:1", token="t")
    for wrong, text in [
        (20250302, "argument 'to_date': must be a date, not a int"),
        (numpy.datetime64("NaT"), "argument 'to_date': must be a date, not a datetime64"),
        (None, "argument 'to_date': must be a date, not a NoneType"),
    ]:
        with pytest.raises(TypeError) as refused:
            client.statistics.daily(date(2025, 3, 2), typing.cast(date, wrong), ["steps"])
        assert str(refused.value) == text
    with pytest.raises(TypeError) as refused:
        client.statistics.daily(date(2025, 3, 2), date(2025, 3, 2), "steps")
    assert str(refused.value) == "argument 'types': must be a list of str, not a str"


def test_pandas_timestamps_keep_their_nanoseconds() -> None:
    moment = pandas.Timestamp("2025-03-02T01:00:00.000000009", tz="Europe/Berlin")
    lists = sent_query(lambda client: client.statistics.interval(moment, datetime(2025, 3, 2, 1, tzinfo=timezone.utc), ["steps"]))
    assert (lists["from_timestamp"], lists["to_timestamp"]) == ("2025-03-02T00:00:00.000000009Z", "2025-03-02T01:00:00Z")


def test_list_bounds_are_optional_and_positional() -> None:
    start = datetime(2025, 3, 2, tzinfo=timezone.utc)

    def lists(call: typing.Callable[[Client], object]) -> list[str]:
        with Service() as service:
            call(Client(service.url, token="t", allow_plain_http=True, max_retries=0))
        return [request.target for request in service.requests]

    for group in ("lab_reports", "nutrition_records"):
        placed = lists(lambda client: getattr(client, group).list(start, start + HOUR))
        named = lists(lambda client: getattr(client, group).list(to_timestamp=start + HOUR, from_timestamp=start))
        ranged = lists(lambda client: getattr(client, group).list_range(start, start + HOUR).collect())
        assert placed == named == ranged and "from_timestamp=2025-03-02" in placed[0]
        assert lists(lambda client: getattr(client, group).list()) == [placed[0].partition("?")[0]]
