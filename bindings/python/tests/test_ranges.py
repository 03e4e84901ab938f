"""Tests range calls on both clients: order, concurrency, overlaps, failures, resuming, progress and cancellation."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import dataclasses
import datetime
import http.server
import json
import os
import pickle
import select
import socketserver
import subprocess
import sys
import threading
import time
import traceback
import urllib.parse
import warnings
from collections.abc import Awaitable, Callable, Iterator

import numpy
import pandas
import polars
import pytest
from serving import PATIENCE

import vitalwire

UTC = datetime.timezone.utc
DAY = datetime.timedelta(days=1)
#: Stands for personal data, which must not be in any text of the package.
CANARY = "Rosa Quintero"


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


@dataclasses.dataclass
class SeenRequest:
    """A received request: path, query, and the times of its start and end."""

    path: str
    query: dict[str, list[str]]
    began: float
    ended: float | None = None

    def value(self, name: str) -> str:
        (value,) = self.query[name]
        return value


@dataclasses.dataclass
class Reply:
    """A delayed response. Status 0 means no response: the connection is watched until the client closes it."""

    body: object
    status: int = 200
    after: float = 0.0


class Service(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A server on a real socket whose responses come from a function of the request."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, answer: Callable[[SeenRequest], Reply], together: int) -> None:
        self.answer = answer
        self.together = together
        self.seen: list[SeenRequest] = []
        self.most = 0
        self.open = 0
        self.hung_up = threading.Semaphore(0)
        self.lock = threading.Condition()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def query_values(self, name: str) -> list[str]:
        """Returns a query value of each request, in the order of arrival."""
        return [seen.value(name) for seen in self.seen]

    def wait_for(self, count: int) -> None:
        end = time.monotonic() + PATIENCE
        while len(self.seen) < count:
            assert time.monotonic() < end, f"{len(self.seen)} requests, not {count}"
            time.sleep(0.005)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def do_GET(self) -> None:
        split = urllib.parse.urlsplit(self.path)
        seen = SeenRequest(split.path, urllib.parse.parse_qs(split.query), time.monotonic())
        with self.server.lock:
            self.server.seen.append(seen)
            self.server.open += 1
            self.server.most = max(self.server.most, self.server.open)
            self.server.lock.notify_all()
            self.server.lock.wait_for(lambda: self.server.most >= self.server.together, PATIENCE)
        reply = self.server.answer(seen)
        time.sleep(reply.after)
        if reply.status == 0:
            # A connection that is readable but has no data was closed by the client.
            if select.select([self.connection], [], [], 2 * PATIENCE)[0] and self.connection.recv(1) == b"":
                self.server.hung_up.release()
            self.close_connection = True
            return
        with self.server.lock:
            self.server.open -= 1
        body = json.dumps(reply.body).encode()
        self.send_response(reply.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        seen.ended = time.monotonic()

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing."""


@contextlib.contextmanager
def serve(answer: Callable[[SeenRequest], Reply], together: int = 1) -> Iterator[Service]:
    """Runs a service that responds only after `together` requests are in flight, so that tests do not depend on timing."""
    with Service(answer, together) as service:
        thread = threading.Thread(target=service.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield service
        finally:
            service.shutdown()
            thread.join()


def steps(date: datetime.date) -> int:
    """Returns the steps of a day. Each day has a different number."""
    return 1000 + date.timetuple().tm_yday


def days(seen: SeenRequest) -> Reply:
    """Returns every requested day with its steps."""
    first, last = day(seen.value("from_date")), day(seen.value("to_date"))
    dates = [first + n * DAY for n in range((last - first).days + 1)]
    buckets = [{"date": date.isoformat(), "values": {"steps": steps(date)}} for date in dates]
    return Reply({"from_date": first.isoformat(), "to_date": last.isoformat(), "statistics": buckets})


def fail_parts(*firsts: str, status: int = 404) -> Callable[[SeenRequest], Reply]:
    """Responds like `days`, but fails for parts that begin on these days."""

    def answer(seen: SeenRequest) -> Reply:
        if seen.value("from_date") in firsts:
            return Reply({"title": CANARY, "detail": CANARY, "status": status}, status)
        return days(seen)

    return answer


def reports(seen: SeenRequest) -> Reply:
    """Returns a lab report at each bound of a part, so that adjacent parts share a report."""
    ends = [seen.value("from_timestamp"), seen.value("to_timestamp")]
    return Reply([{"record_id": f"r-{end}", "report_status": "completed", "status": "completed", "sections": []} for end in ends])


def client(service: Service) -> vitalwire.Client:
    return vitalwire.Client(service.url, token="token-0", allow_plain_http=True, proxy="none", max_retries=0)


def async_client(service: Service) -> vitalwire.AsyncClient:
    return vitalwire.AsyncClient(service.url, token="token-0", allow_plain_http=True, proxy="none", max_retries=0)


NINE = (day("2025-03-01"), day("2025-03-09"), ["steps"])
DATES = [f"2025-03-{n:02}" for n in range(1, 10)]
#: Steps of the nine days. 1 March 2025 is day 60 of the year.
STEPS = [1060.0, 1061.0, 1062.0, 1063.0, 1064.0, 1065.0, 1066.0, 1067.0, 1068.0]


def steps_by_day(answer: vitalwire.DailyStatistics) -> list[tuple[str, float]]:
    return [(str(bucket.date), bucket.values["steps"]) for bucket in answer.statistics if bucket.values is not None]


def test_parts_are_returned_in_order_within_the_concurrency_limit() -> None:
    def slow_first(seen: SeenRequest) -> Reply:
        # The first part is the slowest, so later parts complete before it.
        return dataclasses.replace(days(seen), after=0.15 if seen.value("from_date") == "2025-03-01" else 0.03)

    with serve(slow_first, together=2) as service:
        parts = list(client(service).statistics.daily_range(*NINE, part_length=2 * DAY, concurrency=2))
        assert [part.index for part in parts] == [0, 1, 2, 3, 4]
        assert [part.range for part in parts] == [
            (day("2025-03-01"), day("2025-03-02")),
            (day("2025-03-03"), day("2025-03-04")),
            (day("2025-03-05"), day("2025-03-06")),
            (day("2025-03-07"), day("2025-03-08")),
            (day("2025-03-09"), day("2025-03-09")),
        ]
        assert [steps_by_day(part.response) for part in parts][4] == [("2025-03-09", 1068.0)]
        assert sum((steps_by_day(part.response) for part in parts), []) == list(zip(DATES, STEPS))
        assert [(part.failure, part.duplicates) for part in parts] == [(None, 0)] * 5
        assert parts[0].response.response is not None and parts[0].response.response.status == 200
        assert service.most == 2
        assert sorted(service.query_values("from_date")) == ["2025-03-01", "2025-03-03", "2025-03-05", "2025-03-07", "2025-03-09"]
        first = min(service.seen, key=lambda seen: seen.value("from_date"))
        assert first.query == {"from_date": ["2025-03-01"], "to_date": ["2025-03-02"], "types": ["steps"]}


def test_requests_are_sent_when_parts_are_read_and_again_for_each_reading() -> None:
    with serve(days) as service:
        range_call = client(service).statistics.daily_range(*NINE, part_length="3d")
        parts = iter(range_call)
        time.sleep(0.1)
        assert service.seen == []
        assert len(list(parts)) == 3 and list(parts) == []
        assert len(range_call.collect().parts) == 3
        assert len(service.seen) == 6


def test_a_range_without_a_part_length_makes_one_call() -> None:
    with serve(days) as service:
        merged = client(service).statistics.daily_range(*NINE).collect()
        assert steps_by_day(merged.response) == list(zip(DATES, STEPS))
        assert [(part.index, part.range, part.rows) for part in merged.parts] == [(0, NINE[:2], slice(0, 9))]
        assert len(service.seen) == 1


def test_a_range_is_collected_into_one_response() -> None:
    with serve(days) as service:
        merged = client(service).statistics.daily_range(*NINE, part_length=datetime.timedelta(hours=96)).collect()
        assert steps_by_day(merged.response) == list(zip(DATES, STEPS))
        assert (merged.response.from_date, merged.response.to_date) == NINE[:2]
        assert [(part.index, part.rows) for part in merged.parts] == [(0, slice(0, 4)), (1, slice(4, 8)), (2, slice(8, 9))]
        assert merged.response.statistics[merged.parts[2].rows][0].date == day("2025-03-09")
        assert (merged.duplicates, merged.failures, merged.resume_token) == (0, (), None)
        assert repr(merged) == "MergedRange(parts=3, duplicates=0, failures=0)"


def test_a_merged_response_knows_which_values_were_requested() -> None:
    with serve(days) as service:
        range_call = client(service).statistics.daily_range(day("2025-03-01"), day("2025-03-04"), ["heartrate", "steps"], part_length="2d")
        merged = range_call.collect()
        # As in a single call, a requested statistic is a column even if no day has a value.
        columns = merged.response.table().columns
        assert columns == range_call.table().columns and {"heartrate", "steps"} <= set(columns)
        assert merged.response.response is None


def test_items_of_two_parts_are_returned_once() -> None:
    bounds = (datetime.datetime(2025, 3, 1, tzinfo=UTC), datetime.datetime(2025, 3, 3, tzinfo=UTC))
    with serve(reports) as service:
        range_call = client(service).lab_reports.list_range(*bounds, part_length="1d")
        merged = range_call.collect()
        assert [report.record_id for report in merged.response] == [
            "r-2025-03-01T00:00:00Z",
            "r-2025-03-02T00:00:00Z",
            "r-2025-03-03T00:00:00Z",
        ]
        assert (merged.duplicates, [part.rows for part in merged.parts]) == (1, [slice(0, 2), slice(2, 3)])
        middle = datetime.datetime(2025, 3, 2, tzinfo=UTC)
        assert [(part.range, part.duplicates) for part in range_call] == [((bounds[0], middle), 0), ((middle, bounds[1]), 1)]
        # Instants may have any time zone. A naive datetime is rejected.
        berlin = datetime.timezone(datetime.timedelta(hours=1))
        local = client(service).lab_reports.list_range(bounds[0].astimezone(berlin), bounds[1], part_length="6h", concurrency=1)
        assert len(list(local)) == 8 and service.seen[-1].value("from_timestamp") == "2025-03-02T18:00:00Z"
        with pytest.raises(vitalwire.InvalidArgumentError) as raised:
            client(service).lab_reports.list_range(datetime.datetime(2025, 3, 1), bounds[1])
        assert raised.value.argument == "from_timestamp"


def test_rows_of_two_parts_are_returned_once_without_their_key_column() -> None:
    def hours(seen: SeenRequest) -> Reply:
        """Returns a bucket at each bound of a part, so that adjacent parts share a bucket."""
        ends = [seen.value("from_timestamp"), seen.value("to_timestamp")]
        return Reply({"statistics": [{"from_timestamp": end, "values": {"steps": int(end[8:10])}} for end in ends]})

    bounds = (datetime.datetime(2025, 3, 1, tzinfo=UTC), datetime.datetime(2025, 3, 4, tzinfo=UTC))
    with serve(hours) as service:
        range_call = client(service).statistics.interval_range(*bounds, ["steps"], part_length="1d")
        merged = range_call.collect_table(columns=["steps"])
        assert (merged.response.to_dict(), merged.duplicates) == ({"steps": [1, 2, 3, 4]}, 2)
        assert range_call.to_pandas(columns=["steps"])["steps"].tolist() == [1, 2, 3, 4]


def test_a_failed_part_ends_the_range_and_can_be_resumed() -> None:
    with serve(fail_parts("2025-03-05")) as service:
        range_call = client(service).statistics.daily_range(*NINE, part_length=2 * DAY, concurrency=1)
        seen = []
        with pytest.raises(vitalwire.NotFoundError) as raised:
            for part in range_call:
                seen.append(part.index)
        assert seen == [0, 1]
        token = raised.value.resume_token
        assert token is not None and (token.operation, token.parts_left, token.range) == ("daily_statistics", 3, NINE[:2])
        # After the failed part, no further part was requested.
        assert service.query_values("from_date") == ["2025-03-01", "2025-03-03", "2025-03-05"]
        assert raised.value.partial_result is None
        with pytest.raises(vitalwire.NotFoundError) as collected:
            range_call.collect()
        partial_result = collected.value.partial_result
        assert partial_result is not None and steps_by_day(partial_result.response) == list(zip(DATES, STEPS))[:4]
        assert collected.value.resume_token == token == partial_result.resume_token
        with pytest.raises(vitalwire.NotFoundError) as tabled:
            range_call.table()
        assert tabled.value.partial_result is not None and len(tabled.value.partial_result.response) == 4 and tabled.value.resume_token == token
        text = "".join(traceback.format_exception(raised.value)) + repr(raised.value) + repr(token)
        assert CANARY not in text and "2025-" not in repr(token)
    # Simulates another process, a month later: only the text of the token was stored, and the client is new.
    with serve(days) as service:
        later = client(service).statistics.daily_range(*NINE, resume=str(token), concurrency=1)
        assert [(part.index, steps_by_day(part.response)) for part in later] == [
            (2, [("2025-03-05", 1064.0), ("2025-03-06", 1065.0)]),
            (3, [("2025-03-07", 1066.0), ("2025-03-08", 1067.0)]),
            (4, [("2025-03-09", 1068.0)]),
        ]
        assert service.query_values("from_date") == ["2025-03-05", "2025-03-07", "2025-03-09"]
        # A token is rejected by a call with other arguments.
        with pytest.raises(vitalwire.InvalidArgumentError) as refused:
            client(service).statistics.daily_range(NINE[0], NINE[1], ["calories"], resume=token)
        assert refused.value.argument == "resume"


def test_a_token_is_bound_to_a_person() -> None:
    with serve(fail_parts("2025-03-05")) as service:
        person = client(service).statistics
        with pytest.raises(vitalwire.NotFoundError) as raised:
            person.daily_range(*NINE, part_length=2 * DAY, resume_key="person-1").collect()
        token = raised.value.resume_token
        assert token is not None and "person" not in str(token)
        person.daily_range(*NINE, resume=str(token), resume_key="person-1")
        for key in ("person-2", None):
            with pytest.raises(vitalwire.InvalidArgumentError) as refused:
                person.daily_range(*NINE, resume=token, resume_key=key)
            assert refused.value.argument == "resume" and "resume key" in str(refused.value)


def test_collected_failures_can_be_read_again() -> None:
    with serve(fail_parts("2025-03-03", "2025-03-09", status=422)) as service:
        range_call = client(service).statistics.daily_range(*NINE, part_length=2 * DAY, on_error="collect")
        parts = list(range_call)
        assert [part.failure is not None for part in parts] == [False, True, False, False, True]
        assert isinstance(parts[1].failure, vitalwire.InvalidRequestError) and parts[1].range == (day("2025-03-03"), day("2025-03-04"))
        with pytest.raises(vitalwire.InvalidRequestError) as raised:
            parts[1].response.statistics
        assert raised.value is parts[1].failure
        merged = range_call.collect()
        assert [(part.index, part.failure and part.failure.status) for part in merged.failures] == [(1, 422), (4, 422)]
        assert [part.index for part in merged.parts] == [0, 2, 3]
        assert merged.resume_token is not None and merged.resume_token.parts_left == 2
        with pytest.warns(RuntimeWarning, match="2 parts of the range failed"):
            assert len(range_call.table()) == 6
        tabled = range_call.collect_table()
        assert (len(tabled.response), len(tabled.failures), tabled.resume_token) == (6, 2, merged.resume_token)
        assert CANARY not in repr(parts) + repr(merged)
    with serve(days) as service:
        later = client(service).statistics.daily_range(*NINE, resume=merged.resume_token, on_error="collect").collect()
        assert [part.index for part in later.parts] == [1, 4]
        assert sorted(service.query_values("to_date")) == ["2025-03-04", "2025-03-09"]
        whole = merged.merge(later)
        assert [part.index for part in whole.parts] == [0, 1, 2, 3, 4] and not whole.failures and whole.resume_token is None
        assert [part.rows for part in whole.parts[:2]] == [slice(0, 2), slice(2, 4)]
        assert [bucket.date and bucket.date.day for bucket in whole.response.statistics] == list(range(1, 10))
        # `merge` does not change the ranges that it merges.
        assert len(merged.response.statistics) == 6 and len(merged.failures) == 2
        table = client(service).statistics.daily_range(*NINE, resume=merged.resume_token).collect_table()
        assert len(tabled.merge(table).response) == 9
        for other in client(service).statistics.daily_range(*NINE, part_length=DAY).collect(), tabled:
            with pytest.raises(vitalwire.InvalidArgumentError) as foreign:
                merged.merge(other)  # type: ignore[arg-type]
            assert foreign.value.argument == "later"
    with serve(lambda _: Reply(None, 403)) as service:
        with pytest.raises(vitalwire.PermissionError) as every:
            client(service).statistics.daily_range(*NINE, part_length=2 * DAY, on_error="collect").collect()
        assert every.value.resume_token is not None and every.value.resume_token.parts_left == 5


def test_a_resume_token_has_a_text_and_fields() -> None:
    with serve(fail_parts("2025-03-07")) as service:
        with pytest.raises(vitalwire.NotFoundError) as raised:
            client(service).statistics.daily_range(*NINE, part_length="2d").collect()
    token = raised.value.resume_token
    assert token is not None
    assert vitalwire.ResumeToken.parse(str(token)) == token and hash(vitalwire.ResumeToken.parse(str(token))) == hash(token)
    assert pickle.loads(pickle.dumps(token)) == token == copy.deepcopy(token) and token != str(token)
    assert repr(token) == "ResumeToken(operation='daily_statistics', parts_left=2)"
    # A pickled error keeps its token, but not the parts read so far.
    copied = pickle.loads(pickle.dumps(raised.value))
    assert (copied.resume_token, copied.partial_result, copied.status) == (token, None, 404)
    for text in ["", "vwr2/", str(token) + "0", f"nothing {CANARY}"]:
        with pytest.raises(vitalwire.InvalidArgumentError) as refused:
            vitalwire.ResumeToken.parse(text)
        assert refused.value.argument == "text" and CANARY not in str(refused.value)


def test_a_range_is_a_table() -> None:
    with serve(days) as service:
        range_call = client(service).statistics.daily_range(*NINE, part_length=4 * DAY)
        table = range_call.table("daily_statistics")
        assert (table.name, len(table)) == ("daily_statistics", 9)
        assert range_call.to_dict()["steps"] == STEPS and range_call.to_dict()["date"] == [day(date) for date in DATES]
        assert range_call.to_pandas()["steps"].tolist() == STEPS
        assert range_call.to_polars()["steps"].to_list() == STEPS
        assert range_call.to_arrow()["steps"].to_pylist() == STEPS
        import duckdb
        import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

        assert pyarrow.table(range_call)["steps"].to_pylist() == STEPS
        relation = duckdb.sql("select sum(steps) from range_call")
        assert relation is not None and relation.fetchall() == [(sum(STEPS),)]
        with pytest.raises(vitalwire.InvalidArgumentError) as raised:
            range_call.table("sleep_stages")
        assert raised.value.argument == "name"


def test_invalid_ranges_are_rejected_before_any_request() -> None:
    first, last, types = NINE
    start, end = datetime.datetime(2000, 1, 1, tzinfo=UTC), datetime.datetime(2025, 1, 1, tzinfo=UTC)
    with serve(days) as service:
        on, lists = client(service).statistics, client(service).lab_reports
        refused: list[tuple[Callable[[], object], str]] = [
            (lambda: on.daily_range(*NINE, part_length=0 * DAY), "part_length"),
            (lambda: on.daily_range(*NINE, part_length=-DAY), "part_length"),
            (lambda: on.daily_range(*NINE, part_length=datetime.timedelta(hours=36)), "part_length"),
            (lambda: on.daily_range(*NINE, part_length="24h"), "part_length"),
            (lambda: on.daily_range(*NINE, part_length="a week"), "part_length"),
            (lambda: lists.list_range(start, end, part_length=datetime.timedelta(minutes=90)), "part_length"),
            (lambda: lists.list_range(start, end, part_length="1h"), "part_length"),
            (lambda: lists.list_range(None, end, part_length="1d"), "from_timestamp"),
            (lambda: lists.list_range(start, None, part_length="1d"), "to_timestamp"),
            (lambda: lists.list_range(end, start, part_length="1d"), "to_timestamp"),
            (lambda: on.daily_range(last, first, types, part_length=DAY), "to_date"),
            (lambda: on.daily_range(*NINE, concurrency=0), "concurrency"),
            (lambda: on.daily_range(*NINE, concurrency=-1), "concurrency"),
            (lambda: on.daily_range(*NINE, concurrency=10**30), "concurrency"),
            (lambda: on.daily_range(*NINE, on_error="skip"), "on_error"),  # type: ignore[arg-type]
            (lambda: on.daily_range(*NINE, resume=CANARY), "resume"),
            (lambda: on.daily_range(start, end, types), "from_date"),
        ]
        for call, argument in refused:
            with pytest.raises(vitalwire.InvalidArgumentError) as raised:
                call()
            assert raised.value.argument == argument and isinstance(raised.value, ValueError)
            assert CANARY not in str(raised.value)
        wrong: list[Callable[[], object]] = [
            lambda: on.daily_range(*NINE, part_length=30),  # type: ignore[arg-type]
            lambda: on.daily_range(*NINE, resume=3),  # type: ignore[arg-type]
            lambda: on.daily_range(*NINE, progress="yes"),  # type: ignore[arg-type]
            lambda: on.daily_range(*NINE, concurrency="4"),  # type: ignore[arg-type]
            lambda: on.daily_range(*NINE, concurrency=True),
        ]
        for call in wrong:
            with pytest.raises(TypeError):
                call()
        assert service.seen == []


def test_leaving_a_loop_early_closes_the_connections_of_parts_in_flight() -> None:
    def first_only(seen: SeenRequest) -> Reply:
        return days(seen) if seen.value("from_date") == "2025-03-01" else Reply(None, 0)

    with serve(first_only) as service:
        range_call = client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=3)
        for part in range_call:
            service.wait_for(3)
            assert part.index == 0
            break
        assert service.hung_up.acquire(timeout=PATIENCE) and service.hung_up.acquire(timeout=PATIENCE)
        # Closing the iterator explicitly has the same effect as leaving the loop.
        with iter(range_call) as parts:
            next(parts)
            service.wait_for(6)
        assert service.hung_up.acquire(timeout=PATIENCE) and service.hung_up.acquire(timeout=PATIENCE)
        assert parts.resume_token is not None and parts.resume_token.parts_left == 8
        assert list(parts) == [] and len(service.seen) == 6


def test_closing_aborts_a_part_that_another_thread_reads() -> None:
    def respond_to_first_day_only(seen: SeenRequest) -> Reply:
        return days(seen) if seen.value("from_date") == "2025-03-01" else Reply(None, 0)

    def close(parts: vitalwire.RangeParts[vitalwire.RangePart[vitalwire.DailyStatistics, datetime.date]]) -> None:
        parts.close()

    def leave(parts: vitalwire.RangeParts[vitalwire.RangePart[vitalwire.DailyStatistics, datetime.date]]) -> None:
        with parts:
            pass

    with serve(respond_to_first_day_only) as service:
        range_call = client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=3)
        for round, ending in enumerate((close, leave), start=1):
            parts = iter(range_call)
            assert next(parts).index == 0
            ended: list[BaseException] = []

            def read_on() -> None:
                try:
                    next(parts)
                except BaseException as error:
                    ended.append(error)

            reading = threading.Thread(target=read_on, daemon=True)
            reading.start()
            # The first read started three parts. Reading the second part starts the fourth.
            service.wait_for(4 * round)
            ending(parts)
            assert all(service.hung_up.acquire(timeout=PATIENCE) for _ in range(3))
            reading.join(PATIENCE)
            (error,) = ended
            # The error must not be `StopIteration`, because a `for` loop would end without an error.
            assert isinstance(error, vitalwire.CancelledError) and "closed" in str(error)
            assert error.resume_token is not None and error.resume_token.parts_left == 8
            assert list(parts) == [] and parts.resume_token == error.resume_token


def test_closing_aborts_a_part_that_another_task_reads() -> None:
    def respond_to_first_day_only(seen: SeenRequest) -> Reply:
        return days(seen) if seen.value("from_date") == "2025-03-01" else Reply(None, 0)

    async def main() -> None:
        with serve(respond_to_first_day_only) as service:
            loop = asyncio.get_running_loop()
            range_call = async_client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=3)

            async def closed(connections: int, within: float = PATIENCE) -> bool:
                return all([await loop.run_in_executor(None, service.hung_up.acquire, True, within) for _ in range(connections)])

            for by_hand in (True, False):
                parts = aiter(range_call)
                before = len(service.seen)
                assert (await anext(parts)).index == 0
                reading = asyncio.ensure_future(anext(parts))
                await loop.run_in_executor(None, service.wait_for, before + 4)
                if by_hand:
                    await parts.aclose()
                else:
                    async with contextlib.aclosing(parts):
                        pass
                assert await closed(3)
                with pytest.raises(vitalwire.CancelledError) as raised:
                    await asyncio.wait_for(reading, PATIENCE)
                assert raised.value.resume_token is not None and raised.value.resume_token.parts_left == 8
                assert [part async for part in parts] == [] and parts.resume_token == raised.value.resume_token
            # `aclose()` of an iterator works on a closed client, and does nothing until it is awaited.
            other = async_client(service)
            parts = aiter(other.statistics.daily_range(*NINE, part_length=DAY, concurrency=3))
            assert (await anext(parts)).index == 0
            closing = parts.aclose()
            await other.aclose()
            assert parts.resume_token is not None and not await closed(1, within=0.25)
            await closing
            assert await closed(1)

    asyncio.run(main())


def test_a_cancel_token_cancels_a_range_from_another_thread() -> None:
    with serve(lambda _: Reply(None, 0)) as service:
        cancel = vitalwire.CancelToken()
        range_call = client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=3, cancel=cancel)

        def cancel_when_sent() -> None:
            service.wait_for(3)
            cancel.cancel()

        canceller = threading.Thread(target=cancel_when_sent)
        canceller.start()
        with pytest.raises(vitalwire.CancelledError):
            range_call.collect()
        canceller.join()
        assert all(service.hung_up.acquire(timeout=PATIENCE) for _ in range(3)) and len(service.seen) == 3
        parts = iter(range_call)
        with pytest.raises(vitalwire.CancelledError):
            next(parts)
        assert parts.resume_token is not None and parts.resume_token.parts_left == 9


def test_parts_do_not_time_out_while_the_reader_is_slow() -> None:
    with serve(lambda seen: dataclasses.replace(days(seen), after=0.1)) as service:
        range_call = client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=3, timeout=2)
        for part in range_call:
            if part.index == 0:
                # Sleeps for longer than the timeout of the parts in flight.
                time.sleep(2.3)
                assert len(service.seen) == 3 and all(seen.ended for seen in service.seen)
        assert part.index == 8


def test_progress_is_reported_after_each_part() -> None:
    with serve(fail_parts("2025-03-03")) as service:
        progress_reports: list[vitalwire.RangeProgress] = []
        range_call = client(service).statistics.daily_range(*NINE, part_length=2 * DAY, on_error="collect", progress=progress_reports.append)
        expected = [(1, 5, 2), (2, 5, 2), (3, 5, 4), (4, 5, 6), (5, 5, 7)]
        for read_it in (range_call.collect, range_call.collect_table, lambda: list(range_call)):
            progress_reports.clear()
            read_it()
            assert [(progress.done, progress.total, progress.items) for progress in progress_reports] == expected
        assert repr(progress_reports[0]) == "RangeProgress(done=1, total=5, items=2)" and progress_reports[0] != progress_reports[1]


def test_an_exception_of_a_progress_callback_ends_the_range() -> None:
    def stop(progress: vitalwire.RangeProgress) -> None:
        if progress.done == 2:
            raise KeyError(CANARY)

    def interrupt(progress: vitalwire.RangeProgress) -> None:
        raise KeyboardInterrupt

    def respond_to_first_three(seen: SeenRequest) -> Reply:
        return days(seen) if seen.value("from_date") < "2025-03-04" else Reply(None, 0)

    # Four parts are in flight. Three of them complete, and one does not.
    with serve(respond_to_first_three, together=4) as service:
        range_call = client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=4, progress=stop)
        with pytest.raises(vitalwire.CancelledError) as raised:
            range_call.collect()
        assert isinstance(raised.value.__cause__, KeyError) and raised.value.__cause__.__traceback__ is not None
        assert CANARY not in str(raised.value) and raised.value.partial_result is not None
        token = raised.value.resume_token
        assert token is not None and token.parts_left + len(raised.value.partial_result.parts) == 9
        assert service.hung_up.acquire(timeout=PATIENCE), "the requests in flight are cancelled"
        handed = []
        with pytest.raises(vitalwire.CancelledError) as iterated:
            for part in range_call:
                handed.append(part.index)
        assert handed == [0, 1] and isinstance(iterated.value.__cause__, KeyError)
        assert iterated.value.resume_token is not None and iterated.value.resume_token.parts_left == 7
        with pytest.raises(KeyboardInterrupt):
            client(service).statistics.daily_range(*NINE, part_length=DAY, progress=interrupt).collect()


def output_of(script: str, service: Service, *options: str, terminal: bool = False) -> tuple[str, str]:
    """Returns standard output and standard error of a program. `script` can use a client `on` and the arguments `nine` of a call."""
    begin = "import datetime, vitalwire; nine = (datetime.date(2025, 3, 1), datetime.date(2025, 3, 9), ['steps']); "
    begin += f"on = vitalwire.Client({service.url!r}, token='t', allow_plain_http=True, proxy='none')\n"
    command = [sys.executable, *options, "-c", begin + script]
    if not terminal:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        return ended.stdout, ended.stderr
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    # Sets 24 rows and 120 columns, because a bar is as wide as the terminal.
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        text = b""
        with contextlib.suppress(OSError):
            while piece := os.read(ours, 4096):
                text += piece
        os.close(ours)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0, text
    return out, text.decode()


COLLECT = "print(len(on.statistics.daily_range(*nine, part_length='3d', progress=True).table()))"
ITERATE = "print(len([part for part in on.statistics.daily_range(*nine, part_length='3d', progress=True)]))"
#: Simulates that tqdm is not installed.
WITHOUT = "import sys; sys.modules['tqdm'] = None; sys.modules['tqdm.auto'] = None\n"


def test_progress_in_a_log_consists_of_plain_lines() -> None:
    with serve(days) as service:
        for script, out in (COLLECT, "9\n"), (ITERATE, "3\n"):
            assert output_of(script, service) == (out, "daily_statistics: 3 of 3 parts, 9 items\n")
        # By default, nothing is printed. If standard error is missing, the range does not fail.
        assert output_of(COLLECT.replace("True", "False"), service) == ("9\n", "")
        assert output_of("import sys; sys.stderr = None\n" + COLLECT, service) == ("9\n", "")
        assert output_of("import sys; sys.stderr.close()\n" + ITERATE, service) == ("3\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_progress_in_a_terminal_is_a_bar() -> None:
    with serve(days) as service:
        out, text = output_of(WITHOUT + COLLECT, service, terminal=True)
        assert out == "9\n" and text.startswith("\rdaily_statistics: 1 of 3 parts, 3 items\x1b[K")
        assert text.endswith("\rdaily_statistics: 3 of 3 parts, 9 items\x1b[K\r\n")
        # If tqdm is installed, its bar is shown.
        for script in COLLECT, ITERATE:
            _, text = output_of(script, service, terminal=True)
            assert "daily_statistics: 100%|" in text and "3/3" in text and "items=9" in text


def test_the_async_client_reads_ranges() -> None:
    async def main() -> None:
        with serve(days, together=2) as service:
            range_call = async_client(service).statistics.daily_range(*NINE, part_length=2 * DAY, concurrency=2)
            parts = [(part.index, part.range, steps_by_day(part.response)) async for part in range_call]
            assert parts[4] == (4, (day("2025-03-09"), day("2025-03-09")), [("2025-03-09", 1068.0)])
            assert [index for index, _, _ in parts] == [0, 1, 2, 3, 4] and service.most == 2
            merged = await range_call.collect()
            assert steps_by_day(merged.response) == list(zip(DATES, STEPS)) and [part.rows for part in merged.parts][1] == slice(2, 4)
            table, frame = await asyncio.gather(range_call.table(), range_call.to_pandas())
            assert len(table) == 9 and frame["steps"].tolist() == STEPS
            assert (await range_call.to_dict())["steps"] == (await range_call.to_polars())["steps"].to_list() == STEPS
            assert (await range_call.to_arrow())["steps"].to_pylist() == STEPS
        with serve(fail_parts("2025-03-05")) as service:
            range_call = async_client(service).statistics.daily_range(*NINE, part_length=2 * DAY, concurrency=1)
            seen = []
            with pytest.raises(vitalwire.NotFoundError) as raised:
                async for part in range_call:
                    seen.append(part.index)
            assert seen == [0, 1] and raised.value.resume_token is not None and raised.value.resume_token.parts_left == 3
            with pytest.raises(vitalwire.NotFoundError) as collected:
                await range_call.collect()
            assert collected.value.partial_result is not None and collected.value.resume_token == raised.value.resume_token
            collecting = async_client(service).statistics.daily_range(*NINE, part_length=2 * DAY, on_error="collect")
            assert [part.failure is None async for part in collecting] == [True, True, False, True, True]

    asyncio.run(main())


def test_async_progress_is_reported_on_the_thread_of_the_event_loop() -> None:
    async def main() -> None:
        threads, progress_reports = set(), []

        def on_progress(progress: vitalwire.RangeProgress) -> None:
            threads.add(threading.get_ident())
            progress_reports.append((progress.done, progress.items))
            asyncio.get_running_loop()

        def stop(progress: vitalwire.RangeProgress) -> None:
            raise KeyError(CANARY)

        with serve(days) as service:
            statistics = async_client(service).statistics
            range_call = statistics.daily_range(*NINE, part_length="3d", progress=on_progress)
            assert len((await range_call.collect()).parts) == 3
            assert [part.index async for part in range_call] == [0, 1, 2]
            assert progress_reports == [(1, 3), (2, 6), (3, 9)] * 2 and threads == {threading.get_ident()}
            stopping = statistics.daily_range(*NINE, part_length="3d", progress=stop)
            with pytest.raises(vitalwire.CancelledError) as raised:
                await stopping.collect()
            assert isinstance(raised.value.__cause__, KeyError)
            with pytest.raises(vitalwire.CancelledError) as iterated:
                async for _ in stopping:
                    pass
            assert isinstance(iterated.value.__cause__, KeyError) and iterated.value.resume_token is not None

    asyncio.run(main())


def test_cancelling_a_range_closes_its_connections() -> None:
    def first_only(seen: SeenRequest) -> Reply:
        return days(seen) if seen.value("from_date") == "2025-03-01" else Reply(None, 0)

    async def main() -> None:
        with serve(first_only) as service:
            range_call = async_client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=3)
            loop = asyncio.get_running_loop()

            async def closed(count: int) -> bool:
                return all([await loop.run_in_executor(None, service.hung_up.acquire, True, PATIENCE) for _ in range(count)])

            async def timed_out(coming: Awaitable[object], requests: int) -> None:
                """Waits for this number of requests, then ends the call by a timeout."""
                reading = asyncio.ensure_future(coming)
                await loop.run_in_executor(None, service.wait_for, requests)
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(reading, 0.2)
                assert len(service.seen) == requests

            for progress in None, lambda _: None:
                collecting = async_client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=3, progress=progress)
                await timed_out(collecting.collect(), len(service.seen) + 4)
                assert await closed(3)
            # Cancels a read, but keeps the iterator.
            parts, before = aiter(range_call), len(service.seen)
            await anext(parts)
            await timed_out(anext(parts), before + 4)
            assert await closed(3)
            with pytest.raises(vitalwire.CancelledError) as raised:
                await anext(parts)
            assert raised.value.resume_token is not None and raised.value.resume_token.parts_left == 8
            assert parts.resume_token == raised.value.resume_token
            # Leaves the loop early.
            before = len(service.seen)
            async with contextlib.aclosing(aiter(range_call)) as leaving:
                async for part in leaving:
                    await loop.run_in_executor(None, service.wait_for, before + 3)
                    break
            assert part.index == 0 and await closed(2)

    asyncio.run(main())


def test_sync_and_async_callables_provide_tokens_for_parts() -> None:
    async def main() -> None:
        loops = set()

        async def token(reason: str) -> str:
            await asyncio.sleep(0.01)
            loops.add(asyncio.get_running_loop())
            return "token-1"

        with serve(days) as service:
            on = vitalwire.AsyncClient(service.url, token=token, allow_plain_http=True, proxy="none")
            range_call = on.statistics.daily_range(*NINE, part_length="2d")
            assert len((await range_call.collect()).parts) == 5 and len([part async for part in range_call]) == 5
            assert loops == {asyncio.get_running_loop()}

    asyncio.run(main())
    with serve(days) as service:
        on = vitalwire.Client(service.url, token=lambda reason: "token-1", allow_plain_http=True, proxy="none")
        assert len(on.statistics.daily_range(*NINE, part_length="2d").collect().parts) == 5


def test_concurrent_reads_of_one_iterator_are_rejected() -> None:
    async def main() -> None:
        with serve(lambda seen: dataclasses.replace(days(seen), after=0.1)) as service:
            parts = aiter(async_client(service).statistics.daily_range(*NINE, part_length="3d"))
            results = await asyncio.gather(anext(parts), anext(parts), return_exceptions=True)
            # Either of the two reads may come first. The other one is rejected.
            assert {type(result) for result in results} == {vitalwire.RangePart, vitalwire.ConfigurationError}
            assert [part.index async for part in parts] == [1, 2]

    asyncio.run(main())


def test_a_long_range_is_the_same_in_parts_and_in_one_call(service: vitalwire.Sandbox) -> None:
    on = service.client()
    first, last = day("2025-08-01"), day("2025-11-20")
    whole = on.statistics.daily(first, last, ["steps", "heartrate"])
    merged = on.statistics.daily_range(first, last, ["steps", "heartrate"], part_length="7d").collect()
    assert merged.response.to_dict() == whole.to_dict() and len(merged.response.statistics) > 90 and len(merged.parts) == 16
    start, end = datetime.datetime(2025, 11, 1, tzinfo=UTC), datetime.datetime(2025, 11, 20, tzinfo=UTC)
    hours = on.statistics.interval(start, end, ["steps", "heartrate"])
    range_call = on.statistics.interval_range(start, end, ["steps", "heartrate"], part_length=datetime.timedelta(hours=30))
    merged_hours = range_call.collect()
    assert merged_hours.response.to_dict() == hours.to_dict() and len(hours.statistics) > 100 and len(merged_hours.parts) == 16
    assert len(range_call.table()) == len(hours.statistics)


FORK = """
import os
nine = on.statistics.daily_range(*nine, part_length='3d')
parts = iter(nine)
next(parts)
child = os.fork()
if child == 0:
    try:
        next(parts)
    except vitalwire.ConfigurationError:
        # The range itself is read anew.
        os._exit(7 if len(list(nine)) == 3 else 1)
    os._exit(2)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(list(parts)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_parts_cannot_be_read_in_another_process() -> None:
    with serve(days) as service:
        assert output_of(FORK, service, "-W", "ignore") == ("7 2\n", "")


def test_warnings_about_missing_parts_can_be_errors() -> None:
    with serve(fail_parts("2025-03-01")) as service:
        range_call = client(service).statistics.daily_range(*NINE, part_length=DAY, on_error="collect")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(RuntimeWarning, match="1 part of the range failed"):
                range_call.table()


@pytest.mark.parametrize("convert", [pandas.DataFrame, numpy.asarray])
def test_a_range_is_no_array_of_parts(convert: Callable[[object], object]) -> None:
    with serve(days) as service:
        for read in (client(service).statistics.daily_range(*NINE), client(service).sleeps.between(*NINE[:2])):
            with pytest.raises(TypeError, match=r"^a range has no array of rows; use to_pandas\(\) or table\(\)$"):
                convert(read)
        assert not service.seen
        frame = polars.DataFrame(client(service).statistics.daily_range(*NINE))
        assert frame["steps"].to_list() == STEPS
