"""Readers of plans, blocking and for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitalwire._native import Table, _PlanIteration

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]


class Reader(_PlanIteration):
    """Iterator over the tables of a plan, one for each work item. Create it with `read`.

    If the plan has one table, pyarrow, polars and other libraries accept it as an Arrow stream.

    failures: Failures so far.
    """

    def __iter__(self) -> Reader:
        return self

    def __next__(self) -> Table:
        if self._ended():
            raise StopIteration
        if self._must_request():
            self._store(self._request())
        return self._take()

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


class AsyncReader(_PlanIteration):
    """Asynchronous iterator over the tables of a plan, one for each work item. Create it with `aread`.

    failures: Failures so far.
    """

    def __aiter__(self) -> AsyncReader:
        return self

    async def __anext__(self) -> Table:
        if self._ended():
            raise StopAsyncIteration
        if self._must_request():
            self._store(await self._request())
        return self._take()

    async def __aenter__(self) -> AsyncReader:
        return self

    async def __aexit__(self, *_exception: object) -> None:
        self.close()
