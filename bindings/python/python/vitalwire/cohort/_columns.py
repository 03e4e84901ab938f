"""Tables as Arrow schemas, tables and datasets."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from vitalwire._native import Failure, Table, _cohort_facts, _cohort_table, failures

if TYPE_CHECKING:
    import pyarrow.dataset  # type: ignore[import-untyped,import-not-found,unused-ignore]

TableName: TypeAlias = Literal["daily", "hourly", "sleeps", "sleep_stages", "labs", "nutrition"]
#: Name of the column with the user id.
USER = "user"


class TableFacts(NamedTuple):
    """Facts of a table. A filter on `day_column` can reduce the requests to its days, and `day_margin` days around them."""

    statistics: list[str]
    key: str
    has_several_rows: bool
    day_column: str | None
    day_margin: int


def facts(table: str) -> TableFacts:
    """Returns the facts of a table."""
    return TableFacts(*_cohort_facts(table))


@functools.cache
def _empty_table(table: str, columns: tuple[str, ...] | None) -> Table:
    return _cohort_table(table, columns)


def column_names(table: str, columns: Iterable[str] | None) -> tuple[str, ...]:
    """Returns `user` and the selected columns of a table, in the table's order."""
    return _empty_table(table, None if columns is None else tuple(columns)).columns


def rows_schema(table: str, columns: Iterable[str] | None) -> pyarrow.Schema:
    """Returns the Arrow schema of `user` and the selected columns."""
    from vitalwire._frames import to_arrow

    return to_arrow(_empty_table(table, None if columns is None else tuple(columns))).schema


def failures_table(listed: Iterable[Failure]) -> pyarrow.Table:
    """Returns failures as a `pyarrow.Table`."""
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

    columns = {"user": "string", "table": "string", "first": "date32", "last": "date32", "kind": "string", "status": "int64", "message": "string"}
    rows = [{name: getattr(failure, name) for name in columns} for failure in listed]
    return pyarrow.Table.from_pylist(rows, pyarrow.schema(columns))


def _part_files(folder: str) -> list[str]:
    """Returns the Parquet files below a folder. Links and pipes of a dataset from somebody else are left out."""
    if os.path.islink(folder):
        return []
    paths = [os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names if name.endswith(".parquet")]
    return sorted(path for path in paths if os.path.isfile(path) and not os.path.islink(path))


def open_dataset(path: str | os.PathLike[str], table: TableName) -> pyarrow.dataset.Dataset:
    """Opens a table of an exported dataset. The column `month` has text such as `2025-01`. A table without rows has all columns too."""
    import pyarrow.dataset  # type: ignore[import-untyped,import-not-found,unused-ignore]

    # Rejects a folder without a dataset.
    failures(path)
    month: Any = pyarrow.schema({"month": "string"})
    schema = pyarrow.unify_schemas([rows_schema(table, None), month])
    folder = os.path.join(os.fspath(path), f"table={table}")
    paths = _part_files(folder)
    if not paths:
        return pyarrow.dataset.dataset(schema.empty_table())
    partitioning = pyarrow.dataset.partitioning(month, flavor="hive")
    files = pyarrow.dataset.dataset(paths, format="parquet", partitioning=partitioning, partition_base_dir=folder)
    # A service can have statistics that the specification does not have yet, so parts can have more columns.
    return files.replace_schema(pyarrow.unify_schemas([schema, *(part.physical_schema for part in files.get_fragments())]))
