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
#: Ids of the server's nights: one with samples, one without samples, and one with 10,000 stages.
NIGHT = "00000000-0000-4000-8000-000000000001"
SHORT_NIGHT = "00000000-0000-4000-8000-000000000002"
LONG_NIGHT = "00000000-0000-4000-8000-000000000003"
#: Names of the requested hourly statistics: all known names except `sleep_duration_total`.
TYPES = [value for name, value in vars(vitalwire.StatisticName).items() if name.isupper() and value != "sleep_duration_total"]


@dataclass(frozen=True)
class Setting:
    """Inputs of a measure."""

    budget: Budget
    base_url: str
    payloads: Path
    #: Path of the measured wheel.
    wheel: Path
    #: Interpreter of an environment in which only the wheel is installed.
    clean: Path

    def body(self, name: str) -> bytes:
        """Returns a payload."""
        return (self.payloads / f"{name}.json").read_bytes()

    def client(self) -> vitalwire.Client:
        """Returns a client of the package with default settings."""
        return vitalwire.Client(self.base_url, token=TOKEN)


@contextmanager
def server(program: Path, payloads: Path) -> Iterator[str]:
    """Starts a server and yields its base URL. On several cores, the server runs on the first one, and this process on the others."""
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
    # The server's threads already exist, and each thread has its own CPU affinity.
    for thread in os.listdir(f"/proc/{server_process}/task"):
        os.sched_setaffinity(int(thread), cores[:1])
    os.sched_setaffinity(0, cores[1:])
