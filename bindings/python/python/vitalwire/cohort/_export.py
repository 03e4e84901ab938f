"""Export of a cohort to a dataset of Parquet files."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from vitalwire import _native, _progress
from vitalwire._errors import invalid_value
from vitalwire._native import AsyncClient, Client
from vitalwire.cohort._people import Budget, People, Settings
from vitalwire.cohort._plan import Plan, TableName

if TYPE_CHECKING:
    import pyarrow.dataset  # type: ignore[import-untyped,import-not-found,unused-ignore]


class ExportProgress(Protocol):
    """Progress of an export.

    done, total: Number of finished days, and of all days. Each user and table counts separately.

    rows: Number of rows received.

    failures: Number of failures of users.
    """

    done: int
    total: int
    rows: int
    failures: int


@dataclasses.dataclass(frozen=True)
class TableChanges:
    """Numbers of rows of a table that an export changed.

    added: Rows of new records.

    changed: Rows of records whose content has changed.

    gone: Removed rows of records that the service no longer returns.
    """

    added: int
    changed: int
    gone: int


@dataclasses.dataclass(frozen=True)
class Summary:
    """Summary of an export.

    tables: Changes by table.

    users: Number of requested users.

    failures: Number of pairs of user and table with a failure. The table `errors` of the dataset lists the failures.

    not_listed: Number of users of earlier runs who are no longer in the cohort. Their rows stay in the dataset.
    """

    tables: dict[TableName, TableChanges]
    users: int
    failures: int
    not_listed: int

    @classmethod
    def _from_json(cls, text: str) -> Summary:
        summary = json.loads(text)
        return cls(**{**summary, "tables": {name: TableChanges(**changes) for name, changes in summary["tables"].items()}})


class _Display:
    """Progress display that opens at the first update."""

    def __init__(self) -> None:
        self._display: _progress.Display | None = None

    def update(self, progress: ExportProgress) -> None:
        """Shows the progress."""
        if self._display is None:
            self._display = _progress.show("cohort export", progress.total, "day")
        self._display.update(_progress.Step(progress.done, progress.rows))

    def close(self) -> None:
        """Closes the display."""
        if self._display is not None:
            self._display.close()


class _Export:
    """An export that has not started."""

    def __init__(
        self,
        client: Client | AsyncClient,
        plan: Plan,
        people: People,
        budget: Budget | None,
        progress: bool | Callable[[ExportProgress], object],
        pseudonym_key_file: str | os.PathLike[str] | None,
    ) -> None:
        budget = budget or Budget()
        if set(plan.users) != set(people.ids):
            raise invalid_value("plan", "must have exactly the users of people")
        self._plan = plan
        self._native = _native._CohortReader(client, people._native, budget.per_second, budget.in_flight, pseudonym_key_file)
        self._display = _Display() if progress is True else None
        self._listener = self._display.update if self._display else progress if callable(progress) else None

    def start(self, out: str | os.PathLike[str], resume: bool, late_days: int | None) -> Any:
        """Runs the export. Returns the summary as JSON, or an awaitable of it with an async client."""
        first, last = min(item.first for item in self._plan), max(item.last for item in self._plan)
        tables = list(self._plan.tables)
        return self._native.export(tables, first.isoformat(), last.isoformat(), out, resume, late_days, self._listener)

    def close(self) -> None:
        """Closes the progress display."""
        if self._display is not None:
            self._display.close()


def export(
    plan: Plan,
    people: People,
    out: str | os.PathLike[str],
    settings: Settings | None = None,
    *,
    budget: Budget | None = None,
    resume: bool = False,
    late_days: int | None = None,
    pseudonym_key_file: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[ExportProgress], object] = False,
) -> Summary:
    """Exports the tables and days of a plan as Parquet files. A later run can extend them.

    If the export is interrupted, rows that were already written are kept. Run it again with `resume=True`.

    people: Users of the plan, with their credentials. The plan must have exactly these users.

    out: Folder of the dataset. It is created if it does not exist. Without `resume`, it must be empty.

    budget: Limits on all requests. Defaults to 16 requests in flight.

    resume: Whether to complete an interrupted run, or to add new and changed rows to a complete one.

    late_days: Number of days that each later run requests again, because providers deliver late. Only the first run can set it. Defaults
    to 7.

    pseudonym_key_file: File with a key of at least 16 bytes. Pseudonyms then replace user ids in the dataset.

    progress: `True` shows a progress bar, with tqdm if it is installed. A function is called with an `ExportProgress` after each user.
    """
    run = _Export((settings or Settings()).client(), plan, people, budget, progress, pseudonym_key_file)
    try:
        return Summary._from_json(run.start(out, resume, late_days))
    finally:
        run.close()


async def aexport(
    plan: Plan,
    people: People,
    out: str | os.PathLike[str],
    settings: Settings | None = None,
    *,
    budget: Budget | None = None,
    resume: bool = False,
    late_days: int | None = None,
    pseudonym_key_file: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[ExportProgress], object] = False,
) -> Summary:
    """Exports a plan with asyncio. The arguments are those of `export`."""
    run = _Export((settings or Settings()).async_client(), plan, people, budget, progress, pseudonym_key_file)
    try:
        return Summary._from_json(await run.start(out, resume, late_days))
    finally:
        run.close()


def open_dataset(path: str | os.PathLike[str], table: TableName) -> pyarrow.dataset.Dataset:
    """Opens a table of an exported dataset. The column `month` has text such as `2025-01`."""
    import pyarrow.dataset  # type: ignore[import-untyped,import-not-found,unused-ignore]

    partitions = pyarrow.dataset.partitioning(pyarrow.schema({"month": "string"}), flavor="hive")
    folder = os.path.join(os.fspath(path), f"table={table}")
    return pyarrow.dataset.dataset(folder, format="parquet", partitioning=partitions)
