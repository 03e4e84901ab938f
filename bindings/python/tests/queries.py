"""Random polars queries as code, so that a failing query can be pasted into a program."""

from __future__ import annotations

import datetime
import random
import typing
import zoneinfo

import edge_service
import polars

#: Names that the code of a query uses, besides `frame`.
NAMES: dict[str, typing.Any] = {
    "pl": polars,
    "col": polars.col,
    "date": datetime.date,
    "datetime": datetime.datetime,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "UTC": datetime.timezone.utc,
    "ZoneInfo": zoneinfo.ZoneInfo,
}

#: Kinds of the columns that queries use, by table.
COLUMNS: dict[str, dict[str, str]] = {
    "daily": {"user": "text", "date": "date", "steps": "number", "sleep_score": "number", "heartrate": "number", "stress_score": "number"},
    "hourly": {"user": "text", "from_timestamp": "time", "to_timestamp": "time", "steps": "number", "heartrate": "number"},
    "sleeps": {
        "user": "text",
        "sleep_id": "text",
        "sleep_date": "date",
        "start_at_timestamp": "time",
        "score": "number",
        "heartrate": "number",
        "is_nap": "truth",
    },
    "sleep_stages": {"user": "text", "sleep_id": "text", "sleep_date": "date", "start_at": "time", "duration": "number"},
    "labs": {"user": "text", "record_id": "text", "collection_day": "date", "uploaded_at": "time", "value": "number"},
    "nutrition": {"user": "text", "record_id": "text", "consumed_at": "time", "uploaded_at": "time", "energy_kcal": "number"},
}

#: Columns of days, on which filters reduce the requests.
_DAYS = ("date", "from_timestamp", "sleep_date")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_ZONES = ("Asia/Kathmandu", "America/Los_Angeles")
_OF_DATES = (
    "dt.month() == 11",
    "dt.weekday() > 5",
    "dt.day().is_in([1, 31])",
    'dt.to_string("%Y-%m") == "2025-10"',
    'dt.truncate("1mo") == {date}',
    'dt.offset_by("1d") {op} {date}',
    "dt.month_end() == {date}",
    "fill_null({date}) == {date}",
    "cast(pl.String) {op} '{day}'",
)
_OF_TIMES = (
    "dt.date() {op} {date}",
    "dt.hour() == 23",
    "dt.minute() == 30",
    "dt.time() >= time(23, 0)",
    'dt.convert_time_zone("Asia/Kathmandu").dt.date() {op} {date}',
    'dt.offset_by("-90m") {op} {time}',
    "cast(pl.Date) {op} {date}",
    'dt.cast_time_unit("ms") {op} {time}',
    "fill_null({time}) == {time}",
    'dt.truncate("1d") == {time}',
)
_OF_TEXTS = (
    'str.starts_with("{prefix}")',
    'str.ends_with("n")',
    'str.contains("n+a")',
    "str.len_chars() > 3",
    'str.to_lowercase() == "ben"',
    "cast(pl.Categorical) == {text}",
    'replace("ben", None).is_null()',
)
_OF_NUMBERS = ("fill_null(0) < 10", "is_nan()", "is_finite()", "abs() {op} {number}", "cast(pl.String) == '50.0'", "sqrt() > 5")
#: Conditions that depend on other rows, so that they must see all of them.
_OF_ROWS = (
    "is_first_distinct()",
    "is_duplicated()",
    "rank() <= 5",
    "cum_count() > 20",
    "shift(1).is_null()",
    'max().over("user").is_null()',
    "is_null().any()",
    "count() > 100",
)


class Generator:
    """Makes the code of a query from a seed.

    columns: Kinds of the columns of the frame.
    """

    def __init__(self, seed: int, columns: dict[str, str]) -> None:
        self._random = random.Random(seed)
        self._columns = dict(columns)

    def query(self) -> str:
        """Returns a query with one to four steps on `frame`."""
        code = "frame"
        for _ in range(self._random.randint(1, 4)):
            steps = (self._select, self._with_columns, self._sort, self._unique, self._group_by, self._drop_nulls)
            filters = (*[self._filter] * 6, *[self._filter_days] * 6, *[self._head_and_filter] * 3)
            step = self._random.choice((*filters, *[self._slice] * 4, *steps))
            code += step()
        return code

    def _any(self, *options: str) -> str:
        return self._random.choice(options)

    def _number(self) -> int:
        return self._random.choice([0, 1, *[self._random.randint(2, 100)] * 3])

    def _filter(self) -> str:
        conditions = (self.condition(self._random.choice([0, 0, 1, 2])) for _ in range(self._random.choice([1, 1, 2])))
        return f".filter({', '.join(conditions)})"

    def _filter_days(self) -> str:
        """Returns a filter that selects some days."""
        names = [name for name in _DAYS if name in self._columns]
        if not names:
            return self._filter()
        days = sorted(self._day() for _ in range(2))
        first, last = (f"date({day.year}, {day.month}, {day.day})" for day in days)
        if self._columns[names[0]] == "time":
            first, last = (f"datetime({day.year}, {day.month}, {day.day}, {self._any('0', '12', '23, 30')}, tzinfo=UTC)" for day in days)
        column = f"col({names[0]!r})"
        return self._any(
            f".filter({column} == {first})",
            f".filter({column}.is_between({first}, {last}))",
            f".filter({column} <= {first})",
            f".filter({last} <= {column}, {self.condition(0)})",
            f".filter({column}.is_in([{first}, {last}]))",
        )

    def _slice(self) -> str:
        count = self._number()
        return self._any(
            *[f".head({count})"] * 2,
            f".tail({count})",
            f".slice({self._number()}, {count})",
            f".slice({-1 - self._number()}, {count})",
            ".reverse()",
        )

    def _head_and_filter(self) -> str:
        return f".head({self._random.randint(2, 100)}){self._filter()}"

    def _some_columns(self) -> list[str]:
        return self._random.sample(sorted(self._columns), self._random.randint(1, len(self._columns)))

    def _select(self) -> str:
        names = self._some_columns()
        self._columns = {name: self._columns[name] for name in names}
        return f".select({', '.join(map(repr, names))})"

    def _with_columns(self) -> str:
        condition = self.condition(0)
        self._columns["new"] = "truth"
        return f".with_columns(new={condition})"

    def _sort(self) -> str:
        is_descending, puts_nulls_last = self._random.random() < 0.5, self._random.random() < 0.5
        return f".sort({self._some_columns()}, descending={is_descending}, nulls_last={puts_nulls_last}, maintain_order=True)"

    def _unique(self) -> str:
        return f".unique({self._some_columns()}, keep={self._any('first', 'last')!r}, maintain_order=True)"

    def _group_by(self) -> str:
        key, value = (self._random.choice(sorted(self._columns)) for _ in range(2))
        self._columns = {key: self._columns[key], "rows": "number", "least": self._columns[value], "last": self._columns[value]}
        if key in ("rows", "least", "last"):
            return ""
        return f".group_by({key!r}, maintain_order=True).agg(rows=pl.len(), least=col({value!r}).min(), last=col({value!r}).last())"

    def _drop_nulls(self) -> str:
        return f".drop_nulls({self._some_columns()})"

    def condition(self, depth: int) -> str:
        """Returns a condition that combines up to 2 to the power of `depth` others."""
        if depth == 0:
            return self._comparison()
        left, right = self.condition(depth - 1), self.condition(self._random.randrange(depth))
        return self._any(f"({left}) & ({right})", f"({left}) | ({right})", f"~({left})", f"({left}) ^ ({right})", f"({left}).fill_null(True)")

    def _comparison(self) -> str:
        # Conditions on users and days are pushed down.
        pushed = [name for name in ("user", *_DAYS) if name in self._columns]
        name = self._random.choice([*sorted(self._columns), *pushed * 2])
        kind, column = self._columns[name], f"col({name!r})"
        if kind == "truth":
            return self._any(column, f"~{column}", f"{column}.is_null()", f"{column}.fill_null(False)")
        values = [self._literal(kind) for _ in range(3)]
        others = [other for other, its in sorted(self._columns.items()) if its == kind]
        op = self._any(*_COMPARISONS)
        negated = self._any("", "", "~")
        return self._any(
            *[f"{column} {op} {values[0]}"] * 4,
            *[f"{column} == {values[0]}"] * 2,
            f"{values[0]} {op} {column}",
            f"{column}.is_in([{', '.join(values[: self._random.randint(1, 3)])}])",
            f"{negated}{column}.is_in([{values[0]}, None], nulls_equal={self._any('True', 'False')})",
            f"{negated}{column}.is_in([])",
            f"{column}.is_between({values[0]}, {values[1]}, closed={self._any('both', 'left', 'right', 'none')!r})",
            f"{column}.is_null()",
            f"{column}.is_not_null()",
            f"{column}.eq_missing({self._any('None', values[0])})",
            f"{column}.ne_missing({self._any('None', values[0])})",
            f"{column} {op} pl.lit(None)",
            f"{column} {op} col({self._any(*others)!r})",
            f"{column} == {column}.{self._any('min', 'max', 'first', 'last')}()",
            f"{column}.{self._any(*_OF_ROWS)}",
            *[self._function(column, kind, op)] * 4,
        )

    def _function(self, column: str, kind: str, op: str) -> str:
        templates = {"text": _OF_TEXTS, "date": _OF_DATES, "time": _OF_TIMES, "number": _OF_NUMBERS}[kind]
        values = {kind: self._literal(kind) for kind in ("text", "time", "number")}
        date = self._date()
        code = self._any(*templates).format(op=op, date=date, day=self._day(), prefix=self._any("a", "anna", "b", ""), **values)
        return f"{column}.{code}"

    def _literal(self, kind: str) -> str:
        if kind == "text":
            return self._any(*map(repr, (*edge_service.USERS, "nobody", "sleep-5", "meal-4")))
        if kind == "number":
            return self._any("0", "1", "50", "50.5", "-1", "8000.0")
        if kind == "time":
            return self._any(self._time(), self._time(), self._time(), self._date())
        return self._any(self._date(), self._date(), self._date(), self._naive())

    def _day(self) -> datetime.date:
        return edge_service.random_day(self._random)

    def _date(self) -> str:
        day = self._day()
        return f"date({day.year}, {day.month}, {day.day})"

    def _time(self) -> str:
        """Returns an instant, some with a time zone other than UTC. Most comparisons of different time zones are errors in polars."""
        local = f"{self._naive()[:-1]}, tzinfo=ZoneInfo({self._any(*_ZONES)!r}))"
        return self._any(*[f"{self._naive()[:-1]}, tzinfo=UTC)"] * 6, f'pl.lit({local}).dt.convert_time_zone("UTC")', local)

    def _naive(self) -> str:
        day = self._day()
        clock = self._any("0", "0", "23, 30", "23, 59, 59, 999999", "12, 0, 30", "5, 45")
        return f"datetime({day.year}, {day.month}, {day.day}, {clock})"
