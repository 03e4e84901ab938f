"""Sandbox with the users of a cohort, and its request log, for tests."""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import typing
import urllib.request
from collections.abc import Iterable, Iterator

import vitalwire
from vitalwire import cohort

#: First and last day that the tests request.
FIRST, LAST = "2025-10-01", "2025-10-31"
#: Columns of the table `daily` that tests compare.
COLUMNS = ("user", "date", "steps", "sleep_score")


class Log:
    """Requests that a sandbox received after the log was created."""

    def __init__(self, sandbox: vitalwire.Sandbox) -> None:
        self._url = f"{sandbox.control_url}/requests"
        self._after = int(self._read(2**53)["last"])

    def _read(self, after: int) -> dict[str, typing.Any]:
        with urllib.request.urlopen(f"{self._url}?after={after}") as response:
            return dict(json.load(response))

    def requests(self, operation: str | None = None) -> list[dict[str, typing.Any]]:
        """Returns the requests of an operation, or all requests. Fails if the sandbox has already discarded some of them."""
        logged = self._read(self._after)
        assert logged["forgotten"] == 0
        return [request for request in logged["requests"] if operation in (None, request["operation"])]

    def bytes(self, operation: str) -> int:
        """Returns the total size of an operation's responses, in bytes."""
        return sum(request["bytes"] for request in self.requests(operation))

    def busiest_second(self) -> int:
        """Returns the maximum number of requests in any second."""
        times = sorted(datetime.datetime.fromisoformat(f"{request['at'][:26].rstrip('Z')}+00:00").timestamp() for request in self.requests())
        return max((sum(start <= time < start + 1 for time in times) for start in times), default=0)


class Cohort:
    """A sandbox, and files with its users and their application key.

    credentials: The users, from the file of users.

    secrets: Credentials that must not appear in plans, logs and event files.
    """

    def __init__(self, sandbox: vitalwire.Sandbox, folder: pathlib.Path) -> None:
        self.sandbox = sandbox
        self.key_file, self.users_file = folder / "key", folder / "users.csv"
        self.key_file.write_text(sandbox.application_key, encoding="utf-8")
        lines = [f"{user},{sandbox.application_id},{self.key_file}\n" for user in sandbox.user_ids]
        self.users_file.write_text(f"user,application_id,key_file\n{''.join(lines)}", encoding="utf-8")
        self.credentials = cohort.UserCredentials.from_file(self.users_file)
        self.settings = cohort.Settings(sandbox.base_url, proxy="none")
        self.secrets = [sandbox.application_key, sandbox.token_of(sandbox.user_ids[0])]

    def log(self) -> Log:
        """Returns a log of the requests from now on."""
        return Log(self.sandbox)

    def daily(self, users: Iterable[str] | None = None, first: str = FIRST, last: str = LAST) -> list[tuple[object, ...]]:
        """Returns the expected rows of the table `daily`, read with `vitalwire.cohort`."""
        plan = cohort.plan(self.credentials, "daily", first, last).only(users=users)
        return sorted_rows(row for table in cohort.read(plan, self.credentials, self.settings) for row in table)


def start(folder: pathlib.Path, people: int) -> Iterator[Cohort]:
    """Runs a sandbox whose users have no data on a tenth of the days."""
    with vitalwire.Sandbox(seed=7, people=people, missing=0.1, today=datetime.date(2025, 11, 20)) as sandbox:
        yield Cohort(sandbox, folder)


def sorted_rows(rows: Iterable[typing.Any]) -> list[tuple[object, ...]]:
    """Returns the values of `COLUMNS`, with the rows in a comparable order."""
    found = [tuple(_normalize(row[name]) for name in COLUMNS) for row in rows]
    return sorted(found, key=repr)


def _normalize(value: object) -> object:
    """Converts a time to its date, and NaN and `pandas.NA` to `None`."""
    if isinstance(value, datetime.datetime):
        return value.date()
    return None if value != value or type(value).__name__ == "NAType" else value


def leaks(folder: pathlib.Path, secrets: Iterable[str]) -> list[str]:
    """Returns the files below a folder that contain a secret. Fails if there are no files."""
    files = [pathlib.Path(at, name) for at, _, names in os.walk(folder) for name in names]
    files = [file for file in files if file.is_file()]
    assert files
    contents = {str(file): file.read_bytes() for file in files}
    return [name for name, content in contents.items() if any(secret.encode() in content for secret in secrets)]
