"""Tokens that a client reads from an environment variable or a file. Clients with such tokens can be pickled."""

from __future__ import annotations

import os

from vitalwire._arguments import check_text, check_type


_MAX_FILE = 64 * 1024


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

    path: Path of the file, of at most 64 KiB. White space around the token is ignored.
    """

    __slots__ = ("path",)

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = check_text("path", os.fspath(path))

    def __call__(self, reason: str) -> str:
        """Returns the token."""
        with open(self.path, encoding="utf-8") as file:
            token = file.read(_MAX_FILE + 1)
        if len(token) > _MAX_FILE:
            raise ValueError("the token file must not be larger than 64 KiB")
        return token.strip()

    def __repr__(self) -> str:
        return "FileToken(...)"
