"""Tests ranges interrupted by Ctrl-C or a cancelled task. The exception carries the parts read so far and a resume token."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
import typing

import pytest
import vitalwire
from serving import PATIENCE
from test_ranges import DAY, NINE, STEPS, Reply, SeenRequest, async_client, client, day, days, steps_by_day, serve

#: Program that reads a range until Ctrl-C and prints the attributes of the exception.
READER = """
import datetime, json, signal, sys
import vitalwire

signal.signal(signal.SIGINT, signal.default_int_handler)
client = vitalwire.Client(sys.argv[1], token="t", allow_plain_http=True, proxy="none", max_retries=0)
first, last = datetime.date(2025, 3, 1), datetime.date(2025, 3, 9)
progress = (lambda progress: None) if "progress" in sys.argv[3:] else None
range_call = client.statistics.daily_range(
    first, last, ["steps"], part_length=datetime.timedelta(days=1), concurrency=2, progress=progress,
    on_error="collect" if "collect" in sys.argv[3:] else "stop",
)
rows = []
try:
    if sys.argv[2] == "iterate":
        for part in range_call:
            rows.append(part.response.statistics[0].values["steps"])
    elif sys.argv[2] == "collect":
        range_call.collect()
    else:
        range_call.to_dict()
except KeyboardInterrupt as error:
    if error.resume_token is None or type(error) is not KeyboardInterrupt:
        raise
    if sys.argv[2] == "collect":
        rows = [bucket.values["steps"] for bucket in error.partial_result.response.statistics]
    elif sys.argv[2] == "to_dict":
        rows = len(error.partial_result.response)
    notes = getattr(error, "__notes__", [])
    print(json.dumps([str(error.resume_token), rows, notes]))
"""


def respond_to_first(count: int) -> typing.Callable[[SeenRequest], Reply]:
    """Responds to requests for the first `count` days at once, and never to the others."""

    def respond(seen: SeenRequest) -> Reply:
        return days(seen) if day(seen.value("from_date")) < NINE[0] + count * DAY else Reply(None, 0)

    return respond


def resume(token: object) -> list[float]:
    """Resumes a range and returns the numbers of the remaining parts."""
    with serve(days) as service:
        resumed = client(service).statistics.daily_range(*NINE, part_length=DAY, resume=str(token))
        return [steps for _, steps in steps_by_day(resumed.collect().response)]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a single process")
@pytest.mark.parametrize(
    "arguments",
    [["collect"], ["collect", "progress"], ["collect", "collect"], ["to_dict"], ["iterate"], ["iterate", "progress"]],
    ids="-".join,
)
def test_ctrl_c_keeps_the_parts_read_so_far_and_a_resume_token(arguments: list[str]) -> None:
    with serve(respond_to_first(4)) as service:
        with subprocess.Popen(
            [sys.executable, "-c", READER, service.url, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as child:
            # The fifth and the sixth part are in flight.
            service.wait_for(6)
            child.send_signal(signal.SIGINT)
            out, error = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0 and not error, error
    token, rows, notes = json.loads(out)
    assert rows == (4 if arguments[0] == "to_dict" else STEPS[:4])
    assert resume(token) == STEPS[4:]
    if arguments[0] != "iterate" and sys.version_info >= (3, 11):
        assert any("resume_token" in note and "partial_result" in note for note in notes)


async def cancel_after(coming: typing.Awaitable[object], service: typing.Any, requests: int) -> asyncio.CancelledError:
    """Cancels a task after this number of requests. Returns the exception."""
    reading = asyncio.ensure_future(coming)
    await asyncio.get_running_loop().run_in_executor(None, service.wait_for, requests)
    await asyncio.sleep(0.1)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError) as caught:
        await reading
    assert type(caught.value) is asyncio.CancelledError
    return caught.value


@pytest.mark.parametrize("on_error", ["stop", "collect"])
@pytest.mark.parametrize("progress", [None, lambda _: None], ids=["no_callback", "callback"])
def test_a_cancelled_task_keeps_the_parts_read_so_far(progress: typing.Any, on_error: typing.Any) -> None:
    async def main() -> None:
        with serve(respond_to_first(4)) as service:
            range_call = async_client(service).statistics.daily_range(
                *NINE, part_length=DAY, concurrency=2, progress=progress, on_error=on_error
            )
            error: typing.Any = await cancel_after(range_call.collect(), service, 6)
            assert [steps for _, steps in steps_by_day(error.partial_result.response)] == STEPS[:4]
            assert error.resume_token.parts_left == 5
            tokens.append(error.resume_token)
            error = await cancel_after(range_call.table(), service, len(service.seen) + 6)
            assert len(error.partial_result.response) == 4
            tokens.append(error.resume_token)
            # Reads the range part by part instead of collecting it.
            parts = aiter(range_call)
            for _ in range(4):
                await anext(parts)
            error = await cancel_after(anext(parts), service, len(service.seen))
            assert error.resume_token == parts.resume_token
            tokens.append(error.resume_token)

    tokens: list[object] = []
    asyncio.run(main())
    assert [resume(token) for token in tokens] == [STEPS[4:]] * 3


async def cancel_after_read(coming: typing.Awaitable[object], is_task_woken: bool) -> asyncio.CancelledError:
    """Cancels a task after its call has ended, and before the task has received the result. Returns the exception."""
    reading: typing.Any = asyncio.ensure_future(coming)
    await asyncio.sleep(0)
    if not is_task_woken:
        # The event loop is blocked while a thread of the library ends the call.
        time.sleep(1.0)
    while is_task_woken and not reading._fut_waiter.done():
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError) as caught:
        await reading
    return caught.value


@pytest.mark.parametrize("is_task_woken", [False, True])
def test_a_part_that_a_cancelled_task_did_not_receive_remains(is_task_woken: bool) -> None:
    async def main() -> object:
        with serve(days) as service:
            parts = aiter(async_client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=1))
            assert (await anext(parts)).index == 0
            error: typing.Any = await cancel_after_read(anext(parts), is_task_woken)
            assert error.resume_token.parts_left == 8 and error.resume_token == parts.resume_token
            with pytest.raises(vitalwire.CancelledError) as refused:
                await anext(parts)
            assert refused.value.resume_token == parts.resume_token
            assert [part async for part in parts] == []
            return error.resume_token

    assert resume(asyncio.run(main())) == STEPS[1:]


def test_a_timeout_of_asyncio_carries_the_parts_read_so_far() -> None:
    async def main() -> None:
        with serve(respond_to_first(4)) as service:
            range_call = async_client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=2)
            with pytest.raises(asyncio.TimeoutError) as caught:
                await asyncio.wait_for(range_call.collect(), 1.0)
            cause: typing.Any = caught.value.__cause__ or caught.value.__context__
            assert isinstance(cause, asyncio.CancelledError) and len(cause.partial_result.parts) == 4  # type: ignore[attr-defined]

    asyncio.run(main())


def test_an_exception_of_a_callback_keeps_the_parts_read_so_far() -> None:
    class Stop(BaseException):
        pass

    def raising(progress: vitalwire.RangeProgress) -> None:
        if progress.done == 3:
            raise Stop

    with serve(days) as service:
        with pytest.raises(Stop) as caught:
            client(service).statistics.daily_range(*NINE, part_length=DAY, concurrency=1, progress=raising).collect()
    error: typing.Any = caught.value
    assert [steps for _, steps in steps_by_day(error.partial_result.response)] == STEPS[: len(error.partial_result.parts)]
    assert resume(error.resume_token) == STEPS[len(error.partial_result.parts) :]
