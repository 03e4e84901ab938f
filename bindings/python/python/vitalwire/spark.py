"""Provides cohorts as a data source of Spark 4.1 or later, for batch and streaming queries.

    import vitalwire.spark

    vitalwire.spark.register(spark)
    options = {"users_file": "/etc/study/users.csv", "first": "2025-01-01", "last": "2025-06-30", "per_second": 20}
    days = spark.read.format("vitalwire").options(table="daily", **options).load()

Filters on users and days are pushed down and reduce the requests. `register` enables `spark.sql.python.filterPushdown.enabled`.

There is no option for a token or a key, because options appear in query plans. Workers read the file or the environment variable that an
option names.

    table           daily, hourly, sleeps, sleep_stages, labs or nutrition
    users_file      path of a file of users, as for `UserCredentials.from_file`
    users           alternative to `users_file`: ids separated by commas, with `application_id` and either `key_env` or `key_file`
    first, last     first and last day; `last` defaults to no end; days that are not over at the service's time are left out
    columns         names of columns besides `user`, separated by commas; defaults to all of this release, or those of `.schema(...)`
    lookback_days   days before the last returned day that a stream returns again with new days; defaults to 7
    base_url        base URL of the service; defaults to the workers' environment variable VITALWIRE_BASE_URL
    per_second      maximum number of requests in any second, for all tasks together
    in_flight       maximum number of requests in flight, for all tasks together; defaults to 16
    tasks           maximum number of tasks; never more than users, `per_second` or `in_flight`; defaults to 8
    failures        folder for the failures of users, on shared storage; without it, the first failure fails the task
    timeout, max_retries, proxy     settings of the client

Providers deliver late. Whenever a day ends, a stream therefore returns the last days again. Merge its rows by key with `foreachBatch`.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql import datasource  # type: ignore[import-untyped,import-not-found,unused-ignore]

from vitalwire._errors import invalid_value
from vitalwire._native import Plan, RateLimits, Settings, SyncStates, UserCredentials, _CohortReader, plan
from vitalwire.cohort._columns import USER, TableName, facts, rows_schema
from vitalwire.cohort._tasks import TASKS, Task, divide

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from pyspark.sql import SparkSession  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from pyspark.sql.types import StructType  # type: ignore[import-untyped,import-not-found,unused-ignore]

__all__ = ["register"]

#: Names of the options.
_OPTIONS = frozenset(
    "table users_file users application_id key_env key_file first last columns lookback_days base_url per_second in_flight tasks failures "
    "timeout max_retries proxy path".split()
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
        self.table = cast(TableName, self._require("table"))
        self.first, self.last = self._require("first"), options.get("last", datetime.date.max)
        self.lookback_days = int(options.get("lookback_days", 7))
        # Rejects invalid options here, and not only in a query.
        plan(["user"], self.table, self.first, options.get("last", self.first), lookback_days=self.lookback_days)

    def _require(self, name: str) -> str:
        if name not in self._options:
            raise invalid_value("options", f"must contain {name}")
        return self._options[name]

    def credentials(self) -> UserCredentials:
        """Returns the users. Reads the file of users on the driver."""
        if "users_file" in self._options:
            return UserCredentials.from_file(self._options["users_file"])
        ids = [user.strip() for user in self._require("users").split(",")]
        keys = {name: self._options[name] for name in ("key_env", "key_file") if name in self._options}
        return UserCredentials.from_application_key(ids, application_id=int(self._require("application_id")), **keys)

    def rate_limits(self) -> RateLimits:
        """Returns the limits of all tasks together."""
        rate, in_flight = self._options.get("per_second"), self._options.get("in_flight")
        return RateLimits(None if rate is None else float(rate), None if in_flight is None else int(in_flight))

    def settings(self) -> Settings:
        """Returns the settings of the client."""
        kinds = {"timeout": float, "max_retries": int, "proxy": str}
        values = {name: kind(self._options[name]) for name, kind in kinds.items() if name in self._options}
        return Settings(self._options.get("base_url"), **values)

    def reader(self, credentials: UserCredentials) -> _CohortReader:
        """Returns a reader that asks the service for its time."""
        return _CohortReader(self.settings().client(), credentials, self.rate_limits())

    def arrow_schema(self) -> pyarrow.Schema:
        """Returns the schema of the rows."""
        columns = self._options.get("columns")
        return rows_schema(self.table, None if columns is None else [name.strip() for name in columns.split(",")])

    def tasks(self, whole: Plan, credentials: UserCredentials, columns: Sequence[str], batch: str = "") -> list[_Partition]:
        """Divides a plan among tasks. Their files of failures are in a folder named after the batch of a stream."""
        tasks, failures = int(self._options.get("tasks", TASKS)), self._options.get("failures")
        failures = failures and os.path.join(failures, batch)
        parts = divide(self.table, whole, credentials, self.settings(), columns, self.rate_limits(), tasks, failures)
        return [_Partition(task) for task in parts]


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
        """Returns a reader of each day after its end."""
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
        self._first, self._last = datetime.date.min, datetime.date.max

    def pushFilters(self, filters: list[datasource.Filter]) -> Iterator[datasource.Filter]:
        """Reduces the requests. Returns all filters, so that Spark applies them too: a filter on times may select only a part of a day."""
        for condition in filters:
            self._narrow(condition)
            yield condition

    def _narrow(self, condition: Any) -> None:
        path, kind = getattr(condition, "attribute", None), type(condition)
        if kind not in (datasource.EqualTo, datasource.In, *_FROM, *_TO):
            return
        # A comparison with null is never true.
        values = [value for value in (condition.value if kind is datasource.In else [condition.value]) if value is not None]
        if path == (USER,) and kind in (datasource.EqualTo, datasource.In):
            self._users = set(values) if self._users is None else self._users & set(values)
        elif path == (facts(self._scan.table).day_column,):
            days, margin = [_utc_day(value) for value in values], datetime.timedelta(days=facts(self._scan.table).day_margin)
            if not days:
                self._users = set()
                return
            if kind not in _TO:
                self._first = max(self._first, max(min(days), datetime.date.min + margin) - margin)
            if kind not in _FROM:
                self._last = min(self._last, min(max(days), datetime.date.max - margin) + margin)

    def partitions(self) -> Sequence[datasource.InputPartition]:
        """Returns the tasks."""
        scan, credentials = self._scan, self._scan.credentials()
        if self._users is not None and not self._users.intersection(credentials.ids):
            return scan.tasks(Plan([]), credentials, self._columns)
        due: Plan = scan.reader(credentials).plan(scan.table, scan.first, scan.last, SyncStates())
        return scan.tasks(due.only(users=self._users, first=self._first, last=self._last), credentials, self._columns)


#: Filters that are a lower bound, and an upper bound.
_FROM = (datasource.GreaterThan, datasource.GreaterThanOrEqual)
_TO = (datasource.LessThan, datasource.LessThanOrEqual)


def _utc_day(value: datetime.date | datetime.datetime) -> datetime.date:
    """Returns the day in UTC of a filter's value."""
    if not isinstance(value, datetime.datetime):
        return value
    return (value if value.tzinfo is None else value.astimezone(datetime.timezone.utc)).date()


class _StreamReader(_TaskReader, datasource.DataSourceStreamReader):  # type: ignore[misc,unused-ignore]
    """Reader of a stream. An offset has the days that were returned, such as `2025-01-01/2025-01-31`."""

    def initialOffset(self) -> dict[str, str]:
        """Returns the offset before the first day."""
        return {"requested": ""}

    def latestOffset(self, *_arguments: object) -> dict[str, str]:
        """Returns the offset after the last day that is over at the service's time."""
        scan = self._scan
        # A new reader, because a reader keeps the time of its last response.
        return {"requested": scan.reader(scan.credentials()).complete_days(scan.table, scan.first, scan.last)}

    def partitions(self, start: dict[str, str], end: dict[str, str]) -> Sequence[datasource.InputPartition]:
        """Returns the tasks of the days between two offsets, and of the last days before them again."""
        scan, credentials, due = self._scan, self._scan.credentials(), Plan([])
        if end["requested"]:
            first, last = end["requested"].split("/")
            states = SyncStates._from_requested(credentials, scan.table, start["requested"])
            due = plan(credentials, scan.table, first, last, states=states, lookback_days=scan.lookback_days)
        return scan.tasks(due, credentials, self._columns, end["requested"].replace("/", "_"))
