"""Tests searches for nights interrupted by Ctrl-C or a cancelled task. The exception carries the nights read so far and a resume token."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
import typing

import pytest
from serving import PATIENCE, Reply, Request, Service
from test_nights import ALL, BOUNDS, async_client, client, ids, requested_sleep, week

#: Program that reads a search until Ctrl-C and prints the attributes of the exception.
READER = """
import datetime, json, signal, sys
import vitalwire

signal.signal(signal.SIGINT, signal.default_int_handler)
client = vitalwire.Client(sys.argv[1], token="t", allow_plain_http=True, proxy="none", max_retries=0)
search = client.sleeps.between(datetime.date(2025, 3, 1), datetime.date(2025, 3, 5), concurrency=1)
read = []
try:
    if sys.argv[2] == "iterate":
        for night in search:
            read.append(night.sleep.sleep_id)
    elif sys.argv[2] == "collect":
        search.collect()
    else:
        search.to_dict("sleep_stages")
except KeyboardInterrupt as error:
    if error.resume_token is None or type(error) is not KeyboardInterrupt:
        raise
    if sys.argv[2] == "collect":
        read = [night.sleep.sleep_id for night in error.partial_result.response]
    elif sys.argv[2] == "to_dict":
        read = error.partial_result.response.to_dict()["sleep_id"]
    print(json.dumps([str(error.resume_token), read]))
"""


def respond_except_last(request: Request) -> Reply:
    """Responds like `week`, but never responds to the request for the last sleep."""
    return Reply(delay=PATIENCE) if requested_sleep(request) == "night-5" else week(request)


def wait_for_the_last_sleep(service: Service, times: int = 1) -> None:
    end = time.monotonic() + PATIENCE
    while sum(requested_sleep(request) == "night-5" for request in service.requests) < times:
        assert time.monotonic() < end
        time.sleep(0.005)


def resume(token: object) -> list[str | None]:
    """Resumes a search and returns the ids of its nights."""
    with Service(week) as service, client(service) as own:
        return ids(own.sleeps.between(*BOUNDS, resume=str(token)).collect().response)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a single process")
@pytest.mark.parametrize("form", ["collect", "to_dict", "iterate"])
def test_ctrl_c_keeps_the_nights_read_so_far(form: str) -> None:
    with Service(respond_except_last) as service:
        with subprocess.Popen(
            [sys.executable, "-c", READER, service.url, form], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as child:
            wait_for_the_last_sleep(service)
            child.send_signal(signal.SIGINT)
            out, error = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0 and not error, error
    token, read = json.loads(out)
    assert read == ALL[:4] and resume(token) == ALL[4:]


def test_a_cancelled_task_keeps_the_nights_read_so_far() -> None:
    async def cancel(coming: typing.Awaitable[object], service: Service, times: int) -> typing.Any:
        task = asyncio.ensure_future(coming)
        await asyncio.get_running_loop().run_in_executor(None, wait_for_the_last_sleep, service, times)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        return caught.value

    async def main() -> list[object]:
        with Service(respond_except_last) as service:
            async with async_client(service) as own:
                search = own.sleeps.between(*BOUNDS, concurrency=1)
                collected = await cancel(search.collect(), service, 1)
                assert ids(collected.partial_result.response) == ALL[:4]
                tabled = await cancel(search.table("sleep_stages"), service, 2)
                assert tabled.partial_result.response.to_dict()["sleep_id"] == ALL[:4]
                nights = aiter(search)
                assert ids([await anext(nights) for _ in range(4)]) == ALL[:4]
                iterated = await cancel(anext(nights), service, 3)
                return [collected.resume_token, tabled.resume_token, iterated.resume_token]

    assert [resume(token) for token in asyncio.run(main())] == [ALL[4:]] * 3
