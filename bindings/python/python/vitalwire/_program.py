"""The program `vitalwire`: finds it, checks its version, starts and stops it."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import typing

from vitalwire._errors import argument_error, invalid_value
from vitalwire._native import ConfigurationError, TimeoutError, VitalwireError, __version__

#: Environment variable with the path of the program.
VARIABLE = "VITALWIRE_PROGRAM"
#: Command that installs the matching program.
INSTALL = "pip install 'vitalwire[sandbox]'"
#: Seconds to wait for the program to exit after its input was closed. The program gives requests in flight one second.
PATIENCE = 5
#: Maximum number of bytes of the program's error output that are read.
LONGEST = 4096
#: Words that may be a key or a token, because they are too long for prose.
SECRET = re.compile(r"[A-Za-z0-9_.+/=-]{32,}")
#: The program's message about an invalid option value.
REFUSED = re.compile(r"^error: invalid value '.*?' for '--(?P<option>[a-z-]+) <[^>]*>': (?P<reason>.*)$", re.MULTILINE)
#: Python keywords of options with another name.
KEYWORDS = {"fault": "faults", "allow-host": "allow_hosts"}


def find(given: str | os.PathLike[str] | None) -> tuple[str, str]:
    """Returns the path of the program and its source: argument, environment, package `vitalwire-sandbox` or `PATH`."""
    if given is not None:
        return _usable(os.fspath(given), "the argument `program`")
    named = os.environ.get(VARIABLE)
    if named:
        return _usable(named, VARIABLE)
    try:
        package = importlib.import_module("vitalwire_sandbox")
    except ModuleNotFoundError:
        # The current folder is left out: it may be somebody else's, such as a cloned repository.
        name = "vitalwire.exe" if sys.platform == "win32" else "vitalwire"
        paths = (os.path.join(folder, name) for folder in os.get_exec_path() if os.path.isabs(folder))
        found = next(filter(shutil.which, paths), None)
        if found is None:
            raise _configuration(f"the program `vitalwire` is not installed: {INSTALL}") from None
        return found, "PATH"
    return _usable(str(package.program()), "the package vitalwire-sandbox")


def _usable(path: str, source: str) -> tuple[str, str]:
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        raise _configuration(f"{source} must name an executable program; install the matching program: {INSTALL}")
    return path, source


def check(path: str, source: str) -> None:
    """Raises an error if the program has another version, because its options and output may differ."""
    try:
        # The error shows neither the path nor the cause, which quotes the path.
        output = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        raise _configuration(f"the program of {source} cannot be run; install the matching program: {INSTALL}") from None
    name, _, release = output.decode("ascii", "replace").strip().partition(" ")
    if name != "vitalwire":
        raise _configuration(f"the program of {source} is not `vitalwire`; install the matching program: {INSTALL}")
    if release != __version__:
        known = release if re.fullmatch(r"[0-9A-Za-z.+-]{1,32}", release) else "unknown"
        raise _configuration(f"the program of {source} has version {known}; it must have the version of this package, {__version__}: {INSTALL}")


class Process:
    """A running sandbox, and the line that it printed when it was ready."""

    def __init__(self, command: list[str], limit: float) -> None:
        self.owner = os.getpid()
        # A file instead of a pipe, because nobody reads the errors while the program runs.
        self._errors = tempfile.TemporaryFile()
        try:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                encoding="utf-8",
                errors="replace",
                # The program does not get the client's settings, which include tokens.
                env={name: value for name, value in os.environ.items() if not name.startswith("VITALWIRE_")},
                **_detach_options(),
            )
        except OSError:
            self._errors.close()
            raise _configuration("the program `vitalwire` cannot be started") from None
        try:
            self.ready = _parse_ready(self._first_line(limit))
        except BaseException:
            self.kill()
            raise

    def _first_line(self, limit: float) -> str:
        lines: list[str] = []
        output = typing.cast("typing.IO[str]", self._popen.stdout)

        def read() -> None:
            # The program may be killed and its output closed during the read.
            with contextlib.suppress(OSError, ValueError):
                lines.append(output.readline())

        # Reads in a thread, because not every system can read a pipe with a timeout. The thread ends with the program.
        reader = threading.Thread(target=read, name="vitalwire-sandbox", daemon=True)
        reader.start()
        until = time.monotonic() + limit
        while reader.is_alive() and time.monotonic() < until:
            # Waits for short times, because on Windows, Ctrl-C does not interrupt a wait.
            reader.join(min(0.1, max(0.0, until - time.monotonic())))
        if reader.is_alive():
            raise argument_error(TimeoutError, "start_timeout", f"the sandbox was not ready within {limit:g} s")
        if not lines or not lines[0].endswith("\n"):
            raise self._exit_error()
        return lines[0]

    def _exit_error(self) -> VitalwireError:
        """Returns the error of a program that exited before it was ready."""
        try:
            status = self._popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return _configuration("the sandbox closed its output before it was ready")
        self._errors.seek(0)
        text = self._errors.read(LONGEST).decode("utf-8", "replace")
        found = REFUSED.search(text)
        if found:
            option = found["option"]
            argument = KEYWORDS.get(option, option.replace("-", "_"))
            reason = SECRET.sub("[..]", found["reason"])
            return invalid_value(argument, reason)
        message = SECRET.sub("[..]", " ".join(text.split()))
        return _configuration(f"the sandbox ended with status {status} before it was ready: {message or 'it printed nothing'}")

    @property
    def pid(self) -> int:
        """Process id of the program."""
        return self._popen.pid

    def runs(self) -> bool:
        """Whether the program is running."""
        return self._popen.poll() is None

    def end(self) -> None:
        """Stops the program by closing its input, and kills it after a timeout. In a forked child, only closes the input."""
        try:
            self._close(self._popen.stdin)
            if os.getpid() == self.owner:
                self._popen.wait(PATIENCE)
                self._close(self._popen.stdout)
                self._errors.close()
        except subprocess.TimeoutExpired:
            self.kill()
        except BaseException:
            # After Ctrl-C, for example, this is the last chance to stop the program.
            self.kill()
            raise

    def kill(self) -> None:
        """Kills the program."""
        self._popen.kill()
        self._popen.wait()
        self._close(self._popen.stdin)
        self._close(self._popen.stdout)
        self._errors.close()

    @staticmethod
    def _close(pipe: typing.IO[str] | None) -> None:
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _parse_ready(line: str) -> dict[str, typing.Any]:
    try:
        ready = json.loads(line)
    except (ValueError, RecursionError):
        # The error is raised below, because here its cause would contain the line with the tokens.
        ready = None
    if not isinstance(ready, dict):
        raise _configuration("the ready line of the sandbox cannot be parsed; install the matching program")
    return ready


def _detach_options() -> dict[str, typing.Any]:
    """Returns options that detach the program from the terminal, so that Ctrl-C interrupts a call but not the sandbox."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def _configuration(text: str) -> VitalwireError:
    """Creates a `ConfigurationError` for the argument `program`."""
    error = ConfigurationError(f"configuration: {text}")
    error.argument = "program"
    return error
