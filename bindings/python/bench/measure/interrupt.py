"""Measures the time from Ctrl-C to the exception, during a call without a response."""

from __future__ import annotations

import os
import signal
import socket
import statistics
import threading
import time
from collections.abc import Iterator

from report import Line, milliseconds
from setting import TOKEN, Setting

import vitalwire

#: Seconds between the start of the call and the signal.
WAIT = 0.2


def run(setting: Setting) -> Iterator[Line]:
    """Measures the slowest of several runs in milliseconds."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        # Nothing accepts the connection: the kernel opens it, and the request is never read.
        host, port = listener.getsockname()
        client = vitalwire.Client(f"http://{host}:{port}", token=TOKEN)
        taken = [_once(client, WAIT + at * 0.007) for at in range(min(setting.budget.rounds, 9))]
    figure = max(taken) * 1e3
    yield Line("Ctrl-C while a call waits, slowest, ms", milliseconds(max(taken)), f"median {milliseconds(statistics.median(taken))}", figure).at_most(100)


def _once(client: vitalwire.Client, wait: float) -> float:
    sent = [0.0]

    def interrupt() -> None:
        time.sleep(wait)
        sent[0] = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        client.user.info(max_retries=0)
    except KeyboardInterrupt:
        at = time.perf_counter()
    else:
        raise AssertionError("a call ended that nobody answered")
    thread.join()
    return at - sent[0]
