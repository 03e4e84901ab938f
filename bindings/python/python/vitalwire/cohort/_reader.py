"""Readers of plans, blocking and for asyncio."""

from __future__ import annotations

import dataclasses
import datetime
import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from vitalwire import _native, _progress
from vitalwire._errors import invalid_value
from vitalwire._native import AsyncClient, Client, Table, VitalwireError
from vitalwire.cohort._people import Budget, People, Settings
from vitalwire.cohort._plan import Plan, TableName, WorkItem, rows_schema, select

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]


@dataclasses.dataclass(frozen=True)
class UserFailure:
    """A failure to read one table of a user for a span of days.

    user: User id or pseudonym, as in the column `user`.

    table: Name of the table.

    first, last: First and last day that could not be read.

    kind: Name of the error kind, such as `authentication`.

    status: HTTP status of the last response. `None` if there was no response.

    message: Error message. Contains no token and no health data.
    """

    user: str
    table: TableName
    first: datetime.date
    last: datetime.date
    kind: str
    status: int | None
    message: str

    @classmethod
    def _from_dict(cls, failure: dict[str, Any]) -> UserFailure:
        first, last = (datetime.date.fromisoformat(failure.pop(name)) for name in ("from", "to"))
        return cls(first=first, last=last, **failure)

    def _to_error(self) -> VitalwireError:
        kinds = {kind.kind: kind for kind in VitalwireError.__subclasses__()}
        error = kinds.get(self.kind, VitalwireError)(self.message)
        error.status = self.status
        return error


class _ReaderBase:
    """State and properties of both readers."""

    def __init__(
        self,
        plan: Plan | WorkItem,
        client: Client | AsyncClient,
        people: People,
        columns: Iterable[str] | None,
        budget: Budget | None,
        on_error: Literal["collect", "raise"],
        progress: bool,
        pseudonym_key_file: str | os.PathLike[str] | None,
    ) -> None:
        if on_error not in ("collect", "raise"):
            raise invalid_value("on_error", "must be 'collect' or 'raise'")
        budget = budget or Budget()
        self._plan = Plan([plan]) if isinstance(plan, WorkItem) else plan
        self._columns = None if columns is None else tuple(columns)
        self._raises = on_error == "raise"
        self._done = self._rows = 0
        self._native = _native._CohortReader(client, people._native, budget.per_second, budget.in_flight, pseudonym_key_file)
        self._display = _progress.show("cohort", len(self._plan)) if progress else None
        self.failures: list[UserFailure] = []

    @property
    def remaining(self) -> Plan:
        """Plan of the items that were not returned yet. Read it to continue, for example after Ctrl-C."""
        return Plan(self._plan.items[self._done :])

    @property
    def schema(self) -> pyarrow.Schema:
        """Arrow schema of the rows. The plan must have one table."""
        tables = self._plan.tables
        if len(tables) != 1:
            raise invalid_value("plan", "must have one table; use plan.only(tables=...)")
        return rows_schema(tables[0], self._columns)

    def failures_table(self) -> pyarrow.Table:
        """Returns the failures as a `pyarrow.Table`."""
        import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

        day = pyarrow.date32()
        columns = {"user": "string", "table": "string", "first": day, "last": day, "kind": "string", "status": "int64", "message": "string"}
        rows = [dataclasses.asdict(failure) for failure in self.failures]
        return pyarrow.Table.from_pylist(rows, pyarrow.schema(columns))

    def close(self) -> None:
        """Closes the progress display."""
        if self._display is not None:
            self._display.close()

    def _start(self) -> Any:
        """Reads the next item. Returns `None` at the end of the plan, and an awaitable with an async client."""
        if self._done == len(self._plan):
            self.close()
            return None
        item, names = select(self._plan.items[self._done], self._columns)
        return self._native.read(item._to_json(), names)

    def _end(self, read: tuple[Table, str]) -> Table:
        table, failures = read
        failed = [UserFailure._from_dict(failure) for failure in json.loads(failures)]
        if failed and self._raises:
            self.close()
            raise failed[0]._to_error()
        self.failures += failed
        self._done += 1
        self._rows += len(table)
        if self._display is not None:
            self._display.update(_progress.Step(self._done, self._rows))
        return table


class Reader(_ReaderBase):
    """Iterator over the tables of a plan, one for each work item. Create it with `read`.

    If the plan has one table, pyarrow, polars and other libraries accept it as an Arrow stream.

    failures: Failures so far.
    """

    def __iter__(self) -> Reader:
        return self

    def __next__(self) -> Table:
        read = self._start()
        if read is None:
            raise StopIteration
        return self._end(read)

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def batches(self) -> pyarrow.RecordBatchReader:
        """Returns the rows as Arrow record batches. The plan must have one table."""
        import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

        schema = self.schema
        batches = (batch for table in self for batch in pyarrow.table(table).cast(schema).to_batches())
        return pyarrow.RecordBatchReader.from_batches(schema, batches)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.batches().__arrow_c_stream__(requested_schema)


class AsyncReader(_ReaderBase):
    """Asynchronous iterator over the tables of a plan, one for each work item. Create it with `aread`.

    failures: Failures so far.
    """

    def __aiter__(self) -> AsyncReader:
        return self

    async def __anext__(self) -> Table:
        read = self._start()
        if read is None:
            raise StopAsyncIteration
        return self._end(await read)

    async def __aenter__(self) -> AsyncReader:
        return self

    async def __aexit__(self, *_exception: object) -> None:
        self.close()


def read(
    plan: Plan | WorkItem,
    people: People,
    settings: Settings | None = None,
    *,
    columns: Iterable[str] | None = None,
    budget: Budget | None = None,
    on_error: Literal["collect", "raise"] = "collect",
    progress: bool = False,
    pseudonym_key_file: str | os.PathLike[str] | None = None,
) -> Reader:
    """Creates a reader of a plan or a work item. It sends no request before its first table is requested.

    columns: Names of the columns to read, besides `user`. Other statistics are not requested, so days and hours without a value of these
    statistics have no row. Defaults to all.

    budget: Limits on all requests. Defaults to 16 requests in flight.

    on_error: `collect` adds failures of users to `failures`. `raise` raises the first one as an exception. Defaults to `collect`.

    progress: Whether to show a progress bar, with tqdm if it is installed.

    pseudonym_key_file: File with a key of at least 16 bytes. Pseudonyms then replace user ids in rows and failures.
    """
    client = (settings or Settings()).client()
    return Reader(plan, client, people, columns, budget, on_error, progress, pseudonym_key_file)


def aread(
    plan: Plan | WorkItem,
    people: People,
    settings: Settings | None = None,
    *,
    columns: Iterable[str] | None = None,
    budget: Budget | None = None,
    on_error: Literal["collect", "raise"] = "collect",
    progress: bool = False,
    pseudonym_key_file: str | os.PathLike[str] | None = None,
) -> AsyncReader:
    """Creates a reader for asyncio: `async for table in aread(plan, people)`. The arguments are those of `read`."""
    client = (settings or Settings()).async_client()
    return AsyncReader(plan, client, people, columns, budget, on_error, progress, pseudonym_key_file)
