"""The conformance runner in Python: plays the judge's cases on the installed package and posts what comes of them.

`runner.py` plays them by `Client`, `runner.py --async` by `AsyncClient`. See `tests/conformance/README.md`. What calls and answers there
are is generated, in `generated/`.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import logging
import os
import sys
import tempfile
import threading
import typing
import urllib.request

from play import Play
from style import Awaiting, Blocking, drive

Json = dict[str, typing.Any]

#: How many cases are played at once, and how many of those that have a deadline.
AT_ONCE, TIMED_AT_ONCE = 16, 8
#: How long a case may take, in seconds.
LIMIT = 60
#: Settings and call options with which time counts.
TIMED = {"deadline_scale", "total_ms", "attempt_ms", "connect_ms", "cancel_after_ms", "close_after_ms", "timeout_ms"}

JUDGE, RUN = os.environ["VITALWIRE_JUDGE"], os.environ["VITALWIRE_RUN"]
#: The machine's own proxy is none of the judge's.
HTTP = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def timed(case: Json) -> bool:
    """Whether time counts in a case."""
    ((_, call),) = case["call"].items()
    calls = call if isinstance(call, list) else [call]
    return any(not TIMED.isdisjoint(case["client"] | one | one.get("options", {})) for one in calls)


def post(place: str, body: object) -> None:
    """Tells the judge."""
    HTTP.open(urllib.request.Request(f"{JUDGE}/{place}", json.dumps(body).encode()), timeout=60).close()


def report(case: Json, played: Play, outcome: Json | None) -> None:
    """Tells what came of a case; of one that did not end in time, that it did not."""
    texts = [] if outcome is None else played.texts
    told = {} if played.told is None else {"told": played.told}
    post(f"outcome/{RUN}/{case['id']}", {"outcome": outcome or {"unplayable": f"no outcome within {LIMIT} s"}, "texts": texts} | told)


def blocking(cases: list[Json], at_once: int) -> None:
    """Plays cases by threads."""

    def turn(case: Json) -> None:
        played = Play(Blocking(), case)
        outcomes: list[Json] = []
        # A thread of its own, which can be left behind: it is a daemon, so the process ends without it.
        thread = threading.Thread(target=lambda: outcomes.append(drive(played.outcome())), daemon=True)
        thread.start()
        thread.join(LIMIT)
        report(case, played, outcomes[0] if outcomes else None)

    with concurrent.futures.ThreadPoolExecutor(at_once) as threads:
        list(threads.map(turn, cases))


def awaiting(cases: list[Json], at_once: int) -> None:
    """Plays cases by tasks."""

    async def turn(case: Json, places: asyncio.Semaphore) -> None:
        async with places:
            played = Play(Awaiting(), case)
            try:
                outcome = await asyncio.wait_for(played.outcome(), LIMIT)
            except asyncio.TimeoutError:
                outcome = None
            await asyncio.to_thread(report, case, played, outcome)

    async def every() -> None:
        # A busy machine makes any callback take long, and what would be told of it shows the outcome, which is ours.
        asyncio.get_running_loop().slow_callback_duration = LIMIT
        places = asyncio.Semaphore(at_once)
        await asyncio.gather(*(turn(case, places) for case in cases))

    # Debugging tells of what was never awaited, in the log that the judge reads.
    asyncio.run(every(), debug=True)


def run(play: typing.Callable[[list[Json], int], None]) -> None:
    """Plays and posts every case."""
    with HTTP.open(f"{JUDGE}/plan/{RUN}/json", timeout=60) as plan:
        cases: list[Json] = json.load(plan)
    play([case for case in cases if not timed(case)], AT_ONCE)
    play([case for case in cases if timed(case)], TIMED_AT_ONCE)


def main() -> None:
    """Runs, with what is logged and what the native part prints kept for the judge."""
    with tempfile.TemporaryFile() as log:
        logging.basicConfig(level=1, stream=os.fdopen(os.dup(log.fileno()), "w", buffering=1))
        shown = os.dup(sys.stderr.fileno())
        os.dup2(log.fileno(), sys.stderr.fileno())
        try:
            run(awaiting if "--async" in sys.argv else blocking)
        finally:
            os.dup2(shown, sys.stderr.fileno())
            log.seek(0)
            lines = log.read().decode(errors="replace").splitlines()
    post(f"texts/{RUN}", lines)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    # A case that hangs may hold threads that the interpreter would wait for.
    os._exit(0)
