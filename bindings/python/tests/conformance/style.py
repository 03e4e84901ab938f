"""One interface to both styles of client, to play cases.

Coroutines play the cases. In the blocking style, they never suspend, so a thread drives each coroutine to its end in one step.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import time
import typing
from collections.abc import Awaitable, Callable, Coroutine

import settings
import vitalwire

T = typing.TypeVar("T")
Json = dict[str, typing.Any]


class Cancelled(Exception):
    """Raised if a call ends because its task was cancelled."""


def drive(coroutine: Coroutine[typing.Any, typing.Any, T]) -> T:
    """Runs a coroutine that never suspends, and returns its result."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return typing.cast(T, end.value)
    raise RuntimeError("a blocking case waited")


class BlockingStyle:
    """Plays cases with `Client`. Each call blocks its thread, and a token cancels the call from another thread."""

    #: Whether calls accept a cancel token.
    takes_cancel = True

    def client(self, given: Json) -> vitalwire.Client:
        """Creates the client of a case."""
        return settings.blocking_client(given)

    async def result(self, made: T | Awaitable[T]) -> T:
        """Returns the result of a call."""
        return typing.cast(T, made)

    async def run_concurrently(self, makers: list[Callable[[], Coroutine[typing.Any, typing.Any, T]]]) -> list[T]:
        """Runs several coroutines concurrently."""
        start = threading.Barrier(len(makers))

        def one(make: Callable[[], Coroutine[typing.Any, typing.Any, T]]) -> T:
            start.wait()
            return drive(make())

        with concurrent.futures.ThreadPoolExecutor(len(makers)) as threads:
            return list(threads.map(one, makers))

    async def cancel_after(self, seconds: float, cancel: vitalwire.CancelToken, work: Coroutine[typing.Any, typing.Any, T]) -> T:
        """Runs a coroutine and cancels its call after this many seconds. Returns the result."""
        timer = threading.Timer(seconds, cancel.cancel)
        timer.start()
        try:
            return await work
        finally:
            timer.cancel()

    async def close(self, client: vitalwire.Client, abort_calls: bool) -> None:
        """Closes a client."""
        client.close(abort_calls=abort_calls)

    async def run_alongside(
        self, seconds: float, work: Callable[[], Coroutine[typing.Any, typing.Any, None]], of: Coroutine[typing.Any, typing.Any, T]
    ) -> T:
        """Runs the coroutine `of`, and starts `work` after this many seconds. Returns the result of `of`."""
        timer = threading.Timer(seconds, lambda: drive(work()))
        timer.start()
        try:
            return await of
        finally:
            timer.join()

    async def pause(self, seconds: float) -> None:
        """Waits for this many seconds."""
        time.sleep(seconds)


class AsyncStyle:
    """Plays cases with `AsyncClient`. Each call is awaited, and cancelling its task cancels the call."""

    takes_cancel = False

    def client(self, given: Json) -> vitalwire.Client:
        """Creates the client of a case. Its methods have the names of `Client`, which is all that the generated calls need."""
        return typing.cast(vitalwire.Client, settings.async_client(given))

    async def result(self, made: T | Awaitable[T]) -> T:
        """Returns the result of a call."""
        return await typing.cast(Awaitable[T], made)

    async def run_concurrently(self, makers: list[Callable[[], Coroutine[typing.Any, typing.Any, T]]]) -> list[T]:
        """Runs several coroutines concurrently."""
        return list(await asyncio.gather(*(make() for make in makers)))

    async def cancel_after(self, seconds: float, cancel: vitalwire.CancelToken, work: Coroutine[typing.Any, typing.Any, T]) -> T:
        """Runs a coroutine and cancels its call after this many seconds. Returns the result."""
        try:
            return await asyncio.wait_for(work, seconds)
        except asyncio.TimeoutError:
            raise Cancelled from None

    async def close(self, client: vitalwire.Client, abort_calls: bool) -> None:
        """Closes a client."""
        await typing.cast(vitalwire.AsyncClient, client).aclose(abort_calls=abort_calls)

    async def run_alongside(
        self, seconds: float, work: Callable[[], Coroutine[typing.Any, typing.Any, None]], of: Coroutine[typing.Any, typing.Any, T]
    ) -> T:
        """Runs the coroutine `of`, and starts `work` after this many seconds. Returns the result of `of`."""

        async def later() -> None:
            await asyncio.sleep(seconds)
            await work()

        made: tuple[T, None] = await asyncio.gather(of, later())
        return made[0]

    async def pause(self, seconds: float) -> None:
        """Waits for this many seconds."""
        await asyncio.sleep(seconds)


Style = typing.Union[BlockingStyle, AsyncStyle]
