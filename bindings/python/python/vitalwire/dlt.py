"""Provides cohorts as a dlt source.

    import dlt  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import vitalwire.dlt
    from vitalwire.cohort import People

    people = People.from_file("people.csv")
    pipeline = dlt.pipeline("study", destination="duckdb", dataset_name="study")
    pipeline.run(vitalwire.dlt.source(people, ["daily", "sleeps"], "2025-01-01"))

A later run requests the new days, and the last days again, because providers deliver late. Rows are merged, never duplicated.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from typing import Any

import dlt  # type: ignore[import-untyped,import-not-found,unused-ignore]
import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

from vitalwire._arguments import check_day
from vitalwire._errors import invalid_value
from vitalwire.cohort._people import Budget, People, Settings
from vitalwire.cohort._plan import USER, TableName, plan
from vitalwire.cohort._reader import read

__all__ = ["FAILURES", "source"]

#: Name of the table with the failures of users.
FAILURES = "failures"
#: Columns that, with the user, identify a row.
_PRIMARY_KEYS = {"daily": "date", "hourly": "from_timestamp", "sleeps": "sleep_id"}
#: Columns that, with the user, identify a record with several rows.
_MERGE_KEYS = {"sleep_stages": "sleep_id", "labs": "record_id", "nutrition": "record_id"}
_DAY = datetime.timedelta(days=1)


def source(
    people: People,
    tables: TableName | Iterable[TableName],
    first: datetime.date | str,
    last: datetime.date | str | None = None,
    settings: Settings | None = None,
    *,
    budget: Budget | None = None,
    late_days: int = 7,
) -> Any:
    """Returns a dlt source with a resource for each table. Resources return Arrow tables with the write disposition `merge`.

    The table `failures` lists users who could not be read. The next run requests them again. The pipeline's state and load packages contain
    no token and no key.

    first: First day.

    last: Last day. Defaults to yesterday in UTC, because the current day is incomplete.

    budget: Limits on the requests of each table. Defaults to 16 requests in flight.

    late_days: Number of days at the end of the last run that are requested again. Defaults to 7.
    """
    start = check_day("first", first)
    end = check_day("last", last) or datetime.datetime.now(datetime.timezone.utc).date() - _DAY
    if late_days < 0:
        raise invalid_value("late_days", "must be at least 0")
    names = [tables] if isinstance(tables, str) else list(tables)
    # Rejects invalid arguments here, and not only in `pipeline.run`.
    plan(people, names, start or end, end)

    def resources() -> Iterator[Any]:
        for name in names:
            key = {"primary_key": [USER, _PRIMARY_KEYS[name]]} if name in _PRIMARY_KEYS else {"merge_key": [USER, _MERGE_KEYS[name]]}
            resource = dlt.resource(_read, name=name, write_disposition="merge", **key)
            yield resource(name, people, start, end, settings, budget, late_days)

    return dlt.source(resources, name="vitalwire", section="vitalwire")()


def _read(
    table: TableName,
    people: People,
    first: datetime.date,
    last: datetime.date,
    settings: Settings | None,
    budget: Budget | None,
    late_days: int,
) -> Iterator[Any]:
    """Reads the new days of each user, and the last days again."""
    read_until: dict[str, str] = dlt.current.resource_state().setdefault("read_until", {})
    for start, users in _by_start(people.ids, read_until, first, late_days).items():
        if start > last:
            continue
        reader = read(plan(users, table, start, last), people, settings, budget=budget)
        keys = (USER, _PRIMARY_KEYS.get(table), _MERGE_KEYS.get(table))
        yield from (_with_keys(pyarrow.table(rows), keys) for rows in reader)
        failed = {failure.user for failure in reader.failures}
        read_until.update({user: last.isoformat() for user in users if user not in failed})
        if failed:
            hints = dlt.mark.make_hints(table_name=FAILURES, write_disposition="append", primary_key=(), merge_key=())
            yield dlt.mark.with_hints(reader.failures_table(), hints, create_table_variant=True)


def _with_keys(rows: pyarrow.Table, keys: Iterable[str | None]) -> pyarrow.Table:
    """Declares key columns as not nullable, as dlt does."""
    return rows.cast(pyarrow.schema([field.with_nullable(field.nullable and field.name not in keys) for field in rows.schema]))


def _by_start(
    users: Iterable[str], read_until: dict[str, str], first: datetime.date, late_days: int
) -> dict[datetime.date, list[str]]:
    """Groups users by the first day to request."""
    groups: dict[datetime.date, list[str]] = {}
    for user in users:
        until = read_until.get(user)
        start = first if until is None else max(first, datetime.date.fromisoformat(until) + _DAY - late_days * _DAY)
        groups.setdefault(start, []).append(user)
    return groups
