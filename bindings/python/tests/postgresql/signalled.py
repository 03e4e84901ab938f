"""Runs a program, and sends this process a signal before a line of one of its functions. Tests start it.

Usage: signalled.py PROGRAM SIGNAL FUNCTION,FUNCTION NUMBER

NUMBER counts the lines of the functions that are executed, from 1.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import types
import typing

program, name, functions, number = sys.argv[1:]
left = int(number)


def trace(frame: types.FrameType, event: str, argument: object) -> typing.Any:
    """Counts the lines of the functions."""
    global left
    if frame.f_code.co_filename != program or frame.f_code.co_name not in functions.split(","):
        return None
    if event == "line":
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.Signals[name])
    return trace


sys.settrace(trace)
runpy.run_path(program, run_name="__main__")
