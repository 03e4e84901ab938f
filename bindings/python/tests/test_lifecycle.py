"""Tests clients that are closed, forked, interrupted, and shared by threads."""

from __future__ import annotations

import asyncio
import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import typing

import pytest
import uvloop
import vitalwire
from serving import Reply, Request, Service, SilentService

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")


def client_for(service: Service | SilentService, **settings: typing.Any) -> vitalwire.Client:
    return vitalwire.Client(service.url, **{"token": "t", "proxy": "none", **settings})


def async_client_for(service: Service | SilentService, **settings: typing.Any) -> vitalwire.AsyncClient:
    return vitalwire.AsyncClient(service.url, **{"token": "t", "proxy": "none", **settings})


def respond_once(silence: SilentService) -> typing.Any:
    """Responds to the next connection and keeps it open."""
    connection = silence.accept()
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]")
    return connection


def test_a_closed_client_rejects_calls_and_has_no_connections() -> None:
    with SilentService() as silence:
        kept: list[typing.Any] = []
        serving = threading.Thread(target=lambda: kept.append(respond_once(silence)))
        serving.start()
        with client_for(silence) as client:
            assert isinstance(client, vitalwire.Client)
            lists = client.nutrition_records
            assert len(lists.list()) == 0
        serving.join()
        # The client closes its open connection long before the idle timeout.
        silence.await_end(kept[0])
        for call in (lists.list, client.user.info, client.__enter__):
            with pytest.raises(vitalwire.ClosedError) as caught:
                call()
            assert caught.value.kind == "closed"
        client.close()
        client.close()


def test_a_closed_async_client_rejects_calls() -> None:
    async def main() -> None:
        with SilentService() as silence:
            async with async_client_for(silence) as client:
                assert isinstance(client, vitalwire.AsyncClient)
                call = asyncio.ensure_future(client.nutrition_records.list())
                connection = await asyncio.to_thread(respond_once, silence)
                assert len(await call) == 0
                late = client.user.info()
            await asyncio.to_thread(silence.await_end, connection)
            for rejected in (late, client.user.info(), client.__aenter__()):
                with pytest.raises(vitalwire.ClosedError):
                    await rejected
            await client.aclose()
            await client.aclose()

    for run in (asyncio.run, uvloop.run):
        run(main())


def test_calls_in_flight_complete_when_a_client_is_closed() -> None:
    with Service(lambda _: Reply(delay=0.4)) as service:
        client = client_for(service)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            call = pool.submit(client.nutrition_records.list)
            while not service.requests:
                time.sleep(0.01)
            client.close()
            assert len(call.result(10)) == 0


def test_abort_calls_ends_the_calls_in_flight() -> None:
    async def main(silence: SilentService) -> None:
        client = async_client_for(silence)
        call = asyncio.ensure_future(client.user.info())
        connection = await asyncio.to_thread(silence.accept)
        # A later close aborts the calls that an earlier close let complete.
        await client.aclose()
        await client.aclose(abort_calls=True)
        with pytest.raises(vitalwire.ClosedError):
            await call
        await asyncio.to_thread(silence.await_end, connection)

    with SilentService() as silence:
        client = client_for(silence)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            call = pool.submit(client.nutrition_records.list)
            connection = silence.accept()
            client.close(abort_calls=True)
            with pytest.raises(vitalwire.ClosedError) as caught:
                call.result(10)
        assert (caught.value.kind, caught.value.attempts) == ("closed", 1)
        silence.await_end(connection)
        asyncio.run(main(silence))


def test_a_with_block_does_not_change_exceptions() -> None:
    with Service() as service:
        with pytest.raises(LookupError), client_for(service) as client:
            raise LookupError
        with pytest.raises(vitalwire.ClosedError):
            client.user.info()

        async def main() -> None:
            async with async_client_for(service):
                raise LookupError

        with pytest.raises(LookupError):
            asyncio.run(main())


def in_child(work: typing.Callable[[], object]) -> int:
    """Runs `work` in a forked child and returns its exit code: 0 if `work` returns true."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(20)
            code = 0 if work() else 3
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@forks
def test_a_client_works_in_a_forked_child() -> None:
    with Service() as service:
        reasons: list[str] = []

        def token(reason: str) -> str:
            reasons.append(reason)
            return f"{os.getpid()}"

        for client in (client_for(service), client_for(service, token=token)):
            assert len(client.nutrition_records.list()) == 0
            assert in_child(lambda: len(client.nutrition_records.list()) == 0) == 0
            # A child of the child can use the client, whether or not the child has used it.
            assert in_child(lambda: len(client.nutrition_records.list()) == 0 and in_child(lambda: client.user and len(client.nutrition_records.list()) == 0) == 0) == 0
            assert in_child(lambda: in_child(lambda: len(client.nutrition_records.list()) == 0) == 0) == 0
            # The parent still has its own connection.
            assert len(client.nutrition_records.list()) == 0
        assert reasons == ["missing"]
        # Settings are kept: every request has the token.
        assert len(service.requests) == 12 and all(service.tokens()) and service.tokens()[:6] == ["t"] * 6
        client.close()

        def refused() -> bool:
            try:
                client.user.info()
            except vitalwire.ClosedError:
                return True
            return False

        assert in_child(refused) == 0

        other = async_client_for(service)

        async def main() -> int:
            return len(await other.nutrition_records.list())

        assert asyncio.run(main()) == 0
        assert in_child(lambda: asyncio.run(main()) == 0) == 0
        assert asyncio.run(main()) == 0


@forks
def test_a_process_can_fork_while_its_threads_make_calls() -> None:
    with Service() as service:
        client, stop = client_for(service), threading.Event()
        failures: list[BaseException] = []

        def call() -> None:
            try:
                while not stop.is_set():
                    client.nutrition_records.list()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=call) for _ in range(6)]
        for thread in threads:
            thread.start()
        try:
            codes = [in_child(lambda: len(client.nutrition_records.list(timeout=15)) == 0) for _ in range(25)]
        finally:
            stop.set()
            for thread in threads:
                thread.join()
    assert codes == [0] * 25 and failures == []


SHARED: vitalwire.Client | None = None


def use_shared(_: int) -> int:
    assert SHARED is not None
    return len(SHARED.nutrition_records.list())


@forks
def test_process_pools_use_the_client_of_their_parent() -> None:
    global SHARED
    with Service() as service:
        SHARED = client_for(service)
        use_shared(0)
        context = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(3, mp_context=context) as pool:
            assert list(pool.map(use_shared, range(12))) == [0] * 12
        with context.Pool(2) as workers:
            assert workers.map(use_shared, range(4)) == [0] * 4
        use_shared(0)
        assert len(service.requests) == 18


def test_threads_share_a_client() -> None:
    def respond(request: Request) -> Reply:
        name = request.target.rpartition("/")[2]
        return Reply(404, b"{}", (("x-request-id", name),), 0.02)

    def request_ids(at: int) -> list[str | None]:
        ids = []
        for turn in range(5):
            with pytest.raises(vitalwire.NotFoundError) as caught:
                client.nutrition_records.get(f"00000000-0000-4000-8000-{at:06}{turn:06}")
            ids.append(caught.value.request_id)
        return ids

    with Service(respond) as service, client_for(service) as client, concurrent.futures.ThreadPoolExecutor(32) as pool:
        asked = list(pool.map(request_ids, range(32)))
    ids = [f"00000000-0000-4000-8000-{at:06}{turn:06}" for at in range(32) for turn in range(5)]
    assert sorted(request.target.rpartition("/")[2] for request in service.requests) == ids
    assert [name for names in asked for name in names] in ([None] * 160, ids)


def run_script(body: str, *, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs a Python program in its own process."""
    code = "import os, sys\n" + textwrap.dedent(body)
    return subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=timeout, check=False)


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
def test_ctrl_c_ends_successive_calls() -> None:
    done = run_script(
        """
        import signal, socket, threading, time, vitalwire
        signal.signal(signal.SIGINT, signal.default_int_handler)
        silence = socket.create_server(("127.0.0.1", 0))
        client = vitalwire.Client(f"http://127.0.0.1:{silence.getsockname()[1]}", token="t", proxy="none")
        def press():
            global pressed
            with silence.accept()[0] as connection:
                connection.recv(4096)
                pressed = time.monotonic()
                os.kill(os.getpid(), signal.SIGINT)
                while connection.recv(4096):
                    pass
        took = []
        for turn in range(5):
            presser = threading.Thread(target=press)
            presser.start()
            try:
                client.user.info(timeout=60)
            except KeyboardInterrupt:
                took.append(time.monotonic() - pressed)
            presser.join()
        print(len(took), max(took))
        """
    )
    assert done.returncode == 0, done.stderr
    turns, slowest = done.stdout.split()
    # The delay must be far below the timeout of 60 s. The benchmark checks the limit of 100 ms, because in tests the machine may be busy.
    assert turns == "5" and float(slowest) < 10


def test_a_program_with_calls_in_flight_ends_silently() -> None:
    with SilentService() as silence:
        for body in (
            "threading.Thread(target=client.user.info, daemon=True).start(); time.sleep(0.3)",
            "async def main():\n    asyncio.ensure_future(other.user.info()); await asyncio.sleep(0.3)\nasyncio.run(main())",
            "async def main():\n    asyncio.ensure_future(other.user.info()); await asyncio.sleep(0.3)\n"
            "loop = asyncio.new_event_loop(); task = loop.create_task(main()); loop.run_until_complete(task)",
        ):
            made = f"import asyncio, threading, time, vitalwire\nclient = vitalwire.Client({silence.url!r}, token='t', proxy='none')\n"
            made += f"other = vitalwire.AsyncClient({silence.url!r}, token='t', proxy='none')\n"
            done = run_script(made + body)
            noise = [line for line in done.stderr.splitlines() if "destroyed but it is pending" not in line and not line.startswith("task:")]
            assert (done.returncode, noise) == (0, []), done.stderr
