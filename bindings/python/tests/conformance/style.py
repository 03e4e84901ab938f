"""One interface to both styles of client, to play cases.

Cases are played by coroutines. Those of the blocking style never wait for anything, so that a thread drives each to its end in one step.
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
    """A call was cancelled by the means of the language."""


def drive(coroutine: Coroutine[typing.Any, typing.Any, T]) -> T:
    """Runs a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return typing.cast(T, end.value)
    raise RuntimeError("a blocking case waited")


class BlockingStyle:
    """`Client`: each call blocks its thread; a token cancels it from another thread."""

    #: Whether calls accept a cancel token.
    takes_cancel = True

    def client(self, given: Json) -> vitalwire.Client:
        """Creates the client of a case."""
        return settings.blocking_client(given)

    async def result(self, made: T | Awaitable[T]) -> T:
        """Returns the result of a call."""
        return typing.cast(T, made)

    async def run_concurrently(self, makers: list[Callable[[], Coroutine[typing.Any, typing.Any, T]]]) -> list[T]:
        """Runs several at the same time."""
        start = threading.Barrier(len(makers))

        def one(make: Callable[[], Coroutine[typing.Any, typing.Any, T]]) -> T:
            start.wait()
            return drive(make())

        with concurrent.futures.ThreadPoolExecutor(len(makers)) as threads:
            return list(threads.map(one, makers))

    async def cancel_after(self, seconds: float, cancel: vitalwire.CancelToken, work: Coroutine[typing.Any, typing.Any, T]) -> T:
        """Returns the result of work that is cancelled after a time."""
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
        """Returns the result of a coroutine while other work starts after a time."""
        timer = threading.Timer(seconds, lambda: drive(work()))
        timer.start()
        try:
            return await of
        finally:
            timer.join()

    async def pause(self, seconds: float) -> None:
        """Waits."""
        time.sleep(seconds)


class AsyncStyle:
    """`AsyncClient`: each call is awaited; cancelling the task cancels it."""

    takes_cancel = False

    def client(self, given: Json) -> vitalwire.Client:
        """Creates the client of a case. Its methods have the names of `Client`, which is all that the generated calls need."""
        return typing.cast(vitalwire.Client, settings.async_client(given))

    async def result(self, made: T | Awaitable[T]) -> T:
        """Returns the result of a call."""
        return await typing.cast(Awaitable[T], made)

    async def run_concurrently(self, makers: list[Callable[[], Coroutine[typing.Any, typing.Any, T]]]) -> list[T]:
        """Runs several at the same time."""
        return list(await asyncio.gather(*(make() for make in makers)))

    async def cancel_after(self, seconds: float, cancel: vitalwire.CancelToken, work: Coroutine[typing.Any, typing.Any, T]) -> T:
        """Returns the result of work that is cancelled after a time."""
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
        """Returns the result of a coroutine while other work starts after a time."""

        async def later() -> None:
            await asyncio.sleep(seconds)
            await work()

        made: tuple[T, None] = await asyncio.gather(of, later())
        return made[0]

    async def pause(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)


Style = typing.Union[BlockingStyle, AsyncStyle]
