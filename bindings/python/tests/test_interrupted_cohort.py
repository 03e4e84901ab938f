"""Tests readers of cohorts interrupted by Ctrl-C or a cancelled task. The reader then has the rest of the plan."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time

import pytest
from serving import PATIENCE, Reply, Request, Service
from vitalwire import cohort
from vitalwire.cohort import UserCredentials, Settings

DAY = "2025-10-01"
#: Program that reads a plan until Ctrl-C. It prints the number of rows and the users of the rest of the plan.
READER = f"""
import json, signal, sys
from vitalwire import cohort
from vitalwire.cohort import UserCredentials, Settings

signal.signal(signal.SIGINT, signal.default_int_handler)
credentials = UserCredentials.from_tokens({{"anna": "token-a", "ben": "token-b"}})
settings = Settings(sys.argv[1], allow_plain_http=True, proxy="none")
reader = cohort.read(cohort.plan(credentials, "daily", "{DAY}", "{DAY}", users_per_item=1), credentials, settings)
rows = []
try:
    for table in reader:
        rows.append(len(table))
except KeyboardInterrupt:
    print(json.dumps([rows, list(reader.remaining.users)]))
"""


#: Program that reads a plan as an Arrow table until Ctrl-C.
ARROW_READER = READER.replace("for table in reader:\n        rows.append(len(table))", "pyarrow.table(reader)").replace("json, signal", "json, pyarrow, signal")


def respond(request: Request) -> Reply:
    """Responds with one day."""
    day = {"date": DAY, "record_ids": ["1"], "values": {"steps": 100}}
    return Reply(body=json.dumps({"from_date": DAY, "to_date": DAY, "statistics": [day]}).encode())


def respond_except_to_ben(request: Request) -> Reply:
    """Responds with one day, but never to the user `ben`."""
    return Reply(delay=PATIENCE) if is_ben(request) else respond(request)


def is_ben(request: Request) -> bool:
    return request.headers.get("authorization") == "Bearer token-b"


def wait_for_ben(service: Service) -> None:
    end = time.monotonic() + PATIENCE
    while not any(map(is_ben, service.requests)):
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a single process")
@pytest.mark.parametrize(("program", "expected"), [(READER, [[1], ["ben"]]), (ARROW_READER, [[], ["anna", "ben"]])])
def test_ctrl_c_leaves_the_rest_of_the_plan(program: str, expected: list[object]) -> None:
    with Service(respond_except_to_ben) as service:
        with subprocess.Popen(
            [sys.executable, "-c", program, service.url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as child:
            wait_for_ben(service)
            child.send_signal(signal.SIGINT)
            out, error = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0 and not error, error
    assert json.loads(out) == expected


def test_a_cancelled_task_leaves_the_rest_of_the_plan() -> None:
    credentials = UserCredentials.from_tokens({"anna": "token-a", "ben": "token-b"})
    plan = cohort.plan(credentials, "daily", DAY, DAY, users_per_item=1)

    async def read_first(service: Service) -> cohort.Plan:
        reader = cohort.aread(plan, credentials, Settings(service.url, allow_plain_http=True, proxy="none"))
        assert len(await anext(reader)) == 1
        task = asyncio.ensure_future(anext(reader))
        await asyncio.get_running_loop().run_in_executor(None, wait_for_ben, service)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return reader.remaining

    with Service(respond_except_to_ben) as service:
        rest = asyncio.run(read_first(service))
    assert list(rest.users) == ["ben"]
    with Service(respond) as service:
        tables = list(cohort.read(rest, credentials, Settings(service.url, allow_plain_http=True, proxy="none")))
    assert [table.to_dict()["user"] for table in tables] == [["ben"]]
