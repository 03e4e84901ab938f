"""Tests `AsyncClient` on asyncio and uvloop: coroutines, cancellation, successive event loops and warnings."""

from __future__ import annotations

import asyncio
import collections.abc
import contextlib
import gc
import inspect
import sys
import threading
import time
import traceback
import typing
import warnings

import pytest
import uvloop
import vitalwire
from serving import PATIENCE, Reply, Request, Service, SilentService

T = typing.TypeVar("T")
Main = typing.Coroutine[typing.Any, typing.Any, T]


class Run(typing.Protocol):
    """Runs a coroutine in its own event loop."""

    def __call__(self, main: Main[T], /) -> T: ...


def with_asyncio(main: Main[T], /) -> T:
    return asyncio.run(main)


def with_uvloop(main: Main[T], /) -> T:
    return uvloop.run(main)


@pytest.fixture(params=[with_asyncio, with_uvloop])
def run(request: pytest.FixtureRequest) -> Run:
    return typing.cast(Run, request.param)


def client_for(service: Service | SilentService, **settings: typing.Any) -> vitalwire.AsyncClient:
    return vitalwire.AsyncClient(service.url, token="t", **{"proxy": "none", **settings})


def test_both_clients_have_the_same_calls() -> None:
    groups, others = (
        [name for name in dir(client) if not name.startswith("_") and name not in ("close", "aclose", "from_env")]
        for client in (vitalwire.Client, vitalwire.AsyncClient)
    )
    assert "sleeps" in groups and groups == others
    plain, coming = vitalwire.Client("https://127.0.0.1:1"), vitalwire.AsyncClient("https://127.0.0.1:1")
    assert inspect.signature(plain.sync) == inspect.signature(coming.sync)
    for group in groups:
        if group == "sync":
            continue
        first, other = getattr(plain, group), getattr(coming, group)
        assert type(other).__name__ == f"Async{type(first).__name__}" and type(other) is getattr(vitalwire, type(other).__name__)
        names = [name for name in dir(first) if not name.startswith("_")]
        assert names and names == [name for name in dir(other) if not name.startswith("_")]
        for name in names:
            assert inspect.signature(getattr(first, name)) == inspect.signature(getattr(other, name))


def test_a_call_is_a_coroutine_that_starts_when_it_is_awaited(run: Run) -> None:
    async def main(service: Service) -> None:
        call = client_for(service).nutrition_records.list()
        assert asyncio.iscoroutine(call) and isinstance(call, collections.abc.Coroutine) and inspect.isawaitable(call)
        await asyncio.sleep(0.1)
        assert service.requests == [] and "not awaited" in repr(call)
        assert list(await call) == [] and len(service.requests) == 1
        for again in (call.send, call.__await__().send):
            with pytest.raises(RuntimeError, match="already awaited"):
                again(None)
        unused = client_for(service).nutrition_records.list()
        unused.close()
        with pytest.raises(RuntimeError, match="already awaited"):
            await unused
        assert len(service.requests) == 1

    with Service() as service:
        run(main(service))


def test_a_call_works_with_tasks_groups_and_timeouts(run: Run) -> None:
    async def main(service: Service) -> None:
        client = client_for(service)
        assert list(await asyncio.create_task(client.nutrition_records.list())) == []
        assert [list(records) for records in await asyncio.gather(*(client.nutrition_records.list() for _ in range(32)))] == [[]] * 32
        assert list(await asyncio.wait_for(client.nutrition_records.list(), 10)) == []
        if sys.version_info >= (3, 11):
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(client.nutrition_records.list()) for _ in range(4)]
            assert [list(task.result()) for task in tasks] == [[]] * 4
        assert len(service.requests) >= 34

    with Service() as service:
        run(main(service))


def test_errors_are_raised_where_the_call_is_awaited(run: Run) -> None:
    async def main(service: Service) -> vitalwire.VitalwireError:
        with pytest.raises(vitalwire.NotFoundError) as caught:
            await client_for(service).sleeps.get("00000000-0000-4000-8000-0000deadbeef")
        return caught.value

    with Service(lambda _: Reply(404, b"{}")) as service:
        error = run(main(service))
    assert (error.status, error.attempts, error.operation) == (404, 1, "get_sleep")
    assert "in main" in "".join(traceback.format_exception(error))


def test_a_task_without_references_completes(run: Run) -> None:
    async def main(service: Service) -> list[object]:
        responses: list[object] = []
        client = client_for(service)

        async def append_response() -> None:
            responses.append(await client.nutrition_records.list())

        for _ in range(8):
            asyncio.get_running_loop().create_task(append_response())
        end = time.monotonic() + PATIENCE
        while len(responses) < 8 and time.monotonic() < end:
            gc.collect()
            await asyncio.sleep(0.02)
        return responses

    with Service(lambda _: Reply(delay=0.2)) as service:
        assert len(run(main(service))) == 8


def test_cancelling_a_task_closes_its_connection(run: Run) -> None:
    async def main(silence: SilentService) -> None:
        call = asyncio.ensure_future(client_for(silence).user.info(timeout=60))
        assert "vitalwire.call" in repr(call)
        connection = await asyncio.to_thread(silence.accept)
        await asyncio.to_thread(connection.recv, 4096)
        call.cancel()
        # The connection must end long before the timeout of the call. The benchmark measures the delay in milliseconds.
        await asyncio.to_thread(silence.await_end, connection)
        with pytest.raises(asyncio.CancelledError):
            await call
        assert call.cancelled()

    with SilentService() as silence:
        run(main(silence))


def test_a_timeout_of_asyncio_aborts_the_call(run: Run) -> None:
    async def main(silence: SilentService) -> None:
        call = asyncio.ensure_future(client_for(silence).user.info(timeout=60))
        connection = await asyncio.to_thread(silence.accept)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(call, 0.2)
        await asyncio.to_thread(silence.await_end, connection)

    with SilentService() as silence:
        run(main(silence))


def test_the_timeout_of_a_call_is_a_timeout_error(run: Run) -> None:
    async def main(silence: SilentService) -> None:
        with pytest.raises(vitalwire.TimeoutError) as caught:
            await client_for(silence).user.info(timeout=0.2, max_retries=0)
        assert isinstance(caught.value, TimeoutError)

    with SilentService() as silence:
        run(main(silence))


def test_the_event_loop_runs_while_calls_wait(run: Run) -> None:
    beaten = threading.Event()
    heard: list[bool] = []

    async def main(service: Service) -> None:
        async def beat() -> None:
            while not service.requests:
                await asyncio.sleep(0.01)
            for _ in range(10):
                await asyncio.sleep(0.01)
            beaten.set()

        beating = asyncio.ensure_future(beat())
        await client_for(service).nutrition_records.list()
        await beating

    def respond(_: Request) -> Reply:
        heard.append(beaten.wait(PATIENCE))
        return Reply()

    with Service(respond) as service:
        run(main(service))
    assert heard == [True], "the loop stood still until there was a response"


def test_a_client_works_in_successive_event_loops(run: Run) -> None:
    with Service() as service:
        client = client_for(service)

        async def main() -> int:
            return len(await asyncio.gather(*(client.nutrition_records.list() for _ in range(8))))

        assert [run(main()) for _ in range(5)] == [8] * 5
        # Two event loops of one thread may alternate.
        with contextlib.closing(asyncio.new_event_loop()) as first, contextlib.closing(uvloop.new_event_loop()) as other:
            for _ in range(3):
                assert first.run_until_complete(main()) == 8 and other.run_until_complete(main()) == 8
        # Several threads may run event loops at the same time.
        counts: list[int] = []
        threads = [threading.Thread(target=lambda: counts.append(run(main()))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert counts == [8] * 8


def test_a_call_fails_outside_its_event_loop() -> None:
    with Service(lambda _: Reply(delay=0.2)) as service:
        client = client_for(service)
        call = client.nutrition_records.list()
        with pytest.raises(RuntimeError, match="no running event loop"):
            call.send(None)
        with pytest.raises(RuntimeError, match="already awaited"):
            call.send(None)

        async def first() -> typing.Any:
            call = client.nutrition_records.list()
            call.send(None)
            return call

        async def second(call: typing.Any) -> None:
            await call

        started = asyncio.run(first())
        with pytest.raises(RuntimeError):
            asyncio.run(second(started))


def test_a_closed_event_loop_prints_nothing(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    """Calls that are in flight when their event loop is closed end without output."""
    raised: list[threading.ExceptHookArgs] = []
    hook, threading.excepthook = threading.excepthook, raised.append
    try:
        with Service(lambda _: Reply(delay=0.3)) as service, warnings.catch_warnings():
            warnings.simplefilter("error")
            client = client_for(service)
            loop = asyncio.new_event_loop() if run is with_asyncio else uvloop.new_event_loop()

            async def start() -> typing.Any:
                call = client.nutrition_records.list()
                call.send(None)
                return call

            left = [loop.run_until_complete(start()) for _ in range(4)]
            deadline = time.monotonic() + PATIENCE
            while len(service.requests) < 4 and time.monotonic() < deadline:
                time.sleep(0.01)
            assert len(service.requests) == 4
            loop.close()
            time.sleep(0.6)
            with pytest.raises(RuntimeError, match="closed"):
                loop.call_soon(lambda: None)
            del left, loop
            gc.collect()
            # The client still works in another event loop.
            assert list(run(make_one_call(client))) == []
    finally:
        threading.excepthook = hook
    shown = capfd.readouterr()
    assert raised == [] and "loop" not in shown.err and shown.err == ""


async def make_one_call(client: vitalwire.AsyncClient) -> typing.Any:
    return await client.nutrition_records.list()


def test_a_call_that_is_never_awaited_emits_a_warning(run: Run) -> None:
    with SilentService() as silence, pytest.warns(RuntimeWarning, match="never awaited"):
        call = client_for(silence).user.info()
        del call
        gc.collect()


def test_a_dropped_call_closes_its_connection(run: Run) -> None:
    async def main(silence: SilentService) -> None:
        call = client_for(silence).user.info(timeout=60)
        call.send(None)
        connection = await asyncio.to_thread(silence.accept)
        del call
        gc.collect()
        await asyncio.to_thread(silence.await_end, connection)

    with SilentService() as silence:
        run(main(silence))


def test_throw_and_close_abort_a_call(run: Run) -> None:
    async def main(silence: SilentService) -> None:
        client = client_for(silence)
        for thrown in ((LookupError("x"),), (LookupError,), (LookupError, "x")):
            call: typing.Any = client.user.info(timeout=60)
            call.send(None)
            connection = await asyncio.to_thread(silence.accept)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                with pytest.raises(LookupError):
                    call.throw(*thrown)
            await asyncio.to_thread(silence.await_end, connection)
        call = client.user.info(timeout=60)
        call.send(None)
        connection = await asyncio.to_thread(silence.accept)
        call.close()
        await asyncio.to_thread(silence.await_end, connection)
        with pytest.raises(TypeError):
            client.user.info().throw(5)  # type: ignore[call-overload]

    with SilentService() as silence:
        run(main(silence))


def test_debug_mode_of_asyncio_reports_nothing(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    async def main(service: Service) -> None:
        asyncio.get_running_loop().set_debug(True)
        await asyncio.gather(*(client_for(service).nutrition_records.list() for _ in range(16)))

    def slow(request: Request) -> Reply:
        return Reply(delay=0.05)

    with Service(slow) as service:
        run(main(service))
    assert [record.getMessage() for record in caplog.records if "took" not in record.getMessage()] == []
