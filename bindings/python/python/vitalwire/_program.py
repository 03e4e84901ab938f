"""The program `vitalwire`: where it is, whether it fits this package, how it is started and ended."""

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

from vitalwire._native import ConfigurationError, TimeoutError, VitalwireError, __version__
from vitalwire._refuse import bad_value, refused

#: The environment variable that names the program.
VARIABLE = "VITALWIRE_SANDBOX_PROGRAM"
#: How to get the program that fits this package.
INSTALL = "pip install 'vitalwire[sandbox]'"
#: How long the program may take to end after its input was closed, in seconds; it gives requests under way one second.
PATIENCE = 5
#: How much of what the program said is looked at, in bytes.
LONGEST = 4096
#: What could be a key or a token: texts do not have words of this length.
SECRET = re.compile(r"[A-Za-z0-9_.+/=-]{32,}")
#: How the program refuses the value of an option.
REFUSED = re.compile(r"^error: invalid value '.*?' for '--(?P<option>[a-z-]+) <[^>]*>': (?P<reason>.*)$", re.MULTILINE)
#: Options whose keywords have other names than theirs.
KEYWORDS = {"fault": "faults", "allow-host": "allow_hosts"}


def find(given: str | os.PathLike[str] | None) -> tuple[str, str]:
    """The program's path, and who named it: the argument, the environment, the package `vitalwire-sandbox` or `PATH`."""
    if given is not None:
        return _usable(os.fspath(given), "the argument `program`")
    named = os.environ.get(VARIABLE)
    if named:
        return _usable(named, VARIABLE)
    try:
        package = importlib.import_module("vitalwire_sandbox")
    except ModuleNotFoundError:
        found = shutil.which("vitalwire")
        if found is None:
            raise _configuration(f"the program `vitalwire` is not installed: {INSTALL}") from None
        return found, "PATH"
    return _usable(str(package.program()), "the package vitalwire-sandbox")


def _usable(path: str, source: str) -> tuple[str, str]:
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        raise _configuration(f"{source} names no program; the program that fits: {INSTALL}")
    return path, source


def check(path: str, source: str) -> None:
    """Refuses the program of another release: its options and what it says may be others."""
    try:
        # Its path is this machine's business: neither it nor the cause, which quotes it, is shown.
        said = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        raise _configuration(f"the program of {source} cannot be run; the program that fits: {INSTALL}") from None
    name, _, release = said.decode("ascii", "replace").strip().partition(" ")
    if name != "vitalwire":
        raise _configuration(f"the program of {source} is not `vitalwire`; the program that fits: {INSTALL}")
    if release != __version__:
        known = release if re.fullmatch(r"[0-9A-Za-z.+-]{1,32}", release) else "another one"
        raise _configuration(f"the program of {source} is of release {known}, this package of {__version__}: {INSTALL}")


class Process:
    """A running sandbox, and the line that it said when it was ready."""

    def __init__(self, command: list[str], limit: float) -> None:
        self.owner = os.getpid()
        # A file takes what it says without anybody reading along.
        self._said = tempfile.TemporaryFile()
        try:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                text=True,
                encoding="utf-8",
                errors="replace",
                # It needs none of our settings, and least of all our tokens.
                env={name: value for name, value in os.environ.items() if not name.startswith("VITALWIRE_")},
                **_apart(),
            )
        except OSError:
            self._said.close()
            raise _configuration("the program `vitalwire` cannot be started") from None
        try:
            self.ready = _object(self._first_line(limit))
        except BaseException:
            self.kill()
            raise

    def _first_line(self, limit: float) -> str:
        lines: list[str] = []
        output = typing.cast("typing.IO[str]", self._popen.stdout)

        def read() -> None:
            # The program may be ended by force meanwhile, and its output closed.
            with contextlib.suppress(OSError, ValueError):
                lines.append(output.readline())

        # A thread, since not every system can wait for a pipe with a time limit. It ends with the program.
        reader = threading.Thread(target=read, name="vitalwire-sandbox", daemon=True)
        reader.start()
        until = time.monotonic() + limit
        while reader.is_alive() and time.monotonic() < until:
            # Short turns: on Windows Ctrl-C does not end a wait.
            reader.join(min(0.1, max(0.0, until - time.monotonic())))
        if reader.is_alive():
            raise refused(TimeoutError, "start_timeout", f"the sandbox was not ready within {limit:g} s")
        if not lines or not lines[0].endswith("\n"):
            raise self._ended()
        return lines[0]

    def _ended(self) -> VitalwireError:
        """Why it ended before it was ready."""
        try:
            status = self._popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return _configuration("the sandbox closed its output before it was ready")
        self._said.seek(0)
        text = self._said.read(LONGEST).decode("utf-8", "replace")
        found = REFUSED.search(text)
        if found:
            option = found["option"]
            argument = KEYWORDS.get(option, option.replace("-", "_"))
            reason = SECRET.sub("[..]", found["reason"])
            return bad_value(argument, reason)
        message = SECRET.sub("[..]", " ".join(text.split()))
        return _configuration(f"the sandbox ended with status {status} before it was ready: {message or 'it said nothing'}")

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._popen.poll() is None

    def end(self) -> None:
        """Ends it by closing its input, and by force where that is not enough. In a forked child, lets go of it."""
        try:
            self._close(self._popen.stdin)
            if os.getpid() == self.owner:
                self._popen.wait(PATIENCE)
                self._close(self._popen.stdout)
                self._said.close()
        except subprocess.TimeoutExpired:
            self.kill()
        except BaseException:
            # Ctrl-C while waiting: nobody will come back for it.
            self.kill()
            raise

    def kill(self) -> None:
        """Ends it by force."""
        self._popen.kill()
        self._popen.wait()
        self._close(self._popen.stdin)
        self._close(self._popen.stdout)
        self._said.close()

    @staticmethod
    def _close(pipe: typing.IO[str] | None) -> None:
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _object(line: str) -> dict[str, typing.Any]:
    try:
        ready = json.loads(line)
    except ValueError:
        # Not as the cause: it would hold the line, which has tokens.
        ready = None
    if not isinstance(ready, dict):
        raise _configuration("what the sandbox said when it was ready is not understood")
    return ready


def _apart() -> dict[str, typing.Any]:
    """Away from the terminal: Ctrl-C there, or in a notebook, ends a call and not the sandbox."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def _configuration(text: str) -> VitalwireError:
    """An error about the program, wherever it was found."""
    error = ConfigurationError(f"configuration: {text}")
    error.argument = "program"
    return error
