"""Random filters of Spark, and the rows that Spark keeps. Runs without a session: calls the data source as Spark does."""

from __future__ import annotations

import dataclasses
import datetime
import random
import sys
import types
import typing
import zoneinfo

import edge_service
import queries


_COMPARISONS: dict[str, typing.Callable[[typing.Any, typing.Any], bool]] = {
    "EqualTo": lambda value, other: bool(value == other),
    "GreaterThan": lambda value, other: bool(value > other),
    "GreaterThanOrEqual": lambda value, other: bool(value >= other),
    "LessThan": lambda value, other: bool(value < other),
    "LessThanOrEqual": lambda value, other: bool(value <= other),
    "StringStartsWith": lambda value, other: bool(value.startswith(other)),
    "StringEndsWith": lambda value, other: bool(value.endswith(other)),
    "StringContains": lambda value, other: other in value,
}


def _stand_in() -> types.ModuleType:
    """Returns the part of `pyspark.sql.datasource` that the package uses, for environments without Spark."""
    module = types.ModuleType("pyspark.sql.datasource")
    for name in [*_COMPARISONS, "EqualNullSafe", "In"]:
        setattr(module, name, dataclasses.make_dataclass(name, ["attribute", "value"], frozen=True))
    for name in ("IsNull", "IsNotNull"):
        setattr(module, name, dataclasses.make_dataclass(name, ["attribute"], frozen=True))
    module.Not = dataclasses.make_dataclass("Not", ["child"], frozen=True)  # type: ignore[attr-defined]
    module.InputPartition = dataclasses.make_dataclass("InputPartition", ["value"])  # type: ignore[attr-defined]
    module.DataSource = type("DataSource", (), {"__init__": lambda self, options: None})  # type: ignore[attr-defined]
    for name in ("DataSourceReader", "DataSourceStreamReader"):
        setattr(module, name, type(name, (), {}))
    return module


try:
    from pyspark.sql import datasource  # type: ignore[import-untyped,import-not-found,unused-ignore]
except ImportError:
    datasource = _stand_in()
    sql = types.ModuleType("pyspark.sql")
    sql.datasource = datasource  # type: ignore[attr-defined]
    sys.modules.update({"pyspark": types.ModuleType("pyspark"), "pyspark.sql": sql, "pyspark.sql.datasource": datasource})

from vitalwire.spark import _Reader, _Scan  # noqa: E402

Rows = list[dict[str, typing.Any]]

#: Columns whose filters are pushed down.
_PUSHED = ("user", "date", "from_timestamp", "sleep_date")
_EXTREMES = (datetime.date.min, datetime.date.max)
_ZONES = tuple(map(zoneinfo.ZoneInfo, ("UTC", "Asia/Kathmandu", "America/Los_Angeles")))
_every: dict[tuple[str, ...], Rows] = {}


def difference(service: edge_service.EdgeService, seed: int) -> str | None:
    """Returns a query as code if its rows differ from those that Spark selects from all rows."""
    choice = random.Random(seed)
    table = choice.choice(["daily", "hourly", "hourly", "sleeps", "sleeps", "sleeps", "sleep_stages", "labs", "nutrition"])
    kinds = queries.COLUMNS[table]
    # The columns that Spark's schema has.
    others = [name for name in kinds if name not in _PUSHED]
    columns = [*(name for name in kinds if name in _PUSHED), *choice.choice([others, others[::-2]])]
    options = {"table": table, "users_file": str(service.users_file), "base_url": service.url, "proxy": "none", "tasks": choice.choice("123")}
    options |= {"columns": ",".join(columns[1:]), "first": str(edge_service.FIRST)} | choice.choice([{}, {"last": str(edge_service.LAST)}])
    key = (table, options.get("last", ""), *columns)
    if key not in _every:
        _every[key] = _read(options, columns, [])
    filters = [_filter(choice, {name: kinds[name] for name in columns}) for _ in range(choice.choice([1, 1, 1, 2, 3]))]
    expected = _kept(_every[key], filters)
    if not expected and choice.random() < 0.8:
        # No row can be lost. Reading would only take time.
        _push(options, columns, filters)
        return None
    found = _kept(_read(options, columns, filters), filters)
    if found == expected:
        return None
    return f"# seed {seed}, {len(found)} rows instead of {len(expected)}\n_Reader(_Scan({options}), {columns}).pushFilters({filters})"


def _push(options: dict[str, str], columns: list[str], filters: list[typing.Any]) -> _Reader:
    reader = _Reader(_Scan(options), columns)
    # Spark applies the returned filters itself.
    assert list(reader.pushFilters(filters)) == filters
    return reader


def _read(options: dict[str, str], columns: list[str], filters: list[typing.Any]) -> Rows:
    reader = _push(options, columns, filters)
    return [row for partition in reader.partitions() for batch in reader.read(partition) for row in batch.to_pylist()]


def _kept(rows: Rows, filters: list[typing.Any]) -> Rows:
    """Returns the rows for which all filters are true, in a comparable order."""
    return sorted((row for row in rows if all(_truth(condition, row) for condition in filters)), key=repr)


def _truth(condition: typing.Any, row: dict[str, typing.Any]) -> bool | None:
    """Evaluates a filter for a row. `None` is neither true nor false."""
    kind = type(condition).__name__
    if kind == "Not":
        truth = _truth(condition.child, row)
        return None if truth is None else not truth
    value = row[condition.attribute[0]]
    if kind in ("IsNull", "IsNotNull"):
        return bool((value is None) == (kind == "IsNull"))
    if kind == "EqualNullSafe":
        return bool(value == condition.value)
    if kind == "In":
        if value is not None and value in [other for other in condition.value if other is not None]:
            return True
        return None if value is None or None in condition.value else False
    return None if value is None or condition.value is None else _COMPARISONS[kind](value, condition.value)


def _filter(choice: random.Random, kinds: dict[str, str]) -> typing.Any:
    days = [name for name in kinds if name in _PUSHED[1:]]
    if days and choice.random() < 0.6:
        name = choice.choice(["EqualTo", "EqualTo", "LessThanOrEqual", "GreaterThanOrEqual"])
        return getattr(datasource, name)((days[0],), _value(choice, kinds[days[0]]))
    name = choice.choice([*kinds, *[other for other in kinds if other in _PUSHED] * 3])
    kind, path = kinds[name], (name,)
    if choice.random() < 0.15:
        return datasource.Not(_filter(choice, kinds))
    if choice.random() < 0.1:
        return choice.choice([datasource.IsNull, datasource.IsNotNull])(path)
    if choice.random() < 0.25:
        return datasource.In(path, tuple(_value(choice, kind) for _ in range(choice.randint(0, 3))))
    names = ["EqualTo", "EqualNullSafe"]
    if kind != "truth":
        names += ["GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual"]
    if kind == "text":
        names += ["EqualTo", "StringStartsWith", "StringEndsWith", "StringContains"]
    return getattr(datasource, choice.choice(names))(path, _value(choice, kind))


def _value(choice: random.Random, kind: str) -> typing.Any:
    if choice.random() < 0.1:
        return None
    if kind == "text":
        return choice.choice([*edge_service.USERS, "", "nobody", "a", "n"])
    if kind == "number":
        return choice.choice([0.0, 1.0, 50.0, 50.5, -1.0])
    if kind == "truth":
        return choice.choice([True, False])
    day = choice.choice([*[edge_service.random_day(choice)] * 8, *_EXTREMES])
    if kind == "date":
        return day
    clock = choice.choice([datetime.time(), datetime.time(23, 30), datetime.time(23, 59, 59, 999_999), datetime.time(12, 0, 30)])
    zone = _ZONES[0] if day in _EXTREMES else choice.choice(_ZONES)
    return datetime.datetime.combine(day, clock, zone)
