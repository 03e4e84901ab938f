"""Provides cohorts as a dlt source.

    import dlt  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import vitalwire.dlt
    from vitalwire.cohort import UserCredentials

    credentials = UserCredentials.from_file("users.csv")
    pipeline = dlt.pipeline("study", destination="duckdb", dataset_name="study")
    pipeline.run(vitalwire.dlt.source(credentials, ["daily", "sleeps"], "2025-01-01"))

A later run requests the new days, and the last days again, because providers deliver late. Rows are merged, never duplicated. Records that
the service no longer returns are deleted.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from typing import Any

import dlt  # type: ignore[import-untyped,import-not-found,unused-ignore]
import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

from vitalwire._native import Plan, RateLimits, Settings, SyncStates, UserCredentials, _CohortReader, plan
from vitalwire.cohort._columns import USER, TableName, facts, failures_table, rows_schema

__all__ = ["FAILURES", "source"]

#: Name of the table with the failures of users.
FAILURES = "failures"
#: Name of the column that marks removed records. dlt deletes their rows.
_REMOVED = "removed"


def source(
    credentials: UserCredentials,
    tables: TableName | Iterable[TableName],
    first: datetime.date | str,
    last: datetime.date | str | None = None,
    settings: Settings | None = None,
    *,
    rate_limits: RateLimits | None = None,
    lookback_days: int = 7,
) -> Any:
    """Returns a dlt source with a resource for each table. Resources return Arrow tables with the write disposition `merge`.

    The table `failures` lists users who could not be read. The next run requests their days again. The pipeline's state has the requested
    days and digests of recent records. State and load packages contain no token and no key.

    first: First day.

    last: Last day. Defaults to no end. Days that are not over at the service's time are left out.

    rate_limits: Limits on the requests of each table. Defaults to 16 requests in flight.

    lookback_days: Number of days before the last requested day that are requested again. Removed records are found on these days. Defaults
    to 7.
    """
    names: list[TableName] = [tables] if isinstance(tables, str) else list(tables)
    end = datetime.date.max if last is None else last
    # Rejects invalid arguments here, and not only in `pipeline.run`.
    plan(credentials, names, first, first if last is None else last, lookback_days=lookback_days)

    def resources() -> Iterator[Any]:
        for name in names:
            key = {"merge_key" if facts(name).has_several_rows else "primary_key": [USER, facts(name).key]}
            # Times without a time zone are local times.
            fields = [field for field in rows_schema(name, None) if pyarrow.types.is_timestamp(field.type) and field.type.tz is None]
            columns: dict[str, Any] = {field.name: {"data_type": "timestamp", "timezone": False} for field in fields}
            columns[_REMOVED] = {"data_type": "bool", "hard_delete": True}
            resource = dlt.resource(_read, name=name, write_disposition="merge", columns=columns, **key)
            yield resource(name, credentials, first, end, settings, rate_limits, lookback_days)

    return dlt.source(resources, name="vitalwire", section="vitalwire")()


def _read(
    table: TableName,
    credentials: UserCredentials,
    first: datetime.date | str,
    last: datetime.date | str,
    settings: Settings | None,
    rate_limits: RateLimits | None,
    lookback_days: int,
) -> Iterator[Any]:
    """Reads the days that are due, and updates the states of the last run. dlt stores them if the run succeeds."""
    stored: dict[str, str] = dlt.current.resource_state()
    states = SyncStates.from_json(stored["states"]) if "states" in stored else SyncStates()
    reader = _CohortReader((settings or Settings()).client(), credentials, rate_limits)
    key = facts(table).key
    removed: dict[tuple[str, Any], None] = {}
    failures = []
    due: Plan = reader.plan(table, first, last, states, lookback_days=lookback_days)
    for item in due:
        ((rows, failed, gone),) = reader.read_changes(Plan([item]), states, lookback_days)
        found = pyarrow.table(rows)
        if removed:
            # The record has moved to a later day.
            for moved in zip(found[USER].to_pylist(), found[key].cast(_key_type(table, key)).to_pylist()):
                removed.pop(moved, None)
        removed.update(dict.fromkeys(gone))
        failures += failed
        yield _mark(found, key, False)
    if removed:
        users, keys = zip(*removed)
        schema = rows_schema(table, None)
        arrays = {field.name: pyarrow.nulls(len(users), field.type) for field in schema}
        arrays.update({USER: pyarrow.array(users, "string"), key: pyarrow.array(keys, _key_type(table, key)).cast(schema.field(key).type)})
        yield _mark(pyarrow.table(arrays), key, True)
    stored["states"] = states.to_json()
    if failures:
        hints = dlt.mark.make_hints(table_name=FAILURES, write_disposition="append", primary_key=(), merge_key=(), columns={})
        yield dlt.mark.with_hints(failures_table(failures), hints, create_table_variant=True)


def _key_type(table: str, key: str) -> pyarrow.DataType:
    """Returns the type of the keys of removed records: numbers for days and times."""
    kind = rows_schema(table, None).field(key).type
    return pyarrow.int32() if pyarrow.types.is_date(kind) else pyarrow.int64() if pyarrow.types.is_timestamp(kind) else kind


def _mark(rows: pyarrow.Table, key: str, is_removed: bool) -> pyarrow.Table:
    """Adds the column that marks removed records. Only the keys are not nullable, because a removed record has no other values."""
    rows = rows.append_column(_REMOVED, pyarrow.repeat(is_removed, len(rows)))
    return rows.cast(pyarrow.schema([field.with_nullable(field.name not in (USER, key)).remove_metadata() for field in rows.schema]))
