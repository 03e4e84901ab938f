"""Returns cohorts as polars LazyFrames.

    import vitalwire.polars
    from vitalwire.cohort import UserCredentials

    credentials = UserCredentials.from_file("users.csv")
    days = vitalwire.polars.scan_daily(credentials, "2025-01-01", "2025-06-30")
    days.filter(pl.col("user") == "anna", pl.col("date") >= date(2025, 6, 1)).select("user", "date", "steps").collect()

Filters on users and days reduce the requests, and `head` stops them early.

All statistics are requested by default. To request only some, pass `columns`, or select columns in a query whose filter requires a value of
a statistic, such as `.filter(pl.col("steps") > 0).select("user", "date", "steps")`.
"""

from __future__ import annotations

import datetime
import functools
import itertools
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, cast

import polars  # type: ignore[import-not-found,unused-ignore]

from vitalwire._native import Failure, Plan, RateLimits, Settings, UserCredentials, plan, read
from vitalwire.cohort._columns import USER, TableName, column_names, facts, rows_schema

__all__ = ["scan", "scan_daily", "scan_hourly", "scan_labs", "scan_nutrition", "scan_sleep_stages", "scan_sleeps"]

_DAY = datetime.timedelta(days=1)


def scan(
    table: TableName,
    credentials: UserCredentials,
    first: datetime.date | str,
    last: datetime.date | str,
    settings: Settings | None = None,
    *,
    columns: Iterable[str] | None = None,
    rate_limits: RateLimits | None = None,
    failures: list[Failure] | None = None,
) -> polars.LazyFrame:
    """Returns a table of a cohort as a LazyFrame. Sends no request before the frame is collected.

    The frame can be serialized without tokens and keys. Serialization fails for users from `UserCredentials.from_tokens`.

    table: `daily`, `hourly`, `sleeps`, `sleep_stages`, `labs`, `nutrition`.

    first, last: First and last day.

    columns: Names of the columns besides `user`. Other statistics are not requested, so days and hours without a value of these statistics
    have no row. Defaults to all.

    rate_limits: Limits on the requests of each scan. Defaults to 16 requests in flight.

    failures: List that receives the failures of users. By default, a `RuntimeWarning` states their number.
    """
    # Rejects invalid arguments here, and not only in `collect`.
    plan(credentials, table, first, last)
    every = column_names(table, columns)
    source = functools.partial(_read, table, credentials, first, last, settings, every, rate_limits or RateLimits(), failures)
    rows = polars.DataFrame(rows_schema(table, columns).empty_table())
    return polars.io.plugins.register_io_source(source, schema=rows.schema)


class ScanOfTable(Protocol):
    """Type of the functions that scan one table."""

    def __call__(
        self,
        credentials: UserCredentials,
        first: datetime.date | str,
        last: datetime.date | str,
        settings: Settings | None = None,
        *,
        columns: Iterable[str] | None = None,
        rate_limits: RateLimits | None = None,
        failures: list[Failure] | None = None,
    ) -> polars.LazyFrame:
        """Returns a table of a cohort as a LazyFrame. See `scan`."""


scan_daily: ScanOfTable = functools.partial(scan, "daily")
scan_hourly: ScanOfTable = functools.partial(scan, "hourly")
scan_sleeps: ScanOfTable = functools.partial(scan, "sleeps")
scan_sleep_stages: ScanOfTable = functools.partial(scan, "sleep_stages")
scan_labs: ScanOfTable = functools.partial(scan, "labs")
scan_nutrition: ScanOfTable = functools.partial(scan, "nutrition")


def _read(
    table: TableName,
    credentials: UserCredentials,
    first: datetime.date | str,
    last: datetime.date | str,
    settings: Settings | None,
    every: tuple[str, ...],
    rate_limits: RateLimits,
    failures: list[Failure] | None,
    columns: list[str] | None,
    predicate: polars.Expr | None,
    limit: int | None,
    _batch_size: int | None,
) -> Iterator[polars.DataFrame]:
    """Reads the rows of a query, with one DataFrame for each work item."""
    narrowed, needed = plan(credentials, table, first, last), every
    # The limit applies to the rows before the predicate, so that with a limit the predicate must not leave out rows.
    if limit is not None:
        narrowed = _divide_items(narrowed, rate_limits.in_flight)
    elif predicate is not None:
        narrowed = narrow(narrowed, predicate)
        if columns is not None and _requires_statistic(table, predicate):
            needed = tuple({*columns, *predicate.meta.root_names()})
    reader = read(narrowed, credentials, settings, columns=needed, rate_limits=rate_limits)
    # Also applied to an empty table, so that an invalid predicate fails even if nothing is requested.
    for rows in itertools.chain([rows_schema(table, needed).empty_table()], reader):
        frame = polars.DataFrame(rows)
        if limit is not None:
            frame = frame.head(limit)
            limit -= len(frame)
        if predicate is not None:
            frame = frame.filter(predicate)
        yield frame if columns is None else frame.select(columns)
        if limit == 0:
            break
    if failures is not None:
        failures += reader.failures
    elif reader.failures:
        text = f"{len(reader.failures)} reads of users failed; pass a list as failures to receive the errors"
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def _divide_items(whole: Plan, users: int) -> Plan:
    """Returns the items of a plan for few users each, in the same order of rows. `head` stops the requests only between items."""
    firsts = ((item, at) for item in whole for at in range(0, len(item.users), users))
    return Plan([part for item, at in firsts for part in Plan([item]).only(users=item.users[at : at + users])])


def _requires_statistic(table: TableName, predicate: polars.Expr) -> bool:
    """Whether a condition excludes rows without a value of its statistic. Then these rows need not be requested."""
    for condition in _conditions(predicate):
        names = condition.meta.root_names()
        if len(names) == 1 and names[0] in facts(table).statistics:
            missing = polars.DataFrame({names[0]: [None]}, schema={names[0]: polars.Float64})
            if missing.filter(condition).is_empty():
                return True
    return False


def narrow(whole: Plan, predicate: polars.Expr) -> Plan:
    """Returns the part of a plan that may have rows for a predicate. Applies conditions that use only the user, or only the day."""
    table, users, day = whole.tables[0], whole.users, facts(whole.tables[0]).day_column
    for condition in _conditions(predicate):
        names = set(condition.meta.root_names())
        if names == {USER}:
            kept = polars.DataFrame({USER: users}, schema={USER: polars.String}).filter(condition)
            whole = whole.only(users=kept[USER].to_list())
        elif names == {day} and len(whole):
            whole = _narrow_days(whole, condition, str(day), datetime.timedelta(days=facts(table).day_margin))
    return whole


def _narrow_days(whole: Plan, condition: polars.Expr, day: str, margin: datetime.timedelta) -> Plan:
    first, last = min(item.first for item in whole) - margin, max(item.last for item in whole) + margin
    days = polars.date_range(first, last, eager=True)
    if day == "from_timestamp":
        begin, end = (datetime.datetime.combine(at, datetime.time()) for at in (first, last + _DAY))
        days = polars.datetime_range(begin, end, "1m", time_unit="us", time_zone="UTC", eager=True)
    found = polars.DataFrame({day: days.extend_constant(None, 1)}).filter(condition)[day].dt.date()
    if found.has_nulls():
        # A sleep without a day may be listed on any day.
        return whole
    if not found.is_empty():
        return whole.only(first=cast(Any, found.min()) - margin, last=cast(Any, found.max()) + margin)
    # The condition may select a time between two of these minutes.
    return whole if day == "from_timestamp" else Plan([])


def _conditions(predicate: polars.Expr) -> Iterator[polars.Expr]:
    """Splits a predicate at `&`."""
    parts = predicate.meta.pop()
    if len(parts) == 2 and any((left & right).meta.eq(predicate) for left, right in (parts, parts[::-1])):
        for part in parts:
            yield from _conditions(part)
    else:
        yield predicate
