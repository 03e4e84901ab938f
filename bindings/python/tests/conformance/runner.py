"""The conformance runner in Python: plays the judge's cases on the installed package and posts their outcomes.

`runner.py` uses `Client`, `runner.py --async` uses `AsyncClient`. See `tests/conformance/README.md`. The code for each operation and
each model is generated into `generated/`.
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
from style import AsyncStyle, BlockingStyle, drive

Json = dict[str, typing.Any]

#: Maximum number of concurrent cases, and of concurrent cases that depend on time.
AT_ONCE, TIMED_AT_ONCE = 16, 8
#: Maximum duration of a case, in seconds.
LIMIT = 60
#: Settings and call options that depend on time.
TIMED = {"timeout_scale", "total_ms", "attempt_ms", "connect_ms", "cancel_after_ms", "close_after_ms", "timeout_ms"}

JUDGE, RUN = os.environ["VITALWIRE_JUDGE"], os.environ["VITALWIRE_RUN"]
#: Sends requests to the judge without the machine's proxy.
HTTP = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def is_timed(case: Json) -> bool:
    """Returns whether a case depends on time."""
    ((_, call),) = case["call"].items()
    calls = call if isinstance(call, list) else [call]
    return any(not TIMED.isdisjoint(case["client"] | one | one.get("options", {})) for one in calls)


def post(place: str, body: object) -> None:
    """Posts a body to the judge."""
    HTTP.open(urllib.request.Request(f"{JUDGE}/{place}", json.dumps(body).encode()), timeout=60).close()


def report(case: Json, played: Play, outcome: Json | None) -> None:
    """Posts the outcome of a case, or reports that the case did not end in time."""
    texts = [] if outcome is None else played.texts
    attempts = {} if played.reported_attempts is None else {"reported_attempts": played.reported_attempts}
    post(f"outcome/{RUN}/{case['id']}", {"outcome": outcome or {"unplayable": f"no outcome within {LIMIT} s"}, "texts": texts} | attempts)


def play_on_threads(cases: list[Json], at_once: int) -> None:
    """Plays cases on threads."""

    def play_case(case: Json) -> None:
        played = Play(BlockingStyle(), case)
        outcomes: list[Json] = []
        # A daemon thread does not keep the process alive if the case hangs.
        thread = threading.Thread(target=lambda: outcomes.append(drive(played.outcome())), daemon=True)
        thread.start()
        thread.join(LIMIT)
        report(case, played, outcomes[0] if outcomes else None)

    with concurrent.futures.ThreadPoolExecutor(at_once) as threads:
        list(threads.map(play_case, cases))


def play_as_tasks(cases: list[Json], at_once: int) -> None:
    """Plays cases as tasks."""

    async def play_case(case: Json, slots: asyncio.Semaphore) -> None:
        async with slots:
            played = Play(AsyncStyle(), case)
            try:
                outcome = await asyncio.wait_for(played.outcome(), LIMIT)
            except asyncio.TimeoutError:
                outcome = None
            await asyncio.to_thread(report, case, played, outcome)

    async def play_all() -> None:
        # Disables asyncio's warning about slow callbacks, which would quote the outcome. On a busy machine, any callback may be slow.
        asyncio.get_running_loop().slow_callback_duration = LIMIT
        slots = asyncio.Semaphore(at_once)
        await asyncio.gather(*(play_case(case, slots) for case in cases))

    # Debug mode reports coroutines that were never awaited, in the log that the judge reads.
    asyncio.run(play_all(), debug=True)


def run(play: typing.Callable[[list[Json], int], None]) -> None:
    """Plays and posts every case."""
    with HTTP.open(f"{JUDGE}/plan/{RUN}/json", timeout=60) as plan:
        cases: list[Json] = json.load(plan)
    play([case for case in cases if not is_timed(case)], AT_ONCE)
    play([case for case in cases if is_timed(case)], TIMED_AT_ONCE)


def main() -> None:
    """Runs the cases and keeps all log output for the judge."""
    with tempfile.TemporaryFile() as log:
        logging.basicConfig(level=1, stream=os.fdopen(os.dup(log.fileno()), "w", buffering=1))
        shown = os.dup(sys.stderr.fileno())
        os.dup2(log.fileno(), sys.stderr.fileno())
        try:
            run(play_as_tasks if "--async" in sys.argv else play_on_threads)
        finally:
            os.dup2(shown, sys.stderr.fileno())
            log.seek(0)
            lines = log.read().decode(errors="replace").splitlines()
    post(f"texts/{RUN}", lines)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    # At a normal exit, the interpreter would wait for threads of a case that hangs.
    os._exit(0)
