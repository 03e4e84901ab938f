"""Inputs of the measures: payloads, server and client."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import vitalwire
from rounds import Budget

TOKEN = "bench-token"
#: Nights of the server: with samples, without, and with 10,000 stages.
NIGHT = "00000000-0000-4000-8000-000000000001"
SHORT_NIGHT = "00000000-0000-4000-8000-000000000002"
LONG_NIGHT = "00000000-0000-4000-8000-000000000003"
#: The query for hours: every name, and a year.
TYPES = [value for name, value in vars(vitalwire.StatisticName).items() if name.isupper() and value != "sleep_duration_total"]


@dataclass(frozen=True)
class Setting:
    """Inputs of a measure."""

    budget: Budget
    base_url: str
    payloads: Path
    #: The measured wheel.
    wheel: Path
    #: Interpreter of an environment with only the wheel.
    clean: Path

    def body(self, name: str) -> bytes:
        """Returns a payload."""
        return (self.payloads / f"{name}.json").read_bytes()

    def client(self) -> vitalwire.Client:
        """Returns our client with default settings."""
        return vitalwire.Client(self.base_url, token=TOKEN)


@contextmanager
def server(program: Path, payloads: Path) -> Iterator[str]:
    """Starts a server and returns its base URL. With two cores or more, it runs on the first, and this process on the others."""
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
    # The server's threads already exist, and each has its own affinity.
    for thread in os.listdir(f"/proc/{server_process}/task"):
        os.sched_setaffinity(int(thread), cores[:1])
    os.sched_setaffinity(0, cores[1:])
