"""Measures small sync calls in sequence: user information of 700 bytes, in wall time."""

from __future__ import annotations

import time
from collections.abc import Iterator

from baseline import httpx_pydantic, urllib3_json
from report import Line, microseconds
from rounds import compare
from setting import TOKEN, Setting


def run(setting: Setting) -> Iterator[Line]:
    """Measures baseline time divided by our time, for each baseline."""
    client = setting.client()
    lean, typed = urllib3_json.Client(setting.base_url, TOKEN), httpx_pydantic.Client(setting.base_url, TOKEN)
    uid = client.user.info().uid
    assert uid == lean.user()["uid"] == str(typed.user().uid)
    alternatives = {"ours": lambda: client.user.info().uid, "urllib3 + json": lambda: lean.user()["uid"], "httpx + pydantic": lambda: typed.user().uid}
    for clock, what in ((time.perf_counter, "wall"), (time.process_time, "CPU")):
        found = compare(setting.budget, clock, alternatives)
        for name, gate in (("urllib3 + json", 2), ("httpx + pydantic", 3)):
            figure = found.ratio(name, "ours")
            line = Line(f"small sync call, {what}: {name}", microseconds(found.median("ours")), microseconds(found.median(name)), figure)
            yield line.at_least(gate) if what == "wall" else line
