"""Tests hints for usual mistakes: each error names the remedy."""

from __future__ import annotations

import datetime
import sys
import traceback
import typing
import warnings

import pandas
import pytest
from serving import Reply, Request, Service

import vitalwire
from vitalwire import Client, SleepRecord, Table

DAY = datetime.date(2025, 11, 1)
NIGHT = b'{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"}'
needs_notes = pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")


def reject(_: Request) -> Reply:
    return Reply(422, b'{"status": 422, "detail": "validation failed", "errors": [{"location": "query.types"}]}')


def notes(error: BaseException) -> list[str]:
    return getattr(error, "__notes__", [])


def client(service: Service) -> Client:
    return Client(service.url, token="t", allow_plain_http=True, proxy="none", max_retries=0)


def test_a_base_url_with_the_version_is_rejected() -> None:
    with pytest.raises(vitalwire.ConfigurationError, match="must not end in /v3, because the client adds it"):
        Client("https://example.org/v3", token="t")


def test_a_token_with_its_scheme_is_rejected() -> None:
    with pytest.raises(vitalwire.ConfigurationError, match="the token begins with `Bearer `; remove that"):
        Client("https://example.org", token="Bearer x")


def test_a_forgotten_await_is_named() -> None:
    call = vitalwire.AsyncClient("https://127.0.0.1:1", token="t").user.info()
    with pytest.raises(AttributeError, match="await the call first"):
        call.created_at  # type: ignore[attr-defined]
    assert not hasattr(call, "__len__") and not hasattr(call, "_ipython_display_")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        del call


def test_plots_need_no_import_of_their_own() -> None:
    import subprocess

    script = "import vitalwire, sys; assert 'vitalwire.plot' not in sys.modules; print(vitalwire.plot.trends.__name__, 'matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "trends False\n"


def test_a_misspelled_name_of_the_package_is_suggested() -> None:
    with pytest.raises(AttributeError, match="module 'vitalwire' has no attribute 'Sandbx'") as raised:
        vitalwire.Sandbx  # type: ignore[attr-defined]
    if sys.version_info >= (3, 12):
        assert "Did you mean: 'Sandbox'" in "".join(traceback.format_exception(raised.value))


@needs_notes
def test_unknown_tables_list_the_known_ones() -> None:
    night = SleepRecord.from_json(NIGHT)
    cases: list[tuple[typing.Callable[[], object], str]] = [
        (lambda: night.table(typing.cast(typing.Any, "stages")), 'did you mean "sleep_stages"? the tables are "sleep_stages", "sleep_samples", "sleeps"'),
        (lambda: Client("https://x.example", token="t").sleeps.between(DAY, DAY).to_pandas("nights"), 'the tables are "sleep_stages", "sleep_samples", "sleeps"'),
        (lambda: Table.read("dayly_statistics", "x", b""), 'did you mean "daily_statistics"?'),
    ]
    for call, known in cases:
        with pytest.raises(vitalwire.InvalidArgumentError) as raised:
            call()
        assert known in notes(raised.value)[0]


@needs_notes
@pytest.mark.parametrize("moment", [datetime.datetime(2025, 1, 1), pandas.Timestamp("2025-01-01"), "2025-01-01T00:00:00", pandas.Timestamp("2025-01-01").to_datetime64()])
def test_instants_without_a_time_zone_state_how_to_add_it(moment: datetime.datetime) -> None:
    with pytest.raises(vitalwire.InvalidArgumentError, match="must have a time zone, argument from_timestamp") as raised:
        Client("https://x.example", token="t").statistics.interval(moment, None, ["steps"])
    assert "datetime.timezone.utc" in notes(raised.value)[0]


@needs_notes
def test_unknown_names_are_suggested_if_the_service_rejects_the_call() -> None:
    with Service(reject) as service, client(service) as own:
        calls = [
            (lambda: own.statistics.daily(DAY, DAY, ["steps", "step"]), ['"step" is not a name that this version knows; did you mean "steps"?']),
            (lambda: own.statistics.daily(DAY, DAY, ["moonlight"]), ['"moonlight" is not a name that this version knows']),
            (lambda: own.statistics.daily(DAY, DAY, ["steps"]), []),
            (lambda: own.statistics.daily(DAY, DAY, ["steps"], providers=["fitbitt"]), ['"fitbitt" is not a name that this version knows; did you mean "fitbit"?']),
            (lambda: own.statistics.interval(None, None, ["steps"], interval="hour"), ['"hour" is not a name that this version knows']),
            (lambda: own.statistics.daily_range(DAY, DAY, ["Heart-Rate"]).collect(), ['"Heart-Rate" is not a name that this version knows; did you mean "heartrate"?']),
        ]
        for call, expected in calls:
            with pytest.raises(vitalwire.InvalidRequestError) as raised:
                call()  # type: ignore[no-untyped-call]
            assert notes(raised.value) == expected
            assert "step" not in str(raised.value) and "moon" not in str(raised.value), "texts contain no values"


@needs_notes
def test_asynchronous_calls_have_notes_too() -> None:
    import asyncio

    async def call(url: str) -> vitalwire.InvalidRequestError:
        async with vitalwire.AsyncClient(url, token="t", allow_plain_http=True, proxy="none", max_retries=0) as own:
            with pytest.raises(vitalwire.InvalidRequestError) as raised:
                await own.statistics.daily(DAY, DAY, ["step"])
        return raised.value

    with Service(reject) as service:
        assert "steps" in notes(asyncio.run(call(service.url)))[0]


@needs_notes
def test_errors_that_the_service_did_not_cause_have_no_note() -> None:
    own = Client("https://127.0.0.1:1", token="t", max_retries=0)
    with pytest.raises(vitalwire.TransportError) as raised:
        own.statistics.daily(DAY, DAY, ["step"])
    assert notes(raised.value) == []


@needs_notes
def test_rows_that_were_not_requested_name_the_keyword() -> None:
    with Service(lambda _: Reply(body=NIGHT)) as service, client(service) as own:
        with pytest.raises(vitalwire.InvalidArgumentError) as raised:
            own.sleeps.get("x").to_pandas("sleep_stages")
    assert raised.value.argument == "include_stages" and notes(raised.value) == ["read the record with include_stages=True"]


def test_one_name_in_place_of_a_list_is_rejected() -> None:
    with pytest.raises(TypeError, match="argument 'types': must be a list of str, not a str"):
        Client("https://x.example", token="t").statistics.daily(DAY, DAY, "steps")


@needs_notes
def test_bounds_in_the_wrong_order_are_named_if_the_service_rejects_them() -> None:
    first, last = datetime.datetime(2025, 11, 1, tzinfo=datetime.timezone.utc), datetime.datetime(2025, 11, 5, tzinfo=datetime.timezone.utc)
    days = (DAY, datetime.date(2025, 11, 5))
    with Service(reject) as service, client(service) as own:
        calls: list[tuple[typing.Callable[..., object], str]] = [
            (lambda a, b: own.statistics.daily(days[a], days[b], ["steps"]), "date"),
            (lambda a, b: own.statistics.daily_range(days[a], days[b], ["steps"]).collect(), "date"),
            (lambda a, b: own.statistics.interval((first, last)[a], (first, last)[b], ["steps"]), "timestamp"),
            (lambda a, b: own.nutrition_records.list((first, last)[a], (first, last)[b]), "timestamp"),
        ]
        for call, kind in calls:
            for order in ((1, 0), (0, 1)):
                with pytest.raises(vitalwire.InvalidRequestError) as raised:
                    call(*order)
                assert notes(raised.value) == ([f"from_{kind} is after to_{kind}; swap them"] if order == (1, 0) else [])
        with pytest.raises(vitalwire.InvalidRequestError) as raised:
            own.statistics.interval(last, None, ["steps"])
        assert notes(raised.value) == [], "a missing bound is in any order"
        with pytest.raises(vitalwire.InvalidArgumentError, match="must not be before the first day, argument last"):
            own.sleeps.between(days[1], days[0]).collect()


def test_a_for_loop_over_an_asynchronous_range_names_async_for() -> None:
    own = vitalwire.AsyncClient("https://x.example", token="t")
    for found in (own.statistics.daily_range(DAY, DAY, ["steps"]), own.sleeps.between(DAY, DAY)):
        with pytest.raises(TypeError, match=rf"^'vitalwire.{type(found).__name__}' object needs `async for`$"):
            for _ in found:  # type: ignore[attr-defined]
                pass


@pytest.mark.parametrize("kind", [Client, vitalwire.AsyncClient])
def test_a_list_of_sleeps_names_the_search(kind: type[Client]) -> None:
    sleeps = kind("https://x.example", token="t").sleeps
    with pytest.raises(AttributeError, match=r"object has no attribute 'list'; use between\(first, last\)$"):
        sleeps.list  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"Sleeps' object has no attribute 'gett'$") as raised:
        sleeps.gett  # type: ignore[attr-defined]
    if sys.version_info >= (3, 12):
        assert "Did you mean: 'get'" in "".join(traceback.format_exception(raised.value))
    assert not hasattr(sleeps, "\ud800") and not hasattr(sleeps, "_ipython_display_")
