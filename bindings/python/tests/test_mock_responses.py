"""Tests mock responses, reports of attempts to a callback and a logger, and the signature of the token exchange."""

from __future__ import annotations

import asyncio
import datetime
import json
import logging
import sys
import time
import typing

import pytest

import vitalwire


#: Method of a client that makes a call with options.
Call = typing.Callable[..., typing.Any]
DAY = datetime.date(2025, 1, 1)


def client_with(responses: vitalwire.MockResponses, **settings: typing.Any) -> vitalwire.Client:
    made: vitalwire.Client = vitalwire.Client(mock_responses=responses, **settings)
    return made


def test_mock_responses_are_returned_in_order_through_the_whole_client() -> None:
    responses = vitalwire.MockResponses().on("get_user_info", status=503).on("get_user_info", {"uid": "u-1"})
    seen: list[vitalwire.Attempt] = []
    info = client_with(responses, on_attempt=seen.append).user.info()
    assert info.uid == "u-1"
    assert [(it.operation, it.attempt, it.status, it.error) for it in seen] == [
        ("get_user_info", 1, 503, "service"),
        ("get_user_info", 2, 200, None),
    ]
    assert seen[0].next_delay is not None and seen[1].next_delay is None
    assert seen[0].path_template == "/v3/userinfo"
    assert [(it.http_method, it.path, it.query, it.body) for it in responses.requests] == [("GET", "/v3/userinfo", [], b"")] * 2


def test_a_response_body_is_kept_on_request() -> None:
    responses = vitalwire.MockResponses().on("get_user_info", {"uid": "u-1"}).on("get_user_info", {"uid": "u-2"}).on("get_user_info", [])
    calls = client_with(responses).user
    assert (info := calls.info().response) is not None and info.body is None
    assert (info := calls.info(keep_body=True).response) is not None and info.body is not None
    assert json.loads(info.body) == {"uid": "u-2"} and "u-2" not in repr(info)
    with pytest.raises(vitalwire.DecodeError) as unread:
        calls.info()
    assert unread.value.body is None
    with pytest.raises(vitalwire.DecodeError) as unread:
        calls.info(keep_body=True)
    assert unread.value.body == b"[]" and "[]" not in str(unread.value)


DAYS = {"from_date": "2025-01-01", "to_date": "2025-01-02", "statistics": [{"date": "2025-01-01", "values": {"steps": 1200}}]}
HOURS = {"statistics": [{"from_timestamp": "2025-01-01T10:00:00Z", "to_timestamp": "2025-01-01T11:00:00Z", "values": {"steps": 80}}]}
KEPT: list[tuple[str, object, Call]] = [
    ("daily_statistics", DAYS, lambda it, **options: it.statistics.daily(DAY, DAY, ["steps"], **options)),
    ("interval_statistics", HOURS, lambda it, **options: it.statistics.interval(None, None, ["steps"], **options)),
]


@pytest.mark.parametrize(("operation", "body", "call"), KEPT, ids=[operation for operation, _, _ in KEPT])
def test_statistics_keep_their_body_whether_columns_or_records_are_read(operation: str, body: object, call: Call) -> None:
    responses = vitalwire.MockResponses().on(operation, body).on(operation, body).on(operation, {"statistics": "canary-heron"})
    on = client_with(responses)
    kept, plain = call(on, keep_body=True), call(on)
    assert json.loads(kept.response.body) == body and plain.response.body is None
    assert kept.statistics[0].response.body == kept.response.body
    assert (kept.response.status, kept.response.attempts) == (200, 1)
    assert "1200" not in repr(kept.response) and kept == plain
    for options, left in (({"keep_body": True}, b'{"statistics": "canary-heron"}'), ({}, None)):
        with pytest.raises(vitalwire.DecodeError) as unread:
            call(on, **options)
        assert (unread.value.body is None) == (left is None) and unread.value.json_path == "statistics"
        assert left is None or json.loads(unread.value.body or b"") == json.loads(left)
        assert "canary" not in str(unread.value) and "canary" not in repr(unread.value)


def test_every_operation_has_a_sample() -> None:
    samples = client_with(vitalwire.MockResponses.samples())
    assert samples.user.info().uid
    assert samples.sleeps.get("any").stages
    assert samples.lab_reports.list()
    assert samples.care.benefits("c", "p", "1").id


def test_an_operation_without_a_mock_response_is_named() -> None:
    with pytest.raises(vitalwire.ConfigurationError, match=r"mock_responses\.get_user_info"):
        client_with(vitalwire.MockResponses()).user.info()
    with pytest.raises(vitalwire.TransportError):
        client_with(vitalwire.MockResponses().on("get_user_info", status=0), max_retries=0).user.info()
    with pytest.raises(vitalwire.TimeoutError):
        client_with(vitalwire.MockResponses().on("get_user_info", {}, delay=60), timeout=0.05).user.info()


def test_an_attempt_callback_may_raise_block_or_make_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: reported.append(raised.exc_type))
    responses = vitalwire.MockResponses().on("get_user_info", {"uid": "u"}).on("get_user_properties", {"properties": {}})
    inner = client_with(responses)

    def hook(attempt: vitalwire.Attempt) -> None:
        time.sleep(0.05)
        inner.user.properties()
        raise ValueError("in a hook")

    assert client_with(responses, on_attempt=hook).user.info().uid == "u"
    assert reported == [ValueError]
    assert [it.operation for it in responses.requests] == ["get_user_info", "get_user_properties"]


def test_async_calls_report_their_attempts() -> None:
    responses = vitalwire.MockResponses().on("get_user_info", {"uid": "u"})
    seen: list[int | None] = []

    async def call() -> None:
        async with vitalwire.AsyncClient(mock_responses=responses, on_attempt=lambda it: seen.append(it.status)) as given:
            assert (await given.user.info()).uid == "u"
            while not seen:
                await asyncio.sleep(0.001)

    asyncio.run(call())
    assert seen == [200]


def test_attempts_of_async_calls_are_reported_in_order() -> None:
    seen: list[int] = []

    async def call() -> None:
        responses = vitalwire.MockResponses().on("get_user_info", status=503)
        # Retry delays are at most a quarter of a millisecond.
        settings: dict[str, typing.Any] = {"max_retries": 99, "retry_budget": 1000, "retry_base_delay": 0.00025, "retry_max_delay": 0.00025}
        async with vitalwire.AsyncClient(mock_responses=responses, on_attempt=lambda it: seen.append(it.attempt), **settings) as given:
            with pytest.raises(vitalwire.ServiceError):
                await given.user.info()
            while len(seen) < 100:
                await asyncio.sleep(0.001)

    asyncio.run(call())
    assert seen == list(range(1, 101))


def test_the_logger_is_silent_by_default(caplog: pytest.LogCaptureFixture) -> None:
    responses = vitalwire.MockResponses().on("get_sleep", {"sleep_id": "CANARY", "modified_at": "2025-01-01T00:00:00Z", "start_at_timestamp": "2025-01-01T00:00:00Z"})
    given = client_with(responses, token="CANARY")
    given.sleeps.get("CANARY")
    assert not caplog.records
    with caplog.at_level(logging.DEBUG, logger="vitalwire"):
        given.sleeps.get("CANARY")
    assert [record.name for record in caplog.records] == ["vitalwire"]
    assert caplog.messages[0].startswith("GET /v3/queries/sleeps/{sleep_id} (get_sleep), attempt 1: 200 in ")
    assert "CANARY" not in caplog.text
    given.sleeps.get("CANARY")
    assert len(caplog.records) == 1


def test_the_user_id_of_a_token_exchange_is_signed() -> None:
    # Computed with: printf %s user-1 | openssl dgst -sha256 -hmac an-application-key
    expected = "b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2"
    assert vitalwire.sign_user_id("an-application-key", "user-1") == expected
    assert vitalwire.sign_user_id(b"an-application-key", "user-1") == expected
    for key, user in [("", "user-1"), ("key", "")]:
        with pytest.raises(vitalwire.InvalidArgumentError):
            vitalwire.sign_user_id(key, user)
