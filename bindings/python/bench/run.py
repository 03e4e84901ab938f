"""Compares the package with its alternatives, for `cargo xtask bench --only python`.

python run.py WHEEL INTERPRETER: the installed wheel, and the interpreter of an environment in which only the wheel is installed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import calls
import frames
import program
import start

if __name__ == "__main__":
    frames.declare()
    calls.declare()
    start.declare(Path(sys.argv[1]), sys.argv[2])
    program.serve()
