"""Measures 32 concurrent callers that make small calls in sequence, as threads or as tasks of one event loop, in total wall time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import uvloop

from baseline import aiohttp_orjson, httpx_pydantic
from report import Line
from rounds import compare
from setting import TOKEN, Setting

import vitalwire

AT_ONCE = 32
#: Number of calls that each caller makes in one run.
IN_A_ROW = 8
CALLS = AT_ONCE * IN_A_ROW


def run(setting: Setting) -> Iterator[Line]:
    """Measures threads, then tasks, as baseline time divided by our time."""
    yield from threads(setting)
    for name, new_loop in (("uvloop", uvloop.new_event_loop), ("plain asyncio", asyncio.new_event_loop)):
        yield from tasks(setting, name, new_loop)


def threads(setting: Setting) -> Iterator[Line]:
    """Measures 32 threads that share a client."""
    client, baseline = setting.client(), httpx_pydantic.Client(setting.base_url, TOKEN, AT_ONCE)
    with ThreadPoolExecutor(AT_ONCE) as pool:

        def all_of(call: Callable[[], object]) -> None:
            def in_a_row(_: int) -> None:
                for _ in range(IN_A_ROW):
                    call()

            list(pool.map(in_a_row, range(AT_ONCE)))

        alternatives = {"ours": lambda: all_of(lambda: client.user.info().uid), "baseline": lambda: all_of(lambda: baseline.user().uid)}
        found = compare(setting.budget, time.perf_counter, alternatives)
    figure = found.ratio("baseline", "ours")
    yield Line("32 at once, threads: httpx threads", rate(found.median("ours")), rate(found.median("baseline")), figure).at_least(8)


def tasks(setting: Setting, name: str, new_loop: Callable[[], asyncio.AbstractEventLoop]) -> Iterator[Line]:
    """Measures 32 tasks on one event loop."""
    loop = new_loop()

    async def baseline_client() -> aiohttp_orjson.Client:
        return aiohttp_orjson.Client(setting.base_url, TOKEN, AT_ONCE)

    async def all_of(call: Callable[[], Awaitable[object]]) -> None:
        async def in_a_row() -> None:
            for _ in range(IN_A_ROW):
                await call()

        await asyncio.gather(*(in_a_row() for _ in range(AT_ONCE)))

    try:
        client, baseline = vitalwire.AsyncClient(setting.base_url, token=TOKEN), loop.run_until_complete(baseline_client())

        async def ours_once() -> str | None:
            return (await client.user.info()).uid

        async def baseline_once() -> str | None:
            return str((await baseline.user())["uid"])

        assert loop.run_until_complete(ours_once()) == loop.run_until_complete(baseline_once())
        alternatives = {
            "ours": lambda: loop.run_until_complete(all_of(ours_once)),
            "baseline": lambda: loop.run_until_complete(all_of(baseline_once)),
        }
        found = compare(setting.budget, time.perf_counter, alternatives)
        loop.run_until_complete(baseline.close())
    finally:
        loop.close()
    figure = found.ratio("baseline", "ours")
    line = Line(f"32 at once, {name}: aiohttp + orjson", rate(found.median("ours")), rate(found.median("baseline")), figure)
    yield line.at_least(2) if name == "uvloop" else line


def rate(seconds: float) -> str:
    """Formats the calls per second of a run."""
    return f"{CALLS / seconds:,.0f}/s"
