"""Tasks: parts of a plan for the workers of an engine."""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from vitalwire._errors import invalid_value
from vitalwire.cohort._people import Budget, People, Settings
from vitalwire.cohort._plan import Plan, rows_schema
from vitalwire.cohort._reader import Reader, UserFailure, read

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

#: Default number of tasks.
TASKS = 8
#: Part of the rate that tasks use. Network delays can move requests of different machines into the same second.
HEADROOM = 0.9


@dataclasses.dataclass(frozen=True)
class Task:
    """Work items for one worker, with the users, settings and budget to read them. Its pickle contains no secret.

    number: Number of the task, from 0.

    plan: The work items.

    budget: The task's share of the budget.

    failures: Folder for files of failures. If it is `None`, the first failure is raised.
    """

    number: int
    plan: Plan
    people: People
    settings: Settings | None
    budget: Budget
    columns: tuple[str, ...] | None = None
    failures: str | None = None

    @property
    def schema(self) -> pyarrow.Schema:
        """Arrow schema of the rows."""
        return rows_schema(self.plan.tables[0], self.columns)

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        """Reads the items, and replaces the file of failures of an earlier execution of the task."""
        if self.budget.per_second is not None:
            # An earlier execution or another task of this worker may have just sent a request with the same share.
            time.sleep(1.05 / self.budget.per_second)
        on_error: Literal["raise", "collect"] = "raise" if self.failures is None else "collect"
        reader = read(self.plan, self.people, self.settings, columns=self.columns, budget=self.budget, on_error=on_error)
        yield from reader.batches()
        if self.failures is not None:
            self._write_failures(reader)

    def _write_failures(self, reader: Reader) -> None:
        path = os.path.join(str(self.failures), f"failures-{self.number:05}.jsonl")
        if not reader.failures:
            if os.path.exists(path):
                os.remove(path)
            return
        os.makedirs(str(self.failures), exist_ok=True)
        with open(f"{path}.tmp", "w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(_to_dict(failure))}\n" for failure in reader.failures)
        os.replace(f"{path}.tmp", path)


def _to_dict(failure: UserFailure) -> dict[str, object]:
    return {**dataclasses.asdict(failure), "first": failure.first.isoformat(), "last": failure.last.isoformat()}


def divide(
    plan: Plan,
    people: People,
    settings: Settings | None,
    *,
    columns: Iterable[str] | None = None,
    budget: Budget | None = None,
    tasks: int = TASKS,
    failures: str | os.PathLike[str] | None = None,
) -> list[Task]:
    """Divides a plan and a budget into at most `tasks` tasks with about the same number of users.

    There are fewer tasks if the budget or the number of users does not allow as many.
    """
    if tasks < 1:
        raise invalid_value("tasks", "must be at least 1")
    budget = budget or Budget()
    users = plan.users
    count = min(budget.max_tasks(tasks), len(users))
    if not count:
        return []
    share = budget.share(count)
    if share.per_second is not None:
        share = dataclasses.replace(share, per_second=share.per_second * HEADROOM)
    named = None if columns is None else tuple(columns)
    folder = None if failures is None else os.path.abspath(os.fspath(failures))
    blocks = [users[len(users) * at // count : len(users) * (at + 1) // count] for at in range(count)]
    return [
        Task(at, plan.only(users=block), people._only(block), settings, share, named, folder) for at, block in enumerate(blocks)
    ]
