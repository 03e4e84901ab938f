"""Draws the CPU time and the memory of an export by the number of users, from the output of `cohort.py --scale`.

    python bindings/python/bench/cohort.py --program target/release/vitalwire --rounds 0 --scale 20 200 2000 | python figures/scale.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "vitalwire"

from matplotlib import pyplot


def main() -> None:
    """Writes `cohort_scale.svg` beside this file."""
    lines = [json.loads(line) for line in sys.stdin]
    points = sorted((line["users"], line["ms_per_user_year"], line["peak"]) for line in lines if "ms_per_user_year" in line)
    users, times, memory = zip(*points, strict=True)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
    for axes, values, label in ((left, times, "CPU time per user and year (ms)"), (right, memory, "maximum memory (MiB)")):
        axes.plot(users, values, marker="o")
        axes.set(xscale="log", xlabel="users", ylabel=label, ylim=(0, 1.3 * max(values)))
        axes.margins(x=0.1)
        axes.set_xticks(users, [f"{number:,}" for number in users], minor=False)
        axes.minorticks_off()
        for at, value in zip(users, values, strict=True):
            axes.annotate(f"{value:.3g}", (at, value), textcoords="offset points", xytext=(0, 6), ha="center")
    figure.savefig(Path(__file__).with_name("cohort_scale.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
