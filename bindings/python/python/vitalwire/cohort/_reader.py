"""Readers of plans, blocking and for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitalwire._native import Table, _PlanIteration

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]


class Reader(_PlanIteration):
    """Iterator over the tables of a plan, one for each work item. Create it with `read`.

    If the plan has one table, pyarrow, polars and other libraries accept the reader as a table. The reader keeps the rows for them, so that
    they can be read several times.

    failures: Failures so far.
    """

    _rows: pyarrow.Table | None = None

    def __iter__(self) -> Reader:
        return self

    def __next__(self) -> Table:
        self._begin()
        try:
            if self._ended():
                raise StopIteration
            if self._must_request():
                self._store(self._request())
            return self._take()
        finally:
            self._end()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def batches(self) -> pyarrow.RecordBatchReader:
        """Returns the rows as Arrow record batches, which can be read once. The plan must have one table.

        The batches have the columns of `schema`, because engines fix the columns before the first row. Statistics that this release does
        not know are left out. The reader itself, as an Arrow table, has them.
        """
        import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

        schema = self.schema
        self._check_unread()
        batches = (batch for table in self for batch in pyarrow.table(table).select(schema.names).cast(schema).to_batches())
        return pyarrow.RecordBatchReader.from_batches(schema, batches)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        if self._rows is None:
            import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

            schema = self.schema
            self._check_unread()
            try:
                # Statistics that the specification does not have yet are further columns.
                self._rows = pyarrow.concat_tables([schema.empty_table(), *map(pyarrow.table, self)], promote_options="default")
            except BaseException:
                # Nothing was returned to the caller.
                self._restart()
                raise
        return self._rows.__arrow_c_stream__(requested_schema)


class AsyncReader(_PlanIteration):
    """Asynchronous iterator over the tables of a plan, one for each work item. Create it with `aread`.

    failures: Failures so far.
    """

    def __aiter__(self) -> AsyncReader:
        return self

    async def __anext__(self) -> Table:
        self._begin()
        try:
            if self._ended():
                raise StopAsyncIteration
            if self._must_request():
                self._store(await self._request())
            return self._take()
        finally:
            self._end()

    async def __aenter__(self) -> AsyncReader:
        return self

    async def __aexit__(self, *_exception: object) -> None:
        self.close()
