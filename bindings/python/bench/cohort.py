"""Measures `vitalwire cohort export` from a sandbox to Parquet by the number of users, and draws `figures/cohort_scale.svg`.

    cargo build --release -p vitalwire-cli
    python bindings/python/bench/cohort.py target/release/vitalwire

Requires no package. Prints one line of JSON for each number of users.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

USERS = (20, 200, 2000)
RANGE = ["--tables", "daily", "--from", "2024-11-21", "--to", "2025-11-20"]
WIDTH, HEIGHT, LEFT, BOTTOM = 380, 240, 40, 200


def export(program: str, users: int) -> tuple[float, float]:
    """Exports a year of days. Returns the CPU time per user in milliseconds, and the peak memory in MiB."""
    command = [program, "sandbox", "--ready-json", "--seed", "7", "--today", "2025-11-21", "--people", str(users)]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as sandbox:
        assert sandbox.stdin is not None and sandbox.stdout is not None
        ready = json.loads(sandbox.stdout.readline())
        lines = [f"person-{at},{ready['application_id']},BENCH_KEY\n" for at in range(1, users + 1)]
        file = Path(folder, "users.csv")
        file.write_text("user,application_id,key_env\n" + "".join(lines))
        line = [program, "cohort", "export", "--users", str(file), "--out", str(Path(folder, "dataset")), *RANGE]
        environment = {**os.environ, "VITALWIRE_BASE_URL": ready["base_url"], "BENCH_KEY": ready["application_key"]}
        process = subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL)
        # `ru_maxrss` would include the memory of this process before it started the program.
        peak = 0.0
        while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
            status = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            peak = max([peak, *(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))])
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(ended[1])
        assert process.returncode == 0, process.returncode
        sandbox.stdin.close()
        return 1000 * (ended[2].ru_utime + ended[2].ru_stime) / users, peak


def panel(at: int, label: str, points: list[float]) -> str:
    """Draws a line through a value for each number of users, with equal distances because the numbers grow tenfold."""
    xs = [LEFT + at * WIDTH + 40 + step * 110 for step in range(len(points))]
    ys = [BOTTOM - 150 * value / max(points) for value in points]
    line = " ".join(f"{x},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    parts = [f'<text x="{xs[1]}" y="20" text-anchor="middle">{label}</text>']
    parts.append(f'<path d="M{LEFT + at * WIDTH},40 V{BOTTOM} H{LEFT + at * WIDTH + 300}" fill="none" stroke="#8c8c8c"/>')
    parts.append(f'<polyline points="{line}" fill="none" stroke="#1f5fbf" stroke-width="2"/>')
    for x, y, value, users in zip(xs, ys, points, USERS, strict=True):
        parts.append(f'<circle cx="{x}" cy="{y:.1f}" r="4" fill="#1f5fbf"/>')
        parts.append(f'<text x="{x}" y="{y - 9:.1f}" text-anchor="middle">{value:.3g}</text>')
        parts.append(f'<text x="{x}" y="{BOTTOM + 18}" text-anchor="middle">{users:,}</text>')
    return "\n".join([*parts, f'<text x="{xs[1]}" y="{BOTTOM + 36}" text-anchor="middle">users</text>'])


def draw(times: list[float], memory: list[float]) -> None:
    """Writes the chart."""
    size, font = f'width="{2 * WIDTH}" height="{HEIGHT}"', 'font-family="sans-serif" font-size="12"'
    panels = [panel(0, "CPU time per user and year (ms)", times), panel(1, "maximum memory (MiB)", memory)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} fill="#222222">\n<rect {size} fill="#ffffff"/>'
    Path(__file__).parent.joinpath("figures", "cohort_scale.svg").write_text("\n".join([head, *panels, "</svg>", ""]), encoding="utf-8")


def main() -> None:
    """Measures each number of users."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    times, memory = [], []
    for users in USERS:
        cpu, peak = export(sys.argv[1], users)
        print(json.dumps({"users": users, "ms_per_user_year": round(cpu, 3), "peak": round(peak, 3)}))
        times.append(cpu)
        memory.append(peak)
    draw(times, memory)


if __name__ == "__main__":
    main()
