"""Shared fixtures: a sandbox with known people on a known day, and a client of the sandbox.

The program is `VITALWIRE_PROGRAM` if set, otherwise the program of the package `vitalwire-sandbox`.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest

import vitalwire


@pytest.fixture(scope="module")
def service() -> Iterator[vitalwire.Sandbox]:
    """A sandbox with the people of seed 7, always at noon of the same day."""
    with vitalwire.Sandbox(seed=7, today=datetime.date(2025, 11, 20)) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def client(service: vitalwire.Sandbox) -> vitalwire.Client:
    """A client of the sandbox's first user."""
    return service.client()
