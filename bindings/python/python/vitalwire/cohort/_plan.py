"""Plans: the work items of a cohort."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from vitalwire import _native
from vitalwire._arguments import check_day
from vitalwire._errors import invalid_value
from vitalwire._native import Table
from vitalwire.cohort._people import People

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

TableName: TypeAlias = Literal["daily", "hourly", "sleeps", "sleep_stages", "labs", "nutrition"]
#: Name of the column with the user id.
USER = "user"
#: Columns whose days are the requested days, so that a filter on them can reduce the requests.
DAY_COLUMNS = {"daily": "date", "hourly": "from_timestamp", "sleeps": "sleep_date", "sleep_stages": "sleep_date"}


@dataclasses.dataclass(frozen=True, repr=False)
class WorkItem:
    """One table of a group of users for a span of days. Contains no secret.

    table: Name of the table.

    users: Ids of the users.

    first, last: First and last day.

    statistics: Names of the statistics to request. Tables other than `daily` and `hourly` ignore it. Defaults to all.
    """

    table: TableName
    users: tuple[str, ...]
    first: datetime.date
    last: datetime.date
    statistics: tuple[str, ...] = ()

    @property
    def requests(self) -> int:
        """Estimated number of requests, without retries and token exchanges."""
        return _native._cohort_requests(self._to_json())

    def _to_json(self) -> str:
        return json.dumps(self._to_dict())

    def _to_dict(self) -> dict[str, Any]:
        item = {"table": self.table, "users": self.users, "from": self.first.isoformat(), "to": self.last.isoformat()}
        return {**item, "statistics": self.statistics} if self.statistics else item

    @classmethod
    def _from_dict(cls, item: dict[str, Any]) -> WorkItem:
        first, last = (datetime.date.fromisoformat(item[name]) for name in ("from", "to"))
        return cls(item["table"], tuple(item["users"]), first, last, tuple(item.get("statistics", ())))

    def __repr__(self) -> str:
        return f"<vitalwire.cohort.WorkItem: {self.table}, {len(self.users)} users, {self.first} to {self.last}>"


class Plan:
    """Work items of a cohort, in the order of users, tables and days. Contains no secret, and can be pickled or stored as JSON.

    items: The work items.
    """

    __slots__ = ("items",)

    def __init__(self, items: Iterable[WorkItem]) -> None:
        self.items: tuple[WorkItem, ...] = tuple(items)

    @property
    def requests(self) -> int:
        """Estimated number of requests, without retries and token exchanges."""
        return sum(item.requests for item in self.items)

    @property
    def tables(self) -> tuple[TableName, ...]:
        """Names of the tables."""
        return tuple(dict.fromkeys(item.table for item in self.items))

    @property
    def users(self) -> tuple[str, ...]:
        """Ids of the users."""
        return tuple(dict.fromkeys(user for item in self.items for user in item.users))

    def schema(self, table: TableName) -> pyarrow.Schema:
        """Returns the Arrow schema of a table. Sends no request."""
        return schema(table)

    def only(
        self,
        *,
        users: Iterable[str] | None = None,
        first: datetime.date | str | None = None,
        last: datetime.date | str | None = None,
        tables: Iterable[TableName] | None = None,
    ) -> Plan:
        """Returns the part of the plan with these users, days and tables."""
        start, end = check_day("first", first), check_day("last", last)
        kept_users, kept_tables = _as_set(users), _as_set(tables)
        items = []
        for item in self.items:
            ids = item.users if kept_users is None else tuple(user for user in item.users if user in kept_users)
            begin, stop = max(item.first, start or item.first), min(item.last, end or item.last)
            if ids and begin <= stop and (kept_tables is None or item.table in kept_tables):
                items.append(dataclasses.replace(item, users=ids, first=begin, last=stop))
        return Plan(items)

    def to_json(self) -> str:
        """Returns the plan as JSON."""
        return json.dumps({"items": [item._to_dict() for item in self.items]})

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Creates a plan from the JSON of `to_json`."""
        try:
            return cls(WorkItem._from_dict(item) for item in json.loads(text)["items"])
        except (KeyError, TypeError, ValueError):
            raise invalid_value("text", "must be the JSON of a plan") from None

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[WorkItem]:
        return iter(self.items)

    def __eq__(self, other: object) -> bool:
        return self.items == other.items if isinstance(other, Plan) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.items)

    def __repr__(self) -> str:
        return f"<vitalwire.cohort.Plan: {len(self)} items>"


def _as_set(names: Iterable[str] | None) -> set[str] | None:
    return None if names is None else {names} if isinstance(names, str) else set(names)


def plan(
    people: People | Iterable[str],
    tables: TableName | Iterable[TableName],
    first: datetime.date | str,
    last: datetime.date | str,
    *,
    users_per_item: int | None = None,
    months_per_item: int | None = None,
) -> Plan:
    """Creates a plan for the tables and days of many users. Sends no request.

    people: The users, or their ids.

    tables: `daily`, `hourly`, `sleeps`, `sleep_stages`, `labs`, `nutrition`.

    first, last: First and last day.

    users_per_item: Maximum number of users in an item. Defaults to 100.

    months_per_item: Maximum number of calendar months in an item. Defaults to a number from 1 to 12 that depends on the table.
    """
    ids = list(people.ids if isinstance(people, People) else people)
    names = [tables] if isinstance(tables, str) else list(tables)
    start, end = (cast(datetime.date, check_day(*day)).isoformat() for day in (("first", first), ("last", last)))
    items = json.loads(_native._cohort_plan(ids, names, start, end, users_per_item, months_per_item))
    return Plan(WorkItem._from_dict(item) for item in items)


@functools.cache
def _empty_table(table: str) -> tuple[Table, tuple[str, ...]]:
    """Returns a table with all columns and no rows, and the names of its statistics."""
    empty, statistics = _native._cohort_schema(table)
    return empty, tuple(statistics)


def schema(table: str) -> pyarrow.Schema:
    """Returns the Arrow schema of a table."""
    from vitalwire._frames import to_arrow

    return to_arrow(_empty_table(table)[0]).schema


def select(item: WorkItem, columns: Iterable[str] | None) -> tuple[WorkItem, list[str]]:
    """Returns an item that requests only the statistics in `columns`, and the columns of its rows: `user` and these."""
    names = column_names(item.table, columns)
    requested = () if columns is None else tuple(name for name in statistics(item.table) if name in names)
    return dataclasses.replace(item, statistics=requested) if requested else item, names


def statistics(table: str) -> tuple[str, ...]:
    """Returns the names of the statistics of a table."""
    return _empty_table(table)[1]


def column_names(table: str, columns: Iterable[str] | None) -> list[str]:
    """Returns `user` and the selected columns of a table, in the table's order."""
    every = _empty_table(table)[0].columns
    if columns is None:
        return list(every)
    selected = set(columns)
    if unknown := sorted(selected - set(every)):
        raise invalid_value("columns", f"must be columns of the table {table}; {unknown[0]} is not")
    return [name for name in every if name in selected or name == USER]


def rows_schema(table: str, columns: Iterable[str] | None) -> pyarrow.Schema:
    """Returns the Arrow schema of `user` and the selected columns."""
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

    return pyarrow.schema([schema(table).field(name) for name in column_names(table, columns)])
