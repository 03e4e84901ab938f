"""Canonical JSON (see `tests/conformance/README.md`) of values that users read. Every value must have its documented type."""

from __future__ import annotations

import base64
import datetime
import json
import math
import typing
from collections.abc import Callable, Iterable

import turns
import vitalwire

#: Largest bound below which doubles represent all integers exactly.
MAX_EXACT_INTEGER = 2**53

Form = Callable[[typing.Any, "Reading"], object]


class Outcome(typing.NamedTuple):
    """The outcome of a call."""

    value: object
    attempts: int | None
    request_id: str | None
    basis: str | None
    texts: list[str]
    failed_parts: list[object] | None = None
    skipped_items: list[object] | None = None
    #: Body as received, if the call was made with `keep_body=True`.
    body: bytes | None = None


class StartedCall(typing.NamedTuple):
    """A started call: its response, or an awaitable of the response, and the function that converts the response to an outcome."""

    response: typing.Any
    read: Callable[[typing.Any], Outcome]


class Reading:
    """Collects the bases of numbers and the `repr` of records while a response is read."""

    def __init__(self) -> None:
        self.bases: set[str] = set()
        self.texts: list[str] = []

    def outcome(self, value: object, response: vitalwire.ResponseMetadata | None) -> Outcome:
        """Returns the outcome of a response, from its canonical value and its metadata."""
        self.texts.append(repr(response))
        basis = self.bases.pop() if len(self.bases) == 1 else "mixed" if self.bases else None
        if response is None:
            return Outcome(value, None, None, basis, self.texts)
        skipped = self.skipped(response.skipped_items)
        return Outcome(
            value, response.attempts, response.request_id, basis, self.texts, skipped_items=skipped, body=response.body
        )

    def skipped(self, items: tuple[vitalwire.SkippedItem, ...]) -> list[object]:
        """Returns the list items that were left out."""
        self.texts += [repr(item) for item in items]
        return [{"json_path": item.json_path, "reason": item.reason, "json": item.json} for item in items]


def single(response: typing.Any, outcome: Form) -> StartedCall:
    """Reads a response that is one record."""

    def read(record: typing.Any) -> Outcome:
        reading = Reading()
        return reading.outcome(outcome(record, reading), record.response)

    return StartedCall(response, read)


def listed(response: typing.Any, outcome: Form) -> StartedCall:
    """Reads a response that is a list of records."""

    def read(found: vitalwire.Records[typing.Any]) -> Outcome:
        reading = Reading()
        return reading.outcome(records(outcome)(found, reading), found.response)

    return StartedCall(response, read)


def ranged(response: typing.Any, turn: str | None, outcome: Form) -> StartedCall:
    """Reads a merged range. If the case has a turn, reads the parts one by one instead."""
    if turn is not None:
        return StartedCall(turns.play(response, turn), lambda value: Reading().outcome(value, None))
    return merged(response.collect(), outcome)


def merged(response: typing.Any, outcome: Form) -> StartedCall:
    """Reads a merged range."""

    def read(whole: vitalwire.MergedRange[typing.Any, typing.Any]) -> Outcome:
        reading = Reading()
        reading.texts += [repr(whole), repr(whole.parts), repr(whole.failures)]
        value = reading.outcome(outcome(whole.response, reading), None)
        failed: list[object] = [[part.index, None if part.failure is None else part.failure.kind] for part in whole.failures]
        return value._replace(failed_parts=failed or None, skipped_items=reading.skipped(whole.skipped_items))

    return StartedCall(response, read)


def nothing(response: typing.Any) -> StartedCall:
    """Reads an empty response."""

    def read(value: typing.Any) -> Outcome:
        expect(value, type(None))
        return Reading().outcome(None, None)

    return StartedCall(response, read)


class Members:
    """The fields of a record, by their names in JSON."""

    def __init__(self, record: object, reading: Reading) -> None:
        self._reading = reading
        self._members: dict[str, object] = {}
        reading.texts += [repr(record), str(record)]

    def required(self, name: str, value: object, form: Form) -> None:
        """Adds a required field."""
        self._members[name] = form(value, self._reading)

    def optional(self, name: str, value: object, form: Form) -> None:
        """Adds an optional field, unless it is absent."""
        if value is not None:
            self.required(name, value, form)

    def list(self, name: str, value: object, null: bool, form: Form) -> None:
        """Adds a field that may be absent, null or a list."""
        if null:
            expect(value, type(None))
            self._members[name] = None
        self.optional(name, value, form)

    def finish(self, extra: dict[str, object]) -> object:
        """Returns all fields, including unknown ones."""
        return self._members | mark_unknown(extra)


def expect(value: object, kind: type) -> None:
    """Rejects a value of another type. A bool is not an int here, and a datetime not a date."""
    if type(value) is not kind:
        raise TypeError(f"a {type(value).__name__} where a {kind.__name__} is promised")


def text(value: str, _: Reading | None = None) -> object:
    """Writes texts and ids."""
    expect(value, str)
    return value


def boolean(value: bool, _: Reading | None = None) -> object:
    """Writes a boolean."""
    expect(value, bool)
    return value


def integer(value: int, _: Reading | None = None) -> object:
    """Writes an integer with all its digits."""
    expect(value, int)
    return value


def number(value: float, _: Reading | None = None) -> object:
    """Writes the shortest decimal that parses to the same double. Whole numbers have no decimal point. A gap in a series is null."""
    expect(value, float)
    if math.isnan(value):
        return None
    return int(value) if value.is_integer() and abs(value) <= MAX_EXACT_INTEGER else value


def instant(value: datetime.datetime, _: Reading | None = None) -> object:
    """Writes an instant in UTC, without trailing zeros in the fraction."""
    expect(value, datetime.datetime)
    if value.tzinfo is not datetime.timezone.utc:
        raise TypeError("an instant that is not in UTC")
    whole = f"{value.year:04}-{value.month:02}-{value.day:02}T{value.hour:02}:{value.minute:02}:{value.second:02}"
    return f"{whole}.{value.microsecond:06}".rstrip("0").rstrip(".") + "Z"


def date(value: datetime.date, _: Reading | None = None) -> object:
    """Writes a date."""
    expect(value, datetime.date)
    return f"{value.year:04}-{value.month:02}-{value.day:02}"


def raw(value: bytes, _: Reading | None = None) -> object:
    """Writes bytes in base64."""
    expect(value, bytes)
    return base64.b64encode(value).decode()


def plain(value: object, _: Reading | None = None) -> object:
    """Writes a value of any type, with numbers in canonical form."""
    if isinstance(value, float):
        return number(value)
    if isinstance(value, vitalwire.JsonText):
        return json.loads(value.text)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return value


def mark_unknown(extra: dict[str, object]) -> dict[str, object]:
    """Marks unknown fields."""
    return {name: {"extra": plain(value)} for name, value in extra.items()}


def named(known: Iterable[tuple[str, str]], *spellings: str) -> Form:
    """Returns a function that writes values of an open set: the text, marked if there is no constant for it."""
    texts = {constant for _, constant in known}.union(spellings)

    def value(given: str, _: Reading) -> object:
        expect(given, str)
        return given if given in texts else {"unknown": given}

    return value


#: Functions that write the values of a table, by type.
CELLS: dict[type, Form] = {str: text, bool: boolean, int: integer, float: number, datetime.date: date, datetime.datetime: instant}


def rows(names: list[str]) -> Form:
    """Returns a function that writes the rows of a table with these columns. Missing values are left out."""

    def values(table: vitalwire.Table, reading: Reading) -> object:
        expect(table, vitalwire.Table)
        reading.texts += [repr(table)]
        columns = [table[name] for name in names]
        found = [zip(names, cells, strict=True) for cells in zip(*columns, strict=True)]
        return [{name: CELLS[type(cell)](cell, reading) for name, cell in row if cell is not None} for row in found]

    return values


def many(form: Form) -> Form:
    """Returns a function that writes lists."""

    def values(items: tuple[object, ...], reading: Reading) -> object:
        expect(items, tuple)
        return [form(item, reading) for item in items]

    return values


def records(form: Form) -> Form:
    """Returns a function that writes responses that are lists."""

    def values(found: vitalwire.Records[object], reading: Reading) -> object:
        expect(found, vitalwire.Records)
        reading.texts += [repr(found), str(found)]
        return [form(item, reading) for item in found]

    return values


def doubles(series: memoryview[float], _: Reading | None = None) -> object:
    """Writes a series, which is one buffer of doubles."""
    expect(series, memoryview)
    if (series.format, series.readonly) != ("d", True):
        raise TypeError("a series that is no read-only buffer of doubles")
    return [number(value) for value in series]


def numbers(known: Iterable[tuple[str, str]]) -> Form:
    """Returns a function that writes number maps. If iteration and lookup by constant give different values, it writes both."""

    def pairs(values: vitalwire.NumberMap, reading: Reading) -> object:
        expect(values, vitalwire.NumberMap)
        reading.texts += [repr(values), repr(values.items())]
        if values.basis is not None:
            reading.bases.add(values.basis)
        found = {name: number(value) for name, value in values.items()}
        for wire, constant in known:
            got = values.get(constant)
            if (constant in values) != (wire in found) or (None if got is None else number(got)) != found.get(wire):
                found[wire] = [found.get(wire), got]
        return found | mark_unknown(values.extra)

    return pairs


def series(values: vitalwire.SeriesMap, reading: Reading) -> object:
    """Writes a series map."""
    expect(values, vitalwire.SeriesMap)
    reading.texts += [repr(values), repr(values.items())]
    found = {name: doubles(values[name]) for name in values}
    return found | mark_unknown(values.extra)
