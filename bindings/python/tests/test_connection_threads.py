"""Tests which threads drive connections: the caller of a single sync call, a background thread between calls, and threads for ranges."""

from __future__ import annotations

import concurrent.futures
import datetime
import json
import os
import socket
import threading
import time
import typing

import pytest
from serving import PATIENCE, Reply, Request, Service, SilentService

import vitalwire

NIGHT = datetime.datetime(2025, 11, 3, tzinfo=datetime.timezone.utc)


def client_for(service: Service | SilentService, token: typing.Any = "t") -> vitalwire.Client:
    return vitalwire.Client(service.url, token=token, proxy="none", timeout=PATIENCE)


def range_of_days(client: vitalwire.Client, days: int) -> vitalwire.RangeCall[typing.Any, typing.Any]:
    """Creates a range call with a part per day."""
    day = datetime.timedelta(days=1)
    return client.nutrition_records.list_range(from_timestamp=NIGHT, to_timestamp=NIGHT + days * day, part_length=day, concurrency=2)


def send_empty_list(connection: socket.socket) -> None:
    """Reads one request without a body and sends an empty list."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(4096)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]")


def count_attempts(client: vitalwire.Client) -> int:
    """Makes a call and returns its number of attempts."""
    response = client.nutrition_records.list().response
    assert response is not None
    return response.attempts


def test_an_idle_connection_is_closed_as_soon_as_the_service_closes_it() -> None:
    def serve() -> socket.socket:
        connection = service.accept()
        send_empty_list(connection)
        return connection

    with SilentService() as service, concurrent.futures.ThreadPoolExecutor(1) as pool, client_for(service) as client:
        for _ in range(3):
            served = pool.submit(serve)
            assert count_attempts(client) == 1
            connection = served.result()
            connection.shutdown(socket.SHUT_WR)
            SilentService.await_end(connection)


def test_a_connection_closed_just_before_a_call_is_not_reused() -> None:
    def serve() -> None:
        with service.accept() as connection:
            send_empty_list(connection)

    with SilentService() as service, concurrent.futures.ThreadPoolExecutor(1) as pool, client_for(service) as client:
        for _ in range(50):
            served = pool.submit(serve)
            assert count_attempts(client) == 1
            served.result()


def test_calls_and_ranges_proceed_while_another_call_waits() -> None:
    came, go_on = threading.Event(), threading.Event()

    def handler(request: Request) -> Reply:
        if "lab" in request.target:
            came.set()
            assert go_on.wait(PATIENCE)
        return Reply()

    with Service(handler) as service, concurrent.futures.ThreadPoolExecutor(1) as pool, client_for(service) as client:
        # The calls below reuse the connection of this call.
        assert len(client.nutrition_records.list()) == 0
        waiting = pool.submit(client.lab_reports.list)
        assert came.wait(PATIENCE)
        for _ in range(10):
            assert len(client.nutrition_records.list()) == 0
        assert [part.index for part in range_of_days(client, 4)] == [0, 1, 2, 3]
        assert not waiting.done()
        go_on.set()
        assert len(waiting.result(PATIENCE)) == 0
        assert len(range_of_days(client, 4).collect().parts) == 4
    assert len(service.requests) == 1 + 1 + 10 + 4 + 4


def test_parts_of_a_range_get_their_token_from_a_callable() -> None:
    asked: list[str] = []

    def token(reason: str) -> str:
        asked.append(reason)
        # A token callable may make calls of another client.
        return "good" if len(other.nutrition_records.list()) == 0 else "bad"

    with Service() as issuer, Service() as service, client_for(issuer) as other, client_for(service, token) as client:
        assert len(list(range_of_days(client, 3))) == 3
        assert asked == ["missing"] and service.tokens() == ["good"] * 3


def test_the_exception_of_a_token_callable_is_the_cause_of_a_failed_part() -> None:
    class Locked(Exception):
        pass

    def token(reason: str) -> str:
        raise Locked

    with Service() as service, client_for(service, token) as client:
        with pytest.raises(vitalwire.AuthenticationError) as caught:
            next(iter(range_of_days(client, 2)))
        assert isinstance(caught.value.__cause__, Locked)
    assert service.requests == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_call_whose_token_callable_forks_continues_only_in_the_parent() -> None:
    children: list[int] = []
    parent = os.getpid()

    def token(reason: str) -> str:
        children.append(os.fork())
        return "good"

    with Service() as service, client_for(service, token) as client, client_for(service) as other:
        # Creates the connection and its runtime before the fork.
        assert len(other.nutrition_records.list()) == 0
        outcome = 0
        try:
            client.nutrition_records.list()
        except BaseException as error:
            outcome = 1 if isinstance(error, vitalwire.InternalError) else 2
        finally:
            if os.getpid() != parent:
                # Calls in the child must get responses.
                os._exit(outcome + 10 * len(other.nutrition_records.list()))
        assert outcome == 0
        [child] = children
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
        assert len(client.nutrition_records.list()) == 0
        assert service.tokens().count("good") == 2


def test_small_calls_do_not_wait_for_a_large_response_of_another_thread() -> None:
    sent = threading.Event()
    # The list item is invalid, which the decoder detects only at the end of the body.
    body = json.dumps([{"filler": [1.5] * 600_000}]).encode()

    def handler(request: Request) -> Reply:
        sent.set()
        return Reply(body=body)

    def read() -> float:
        begin = time.perf_counter()
        with pytest.raises(vitalwire.DecodeError):
            large.nutrition_records.list(strict_lists=True)
        return time.perf_counter() - begin

    def share() -> float:
        """Returns the duration of the slowest small call, as a fraction of that of the large response."""
        sent.clear()
        longest = 0.0
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            reading = pool.submit(read)
            assert sent.wait(PATIENCE)
            while not reading.done():
                begin = time.perf_counter()
                assert len(small.nutrition_records.list()) == 0
                longest = max(longest, time.perf_counter() - begin)
        return longest / reading.result()

    with Service(handler) as heavy, Service() as light, client_for(heavy) as large, client_for(light) as small:
        # Opens the connection on the caller's thread.
        assert len(small.nutrition_records.list()) == 0
        # If small calls waited for the large response, all attempts would be slow. On a busy machine, single attempts may be slow.
        assert any(share() < 0.5 for _ in range(5))
