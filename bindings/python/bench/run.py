"""Measures the installed package and its alternatives, and prints one line of JSON per measure.

`cargo xtask bench --only python` builds the wheel and the server, runs this program and prints a table.
"""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

import setting
from rounds import FULL, QUICK

#: Modules of `measure`, in the order of the table.
MEASURES = ("frames", "http_frames", "call", "at_once", "start", "stages", "samples", "memory", "interrupt")


def main() -> None:
    """Runs the selected measures. Defaults to all measures."""
    parser = argparse.ArgumentParser(description="Measures the installed package beside what one would use instead.")
    parser.add_argument("--server", type=Path, required=True, help="the program vitalwire-bench-server")
    parser.add_argument("--payloads", type=Path, required=True, help="a folder for the payloads")
    parser.add_argument("--wheel", type=Path, required=True, help="the wheel that is installed")
    parser.add_argument("--clean", type=Path, required=True, help="the interpreter of an environment with nothing but the wheel")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds: a look, not a figure to quote")
    parser.add_argument("--measure", action="append", choices=MEASURES, help="only these")
    options = parser.parse_args()
    budget = QUICK if options.quick else FULL
    with setting.server(options.server, options.payloads) as base_url:
        benchmark_setting = setting.Setting(budget, base_url, options.payloads, options.wheel, options.clean)
        for name in options.measure or MEASURES:
            for line in importlib.import_module(f"measure.{name}").run(benchmark_setting):
                line.print()


if __name__ == "__main__":
    main()
