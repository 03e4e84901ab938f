"""Tokens that a client reads from an environment variable or a file. Clients with such tokens can be pickled."""

from __future__ import annotations

import contextlib
import os
import select
import time

from vitalwire._arguments import check_text, check_type


_MAX_FILE = 64 * 1024
#: Maximum number of seconds to wait for a named pipe.
_PATIENCE = 5.0
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)


def _read(path: str) -> bytes:
    """Reads a file of limited size. Waits for a limited time for a named pipe."""
    content, until = b"", time.monotonic() + _PATIENCE
    with open(path, "rb", buffering=0, opener=lambda name, flags: os.open(name, flags | _NO_WAIT)) as file:
        while len(content) <= _MAX_FILE:
            _wait(file.fileno(), until)
            part = file.read(_MAX_FILE + 1 - len(content))
            if part == b"":
                return content
            # `None` if another reader was faster.
            content += part or b""
    raise ValueError("the token file must not be larger than 64 KiB")


def _wait(file: int, until: float) -> None:
    """Waits until a file can be read. Windows has no named pipes among its files."""
    if not _NO_WAIT:
        return
    poll = select.poll()
    poll.register(file, select.POLLIN)
    if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
        raise TimeoutError(f"the token file must be readable within {_PATIENCE:g} seconds")


class EnvironmentToken:
    """Reads the token from an environment variable, each time the client needs one. Pass it as `token=` of a client.

    name: Name of the variable, such as `STUDY_TOKEN`.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name: str = check_text("name", check_type("name", name, str))

    def __call__(self, reason: str) -> str:
        """Returns the token."""
        token = os.environ.get(self.name)
        if not token:
            raise LookupError(f"the environment variable {self.name} is not set or empty")
        if any("\ud800" <= character <= "\udfff" for character in token):
            raise ValueError(f"the environment variable {self.name} must be UTF-8")
        return token.strip()

    def __repr__(self) -> str:
        return f"EnvironmentToken({self.name!r})"


class FileToken:
    """Reads the token from a file, each time the client needs one, so that another program may renew it. Pass it as `token=` of a client.

    path: Path of the file, of at most 64 KiB. White space around the token is ignored. A named pipe must be written within 5 seconds.
    """

    __slots__ = ("path",)

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = check_text("path", os.fspath(path))

    def __call__(self, reason: str) -> str:
        """Returns the token."""
        content = _read(self.path)
        with contextlib.suppress(UnicodeError):
            return content.decode().strip()
        # Raised outside the handler: the context would contain the token.
        raise ValueError("the token file must be UTF-8")

    def __repr__(self) -> str:
        return "FileToken(...)"
