"""Measures the peak memory of converting a year of hourly statistics to pandas, each alternative in its own process. Linux only."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from report import Line
from setting import Setting

FOLDER = Path(__file__).parent.parent


def run(setting: Setting) -> Iterator[Line]:
    """Measures the baselines' increase in memory divided by ours, without a gate."""
    if not Path("/proc/self/clear_refs").exists():
        return
    peaks = {name: _peak(setting, name) for name in ("ours", *_baselines())}
    for name in _baselines():
        yield Line(f"peak memory, hourly year -> pandas: {name}", f"{peaks['ours']:.1f} MB", f"{peaks[name]:.1f} MB", peaks[name] / peaks["ours"])


def _baselines() -> list[str]:
    from measure.frames import BASELINES

    return list(BASELINES)


def _peak(setting: Setting, name: str) -> float:
    interval = setting.payloads / "interval.json"
    command = [sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1]); from measure import memory; memory.child(*sys.argv[2:])"]
    done = subprocess.run([*command, FOLDER, name, interval], check=True, capture_output=True, text=True)
    return float(done.stdout)


def child(name: str, file: str) -> None:
    """Prints the increase in memory, in megabytes."""
    from measure.frames import BASELINES, ours

    frame = ours if name == "ours" else BASELINES[name][0].frame
    body = Path(file).read_bytes()
    # Converts one day first, so that imports and caches do not count.
    response = json.loads(body)
    response["statistics"] = response["statistics"][:24]
    frame(json.dumps(response).encode())
    del response
    before = _kilobytes("VmRSS")
    # Writing 5 resets the peak to the current memory use.
    Path("/proc/self/clear_refs").write_text("5")
    kept = frame(body)
    print((_kilobytes("VmHWM") - before) / 1e3)
    del kept


def _kilobytes(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))
