"""What the measures work on: payloads, the server, our client."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import vitalwire
from rounds import Effort

TOKEN = "bench-token"
#: The nights that the server has: with samples, without, and with 10,000 stages.
NIGHT = "00000000-0000-4000-8000-000000000001"
SHORT_NIGHT = "00000000-0000-4000-8000-000000000002"
LONG_NIGHT = "00000000-0000-4000-8000-000000000003"
#: Every name, and a year: what the question for the hours says.
TYPES = [value for name, value in vars(vitalwire.StatisticName).items() if name.isupper() and value != "sleep_duration_total"]


@dataclass(frozen=True)
class Setting:
    """What a measure is given."""

    effort: Effort
    base_url: str
    payloads: Path
    #: The wheel that is measured.
    wheel: Path
    #: The interpreter of an environment that holds nothing but the wheel.
    clean: Path

    def body(self, name: str) -> bytes:
        """The bytes of a payload."""
        return (self.payloads / f"{name}.json").read_bytes()

    def client(self) -> vitalwire.Client:
        """Our client, as somebody would make it."""
        return vitalwire.Client(self.base_url, token=TOKEN)


@contextmanager
def server(program: Path, payloads: Path) -> Iterator[str]:
    """The base URL of a running server. On two cores or more it has the first, and this process the others."""
    with subprocess.Popen([program, "--payloads", payloads], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            ready = json.loads(process.stdout.readline())
            _apart(process.pid)
            yield ready["base_url"]
        finally:
            process.stdin.close()


def _apart(server_process: int) -> None:
    if not hasattr(os, "sched_setaffinity"):
        return
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        return
    # The threads of the server are there already, and each has an affinity of its own.
    for thread in os.listdir(f"/proc/{server_process}/task"):
        os.sched_setaffinity(int(thread), cores[:1])
    os.sched_setaffinity(0, cores[1:])
