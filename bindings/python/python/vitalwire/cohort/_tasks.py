"""Tasks: parts of a plan for the workers of an engine."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from vitalwire._native import Plan, RateLimits, Settings, UserCredentials, read
from vitalwire.cohort._columns import rows_schema

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

#: Default number of tasks.
TASKS = 8


@dataclasses.dataclass(frozen=True)
class Task:
    """Work items for one worker, with the users, settings and limits to read them. Its pickle contains no secret.

    number: Number of the task, from 0.

    plan: The work items.

    rate_limits: The task's share of the limits.

    failures: Folder for files of failures. If it is `None`, the first failure is raised.
    """

    number: int
    table: str
    plan: Plan
    credentials: UserCredentials
    settings: Settings | None
    rate_limits: RateLimits
    columns: tuple[str, ...] | None = None
    failures: str | None = None

    @property
    def schema(self) -> pyarrow.Schema:
        """Arrow schema of the rows."""
        return rows_schema(self.table, self.columns)

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        """Reads the items, and replaces the file of failures of an earlier execution of the task, even if the iteration ends early."""
        file = None if self.failures is None else pathlib.Path(self.failures, f"failures-{self.number:05}.jsonl")
        if not len(self.plan):
            if file is not None:
                file.unlink(missing_ok=True)
            return
        # An earlier execution or another task of this worker may have just sent a request with the same share.
        time.sleep(self.rate_limits._task_delay)
        on_error: Literal["raise", "collect"] = "raise" if file is None else "collect"
        reader = read(self.plan, self.credentials, self.settings, columns=self.columns, rate_limits=self.rate_limits, on_error=on_error)
        try:
            yield from reader.batches()
        finally:
            if file is not None:
                reader._write_failures(file)


def divide(
    table: str,
    plan: Plan,
    credentials: UserCredentials,
    settings: Settings | None,
    columns: Iterable[str] | None,
    rate_limits: RateLimits | None,
    tasks: int,
    failures: str | os.PathLike[str] | None,
) -> list[Task]:
    """Divides a plan of one table into tasks. An empty plan has one task without items, because engines require one.

    Removes the files of failures of an earlier execution with more tasks.
    """
    limits = rate_limits or RateLimits()
    parts = plan.divide(tasks, limits) or [plan]
    share, named = limits.share(len(parts)), None if columns is None else tuple(columns)
    folder = None if failures is None else os.path.abspath(os.fspath(failures))
    if folder is not None:
        _remove_files_of_later_tasks(pathlib.Path(folder), len(parts))
    return [Task(at, table, part, credentials._only(part.users), settings, share, named, folder) for at, part in enumerate(parts)]


def _remove_files_of_later_tasks(folder: pathlib.Path, tasks: int) -> None:
    """Removes the files of failures of tasks whose number is not below the number of tasks."""
    for file in folder.glob("failures-*.jsonl"):
        number = file.stem.removeprefix("failures-")
        if number.isdecimal() and int(number) >= tasks:
            file.unlink(missing_ok=True)
