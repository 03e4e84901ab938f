"""Tests token callables: when and on which thread or event loop they run, and how their exceptions are reported."""

from __future__ import annotations

import asyncio
import datetime
import threading
import time
import traceback
import types
import typing

import pytest
import uvloop
import vitalwire
from serving import PATIENCE, Reply, Request, Service, SilentService

UTC = datetime.timezone.utc
#: Stands for a secret, which must not be in any text.
CANARY = "canary-3f9c"
Run = typing.Callable[[typing.Coroutine[typing.Any, typing.Any, typing.Any]], typing.Any]


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    return typing.cast(Run, request.param)


def service_accepting(good: str) -> Service:
    """A service that accepts only one token."""

    def respond(request: Request) -> Reply:
        return Reply() if request.headers.get("authorization") == f"Bearer {good}" else Reply(401, b"{}")

    return Service(respond)


def client_for(service: Service | SilentService, token: typing.Any, **settings: typing.Any) -> vitalwire.Client:
    return vitalwire.Client(service.url, token=token, **{"proxy": "none", **settings})


def async_client_for(service: Service | SilentService, token: typing.Any, **settings: typing.Any) -> vitalwire.AsyncClient:
    return vitalwire.AsyncClient(service.url, token=token, **{"proxy": "none", **settings})


def cause_of(error: BaseException) -> BaseException:
    assert isinstance(error, vitalwire.AuthenticationError) and error.__cause__ is not None
    return error.__cause__


def test_a_token_callable_runs_once_on_the_calling_thread() -> None:
    asked: list[tuple[str, int]] = []

    def token(reason: str) -> str:
        asked.append((reason, threading.get_ident()))
        return "good"

    with service_accepting("good") as service:
        client = client_for(service, token)
        assert asked == []
        for _ in range(3):
            client.nutrition_records.list()
    assert asked == [("missing", threading.get_ident())] and service.tokens() == ["good"] * 3


def test_a_rejected_token_is_renewed() -> None:
    reasons: list[str] = []

    def token(reason: str) -> str:
        reasons.append(reason)
        return "old" if reason == "missing" else "new"

    with service_accepting("new") as service:
        assert len(client_for(service, token).nutrition_records.list()) == 0
    assert reasons == ["missing", "rejected"] and service.tokens() == ["old", "new"]


def test_a_token_is_renewed_shortly_before_it_expires() -> None:
    reasons: list[str] = []

    def token(reason: str) -> vitalwire.Token:
        reasons.append(reason)
        # A token that is valid for 3 s is renewed after 90 % of this time. The next token is valid for longer.
        life = datetime.timedelta(seconds=3 if reason == "missing" else 300)
        return vitalwire.Token(f"t{len(reasons)}", expires_at=datetime.datetime.now(UTC) + life)

    with Service() as service:
        client = client_for(service, token)
        client.nutrition_records.list()
        client.nutrition_records.list()
        time.sleep(3.1)
        client.nutrition_records.list()
    assert reasons == ["missing", "expiring"] and service.tokens() == ["t1", "t1", "t2"]


def test_threads_share_one_call_of_a_token_callable() -> None:
    asked: list[str] = []

    def token(reason: str) -> str:
        asked.append(reason)
        time.sleep(0.2)
        return "good"

    with service_accepting("good") as service:
        client = client_for(service, token)
        threads = [threading.Thread(target=client.nutrition_records.list) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert asked == ["missing"] and service.tokens() == ["good"] * 16


def test_a_token_callable_may_make_calls() -> None:
    """For example, a callable may use another client to exchange a signature for a token."""
    with Service(lambda _: Reply(body=b'{"access_token": "good"}')) as issuer, service_accepting("good") as service:
        other = vitalwire.Client(issuer.url, proxy="none")

        def token(reason: str) -> str:
            return other.tokens.exchange(1, "someone", "signature").access_token

        assert len(client_for(service, token).nutrition_records.list()) == 0

        async def main() -> int:
            return len(await async_client_for(service, token).nutrition_records.list())

        assert asyncio.run(main()) == 0
        another = vitalwire.AsyncClient(issuer.url, proxy="none")

        async def exchange_token(reason: str) -> str:
            return (await another.tokens.exchange(1, "someone", "signature")).access_token

        async def count_records() -> int:
            return len(await async_client_for(service, exchange_token).nutrition_records.list())

        assert asyncio.run(count_records()) == 0
    assert service.tokens() == ["good"] * 3


def test_a_token_callable_that_calls_its_own_client_fails_at_once() -> None:
    with service_accepting("good") as service:
        client: vitalwire.Client

        def token(_reason: str) -> str:
            return client.user.info().application_user_id or ""

        client = client_for(service, token, timeout=5)
        began = time.monotonic()
        with pytest.raises(vitalwire.AuthenticationError, match="called the client that requested the token") as caught:
            client.user.info()
        assert isinstance(caught.value.__cause__, vitalwire.ConfigurationError)
        assert time.monotonic() - began < 2 and service.requests == []


def test_an_async_token_callable_that_calls_its_own_client_fails_at_once(run: Run) -> None:
    async def call_itself(client: vitalwire.AsyncClient) -> None:
        await client.user.info()

    async def in_a_task(client: vitalwire.AsyncClient) -> None:
        await asyncio.create_task(call_itself(client))

    async def main(service: Service, ask: typing.Callable[[vitalwire.AsyncClient], typing.Awaitable[None]]) -> None:
        client: vitalwire.AsyncClient

        async def token(_reason: str) -> str:
            await ask(client)
            return "good"

        client = async_client_for(service, token, timeout=5)
        began = time.monotonic()
        with pytest.raises(vitalwire.AuthenticationError, match="called the client that requested the token") as caught:
            await client.user.info()
        assert isinstance(caught.value.__cause__, vitalwire.ConfigurationError)
        assert time.monotonic() - began < 2 and service.requests == []

    for ask in (call_itself, in_a_task):
        with service_accepting("good") as service:
            run(main(service, ask))


def test_each_service_has_its_own_token_callable() -> None:
    with Service(lambda _: Reply(404, b"{}")) as service:
        client = vitalwire.Client(service.url, care_base_url=service.url, token=lambda _: "a", care_token=lambda _: "b", proxy="none")
        with pytest.raises(vitalwire.NotFoundError):
            client.user.info()
        with pytest.raises(vitalwire.NotFoundError):
            client.care.benefits("1", "2", "3")
        assert service.tokens() == ["a", "b"]


def raise_error(reason: str) -> str:
    raise LookupError(CANARY)


async def raise_error_later(reason: str) -> str:
    await asyncio.sleep(0.01)
    raise LookupError(CANARY)


def vitalwire_texts(error: vitalwire.VitalwireError) -> str:
    """Returns all texts of an error, without those of its cause, which is the caller's own exception."""
    return f"{error} {error!r} {error.args} {error.__dict__}"


def test_the_exception_of_a_token_callable_is_the_cause_with_its_traceback(run: Run) -> None:
    with SilentService() as silence:
        with pytest.raises(vitalwire.AuthenticationError) as caught:
            client_for(silence, raise_error).user.info()
        errors = [caught.value]
        for failing in (raise_error, raise_error_later):

            async def main() -> None:
                await async_client_for(silence, failing).user.info()

            with pytest.raises(vitalwire.AuthenticationError) as later:
                run(main())
            errors.append(later.value)
    for error in errors:
        cause = cause_of(error)
        assert type(cause) is LookupError and "in raise_error" in "".join(traceback.format_exception(cause))
        assert CANARY not in vitalwire_texts(error) and error.kind == "authentication"


def test_exceptions_that_end_programs_pass_through() -> None:
    def exit_program(reason: str) -> str:
        raise SystemExit(7)

    def interrupt_program(reason: str) -> str:
        raise KeyboardInterrupt

    with SilentService() as silence:
        with pytest.raises(SystemExit) as left:
            client_for(silence, exit_program).user.info()
        assert left.value.code == 7
        with pytest.raises(KeyboardInterrupt):
            client_for(silence, interrupt_program).user.info()

    # `KeyboardInterrupt` is raised even during an early renewal, which ignores other exceptions.
    def interrupt_renewal(reason: str) -> vitalwire.Token:
        if reason != "missing":
            raise KeyboardInterrupt
        return vitalwire.Token("t", expires_at=datetime.datetime.now(UTC) + datetime.timedelta(seconds=2))

    with Service() as service:
        client = client_for(service, interrupt_renewal)
        client.nutrition_records.list()
        time.sleep(1.85)
        with pytest.raises(KeyboardInterrupt):
            client.nutrition_records.list()


def test_a_token_of_a_wrong_type_is_not_quoted(run: Run) -> None:
    async def exchange_token(reason: str) -> str:
        return "t"

    class Secret:
        def __repr__(self) -> str:
            return CANARY

    with SilentService() as silence:
        for given in (None, 5, CANARY.encode(), Secret()):

            async def main() -> None:
                await async_client_for(silence, lambda _: given).user.info()

            for call in (lambda: client_for(silence, lambda _: given).user.info(), lambda: run(main())):
                with pytest.raises(vitalwire.AuthenticationError) as caught:
                    call()
                cause = cause_of(caught.value)
                assert type(cause) is TypeError and "canary" not in f"{cause} {vitalwire_texts(caught.value)}"
        # A sync client closes the coroutine without awaiting it and without a warning.
        with pytest.raises(vitalwire.AuthenticationError) as caught:
            client_for(silence, exchange_token).user.info()
        assert isinstance(cause_of(caught.value), TypeError) and "AsyncClient" in str(cause_of(caught.value))
        # A text that is invalid in a header is not quoted, and does not raise `TypeError`.
        for bad in ("", f"{CANARY} {CANARY}", f"{CANARY}\n{CANARY}"):
            with pytest.raises(vitalwire.AuthenticationError) as refused:
                client_for(silence, lambda _: bad).user.info()
            assert "canary" not in vitalwire_texts(refused.value) and refused.value.__cause__ is None


def test_async_token_callables_run_in_the_event_loop_of_the_call(run: Run) -> None:
    async def main(service: Service) -> None:
        loops: list[object] = []

        async def token(reason: str) -> vitalwire.Token:
            loops.append(asyncio.get_running_loop())
            await asyncio.sleep(0.05)
            return vitalwire.Token("good")

        client = async_client_for(service, token)
        await asyncio.gather(*(client.nutrition_records.list() for _ in range(16)))
        assert loops == [asyncio.get_running_loop()]

        class Awaitable:
            def __await__(self) -> typing.Generator[typing.Any, None, str]:
                return asyncio.sleep(0.01, "good").__await__()

        await async_client_for(service, lambda _: Awaitable()).nutrition_records.list()

    with service_accepting("good") as service:
        run(main(service))
    assert service.tokens() == ["good"] * 17


def test_sync_token_callables_do_not_block_the_event_loop(run: Run) -> None:
    async def main(service: Service) -> None:
        asked: list[tuple[int, bool]] = []
        enough = threading.Event()

        def token(reason: str) -> str:
            asked.append((threading.get_ident(), enough.wait(PATIENCE)))
            return "good"

        slow = asyncio.ensure_future(async_client_for(service, token).nutrition_records.list())
        for _ in range(10):
            await asyncio.sleep(0.01)
        # Calls of another client proceed, because the callable does not block the runtime either.
        other = async_client_for(service, "good")
        for _ in range(8):
            await other.nutrition_records.list()
        assert not slow.done()
        enough.set()
        await slow
        ((thread, in_time),) = asked
        assert in_time and thread != threading.get_ident()

    with service_accepting("good") as service:
        run(main(service))


def test_a_cancelled_call_cancels_its_token_callable(run: Run) -> None:
    async def main(silence: SilentService) -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def token(reason: str) -> str:
            begun.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                ended.set()
                raise
            return "t"

        call = asyncio.ensure_future(async_client_for(silence, token).user.info())
        await asyncio.wait_for(begun.wait(), PATIENCE)
        call.cancel()
        await asyncio.wait_for(ended.wait(), PATIENCE)
        with pytest.raises(asyncio.CancelledError):
            await call

    with SilentService() as silence:
        run(main(silence))


async def is_cancelled(reason: str) -> str:
    """Raises `CancelledError`, as if other code had cancelled a task that the callable awaits."""
    await asyncio.sleep(0.05)
    raise asyncio.CancelledError(CANARY)


async def cancels_itself(reason: str) -> str:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().call_later(0.05, task.cancel)
    await asyncio.sleep(60)
    return "t"


def raises_cancelled(reason: str) -> str:
    raise asyncio.CancelledError(CANARY)


@pytest.mark.parametrize("token", [is_cancelled, cancels_itself, raises_cancelled])
def test_a_cancelled_token_callable_does_not_cancel_the_call(run: Run, token: typing.Any) -> None:
    async def main(silence: SilentService) -> list[object]:
        client = async_client_for(silence, token)
        return await asyncio.gather(*(client.user.info() for _ in range(4)), return_exceptions=True)

    with SilentService() as silence:
        for error in run(main(silence)):
            assert isinstance(error, vitalwire.AuthenticationError) and CANARY not in vitalwire_texts(error)
            assert isinstance(cause_of(error), asyncio.CancelledError)
        if token is raises_cancelled:
            with pytest.raises(vitalwire.AuthenticationError) as caught:
                client_for(silence, token).user.info()
            assert isinstance(cause_of(caught.value), asyncio.CancelledError)


def test_cancelling_one_of_several_calls_that_wait_for_a_token_ends_only_that_call(run: Run) -> None:
    async def main(service: Service) -> None:
        asked = 0
        begun, enough = asyncio.Event(), asyncio.Event()

        async def token(reason: str) -> str:
            nonlocal asked
            asked += 1
            begun.set()
            await enough.wait()
            return "good"

        client = async_client_for(service, token)
        calls = [asyncio.ensure_future(client.nutrition_records.list()) for _ in range(4)]
        await asyncio.wait_for(begun.wait(), PATIENCE)
        await asyncio.sleep(0.1)
        # Any of the calls may run the callable. If this call is cancelled, the next one runs it again.
        for call in calls[:3]:
            call.cancel()
            await asyncio.wait([call], timeout=PATIENCE)
            assert call.cancelled()
        enough.set()
        assert len(await calls[3]) == 0 and asked <= 4

    with service_accepting("good") as service:
        run(main(service))


def test_sync_token_callables_may_return_any_awaitable(run: Run) -> None:
    async def sign_in() -> str:
        await asyncio.sleep(0.1)
        return "good"

    async def main(service: Service) -> None:
        shared = asyncio.ensure_future(sign_in())
        future = asyncio.get_running_loop().create_future()
        future.set_result(vitalwire.Token("good"))

        @types.coroutine
        def generator_token() -> typing.Generator[typing.Any, typing.Any, str]:
            return (yield from asyncio.sleep(0.01, "good").__await__())

        for given in (shared, future, sign_in(), generator_token()):
            assert len(await async_client_for(service, lambda _: given).nutrition_records.list()) == 0
        # A task that the caller created is not cancelled with the call, because other code may await it.
        enough, asked = asyncio.Event(), threading.Event()

        async def sign_in_later() -> str:
            await enough.wait()
            return "good"

        def token(reason: str) -> asyncio.Task[str]:
            asked.set()
            return other

        other = asyncio.ensure_future(sign_in_later())
        client = async_client_for(service, token)
        call = asyncio.ensure_future(client.nutrition_records.list())
        while not asked.is_set():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        enough.set()
        assert len(await client.nutrition_records.list()) == 0 and await other == "good"

    with service_accepting("good") as service:
        run(main(service))


def test_awaitables_of_another_event_loop_or_for_a_sync_client_are_rejected(run: Run) -> None:
    async def main(silence: SilentService, given: object) -> None:
        await async_client_for(silence, lambda _: given).user.info()

    loop = asyncio.new_event_loop()
    elsewhere = loop.create_future()
    with SilentService() as silence:
        with pytest.raises(vitalwire.AuthenticationError) as caught:
            run(main(silence, elsewhere))
        assert isinstance(cause_of(caught.value), ValueError) and "loop" in str(cause_of(caught.value))
        with pytest.raises(vitalwire.AuthenticationError) as caught:
            client_for(silence, lambda _: elsewhere).user.info()
        assert isinstance(cause_of(caught.value), TypeError) and "AsyncClient" in str(cause_of(caught.value))
    loop.close()


def test_tokens_are_checked_and_never_shown() -> None:
    end = datetime.datetime.now(UTC)
    token = vitalwire.Token(CANARY, expires_at=end)
    assert "canary" not in f"{token} {token!r}" and not hasattr(token, "text")
    with pytest.raises(vitalwire.InvalidArgumentError) as naive:
        vitalwire.Token("t", expires_at=datetime.datetime(2030, 1, 1))
    assert naive.value.argument == "expires_at"
    with pytest.raises(TypeError, match="'text'"):
        vitalwire.Token(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'expires_at'"):
        vitalwire.Token("t", expires_at=5)  # type: ignore[arg-type]
    for wrong in (5, b"t", ["t"]):
        for cls in (vitalwire.Client, vitalwire.AsyncClient):
            with pytest.raises(TypeError, match="'token'"):
                cls(token=wrong)  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="'care_token'"):
                cls(care_token=wrong)  # type: ignore[arg-type]
