"""Measures a request over loopback for a year of hourly statistics, converted to pandas, in wall time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timezone

import pandas as pd

import equality
from baseline import httpx_pydantic_pandas
from report import Line, milliseconds
from rounds import compare
from setting import TOKEN, TYPES, Setting

import vitalwire

START, END = datetime(2025, 1, 1, tzinfo=timezone.utc), datetime(2026, 1, 1, tzinfo=timezone.utc)


def ours(client: vitalwire.Client) -> pd.DataFrame:
    """Requests hourly statistics with the package."""
    return client.statistics.interval(START, END, TYPES).to_pandas(lists=False)


def run(setting: Setting) -> Iterator[Line]:
    """Measures baseline time divided by our time."""
    client, baseline = setting.client(), httpx_pydantic_pandas.Client(setting.base_url, TOKEN)
    question = {"interval": "1h", "types": ",".join(TYPES), "from_timestamp": START.isoformat(), "to_timestamp": END.isoformat()}
    equality.frames(ours(client), baseline.frame(question), "over HTTP")
    found = compare(setting.budget, time.perf_counter, {"ours": lambda: ours(client), "baseline": lambda: baseline.frame(question)})
    what = "hourly year, loopback HTTP -> pandas: httpx + pydantic + pandas"
    figure = found.ratio("baseline", "ours")
    yield Line(what, milliseconds(found.median("ours")), milliseconds(found.median("baseline")), figure).at_least(15)
