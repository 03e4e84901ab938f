"""Random queries: filters, limits and projections that reduce requests return the rows of the same query on all rows.

`VITALWIRE_QUERIES` is the number of queries. Defaults to 300. A failure prints the query as code, and its seed.
"""

from __future__ import annotations

import datetime
import functools
import importlib
import os
import random
import typing
from collections.abc import Iterator

import edge_service
import polars
import pyarrow
import pytest
import queries
import spark_queries
from edge_service import FIRST, LAST, USERS, EdgeService

import vitalwire.polars
from vitalwire import cohort
from vitalwire.cohort._columns import facts
from vitalwire.cohort._tasks import divide

QUERIES = int(os.environ.get("VITALWIRE_QUERIES", "300"))
#: Tables of the queries. Queries of sleeps need many requests.
TABLES: tuple[cohort.TableName, ...] = ("daily", "daily", "hourly", "hourly", "sleeps", "sleeps", "sleep_stages", "labs", "nutrition")


def _installed(name: str) -> typing.Any:
    """Returns a module of the package, or `None` if its engine is not installed."""
    try:
        return importlib.import_module(f"vitalwire.{name}")
    except ImportError:
        return None


dask, ray = _installed("dask"), _installed("ray")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EdgeService]:
    service = EdgeService(tmp_path_factory.mktemp("edge"))
    with service:
        yield service


@functools.cache
def every(service: EdgeService, table: cohort.TableName, columns: tuple[str, ...] | None = None) -> polars.DataFrame:
    """Returns all rows of a table."""
    plan = cohort.plan(service.credentials, table, FIRST, LAST)
    return polars.concat([polars.DataFrame(rows) for rows in cohort.read(plan, service.credentials, service.settings, columns=columns)])


class KnownRows:
    """Replaces `read` of a scan. Keeps the rows of the last plans, because reads take most of the time of a query."""

    failures = ()

    def __init__(self, plan: cohort.Plan, credentials: typing.Any, settings: typing.Any, *, columns: tuple[str, ...], rate_limits: object) -> None:
        self._tables = self._read(plan, credentials, settings, tuple(sorted(columns)))

    def __iter__(self) -> Iterator[typing.Any]:
        return iter(self._tables)

    @staticmethod
    @functools.lru_cache(maxsize=500)
    def _read(plan: cohort.Plan, credentials: typing.Any, settings: typing.Any, columns: tuple[str, ...]) -> list[typing.Any]:
        return list(cohort.read(plan, credentials, settings, columns=columns, on_error="raise"))


#: Outcome of a query in which polars itself fails.
PANIC = "PanicException"


def outcome(code: str, frame: polars.LazyFrame, engine: typing.Any) -> polars.DataFrame | str:
    """Returns the rows of a query, or the name of its error."""
    try:
        return typing.cast(polars.DataFrame, eval(code, {**queries.NAMES, "frame": frame}).collect(engine=engine))
    except polars.exceptions.PolarsError as error:
        return type(error).__name__
    except TypeError:
        return "TypeError"
    except polars.exceptions.PanicException:
        return PANIC


def is_equal(found: polars.DataFrame | str, expected: polars.DataFrame | str) -> bool:
    """Whether two results have the same rows in the same order, or are both errors."""
    if isinstance(found, str) or isinstance(expected, str):
        return isinstance(found, str) and isinstance(expected, str)
    # The ids are always null here. polars sometimes changes their type.
    schemas = (frame.drop("record_ids", strict=False).schema for frame in (found, expected))
    return found.equals(expected) and next(schemas) == next(schemas)


def source(rows: polars.DataFrame) -> polars.LazyFrame:
    """Returns rows as a source that polars asks for them, as a scan is. Each condition is evaluated alone, too, as a scan does."""

    def read(columns: list[str] | None, predicate: polars.Expr | None, limit: int | None, _size: int | None) -> Iterator[polars.DataFrame]:
        for condition in [] if predicate is None or rows.is_empty() else vitalwire.polars._conditions(predicate):
            rows.filter(condition)
        frame = rows if limit is None else rows.head(limit)
        frame = frame if predicate is None else frame.filter(predicate)
        yield frame if columns is None else frame.select(columns)

    return polars.io.plugins.register_io_source(read, schema=rows.schema)


def polars_query(service: EdgeService, seed: int) -> tuple[cohort.TableName, tuple[str, ...] | None, str, str]:
    """Returns the table, the columns, the engine and the code of a query."""
    choice = random.Random(f"table {seed}")
    table, engine = choice.choice(TABLES), choice.choice(["in-memory", "streaming"])
    columns = queries.COLUMNS[table]
    selected = choice.choice([None, None, tuple(columns)[1:4]])
    kinds = {name: kind for name, kind in columns.items() if selected is None or name in ("user", *selected)}
    return table, selected, engine, queries.Generator(seed, kinds).query()


def differences(service: EdgeService, seeds: range) -> list[str]:
    """Returns the polars queries whose rows differ from those of the same query on all rows."""
    found = []
    for seed in seeds:
        table, columns, engine, code = polars_query(service, seed)
        in_flight = 2 if seed % 7 == 0 else 16
        scanned = vitalwire.polars.scan(
            table, service.credentials, FIRST, LAST, service.settings, columns=columns, rate_limits=cohort.RateLimits(in_flight=in_flight)
        )
        rows = every(service, table, columns).select(scanned.collect_schema().names())
        actual, expected = outcome(code, scanned, engine), outcome(code, rows.lazy(), engine)
        if expected is PANIC:
            # In polars 2.1, the streaming engine fails if one part of a frame has a column of nulls only. The other engine does not fail.
            expected = outcome(code, rows.lazy(), "in-memory")
        # polars overlooks an invalid condition where another condition leaves no row. A scan can find it, or overlook it too.
        invalid = [source(rows.clear())] if isinstance(expected, str) else [source(rows)] if isinstance(actual, str) else []
        if not any(is_equal(actual, other) for other in (expected, *(outcome(code, frame, engine) for frame in invalid))):
            scan = f"scan({table!r}, …, columns={columns}, in_flight={in_flight})"
            found.append(f"# seed {seed}\nframe = {scan}\n{code}.collect(engine={engine!r})")
    return found


def test_polars_queries_return_the_rows_of_the_same_query_on_all_rows(service: EdgeService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vitalwire.polars, "read", KnownRows)
    found = differences(service, range(QUERIES * 11 // 20))
    assert not found, "\n".join([f"{len(found)} queries differ:", *found[:5]])


def test_filters_of_spark_lose_no_row(service: EdgeService) -> None:
    found = [query for seed in range(QUERIES // 4) if (query := spark_queries.difference(service, seed))]
    assert not found, "\n".join([f"{len(found)} queries differ:", *found[:5]])


def test_selected_users_and_days_have_the_rows_of_all_users_and_days(service: EdgeService) -> None:
    found = [query for seed in range(QUERIES // 5) if (query := selection_difference(service, seed))]
    assert not found, "\n".join([f"{len(found)} selections differ:", *found[:5]])


class Selection(typing.NamedTuple):
    """Users, days and columns of a table."""

    table: cohort.TableName
    users: list[str]
    first: datetime.date
    last: datetime.date
    columns: list[str] | None

    @staticmethod
    def random(choice: random.Random) -> Selection:
        """Returns a random selection."""
        table = choice.choice(TABLES)
        days = (LAST - FIRST).days
        first, last = sorted(FIRST + datetime.timedelta(days=choice.randint(0, days)) for _ in range(2))
        # A table's key, by which rows are compared, and some others.
        names = [name for name in queries.COLUMNS[table] if name not in ("user", KEYS[table])]
        columns = [KEYS[table], *choice.sample(names, choice.randint(0, len(names)))] if choice.random() < 0.7 else None
        return Selection(table, choice.sample(USERS, choice.randint(1, len(USERS))), first, last, columns)


#: Columns that identify a record, by table.
KEYS = {table: facts(table).key for table in TABLES}


def selection_difference(service: EdgeService, seed: int) -> str | None:
    """Returns a selection if its rows differ from those selected from all rows."""
    choice = random.Random(seed)
    selection = Selection.random(choice)
    reader = choice.choice([read_part, read_tasks, *([read_dask] if dask else []), *([read_ray] if ray else [])])
    found, expected = comparable(selection, reader(service, selection, choice)), comparable(selection, select(service, selection))
    if found.equals(expected):
        return None
    return f"# seed {seed}, {len(found)} rows instead of {len(expected)}\n{reader.__name__}({selection})"


def select(service: EdgeService, selection: Selection) -> polars.DataFrame:
    """Returns the rows of a selection from all rows. Sleeps belong to the days that list them, lab reports and meals to their upload."""
    table, users, first, last, columns = selection
    rows = every(service, table).filter(polars.col("user").is_in(users))
    if table in ("sleeps", "sleep_stages"):
        listed = {
            (user, sleep) for user in users for day, ids in service.listings[user].items() if str(first) <= day <= str(last) for sleep in ids
        }
        rows = rows.filter(polars.struct("user", "sleep_id").map_elements(lambda row: tuple(row.values()) in listed, polars.Boolean))
    else:
        name = {"daily": "date", "hourly": "from_timestamp"}.get(table, "uploaded_at")
        rows = rows.filter(polars.col(name).cast(polars.Date).is_between(first, last))
    return rows if columns is None else rows.select("user", *(name for name in rows.columns if name in columns))


def comparable(selection: Selection, rows: polars.DataFrame) -> polars.DataFrame:
    """Returns rows without duplicates of sleeps, without the days of stages, which depend on the selection, and without empty rows."""
    values = set(queries.COLUMNS[selection.table]) & set(rows.columns) & STATISTICS
    if selection.columns is not None and values:
        rows = rows.filter(polars.any_horizontal(polars.col(sorted(values)).is_not_null()))
    if selection.table == "sleep_stages":
        rows = rows.drop("sleep_date", strict=False)
    rows = rows.drop("record_ids", strict=False)
    return rows.unique().sort(rows.columns)


#: Names of statistics. Days and hours without a value of the selected ones have no row.
STATISTICS = {"steps", "sleep_score", "heartrate", "stress_score"}


def read_part(service: EdgeService, selection: Selection, _choice: random.Random) -> polars.DataFrame:
    """Reads a part of a plan of all users and days."""
    table, users, first, last, columns = selection
    plan = cohort.plan(service.credentials, table, FIRST, LAST).only(users=users, first=first, last=last)
    reader = cohort.read(plan, service.credentials, service.settings, columns=columns)
    return polars.DataFrame(pyarrow.table(reader))


def read_tasks(service: EdgeService, selection: Selection, choice: random.Random) -> polars.DataFrame:
    """Reads the tasks of a plan, as Dask, Ray and Spark do."""
    table, users, first, last, columns = selection
    plan = cohort.plan(users, table, first, last)
    parts = divide(table, plan, service.credentials, service.settings, columns, None, choice.randint(1, 5), None)
    return polars.DataFrame(pyarrow.Table.from_batches((batch for part in parts for batch in part.batches()), parts[0].schema))


def read_dask(service: EdgeService, selection: Selection, choice: random.Random) -> polars.DataFrame:
    """Reads a Dask data frame."""
    table, users, first, last, columns = selection
    frame = dask.read(table, service.credentials._only(users), first, last, service.settings, columns=columns, tasks=choice.randint(1, 5))
    return polars.DataFrame(pyarrow.Table.from_pandas(frame.compute(scheduler="synchronous"), preserve_index=False))


def read_ray(service: EdgeService, selection: Selection, choice: random.Random) -> polars.DataFrame:
    """Reads the tasks of a Ray dataset, without a cluster."""
    table, users, first, last, columns = selection
    plan = cohort.plan(users, table, first, last)
    parts = divide(table, plan, service.credentials, service.settings, columns, None, choice.randint(1, 5), None)
    blocks = [block for task in ray._Source(table, parts).get_read_tasks(1) for block in task()]
    return polars.DataFrame(pyarrow.concat_tables([parts[0].schema.empty_table(), *blocks]))
