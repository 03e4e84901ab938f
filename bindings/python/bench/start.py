"""Measures import and first call as whole processes, the size of the installation, and the time from Ctrl-C to the exception."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
import zipfile
from email.parser import Parser
from pathlib import Path

import program

import vitalwire

#: Maximum size of the wheel in bytes. The Parquet writer of cohorts takes a quarter of it.
LARGEST = 8_500_000
#: Seconds between the start of a call and Ctrl-C.
WAIT = 0.2


def declare(wheel: Path, clean: str) -> None:
    """Declares the rows."""
    first_call = f"import vitalwire; vitalwire.Client({program.BASE_URL!r}, token={program.TOKEN!r}).user.info().uid"
    program.declare(name="bare", command=[clean, "-c", "pass"])
    program.declare(name="first", command=[clean, "-c", first_call])
    measure = "import + first call above the bare interpreter, ms"
    program.declare(measure=measure, ours="first", baseline="bare", figure="difference", gate="<= 5")
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    required = [needed for needed in metadata.get_all("Requires-Dist", []) if "extra ==" not in needed]
    program.declare(measure="required packages", ours=str(len(required)), figure=len(required), gate="<= 0")
    size = wheel.stat().st_size
    program.declare(measure="wheel, MB", ours=f"{size:,} bytes", figure=size / 1e6, gate=f"<= {LARGEST / 1e6}")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        # Nothing accepts the connection: the kernel opens it, and the request is never read.
        client = vitalwire.Client(f"http://127.0.0.1:{listener.getsockname()[1]}", token=program.TOKEN)
        slowest = 1e3 * max(interrupt(client, WAIT + at * 0.007) for at in range(5))
    program.declare(measure="Ctrl-C while a call waits, slowest, ms", ours=f"{slowest:.2f} ms", figure=slowest, gate="<= 100")


def interrupt(client: vitalwire.Client, wait: float) -> float:
    """Returns the seconds from the signal to the exception."""
    sent = [0.0]

    def send() -> None:
        time.sleep(wait)
        sent[0] = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        client.user.info(max_retries=0)
    except KeyboardInterrupt:
        at = time.perf_counter()
    else:
        raise AssertionError("a call without a response ended")
    thread.join()
    return at - sent[0]
