"""Compares small calls: user information of 700 bytes, by one caller and by 32 at once."""

from __future__ import annotations

import asyncio
import atexit
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import uvloop

import program
from baseline import aiohttp_orjson, httpx_pydantic, urllib3_json

import vitalwire

AT_ONCE = 32
#: Number of calls that each of several callers makes in one run.
IN_A_ROW = 8


def declare() -> None:
    """Declares the rows."""
    client = program.client()
    lean, typed = urllib3_json.Client(program.BASE_URL, program.TOKEN), httpx_pydantic.Client(program.BASE_URL, program.TOKEN)
    assert client.user.info().uid == lean.user()["uid"] == str(typed.user().uid)
    baselines = {"urllib3 + json": (lambda: lean.user()["uid"], ">= 2"), "httpx + pydantic": (lambda: typed.user().uid, ">= 3")}
    program.compare("small sync call", lambda: client.user.info().uid, baselines)
    threads()
    tasks()


def threads() -> None:
    """Compares 32 threads that share a client."""
    client, baseline = program.client(), httpx_pydantic.Client(program.BASE_URL, program.TOKEN, AT_ONCE)
    pool = ThreadPoolExecutor(AT_ONCE)

    def all_of(call: program.Run) -> None:
        def in_a_row(_: int) -> None:
            for _ in range(IN_A_ROW):
                call()

        list(pool.map(in_a_row, range(AT_ONCE)))

    theirs = {"httpx threads": (lambda: all_of(lambda: baseline.user().uid), ">= 8")}
    program.compare("256 calls, 32 threads", lambda: all_of(lambda: client.user.info().uid), theirs)


def tasks() -> None:
    """Compares 32 tasks on one event loop of uvloop."""
    loop = uvloop.new_event_loop()

    async def new_baseline() -> aiohttp_orjson.Client:
        return aiohttp_orjson.Client(program.BASE_URL, program.TOKEN, AT_ONCE)

    client, baseline = vitalwire.AsyncClient(program.BASE_URL, token=program.TOKEN), loop.run_until_complete(new_baseline())
    atexit.register(lambda: loop.run_until_complete(baseline.close()))

    async def ours() -> str | None:
        return (await client.user.info()).uid

    async def theirs() -> str | None:
        return str((await baseline.user())["uid"])

    def all_of(call: Callable[[], Awaitable[object]]) -> None:
        async def in_a_row() -> None:
            for _ in range(IN_A_ROW):
                await call()

        async def run() -> None:
            await asyncio.gather(*(in_a_row() for _ in range(AT_ONCE)))

        loop.run_until_complete(run())

    assert loop.run_until_complete(ours()) == loop.run_until_complete(theirs())
    program.compare("256 calls, 32 tasks, uvloop", lambda: all_of(ours), {"aiohttp + orjson": (lambda: all_of(theirs), ">= 2")})
