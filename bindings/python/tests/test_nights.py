"""Tests `sleeps.between` on both clients: it returns each night once and in order, returns no other records, and can be resumed."""

from __future__ import annotations

import asyncio
import datetime
import json
import threading
import time
import urllib.parse
from collections.abc import Callable

import pytest
from serving import PATIENCE, Reply, Request, Service

import vitalwire

DAY = datetime.timedelta(days=1)
#: Record ids of each day that `week` returns. Ids that begin with `no` are not sleeps.
WEEK = {
    "2025-03-01": ["night-1", "no-1"],
    "2025-03-02": ["nap-2", "night-2"],
    "2025-03-03": ["night-2", "night-3"],
    "2025-03-05": ["night-5", "no-5"],
}
BOUNDS = (datetime.date(2025, 3, 1), datetime.date(2025, 3, 5))
ALL = ["night-1", "nap-2", "night-2", "night-3", "night-5"]


def requested_sleep(request: Request) -> str | None:
    """Returns the id of the requested sleep. Returns `None` if the request is for statistics."""
    place = urllib.parse.urlsplit(request.target).path
    return place.rpartition("/")[2] if "/sleeps/" in place else None


def query_value(request: Request, name: str) -> str | None:
    found = urllib.parse.parse_qs(urllib.parse.urlsplit(request.target).query).get(name)
    return found[0] if found else None


def week(request: Request) -> Reply:
    found = requested_sleep(request)
    if found is None:
        first, last = query_value(request, "from_date"), query_value(request, "to_date")
        assert first is not None and last is not None
        days = [{"date": day, "record_ids": ids, "values": {"sleep_duration_total": 1}} for day, ids in WEEK.items() if first <= day <= last]
        return Reply(body=json.dumps({"from_date": first, "to_date": last, "statistics": days}).encode())
    if found.startswith("no"):
        return Reply(404, b'{"status": 404}')
    at = "2025-03-01T00:00:00Z"
    stages = [{"stage": "deep", "start_at": at, "duration": 1}]
    return Reply(body=json.dumps({"sleep_id": found, "modified_at": at, "start_at_timestamp": at, "stages": stages}).encode())


def fail_sleep(what: str) -> Callable[[Request], Reply]:
    """Responds like `week`, but fails for one sleep."""
    return lambda request: Reply(500, b"{}") if requested_sleep(request) == what else week(request)


def client(service: Service) -> vitalwire.Client:
    return vitalwire.Client(service.url, token="token-0", allow_plain_http=True, proxy="none", max_retries=0)


def async_client(service: Service) -> vitalwire.AsyncClient:
    return vitalwire.AsyncClient(service.url, token="token-0", allow_plain_http=True, proxy="none", max_retries=0)


def ids(nights: tuple[vitalwire.NightResult, ...] | list[vitalwire.NightResult]) -> list[str | None]:
    return [night.sleep.sleep_id for night in nights]


def test_every_sleep_of_a_year_is_found_and_matches_its_day(service: vitalwire.Sandbox) -> None:
    first, last = datetime.date(2024, 11, 21), datetime.date(2025, 11, 19)
    for user in service.user_ids:
        with service.client(token=service.token_of(user)) as own:
            merged = own.sleeps.between(first, last, concurrency=8).collect()
            days = own.statistics.daily(first, last, ["sleep_duration_total"], include_record_ids=True)
            scores = own.statistics.daily(first, last, ["sleep_score"]).statistics
        slept: dict[datetime.date, float] = {}
        for night in merged.response:
            (day,) = night.days
            assert night.sleep.sleep_date == day and night.sleep.metrics is not None
            slept[day] = slept.get(day, 0.0) + night.sleep.metrics["sleep_duration"]
        stated = {bucket.date: bucket.values["sleep_duration_total"] for bucket in days.statistics if bucket.values}
        assert slept == stated
        # Each id has a record, including naps. There are fewer scores, because only nights have one.
        assert len(merged.response) == sum(len(bucket.record_ids or ()) for bucket in days.statistics) > len(scores)
        assert (merged.not_found, merged.duplicates, len(merged.parts)) == (0, 0, 364)
        assert [night.days[0] for night in merged.response] == sorted(night.days[0] for night in merged.response)


def test_nights_keep_their_bodies_on_request() -> None:
    with Service(week) as service, client(service) as own:
        for keep in (True, False):
            search = own.sleeps.between(*BOUNDS, keep_body=keep)
            for nights in (list(search), search.collect().response):
                bodies = [night.sleep.response.body for night in nights if night.sleep.response]
                assert [body and json.loads(body)["sleep_id"] for body in bodies] == (ALL if keep else [None] * 5)


def test_each_night_is_returned_once_and_in_order() -> None:
    with Service(week) as service, client(service) as own:
        nights = list(own.sleeps.between(*BOUNDS))
        assert ids(nights) == ALL
        assert [[str(day)[-1] for day in night.days] for night in nights] == [["1"], ["2"], ["2", "3"], ["3"], ["5"]]
        assert [night.failure for night in nights] == [None] * 5
        assert nights[0].sleep.response is not None and nights[0].sleep.response.status == 200
        merged = own.sleeps.between(*BOUNDS).collect()
        assert ids(merged.response) == ALL
        assert (merged.not_found, merged.duplicates, merged.failures, merged.resume_token) == (2, 1, (), None)
        assert [(part.index, part.rows) for part in merged.parts][1:4] == [(1, slice(1, 3)), (2, slice(3, 4)), (3, slice(4, 4))]
        assert merged.parts[1].range == (BOUNDS[0] + DAY, BOUNDS[0] + DAY)
        assert repr(nights[0]) == "NightResult(days[1])" and repr(own.sleeps.between(*BOUNDS)) == "NightSearch(sleeps_between)"


def test_a_search_sends_its_options_with_every_request() -> None:
    with Service(week) as service, client(service) as own:
        asked = own.sleeps.between(*BOUNDS, include_stages=True, providers=["oura"], exclude_manual=True, concurrency=1)
        time.sleep(0.1)
        assert service.requests == []
        asked.collect()
        statistics, first = service.requests[:2]
        names = ["from_date", "to_date", "types", "include_record_ids", "providers", "exclude_manual"]
        assert [query_value(statistics, name) for name in names] == ["2025-03-01", "2025-03-05", "sleep_duration_total", "true", "oura", "true"]
        assert (requested_sleep(first), query_value(first, "include_stages"), query_value(first, "include_samples")) == ("night-1", "true", None)
        assert service.tokens() == ["token-0"] * len(service.requests)


def test_all_nights_convert_to_one_table() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    with Service(week) as service, client(service) as own:
        nights = own.sleeps.between(*BOUNDS)
        for frame in (nights.to_pandas("sleep_stages"), pandas.DataFrame(nights.to_dict("sleep_stages"))):
            assert list(frame["sleep_id"]) == ALL
        assert nights.to_polars("sleep_stages")["sleep_id"].to_list() == ALL
        asked = [query_value(request, "include_stages") for request in service.requests if requested_sleep(request)]
        assert set(asked) == {"true"}
        # Without a name, a table has a row for each sleep.
        assert list(nights.to_pandas()["sleep_id"]) == polars.DataFrame(nights)["sleep_id"].to_list() == nights.to_dict()["sleep_id"] == ALL
        merged = nights.collect_table("sleep_stages")
        assert (len(merged.response), merged.not_found, merged.duplicates) == (5, 2, 1)
        assert len(nights.table("sleep_samples")) == 0
        with pytest.raises(vitalwire.InvalidArgumentError) as raised:
            nights.table("daily_statistics")
        assert raised.value.argument == "name"


def test_a_failed_day_ends_the_search_and_can_be_resumed() -> None:
    with Service(fail_sleep("night-2")) as service, client(service) as own:
        seen: list[vitalwire.NightResult] = []
        with pytest.raises(vitalwire.ServiceError) as raised:
            for night in own.sleeps.between(*BOUNDS):
                seen.append(night)
        # The nap of the failed day is not returned: a day is returned completely or fails.
        assert ids(seen) == ["night-1"]
        token = raised.value.resume_token
        assert token is not None and (token.operation, token.parts_left, token.range) == ("sleeps_between", 4, BOUNDS)
        with pytest.raises(vitalwire.ServiceError) as collected:
            own.sleeps.between(*BOUNDS).collect()
        assert collected.value.partial_result is not None and ids(collected.value.partial_result.response) == ["night-1"]
        assert collected.value.resume_token == token
    with Service(week) as service, client(service) as own:
        assert ids(list(own.sleeps.between(*BOUNDS, resume=str(token)))) == ALL[1:]
        with pytest.raises(vitalwire.InvalidArgumentError) as refused:
            own.sleeps.between(*BOUNDS, include_stages=True, resume=token)
        assert refused.value.argument == "resume"


def test_failures_are_collected() -> None:
    with Service(fail_sleep("night-3")) as service, client(service) as own:
        asked = own.sleeps.between(*BOUNDS, on_error="collect")
        nights = list(asked)
        assert [night.failure is not None for night in nights] == [False, False, False, True, False]
        assert nights[3].days == (datetime.date(2025, 3, 3),) and isinstance(nights[3].failure, vitalwire.ServiceError)
        with pytest.raises(vitalwire.ServiceError):
            nights[3].sleep.score
        merged = asked.collect()
        assert [(part.range, part.failure and part.failure.status) for part in merged.failures] == [((BOUNDS[0] + 2 * DAY,) * 2, 500)]
        assert merged.resume_token is not None and merged.resume_token.parts_left == 1
        with pytest.warns(RuntimeWarning, match="1 part of the range failed"):
            assert len(asked.table()) == 4


def test_progress_counts_days_and_nights() -> None:
    reports: list[tuple[int, int, int]] = []
    with Service(week) as service, client(service) as own:
        asked = own.sleeps.between(*BOUNDS, progress=lambda at: reports.append((at.done, at.total, at.items)))
        asked.collect()
        expected = [(1, 5, 1), (2, 5, 3), (3, 5, 4), (4, 5, 4), (5, 5, 5)]
        assert reports == expected
        reports.clear()
        list(asked)
        # The progress of a day without a night is reported together with the next night.
        assert reports == [at for at in expected if at[0] != 4]


def test_concurrent_calls_do_not_exceed_the_limit() -> None:
    lock, running, most = threading.Lock(), [0], [0]

    def counted(request: Request) -> Reply:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.05)
        with lock:
            running[0] -= 1
        return week(request)

    with Service(counted) as service, client(service) as own:
        assert len(own.sleeps.between(*BOUNDS, concurrency=2).collect().response) == 5
        assert most[0] == 2


def test_invalid_arguments_of_a_search_are_rejected_before_any_request() -> None:
    first, last = BOUNDS
    with Service(week) as service, client(service) as own:
        for arguments, name in [
            ({"first": last, "last": first}, "last"),
            ({"first": datetime.date(1000, 1, 1), "last": last}, "last"),
            ({"first": first, "last": last, "concurrency": 0}, "concurrency"),
            ({"first": first, "last": last, "on_error": "go on"}, "on_error"),
            ({"first": first, "last": last, "resume": "token"}, "resume"),
        ]:
            with pytest.raises(vitalwire.InvalidArgumentError) as raised:
                own.sleeps.between(**arguments)  # type: ignore[arg-type]
            assert raised.value.argument == name
        with pytest.raises(vitalwire.InvalidArgumentError, match="must be a date, such as 2025-01-31, argument first"):
            own.sleeps.between("yesterday", last)
        with pytest.raises(TypeError, match="first"):
            own.sleeps.between(20250301, last)  # type: ignore[arg-type]
        assert service.requests == []


def test_a_cancelled_search_ends_at_once() -> None:
    token = vitalwire.CancelToken()

    def cancelling(request: Request) -> Reply:
        if requested_sleep(request) == "night-2":
            token.cancel()
            return Reply(delay=PATIENCE)
        return week(request)

    with Service(cancelling) as service, client(service) as own:
        began = time.monotonic()
        with pytest.raises(vitalwire.CancelledError):
            own.sleeps.between(*BOUNDS, cancel=token, concurrency=1).collect()
        assert time.monotonic() - began < PATIENCE / 2
        assert len(service.requests) == 5


def test_the_async_client_searches_nights() -> None:
    async def read(service: Service) -> None:
        async with async_client(service) as own:
            asked = own.sleeps.between(*BOUNDS)
            assert ids([night async for night in asked]) == ALL
            merged, frame = await asyncio.gather(asked.collect(), asked.to_dict("sleep_stages"))
            assert (ids(merged.response), merged.not_found, frame["sleep_id"]) == (ALL, 2, ALL)
            assert repr(asked) == "AsyncNightSearch(sleeps_between)"
            iterator = asked.__aiter__()
            await iterator.__anext__()
            await iterator.aclose()
            assert iterator.resume_token is not None and iterator.resume_token.parts_left == 4

    with Service(week) as service:
        asyncio.run(read(service))
