"""Coverage: which days of which person have data, and why the others have none."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from vitalwire import _people
from vitalwire._arguments import check_day
from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import DailyStatistics, IntervalStatistics, MergedRange, NightResult, NightSearch, RangeCall, SleepRecord, Table

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import polars  # type: ignore[import-not-found,unused-ignore]
    from matplotlib.axes import Axes

    _State: TypeAlias = Literal["has_data", "no_data", "failed", "not_requested"]

#: States of a day, from the most to the least that is known about it. If several sources have a day, the first of these states counts.
STATES: tuple[_State, ...] = ("has_data", "no_data", "failed", "not_requested")
#: Kind of nights. Other kinds are names of statistics.
SLEEP = "sleep"
_DAY = datetime.timedelta(days=1)


class Coverage:
    """States of days by person and kind of data.

    A day is `has_data` if it has a value, `no_data` if the service has none, `failed` if its request failed, and `not_requested` otherwise. A
    missing day is never a zero. The kinds are names of statistics, and `sleep` for nights.

    people: Keys of the people, in order.

    kinds: Kinds of data, in order.

    days: All days from the first to the last.
    """

    __slots__ = ("_states", "days", "kinds", "people")

    def __init__(self, states: Mapping[tuple[str, str], Mapping[datetime.date, _State]], first: datetime.date, last: datetime.date) -> None:
        self.people: tuple[str, ...] = tuple(dict.fromkeys(person for person, _ in states))
        self.kinds: tuple[str, ...] = tuple(dict.fromkeys(kind for _, kind in states))
        self.days: tuple[datetime.date, ...] = tuple(first + at * _DAY for at in range((last - first).days + 1))
        self._states = {key: dict(found) for key, found in states.items()}

    def state(self, person: str, kind: str, day: datetime.date) -> _State:
        """Returns the state of a day."""
        return self._states.get((person, kind), {}).get(day, "not_requested")

    def find(self, state: _State, *, person: str | None = None, kind: str | None = None) -> list[datetime.date]:
        """Returns the days with this state, for a person and a kind or for any."""
        if state not in STATES:
            raise invalid_value("state", f"must be one of {', '.join(STATES)}")
        found = {day for who, what, day, how in self._cells() if how == state and person in (None, who) and kind in (None, what)}
        return sorted(found)

    def counts(self) -> dict[tuple[str, str], dict[str, int]]:
        """Returns the number of days with each state, by person and kind."""
        counts: dict[tuple[str, str], dict[str, int]] = {}
        for who, what, _, how in self._cells():
            counts.setdefault((who, what), {str(state): 0 for state in STATES})[how] += 1
        return counts

    def last_days(self) -> dict[tuple[str, str], datetime.date | None]:
        """Returns the last day with data, by person and kind. `None` if there is none."""
        last: dict[tuple[str, str], datetime.date | None] = {(who, what): None for who in self.people for what in self.kinds}
        last.update({(who, what): day for who, what, day, how in self._cells() if how == "has_data"})
        return last

    def to_dict(self) -> dict[str, list[Any]]:
        """Returns the columns `person`, `kind`, `date` and `state`, with a row for each day."""
        rows = list(self._cells())
        return {name: [row[at] for row in rows] for at, name in enumerate(("person", "kind", "date", "state"))}

    def to_pandas(self) -> pandas.DataFrame:
        """Converts the states to a `pandas.DataFrame` with a row for each person, kind and day. `state` is categorical."""
        from vitalwire._frames import _package

        package = _package("pandas", "to_pandas")
        frame: pandas.DataFrame = package.DataFrame(self.to_dict(), columns=["person", "kind", "date", "state"])
        frame["state"] = package.Categorical(frame["state"], categories=list(STATES))
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Converts the states to a `polars.DataFrame` with a row for each person, kind and day."""
        from vitalwire._frames import _package

        package = _package("polars", "to_polars")
        schema = {"person": package.String, "kind": package.String, "date": package.Date, "state": package.Enum(list(STATES))}
        frame: polars.DataFrame = package.DataFrame(self.to_dict(), schema=schema)
        return frame

    def plot(self, *, ax: Axes | None = None, figsize: tuple[float, float] | None = None) -> Axes:
        """Draws the states, with `vitalwire.plot.coverage`."""
        from vitalwire.plot import coverage as draw

        return draw(self, ax=ax, figsize=figsize)

    def _cells(self) -> Iterator[tuple[str, str, datetime.date, _State]]:
        for who in self.people:
            for what in self.kinds:
                for day in self.days:
                    yield who, what, day, self.state(who, what, day)

    def __repr__(self) -> str:
        return f"Coverage({len(self.people)} people x {len(self.kinds)} kinds x {len(self.days)} days)"

    def _repr_html_(self) -> str:
        """Shows the counts and the last day with data in a notebook."""
        last = self.last_days()
        head = "".join(f"<th>{name}</th>" for name in ("person", "kind", *STATES, "last day"))
        rows = (
            f"<tr><td>{escape(who)}</td><td>{escape(what)}</td>{''.join(f'<td>{counts[state]}</td>' for state in STATES)}<td>{last[who, what] or ''}</td></tr>"
            for (who, what), counts in self.counts().items()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def coverage(sources: Any, *, first: datetime.date | str | None = None, last: datetime.date | str | None = None) -> Coverage:
    """Returns which days have data, by person and kind of data.

    sources: By the key of a person, such as `{"anna": year, "ben": [days, nights]}`: one or several of range calls and night searches,
    their results of `collect()` and `collect_table()`, records of statistics, nights, tables, and frames of pandas or polars. Ranges and
    their results also state which days failed. Records of statistics state the requested days; a table without its range states only
    those from its first to its last day. Days of instants are in UTC. Without keys, the person is `""`. A table of `vitalwire.concat`, or
    a frame of it, has its own people: pass it without a key.

    first, last: Bounds of the days. They default to the first and the last day of the sources.
    """
    people = sources if isinstance(sources, Mapping) else {"": sources}
    states: dict[tuple[str, str], dict[datetime.date, _State]] = {}
    for person, given in people.items():
        for source in given if _is_several(given) else [given]:
            for own, kind, day, state in _states(source):
                if own and isinstance(sources, Mapping):
                    raise invalid_value("sources", "a table of several people must have no key; pass it, or a list of such tables, instead of a mapping")
                found = states.setdefault((own or str(person), kind), {})
                if STATES.index(state) < STATES.index(found.get(day, "not_requested")):
                    found[day] = state
    days = [day for found in states.values() for day in found]
    ends = (check_day("first", first), check_day("last", last))
    first_day, last_day = ends[0] or min(days, default=None), ends[1] or max(days, default=None)
    if first_day is None or last_day is None:
        raise invalid_value("sources", "must state at least one day; pass first and last")
    if first_day > last_day:
        raise invalid_value("first", "must not be after last")
    return Coverage(states, first_day, last_day)


def _is_several(given: object) -> bool:
    is_night = isinstance(given, (list, tuple)) and all(isinstance(item, NightResult) for item in given) and len(given) > 0
    return isinstance(given, (list, tuple)) and not is_night


def _states(source: Any) -> Iterator[tuple[str, str, datetime.date, _State]]:
    """Returns the own person or `""`, the kind, the day and its state for each day of a source."""
    if isinstance(source, (RangeCall, NightSearch)):
        source = source.collect()
    if isinstance(source, MergedRange):
        yield from (("", *state) for state in _merged_states(source))
        return
    if isinstance(source, (list, tuple, NightResult)):
        source = [source] if isinstance(source, NightResult) else source
        source = [night for night in source if isinstance(night, NightResult)]
        yield from (("", SLEEP, day, "has_data") for day in _night_days(source))
        return
    for person, days, received in _received(source):
        if isinstance(source, DailyStatistics):
            requested = list(_between(source.from_date, source.to_date))
        else:
            requested = list(_between(min(days), max(days))) if days else []
        for kind, found in received.items():
            yield from ((person, kind, day, "has_data" if day in found else "no_data") for day in {*requested, *found})


def _merged_states(merged: MergedRange[Any, Any]) -> Iterator[tuple[str, datetime.date, _State]]:
    is_nights = isinstance(merged.response, tuple)
    received = {SLEEP: set(_night_days(merged.response))} if is_nights else next(received for _, _, received in _received(merged.response))
    requested = {day for part in merged.parts for day in _range_days(part.range)}
    failed = {day for part in merged.failures for day in (part.days if isinstance(part, NightResult) else _range_days(part.range))}
    for kind, found in received.items():
        yield from ((kind, day, "has_data" if day in found else "no_data") for day in (requested - failed) | found)
        # A failed day with a value from another part keeps the state has_data.
        yield from ((kind, day, "failed") for day in failed)


def _received(source: Any) -> Iterator[tuple[str, list[datetime.date], dict[str, set[datetime.date]]]]:
    """Returns each person, the days of their rows, and the days with a value by kind.

    A table of sleeps has one kind, other tables have one for each number. Without a column of people, the only one is `""`.
    """
    if isinstance(source, (DailyStatistics, IntervalStatistics)):
        source = source.table()
    if isinstance(source, SleepRecord):
        source = source.table("sleeps")
    if not isinstance(source, Table) and not _people.is_frame(source):
        raise invalid_type("sources", f"ranges, their results, statistics, nights, tables or frames, not {type(source).__name__}")
    columns = _people.read_columns(source)
    is_sleep = source.name.startswith("sleep") if isinstance(source, Table) else "sleep_id" in columns or "sleep_date" in columns
    key = _people.find_key(source, columns, "sleeps" if is_sleep else "daily_statistics")
    day = _day_column(source, columns)
    numbers = [] if is_sleep else [name for name in _numbers(source) if name != key]
    # Without rows, the kinds are still those of the columns.
    for (person,), rows in (_people.split(columns, key) or {("",): columns}).items():
        if day == "date":
            _people.check_days("sources", rows)
        days = [_to_day(value) for value in rows[day]]
        if is_sleep:
            # Rows of missing days have no start.
            kinds = {SLEEP: rows.get("start_at_timestamp", days)}
        else:
            kinds = {name: rows[name] for name in numbers}
        there = [date for date in days if date is not None]
        yield (
            person,
            there,
            {kind: {date for date, value in zip(days, values, strict=True) if date is not None and value is not None} for kind, values in kinds.items()},
        )


def _numbers(source: Any) -> list[str]:
    """Returns the columns of numbers and durations of a table or a frame."""
    if isinstance(source, Table):
        return [name for name, kind in source.kinds.items() if kind == "number"]
    if hasattr(source, "schema"):
        return [name for name, dtype in source.schema.items() if dtype.is_numeric() or str(dtype).startswith("Duration")]
    return [name for name, dtype in source.dtypes.items() if dtype.kind in "fium"]


def _day_column(source: Any, columns: Mapping[str, list[Any]]) -> str:
    """Returns the first column of dates, otherwise the first one of instants."""
    if isinstance(source, Table):
        found = [name for kind in ("date", "instant") for name, of in source.kinds.items() if of == kind]
    else:
        instants = [name for name, values in columns.items() if any(isinstance(value, datetime.datetime) for value in values)]
        found = [name for name in ("date", "sleep_date") if name in columns] + instants
    if not found:
        raise invalid_type("sources", "tables with dates or instants")
    return found[0]


def _to_day(value: Any) -> datetime.date | None:
    if isinstance(value, str):
        return check_day("date", value[:10])
    return value.date() if isinstance(value, datetime.datetime) else value


def _night_days(nights: Iterable[NightResult]) -> list[datetime.date]:
    return [day for night in nights if night.failure is None for day in night.days]


def _range_days(bounds: tuple[Any, Any] | None) -> Iterator[datetime.date]:
    """Returns the days of a part. Its last date is inclusive, its last instant exclusive."""
    if bounds is None:
        return iter(())
    first, last = bounds
    if isinstance(last, datetime.datetime):
        return _between(first.date(), (last - datetime.timedelta(microseconds=1)).date())
    return _between(first, last)


def _between(first: datetime.date, last: datetime.date) -> Iterator[datetime.date]:
    return (first + at * _DAY for at in range((last - first).days + 1))
