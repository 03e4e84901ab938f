"""Tests how every kind of call ends on both clients: cancelled, closed, dropped, or together with its event loop."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import gc
import subprocess
import sys
import threading
import time
import typing
import warnings
import weakref

import pytest
import uvloop
import vitalwire
from serving import PATIENCE, Reply, Request, Service, SilentService

DAYS = (datetime.date(2025, 3, 1), datetime.date(2025, 3, 9), ["steps"])
#: Stands for a secret, which must not be in any text.
CANARY = "canary-3f9c"
MEAL = b'{"record_id": "meal-1", "status": "completed", "uploaded_at": "2025-03-02T12:00:00Z", "modified_at": "2025-03-02T12:00:20Z"}'
NO_DAYS = b'{"from_date": "2025-03-01", "to_date": "2025-03-03", "statistics": []}'


def client_for(service: Service | SilentService, **settings: typing.Any) -> vitalwire.Client:
    return vitalwire.Client(service.url, **{"token": "t", "proxy": "none", "max_retries": 0, **settings})


def async_client_for(service: Service | SilentService, **settings: typing.Any) -> vitalwire.AsyncClient:
    return vitalwire.AsyncClient(service.url, **{"token": "t", "proxy": "none", "max_retries": 0, **settings})


class Witness:
    """An object to which a callable refers. Tests check when it is freed."""


def is_freed(witness: weakref.ref[Witness]) -> bool:
    gc.collect()
    return witness() is None


def respond(request: Request) -> Reply:
    if "statistics" in request.target:
        return Reply(body=NO_DAYS)
    return Reply(body=MEAL if request.method == "POST" or request.target.endswith("/meal-1") else b"[]")


#: Functions that create objects of all kinds that refer to a client.
HOLDERS: list[typing.Callable[[typing.Any], object]] = [
    lambda client: client,
    lambda client: client.nutrition_records,
    lambda client: (client.statistics, client.nutrition_records),
    lambda client: client.statistics.daily_range(*DAYS, part_length="3d"),
]


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_client_in_a_cycle_with_its_callable_is_collected(holder: typing.Callable[[typing.Any], object]) -> None:
    def use_and_release_client(service: Service, call: bool) -> weakref.ref[Witness]:
        class Owner(Witness):
            def __init__(self) -> None:
                # A bound method refers to its owner, which refers to the client.
                self.client = client_for(service, token=self.token, care_token=self.token)
                self.held = holder(self.client)
                self.parts = iter(self.client.statistics.daily_range(*DAYS, part_length="3d", progress=self.on_progress))

            def token(self, reason: str) -> str:
                return "t"

            def on_progress(self, progress: vitalwire.RangeProgress) -> None:
                pass

        owner = Owner()
        if call:
            assert len(owner.client.nutrition_records.list()) == 0
            next(owner.parts)
        return weakref.ref(owner)

    with Service(respond) as service:
        for call in (False, True):
            assert is_freed(use_and_release_client(service, call))


@pytest.mark.parametrize("holder", HOLDERS)
def test_an_async_client_in_a_cycle_with_its_callable_is_collected(holder: typing.Callable[[typing.Any], object]) -> None:
    async def use_and_release_client(service: Service) -> weakref.ref[Witness]:
        witness = Witness()

        async def token(reason: str) -> str:
            return "t" if held and witness else ""

        client = async_client_for(service, token=token)
        held = [holder(client)]
        assert len(await client.nutrition_records.list()) == 0
        parts = aiter(client.statistics.daily_range(*DAYS, part_length="3d", progress=lambda _: held.clear() if witness is None else None))
        await anext(parts)
        held.append(parts)
        return weakref.ref(witness)

    async def main(service: Service) -> None:
        witness = await use_and_release_client(service)
        await asyncio.sleep(0)
        assert is_freed(witness)

    with Service(respond) as service:
        asyncio.run(main(service))


def test_a_call_in_flight_keeps_its_callable_alive() -> None:
    """While the call is in flight, only the call refers to the client. Its first token is rejected, so that the callable runs again."""

    looked = threading.Event()

    def reject_first_token(request: Request) -> Reply:
        if request.headers["authorization"] != "Bearer t0":
            return Reply()
        looked.wait(PATIENCE)
        return Reply(401, b"{}")

    async def main(service: Service) -> None:
        reasons: list[str] = []

        class Owner(Witness):
            def __init__(self) -> None:
                self.client = async_client_for(service, token=self.token)

            async def token(self, reason: str) -> str:
                reasons.append(reason)
                return f"t{len(reasons) - 1}" if self.client else ""

        owner = Owner()
        witness: weakref.ref[Witness] = weakref.ref(owner)
        call = asyncio.ensure_future(owner.client.nutrition_records.list())
        del owner
        while not service.requests:
            await asyncio.sleep(0.01)
        assert not is_freed(witness)
        looked.set()
        assert len(await call) == 0 and reasons == ["missing", "rejected"]
        del call
        await asyncio.sleep(0)
        assert is_freed(witness)

    with Service(reject_first_token) as service:
        asyncio.run(main(service))


def test_a_client_does_not_keep_exceptions_of_its_callable_alive() -> None:
    """An exception that is kept alive keeps its traceback alive, and thereby all objects in its frames."""

    def fail_call(client: vitalwire.Client) -> weakref.ref[Witness]:
        witness = Witness()
        with pytest.raises(vitalwire.AuthenticationError):
            client.user.info()
        return weakref.ref(witness)

    def token(reason: str) -> str:
        raise LookupError

    with SilentService() as silence:
        client = client_for(silence, token=token)
        assert is_freed(fail_call(client))


def test_progress_callbacks_are_released_when_the_call_has_ended() -> None:
    def waiting(client: vitalwire.Client) -> weakref.ref[Witness]:
        witness = Witness()
        reports: list[object] = []
        client.nutrition_records.upload_and_wait(b"x", on_progress=lambda progress: reports.append((witness, client)))
        client.statistics.daily_range(*DAYS, part_length="3d", progress=lambda progress: reports.append((witness, reports))).collect()
        assert len(reports) > 3
        return weakref.ref(witness)

    async def waiting_async(client: vitalwire.AsyncClient) -> weakref.ref[Witness]:
        witness = Witness()
        reports: list[object] = []
        await client.nutrition_records.upload_and_wait(b"x", on_progress=lambda progress: reports.append((witness, client)))
        await client.statistics.daily_range(*DAYS, part_length="3d", progress=lambda progress: reports.append((witness, reports))).collect()
        assert len(reports) > 3
        return weakref.ref(witness)

    async def main(service: Service) -> None:
        client = async_client_for(service)
        witness = await waiting_async(client)
        # The next call frees objects that threads of the runtime have released.
        await client.nutrition_records.list()
        assert is_freed(witness)

    with Service(respond) as service:
        client = client_for(service)
        assert is_freed(waiting(client))
        asyncio.run(main(service))


Call = typing.Callable[[typing.Any], typing.Any]
#: Functions that make a call of each kind.
CALLS: dict[str, Call] = {
    "a call": lambda client: client.nutrition_records.list(),
    "columns": lambda client: client.statistics.daily(*DAYS),
    "an upload": lambda client: client.nutrition_records.upload(b"x"),
    "an upload of a file": lambda client: client.nutrition_records.upload("no such file"),
    "an upload that waits": lambda client: client.nutrition_records.upload_and_wait(b"x", on_progress=print),
    "a wait": lambda client: client.nutrition_records.wait_for("meal-1"),
    "a range": lambda client: client.statistics.daily_range(*DAYS, part_length="3d"),
}
#: Functions that read a range in different ways.
READING: dict[str, Call] = {
    "collected": lambda range_call: range_call.collect(),
    "collected with progress": lambda range_call: range_call.collect(),
    "a table": lambda range_call: range_call.table(),
}


@pytest.mark.parametrize("kind", CALLS)
def test_a_closed_client_rejects_every_kind_of_call(kind: str) -> None:
    async def main(service: Service) -> None:
        client = async_client_for(service)
        await client.aclose()
        with pytest.raises(vitalwire.ClosedError):
            await CALLS[kind](client)

    with Service(respond) as service:
        client = client_for(service)
        client.close()
        with pytest.raises(vitalwire.ClosedError) as caught:
            CALLS[kind](client)
        assert caught.value.kind == "closed"
        asyncio.run(main(service))
        assert service.requests == []


@pytest.mark.parametrize("reading", READING)
def test_a_range_of_a_client_that_was_closed_since_is_rejected(reading: str) -> None:
    settings: dict[str, typing.Any] = {"part_length": "3d", "progress": (lambda _: None) if "progress" in reading else None}

    async def main(service: Service) -> None:
        client = async_client_for(service)
        range_call = client.statistics.daily_range(*DAYS, **settings)
        await client.aclose()
        with pytest.raises(vitalwire.ClosedError):
            await READING[reading](range_call)
        with pytest.raises(vitalwire.ClosedError):
            async for _ in range_call:
                pass

    with Service(respond) as service:
        client = client_for(service)
        range_call = client.statistics.daily_range(*DAYS, **settings)
        client.close()
        for read in (READING[reading], list):
            with pytest.raises(vitalwire.ClosedError):
                read(range_call)
        asyncio.run(main(service))
        assert service.requests == []


@pytest.mark.parametrize("kind", [kind for kind in CALLS if kind not in ("a range", "an upload of a file")])
def test_every_kind_of_call_needs_a_loop_and_can_be_cancelled(kind: str) -> None:
    async def main(silence: SilentService) -> None:
        call = asyncio.ensure_future(CALLS[kind](async_client_for(silence)))
        connection = await asyncio.to_thread(silence.accept)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.to_thread(silence.await_end, connection)

    with SilentService() as silence:
        asyncio.run(main(silence))
        # Awaiting a call without an event loop raises an error.
        call = CALLS[kind](async_client_for(silence))
        with pytest.raises(RuntimeError, match="no running event loop"):
            call.send(None)
        with pytest.raises(RuntimeError, match="already awaited"):
            call.send(None)


def test_calls_that_outlive_their_event_loop_end_silently() -> None:
    """The responses arrive after the event loop was closed."""
    loop = asyncio.new_event_loop()
    closed = threading.Event()

    def respond_late(_: Request) -> Reply:
        closed.wait(PATIENCE)
        return Reply()

    with Service(respond_late) as service:
        client = async_client_for(service)

        async def begin() -> list[asyncio.Task[object]]:
            tasks: list[asyncio.Task[object]] = [loop.create_task(client.nutrition_records.list()) for _ in range(8)]
            while len(service.requests) < 8:
                await asyncio.sleep(0.01)
            return tasks

        tasks = loop.run_until_complete(begin())
        loop.close()
        closed.set()
        time.sleep(0.4)
        assert not any(task.done() for task in tasks)
        for task in tasks:
            # Silences Python's own warning about pending tasks.
            task._log_destroy_pending = False  # type: ignore[attr-defined]
        del tasks, task
        gc.collect()

        async def list_again() -> int:
            return len(await client.nutrition_records.list())

        assert asyncio.run(list_again()) == 0


Loop = typing.Callable[[], asyncio.AbstractEventLoop]


@pytest.fixture(params=[asyncio.SelectorEventLoop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def new_loop(request: pytest.FixtureRequest) -> Loop:
    return typing.cast(Loop, request.param)


def leave_pending(loop: asyncio.AbstractEventLoop, calls: list[typing.Coroutine[typing.Any, typing.Any, object]]) -> weakref.ref[Witness]:
    """Starts calls in tasks that are never awaited. Returns an object that the tasks refer to."""
    witness = Witness()

    async def await_call(call: typing.Coroutine[typing.Any, typing.Any, object]) -> object:
        return await call, witness

    async def begin() -> None:
        for call in calls:
            # Silences Python's own warning about pending tasks.
            loop.create_task(await_call(call))._log_destroy_pending = False  # type: ignore[attr-defined]
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    loop.run_until_complete(begin())
    return weakref.ref(witness)


def test_closing_an_event_loop_closes_the_connections_of_its_calls(new_loop: Loop) -> None:
    loop = new_loop()
    with SilentService() as silence:
        client = async_client_for(silence)
        range_call = client.statistics.daily_range(*DAYS, part_length="3d", concurrency=2)
        known = leave_pending(loop, [client.user.info(), range_call.collect()])
        connections = [silence.accept() for _ in range(3)]
        loop.close()
        del loop
        began = time.monotonic()
        for connection in connections:
            silence.await_end(connection)
        assert time.monotonic() - began < 1
        assert is_freed_soon(known)


def test_unprocessed_responses_do_not_keep_a_closed_event_loop_alive(new_loop: Loop) -> None:
    loop = new_loop()
    with Service() as service:
        client = async_client_for(service)
        known = leave_pending(loop, [client.nutrition_records.list() for _ in range(8)])
        while len(service.requests) < 8:
            time.sleep(0.01)
        # Lets the responses arrive while the loop is stopped.
        time.sleep(0.2)
        loop.close()
        del loop
        assert is_freed_soon(known)


def test_closing_an_event_loop_ends_calls_that_wait_for_their_token(new_loop: Loop) -> None:
    async def token(reason: str) -> str:
        await asyncio.sleep(60)
        return "t"

    loop = new_loop()
    with SilentService() as silence:
        client = async_client_for(silence, token=token)
        known = leave_pending(loop, [client.user.info() for _ in range(4)])
        time.sleep(0.1)
        with contextlib.suppress(RuntimeError):
            loop.run_until_complete(asyncio.sleep(0.05))
        for task in asyncio.all_tasks(loop):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            del task
        loop.close()
        del loop
        assert is_freed_soon(known)


def is_freed_soon(known: weakref.ref[Witness]) -> bool:
    """Returns whether an object is freed within 5 seconds. The next client frees what threads of the runtime have released."""
    end = time.monotonic() + 5
    while not is_freed(known) and time.monotonic() < end:
        time.sleep(0.02)
        vitalwire.Client("http://127.0.0.1:1", proxy="none").close()
    return is_freed(known)


class RejectingFuture(asyncio.Future[typing.Any]):
    """A future that rejects its result."""

    def set_result(self, result: object) -> None:
        raise LookupError("stubborn")


def test_a_call_whose_future_fails_does_not_affect_other_calls() -> None:
    class Loop(asyncio.SelectorEventLoop):
        made: list[asyncio.Future[typing.Any]] = []

        def create_future(self) -> asyncio.Future[typing.Any]:
            if not asyncio.current_task(self) or "stubborn" not in typing.cast("asyncio.Task[object]", asyncio.current_task(self)).get_name():
                return super().create_future()
            return RejectingFuture(loop=self)

    async def main(service: Service) -> None:
        failures: list[dict[str, typing.Any]] = []
        loop.set_exception_handler(lambda _, context: failures.append(context))
        client = async_client_for(service)
        await client.nutrition_records.list()
        before = len(service.requests)
        stubborn = [loop.create_task(client.nutrition_records.list(), name=f"stubborn-{n}") for n in range(4)]
        others = [loop.create_task(client.nutrition_records.list(), name=f"other-{n}") for n in range(28)]
        # Starts all calls. The loop is then blocked until all responses have arrived, so that it processes them together.
        await asyncio.sleep(0)
        end = time.monotonic() + PATIENCE
        while len(service.requests) - before < 32 and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(1.0)
        assert len(service.requests) - before == 32
        done, _ = await asyncio.wait(others, timeout=PATIENCE)
        assert len(done) == 28 and all(len(task.result()) == 0 for task in done)
        # The loop's exception handler receives the exceptions of the futures.
        assert failures and all(isinstance(context["exception"], LookupError) for context in failures)
        for task in stubborn:
            task.cancel()
        await asyncio.wait(stubborn)

    loop = Loop()
    with Service() as service:
        loop.run_until_complete(main(service))
    loop.close()


def test_a_call_that_is_never_awaited_can_be_dropped_during_an_exception() -> None:
    client = vitalwire.AsyncClient("http://127.0.0.1:9", token="t", proxy="none")
    nothing: dict[str, typing.Any] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            with pytest.raises(KeyError):
                asyncio.gather(client.user.info(), nothing["missing"])
    assert [str(warning.message) for warning in caught] == ["a call of vitalwire was never awaited"] * 3


def test_a_call_cannot_be_closed_while_it_executes() -> None:
    """As with Python's coroutines, closing a running coroutine raises an error, and the coroutine continues."""

    class Loop(asyncio.SelectorEventLoop):
        def create_future(self) -> asyncio.Future[typing.Any]:
            if calls:
                for give_up in (calls[0].close, lambda: calls[0].throw(LookupError), lambda: calls[0].send(None)):
                    with pytest.raises(ValueError, match="already executing"):
                        give_up()
                rejections.append(True)
            return super().create_future()

    calls: list[typing.Any] = []
    rejections: list[bool] = []

    async def main(service: Service) -> int:
        call = async_client_for(service).nutrition_records.list()
        calls.append(call)
        try:
            return len(await call)
        finally:
            calls.clear()

    loop = Loop()
    with Service() as service:
        assert loop.run_until_complete(main(service)) == 0 and rejections
    loop.close()


HEAD = b'{"from_date": "2025-03-01", "to_date": "2025-03-09", "statistics": '
#: Invalid bodies, each with the `json_path` of its error.
BROKEN: list[tuple[bytes, str | None]] = [
    (b"", "byte 0"),
    (b"[]", "byte 0"),
    (HEAD, f"byte {len(HEAD)}"),
    (HEAD + b"[]} x", f"byte {len(HEAD) + 4}"),
    (HEAD + b"5}", "statistics"),
    (HEAD + b'"canary-3f9c"}', "statistics"),
    (HEAD + b'[], "statistics": {}}', "statistics"),
    (HEAD + b'[], "from_date": ["canary-3f9c"]}', "from_date"),
    (HEAD.replace(b"2025-03-09", CANARY.encode()) + b"[]}", "to_date"),
    (HEAD + b'[{"date": "\xff"}]}', f"byte {len(HEAD) + 11}"),
]


@pytest.mark.parametrize(("body", "place"), BROKEN)
def test_columns_and_records_of_an_invalid_response_fail_alike(body: bytes, place: str) -> None:
    """Columns are decoded by the same rules as records, and during the call."""
    with Service(lambda _: Reply(body=body)) as service:
        statistics = client_for(service).statistics
        # A range decodes its parts as records, a single call as columns.
        reading: list[typing.Callable[[], object]] = [lambda: statistics.daily(*DAYS), lambda: statistics.daily_range(*DAYS).collect()]
        said = []
        for read in reading:
            with pytest.raises(vitalwire.DecodeError) as caught:
                read()
            error = caught.value
            said.append((str(error), error.json_path, error.operation, error.status, error.attempts))
        assert said[0] == said[1] and said[0][1:] == (place, "daily_statistics", 200, 1)
        assert CANARY not in said[0][0]


def test_calls_of_threads_succeed_or_are_rejected_while_a_client_is_closed() -> None:
    with Service() as service:
        for _ in range(10):
            client, ends = client_for(service), []
            begun = threading.Barrier(9)

            def call() -> None:
                begun.wait()
                try:
                    while True:
                        client.nutrition_records.list()
                except BaseException as error:
                    ends.append(error)

            threads = [threading.Thread(target=call) for _ in range(8)]
            for thread in threads:
                thread.start()
            begun.wait()
            time.sleep(0.02)
            client.close()
            for thread in threads:
                thread.join(PATIENCE)
            assert [type(error) for error in ends] == [vitalwire.ClosedError] * 8


@pytest.mark.parametrize("awaited", [False, True])
def test_a_cancelled_upload_reports_whether_it_may_have_taken_effect(awaited: bool) -> None:
    token = vitalwire.CancelToken()

    def handler(_: Request) -> Reply:
        # Cancels the call after the service has read the whole request.
        token.cancel()
        return Reply(body=MEAL, delay=PATIENCE)

    async def upload(service: Service) -> None:
        async with async_client_for(service) as client:
            await client.nutrition_records.upload(b"picture", cancel=token)

    with Service(handler) as service, client_for(service) as client:
        with pytest.raises(vitalwire.CancelledError) as caught:
            asyncio.run(upload(service)) if awaited else client.nutrition_records.upload(b"picture", cancel=token)
        error = caught.value
        assert (error.attempts, error.operation, error.status) == (1, "upload_nutrition_record", None)
        assert error.may_have_taken_effect and not error.is_transient and "it may have taken effect" in str(error)


def test_a_read_and_a_rejected_upload_have_no_effect() -> None:
    with Service(lambda _: Reply(503, b"{}")) as service, client_for(service) as client:
        with pytest.raises(vitalwire.ServiceError) as caught:
            client.user.info()
        assert (caught.value.may_have_taken_effect, caught.value.is_transient) == (False, True)
        with pytest.raises(vitalwire.ServiceError) as caught:
            client.nutrition_records.upload(b"picture")
        assert (caught.value.may_have_taken_effect, caught.value.is_transient) == (True, False)
        url = service.url
    with vitalwire.Client(url, token="t", proxy="none", max_retries=0) as client, pytest.raises(vitalwire.TransportError) as unsent:
        client.nutrition_records.upload(b"picture")
    assert (unsent.value.may_have_taken_effect, unsent.value.is_transient, unsent.value.attempts) == (False, True, 1)


def test_nothing_is_sent_after_the_deadline() -> None:
    reasons: list[str] = []

    def respond_late(reason: str) -> vitalwire.Token:
        reasons.append(reason)
        time.sleep(0.3)
        # Each token has already expired when it is returned.
        return vitalwire.Token("t", expires_at=datetime.datetime.now(datetime.timezone.utc))

    with Service(respond) as service, client_for(service, token=respond_late) as client:
        client.nutrition_records.list()
        for _ in range(5):
            count = len(service.requests), len(reasons)
            with pytest.raises(vitalwire.TimeoutError) as caught:
                # The call could use the open connection of the first call.
                client.nutrition_records.upload(b"picture", timeout=0.1)
            assert (caught.value.attempts, caught.value.may_have_taken_effect) == (0, False)
            assert (len(service.requests), len(reasons)) == (count[0], count[1] + 1)


def test_concurrent_calls_share_few_connections() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def busy(request: Request) -> Reply:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        # The count below decreases before the response is sent, because the client may then send its next request.
        time.sleep(0.01)
        with lock:
            now -= 1
        return respond(request)

    with Service(busy) as service:

        async def main() -> None:
            async with async_client_for(service, max_connections=8) as client:
                await asyncio.gather(*(client.nutrition_records.list() for _ in range(300)))

        asyncio.run(main())
        assert (len(service.requests), most) == (300, 8)
    for connections in (0, -1):
        with pytest.raises((vitalwire.ConfigurationError, vitalwire.InvalidArgumentError)) as caught:
            vitalwire.Client("https://health.example", max_connections=connections)
        assert caught.value.argument == "max_connections"


#: A program that makes 2,000 calls at once and may open at most 256 files.
MANY = """
import asyncio, resource, sys, vitalwire

resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


async def main():
    async with vitalwire.AsyncClient(sys.argv[1], token="t", proxy="none", max_retries=0) as client:
        calls = (client.nutrition_records.list() for _ in range(2_000))
        responses = await asyncio.gather(*calls, return_exceptions=True)
    print(len(responses), sorted({str(answer) for answer in responses if isinstance(answer, BaseException)}))


asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no descriptors")
def test_two_thousand_calls_need_few_descriptors() -> None:
    with Service(respond) as service:
        completed = subprocess.run([sys.executable, "-c", MANY, service.url], capture_output=True, text=True, timeout=120, check=False)
        assert (completed.stdout.strip(), completed.returncode) == ("2000 []", 0), completed.stderr
        assert len(service.requests) == 2_000
