"""Provides cohorts as a data source of Spark 4.1 or later, for batch and streaming queries.

    import vitalwire.spark

    vitalwire.spark.register(spark)
    options = {"people": "/etc/study/people.csv", "first": "2025-01-01", "last": "2025-06-30", "per_second": 20}
    days = spark.read.format("vitalwire").options(table="daily", **options).load()

Filters on users and days are pushed down and reduce the requests. `register` enables `spark.sql.python.filterPushdown.enabled`.

There is no option for a token or a key, because options appear in query plans. Workers read the file or the environment variable that an
option names.

    table           daily, hourly, sleeps, sleep_stages, labs or nutrition
    people          path of a file of users, as for `People.from_file`
    users           alternative to `people`: ids separated by commas, with `application_id` and either `key_env` or `key_file`
    first, last     first and last day; `last` defaults to yesterday in UTC for batches, and to no end for streams
    columns         names of columns besides `user`, separated by commas; defaults to all, or to the columns of `.schema(...)`
    base_url        base URL of the service; defaults to the workers' environment variable VITALWIRE_BASE_URL
    per_second      maximum number of requests in any second, for all tasks together
    in_flight       maximum number of requests in flight, for all tasks together; defaults to 16
    tasks           maximum number of tasks; never more than users, `per_second` or `in_flight`; defaults to 8
    failures        folder for the failures of users, on shared storage; without it, the first failure fails the task
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
    """Registers the data source `vitalwire` in a session, and enables filter pushdown."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(_VitalwireSource)


class _Scan:
    """The parsed options of a scan."""

    def __init__(self, options: Mapping[str, str]) -> None:
        if unknown := sorted(set(options) - _OPTIONS):
            # The value of an option may be a token, so the message has only its name.
            raise invalid_value("options", f"must not contain {unknown[0]}, which is not an option; help(vitalwire.spark) lists all")
        self._options = dict(options)
        self.table: Any = self._require("table")
        self.first = check_day("first", self._require("first")) or datetime.date.min
        self.last = check_day("last", options.get("last"))

    def _require(self, name: str) -> str:
        if name not in self._options:
            raise invalid_value("options", f"must contain {name}")
        return self._options[name]

    def people(self) -> People:
        """Returns the users. Reads the file of users on the driver."""
        if "people" in self._options:
            return People.from_file(self._options["people"])
        ids = [user.strip() for user in self._require("users").split(",")]
        application_id = int(self._require("application_id"))
        if "key_env" in self._options:
            return People.from_env(ids, application_id=application_id, key_env=self._options["key_env"])
        return People.from_key_file(ids, application_id=application_id, key_file=self._require("key_file"))

    def arrow_schema(self) -> pyarrow.Schema:
        """Returns the schema of the rows."""
        columns = self._options.get("columns")
        return rows_schema(self.table, None if columns is None else [name.strip() for name in columns.split(",")])

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
    """Data source `vitalwire`. Register it with `vitalwire.spark.register`."""

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "vitalwire"

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._scan = _Scan({key.lower(): value for key, value in options.items()})

    def schema(self) -> str:
        """Returns the schema in Spark's types."""
        return ", ".join(f"`{field.name}` {_spark_type(field.type)}" for field in self._scan.arrow_schema())

    def reader(self, schema: StructType) -> datasource.DataSourceReader:
        """Returns a reader of the days from `first` to `last`."""
        return _Reader(self._scan, schema.names)

    def streamReader(self, schema: StructType) -> datasource.DataSourceStreamReader:
        """Returns a reader of each day after its end in UTC."""
        return _StreamReader(self._scan, schema.names)


def _spark_type(kind: pyarrow.DataType) -> str:
    text = str(kind)
    return "array<string>" if text.startswith("list<") else _TYPES[text]


def _spark_rows(rows: pyarrow.Schema) -> pyarrow.Schema:
    """Converts an Arrow schema to the form that Spark requires: nullable, without metadata, and with list items named `element`."""
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

    texts = pyarrow.list_(pyarrow.field("element", pyarrow.string()))
    return pyarrow.schema([(field.name, texts if pyarrow.types.is_list(field.type) else field.type) for field in rows])


class _Partition(datasource.InputPartition):  # type: ignore[misc,unused-ignore]
    """A task. Spark sends its pickle to a worker; it contains no token and no key."""


def _yesterday() -> datetime.date:
    return datetime.datetime.now(datetime.timezone.utc).date() - _DAY


class _TaskReader:
    """Reader of tasks, for batches and streams."""

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
        """Reduces the requests. Returns all filters, so that Spark applies them too: a filter on times may select only a part of a day."""
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
        # Spark requires at least one partition.
        return [_Partition(task) for task in self._scan.tasks(whole, people, self._columns)] or [_Partition(_NoRows())]


class _NoRows:
    """A task without work items."""

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        """Returns no rows."""
        return iter(())


def _utc_day(value: datetime.date | datetime.datetime) -> datetime.date:
    """Returns the day in UTC of a filter's value."""
    if not isinstance(value, datetime.datetime):
        return value
    return (value if value.tzinfo is None else value.astimezone(datetime.timezone.utc)).date()


class _StreamReader(_TaskReader, datasource.DataSourceStreamReader):  # type: ignore[misc,unused-ignore]
    """Reader of a stream. An offset is the next day to read. A day is read after its end in UTC."""

    def initialOffset(self) -> dict[str, str]:
        """Returns the first day."""
        return {"day": self._scan.first.isoformat()}

    def latestOffset(self, *_arguments: object) -> dict[str, str]:
        """Returns the day after the last complete day."""
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
