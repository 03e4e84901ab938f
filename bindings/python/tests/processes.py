"""Functions that tests run in other processes, which import them by name."""

from __future__ import annotations

import datetime
import os

import vitalwire

#: Environment variable with the token.
VARIABLE = "VITALWIRE_TEST_TOKEN"
FIRST, LAST = datetime.date(2025, 11, 1), datetime.date(2025, 11, 7)


def provide(reason: str) -> str:
    """Returns the token of the environment."""
    return os.environ[VARIABLE]


def count_steps(client: vitalwire.Client) -> float:
    """Returns the steps of a week."""
    steps: list[float] = client.statistics.daily(FIRST, LAST, ["steps"]).table()["steps"]
    return sum(steps)
