"""Cohorts as a data source of Spark 4: batch and streaming.

    import vitalwire.spark

    vitalwire.spark.register(spark)
    options = {"people": "/etc/study/people.csv", "first": "2025-01-01", "last": "2025-06-30", "per_second": 20}
    days = spark.read.format("vitalwire").options(table="daily", **options).load()

Filters on users and days reduce the requests, if `spark.sql.python.filterPushdown.enabled` is true; `register` sets it.

Options, all of which appear in plans. There is no option for a token or a key; workers read the named file or variable.

    table           daily, hourly, sleeps, sleep_stages, labs or nutrition
    people          path of a file of users, as for `People.from_file`
    users           instead of `people`: ids, separated by commas, with `application_id` and either `key_env` or `key_file`
    first, last     first and last day; `last` defaults to yesterday in UTC, and streams have none by default
    columns         names of columns besides `user`, separated by commas; defaults to all, or those of `.schema(...)`
    base_url        base URL of the service; defaults to the variable VITALWIRE_BASE_URL of the workers
    per_second      maximum number of requests in any second, of all tasks together
    in_flight       maximum number of requests at a time, of all tasks together; defaults to 16
    tasks           maximum number of tasks, defaults to 8; at most the number of users, of `per_second`, and of `in_flight`
    failures        folder for users whose rows could not be read, on shared storage; without it, the first failure fails the task
    timeout, max_retries, proxy     settings of the client
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql import datasource  # type: ignore[import-untyped,import-not-found,unused-ignore]

from vitalwire._arguments import check_day
from vitalwire._errors import invalid_value
from vitalwire.cohort._people import Budget, People, Settings
from vitalwire.cohort._plan import DAY_COLUMNS, USER, Plan, plan, rows_schema
from vitalwire.cohort._tasks import TASKS, Task, divide

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from pyspark.sql import SparkSession  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from pyspark.sql.types import StructType  # type: ignore[import-untyped,import-not-found,unused-ignore]

__all__ = ["register"]

#: Names of the options.
_OPTIONS = frozenset(
    "table people users application_id key_env key_file first last columns base_url per_second in_flight tasks failures timeout "
    "max_retries proxy path".split()
)
#: Spark types of Arrow types.
_TYPES = {
    "double": "double",
    "int64": "bigint",
    "bool": "boolean",
    "string": "string",
    "date32[day]": "date",
    "timestamp[us, tz=UTC]": "timestamp",
    "timestamp[us]": "timestamp_ntz",
}
_DAY = datetime.timedelta(days=1)


def register(spark: SparkSession) -> None:
    """Registers the data source `vitalwire` in a session, and enables the push-down of filters."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(_VitalwireSource)


class _Scan:
    """The parsed options of a scan."""

    def __init__(self, options: Mapping[str, str]) -> None:
        if unknown := sorted(set(options) - _OPTIONS):
            # The text of an option may be a token, but its name is not.
            raise invalid_value("options", f"no option has the name {unknown[0]}; see help(vitalwire.spark)")
        self._options = dict(options)
        self.table: Any = self._require("table")
        self.first = check_day("first", self._require("first")) or datetime.date.min
        self.last = check_day("last", options.get("last"))

    def _require(self, name: str) -> str:
        if name not in self._options:
            raise invalid_value("options", f"the option {name} is missing")
        return self._options[name]

    def people(self) -> People:
        """Returns the users. Reads the file of users where it is called."""
        if "people" in self._options:
            return People.from_file(self._options["people"])
        ids = [user.strip() for user in self._require("users").split(",")]
        application_id = int(self._require("application_id"))
        if "key_env" in self._options:
            return People.from_env(ids, application_id=application_id, key_env=self._options["key_env"])
        return People.from_key_file(ids, application_id=application_id, key_file=self._require("key_file"))

    def arrow_schema(self) -> pyarrow.Schema:
        """Returns the columns of all rows."""
        named = self._options.get("columns")
        return rows_schema(self.table, None if named is None else [name.strip() for name in named.split(",")])

    def tasks(self, whole: Plan, people: People, columns: Sequence[str]) -> list[Task]:
        """Divides a plan among tasks."""
        numbers = {name: float(self._options[name]) for name in ("per_second", "timeout") if name in self._options}
        counts = {name: int(self._options[name]) for name in ("in_flight", "tasks", "max_retries") if name in self._options}
        budget = Budget(per_second=numbers.pop("per_second", None), in_flight=counts.pop("in_flight", 16))
        tasks = counts.pop("tasks", TASKS)
        texts = {name: self._options[name] for name in ("proxy",) if name in self._options}
        settings = Settings(self._options.get("base_url"), **numbers, **counts, **texts)
        failures = self._options.get("failures")
        return divide(whole, people, settings, columns=columns, budget=budget, tasks=tasks, failures=failures)


class _VitalwireSource(datasource.DataSource):  # type: ignore[misc,unused-ignore]
    """The data source `vitalwire`. Register it with `vitalwire.spark.register`."""

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "vitalwire"

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._scan = _Scan({key.lower(): value for key, value in options.items()})

    def schema(self) -> str:
        """Returns the columns in Spark's types."""
        return ", ".join(f"`{field.name}` {_spark_type(field.type)}" for field in self._scan.arrow_schema())

    def reader(self, schema: StructType) -> datasource.DataSourceReader:
        """Returns a reader of the days from `first` to `last`."""
        return _Reader(self._scan, schema.names)

    def streamReader(self, schema: StructType) -> datasource.DataSourceStreamReader:
        """Returns a reader of days as they become complete."""
        return _StreamReader(self._scan, schema.names)


def _spark_type(kind: pyarrow.DataType) -> str:
    text = str(kind)
    return "array<string>" if text.startswith("list<") else _TYPES[text]


def _spark_rows(rows: pyarrow.Schema) -> pyarrow.Schema:
    """Returns an Arrow schema as Spark requires it: nullable, without metadata, and with its own name of list elements."""
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

    texts = pyarrow.list_(pyarrow.field("element", pyarrow.string()))
    return pyarrow.schema([(field.name, texts if pyarrow.types.is_list(field.type) else field.type) for field in rows])


class _Partition(datasource.InputPartition):  # type: ignore[misc,unused-ignore]
    """A task. Its pickle is in the job; it contains names of keys, but no token and no key."""


def _yesterday() -> datetime.date:
    return datetime.datetime.now(datetime.timezone.utc).date() - _DAY


class _TaskReader:
    """Reading of tasks, for batches and streams."""

    def __init__(self, scan: _Scan, columns: Sequence[str]) -> None:
        self._scan, self._columns = scan, tuple(columns)

    def read(self, partition: datasource.InputPartition) -> Iterator[pyarrow.RecordBatch]:
        """Reads a task, in the Arrow types and the order that Spark requires."""
        for batch in partition.value.batches():
            selected = batch.select(self._columns)
            yield selected.cast(_spark_rows(selected.schema))


class _Reader(_TaskReader, datasource.DataSourceReader):  # type: ignore[misc,unused-ignore]
    """Reader of a batch."""

    def __init__(self, scan: _Scan, columns: Sequence[str]) -> None:
        super().__init__(scan, columns)
        self._users: set[str] | None = None
        self._first, self._last = scan.first, scan.last or _yesterday()

    def pushFilters(self, filters: list[datasource.Filter]) -> Iterator[datasource.Filter]:
        """Narrows the requests. Spark applies all filters again, because days of instants are wider than their filters."""
        for condition in filters:
            self._narrow(condition)
            yield condition

    def _narrow(self, condition: Any) -> None:
        path = getattr(condition, "attribute", None)
        if path == (USER,) and isinstance(condition, (datasource.EqualTo, datasource.In)):
            users = {condition.value} if isinstance(condition, datasource.EqualTo) else set(condition.value)
            self._users = users if self._users is None else self._users & users
        elif path == (DAY_COLUMNS.get(self._scan.table),):
            if isinstance(condition, (datasource.EqualTo, datasource.GreaterThan, datasource.GreaterThanOrEqual)):
                self._first = max(self._first, _utc_day(condition.value))
            if isinstance(condition, (datasource.EqualTo, datasource.LessThan, datasource.LessThanOrEqual)):
                self._last = min(self._last, _utc_day(condition.value))
            if isinstance(condition, datasource.In):
                self._first = max(self._first, min(map(_utc_day, condition.value)))
                self._last = min(self._last, max(map(_utc_day, condition.value)))

    def partitions(self) -> Sequence[datasource.InputPartition]:
        """Returns the tasks."""
        people = self._scan.people()
        whole = plan(people, self._scan.table, self._scan.first, self._scan.last or _yesterday())
        whole = whole.only(users=self._users, first=self._first, last=self._last)
        # Spark requires a partition, even without rows.
        return [_Partition(task) for task in self._scan.tasks(whole, people, self._columns)] or [_Partition(_NoRows())]


class _NoRows:
    """A task without work items."""

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        """Returns no rows."""
        return iter(())


def _utc_day(value: datetime.date | datetime.datetime) -> datetime.date:
    """Returns the day of a filter's value."""
    if not isinstance(value, datetime.datetime):
        return value
    return (value if value.tzinfo is None else value.astimezone(datetime.timezone.utc)).date()


class _StreamReader(_TaskReader, datasource.DataSourceStreamReader):  # type: ignore[misc,unused-ignore]
    """Reader of a stream, whose offset is the next day to read. A day is read when it is complete in UTC."""

    def initialOffset(self) -> dict[str, str]:
        """Returns the first day."""
        return {"day": self._scan.first.isoformat()}

    def latestOffset(self, *_arguments: object) -> dict[str, str]:
        """Returns the day after the last complete one."""
        last = min(_yesterday(), self._scan.last or datetime.date.max)
        return {"day": max(self._scan.first, last + _DAY).isoformat()}

    def partitions(self, start: dict[str, str], end: dict[str, str]) -> Sequence[datasource.InputPartition]:
        """Returns the tasks of the days between two offsets."""
        first, last = datetime.date.fromisoformat(start["day"]), datetime.date.fromisoformat(end["day"]) - _DAY
        if last < first:
            return [_Partition(_NoRows())]
        people = self._scan.people()
        whole = plan(people, self._scan.table, first, last)
        return [_Partition(task) for task in self._scan.tasks(whole, people, self._columns)]
