"""Draws the chart of decoders and prints the table of figures, from files that `cargo xtask bench --json FILE` wrote.

Usage: python3 draw.py FILE.. > table.md, one file for each run. Requires no package. Writes `decoders.svg` next to this file.
"""

from __future__ import annotations

import json
import pathlib
import statistics
import sys

PAYLOADS = ("interval", "interval_regular", "daily", "sleep samples", "labs", "nutrition")
#: Each decoder with its color, its measure and which side of the measure it is.
DECODERS = (
    ("Vitalwire, into columns", "#1f5fbf", "columns: {}", "ours"),
    ("serde_json, into structs", "#8c8c8c", "columns: {}", "baseline"),
    ("sonic-rs, into structs", "#d98032", "columns against sonic-rs: {}", "baseline"),
    ("arrow-json, into columns", "#4a9c6d", "columns against arrow-json: {}", "baseline"),
    ("structural scan, no values", "#d9d9d9", "columns against structural scan: {}", "baseline"),
)
WIDTH, LEFT, RIGHT, TOP = 760, 130, 60, 64
BAR, GAP = 13, 14
#: Largest rate of the axis, in GB/s.
MAX = 4.0


def read(path: str) -> dict[str, dict]:
    return {line["measure"]: line for line in json.loads(pathlib.Path(path).read_text())}


def rate(runs: list[dict[str, dict]], measure: str, side: str) -> float | None:
    """Returns the median rate in GB/s; `None` if it was not measured."""
    found = [float(run[measure][side].removesuffix(" MB/s")) for run in runs if measure in run]
    return statistics.median(found) / 1000 if found else None


def chart(runs: list[dict[str, dict]]) -> str:
    scale = (WIDTH - LEFT - RIGHT) / MAX
    parts, y = [], TOP
    for payload in PAYLOADS:
        bars = [(color, rate(runs, measure.format(payload), side)) for _, color, measure, side in DECODERS]
        bars = [(color, value) for color, value in bars if value is not None]
        middle = y + len(bars) * BAR / 2 + 4
        parts.append(f'<text x="{LEFT - 8}" y="{middle:.0f}" text-anchor="end">{payload}</text>')
        for color, value in bars:
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{value * scale:.1f}" height="{BAR - 2}" fill="{color}"/>')
            parts.append(f'<text x="{LEFT + value * scale + 4:.1f}" y="{y + 9}" font-size="10">{value:.2f}</text>')
            y += BAR
        y += GAP
    grid = []
    for tick in range(int(MAX) + 1):
        x = LEFT + tick * scale
        grid.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{y - GAP + 4}" stroke="#eeeeee"/>')
        grid.append(f'<text x="{x:.1f}" y="{y + 6}" text-anchor="middle">{tick}</text>')
    legend = []
    for at, (name, color, _, _) in enumerate(DECODERS):
        x, line = 16 + at % 3 * 240, 14 + at // 3 * 18
        legend.append(f'<rect x="{x}" y="{line}" width="11" height="11" fill="{color}"/>')
        legend.append(f'<text x="{x + 16}" y="{line + 10}">{name}</text>')
    height = y + 32
    axis = f'<text x="{LEFT + (WIDTH - LEFT - RIGHT) / 2:.0f}" y="{height - 8}" text-anchor="middle">GB of JSON per second, one core</text>'
    body = "\n".join([*grid, *parts, *legend, axis])
    size, font = f'width="{WIDTH}" height="{height}"', 'font-family="sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} fill="#222222">'
    return f'{head}\n<rect {size} fill="#ffffff"/>\n{body}\n</svg>\n'


def table(runs: list[dict[str, dict]]) -> str:
    """Returns the ratios of each run as Markdown."""
    lines = ["| measure | " + " | ".join(f"run {at + 1}" for at in range(len(runs))) + " | gate |", "|---|" + "---|" * (len(runs) + 1)]
    for measure, first in runs[0].items():
        figures = [f"{run[measure]['figure']:.2f}" if measure in run else "" for run in runs]
        lines.append(f"| {measure} | " + " | ".join(figures) + f" | {first['gate']} |")
    return "\n".join(lines)


def main() -> None:
    runs = [read(path) for path in sys.argv[1:]]
    pathlib.Path(__file__).with_name("decoders.svg").write_text(chart(runs))
    print(table(runs))


main()
