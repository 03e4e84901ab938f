"""Canonical JSON (see `tests/conformance/README.md`), built from what users read. Every value must be of the type that is promised."""

from __future__ import annotations

import base64
import datetime
import json
import math
import typing
from collections.abc import Callable, Iterable

import turns
import vitalwire

#: Up to here every whole double stands for one integer only.
EXACT = 2**53

Form = Callable[[typing.Any, "Reading"], object]


class Answer(typing.NamedTuple):
    """What came of a call."""

    value: object
    attempts: int | None
    request_id: str | None
    basis: str | None
    texts: list[str]
    failed_parts: list[object] | None = None
    skipped_items: list[object] | None = None
    #: The body that was kept.
    body: bytes | None = None


class Asked(typing.NamedTuple):
    """A call that was begun: its answer, or of an asynchronous client what gives it, and how it is read."""

    answer: typing.Any
    read: Callable[[typing.Any], Answer]


class Reading:
    """What is collected while an answer is read: the bases of its numbers, and what its records show of themselves."""

    def __init__(self) -> None:
        self.bases: set[str] = set()
        self.texts: list[str] = []

    def answer(self, value: object, response: vitalwire.ResponseMetadata | None) -> Answer:
        """The answer, once it was read; a record that came with one knows how it came."""
        self.texts.append(repr(response))
        basis = self.bases.pop() if len(self.bases) == 1 else "mixed" if self.bases else None
        if response is None:
            return Answer(value, None, None, basis, self.texts)
        skipped = self.skipped(response.skipped_items)
        return Answer(
            value, response.attempts, response.request_id, basis, self.texts, skipped_items=skipped, body=response.body
        )

    def skipped(self, items: tuple[vitalwire.SkippedItem, ...]) -> list[object]:
        """The list items that were left out."""
        self.texts += [repr(item) for item in items]
        return [{"place": item.json_path, "reason": item.reason, "json": item.json} for item in items]


def single(answer: typing.Any, outcome: Form) -> Asked:
    """An answer that is one record."""

    def read(record: typing.Any) -> Answer:
        reading = Reading()
        return reading.answer(outcome(record, reading), record.response)

    return Asked(answer, read)


def listed(answer: typing.Any, outcome: Form) -> Asked:
    """An answer that is a list of records."""

    def read(found: vitalwire.Records[typing.Any]) -> Answer:
        reading = Reading()
        return reading.answer(records(outcome)(found, reading), found.response)

    return Asked(answer, read)


def ranged(answer: typing.Any, turn: str | None, outcome: Form) -> Asked:
    """The merged answer to a range, or what came of its parts that were read one by one."""
    if turn is not None:
        return Asked(turns.play(answer, turn), lambda value: Reading().answer(value, None))

    def read(whole: vitalwire.MergedRange[typing.Any, typing.Any]) -> Answer:
        reading = Reading()
        reading.texts += [repr(whole), repr(whole.parts), repr(whole.failures)]
        value = reading.answer(outcome(whole.response, reading), None)
        failed: list[object] = [[part.index, None if part.error is None else part.error.kind] for part in whole.failures]
        return value._replace(failed_parts=failed or None, skipped_items=reading.skipped(whole.skipped_items))

    return Asked(answer.collect(), read)


def nothing(answer: typing.Any) -> Asked:
    """An answer without body."""

    def read(value: typing.Any) -> Answer:
        expect(value, type(None))
        return Reading().answer(None, None)

    return Asked(answer, read)


class Members:
    """The members of a record, by their names on the wire."""

    def __init__(self, record: object, reading: Reading) -> None:
        self._reading = reading
        self._members: dict[str, object] = {}
        reading.texts += [repr(record), str(record)]

    def required(self, name: str, value: object, form: Form) -> None:
        """One that is always there."""
        self._members[name] = form(value, self._reading)

    def optional(self, name: str, value: object, form: Form) -> None:
        """One that is left out where it is absent."""
        if value is not None:
            self.required(name, value, form)

    def list(self, name: str, value: object, null: bool, form: Form) -> None:
        """One that may be absent, null or a list."""
        if null:
            expect(value, type(None))
            self._members[name] = None
        self.optional(name, value, form)

    def finish(self, extra: dict[str, object]) -> object:
        """The members, with those that the client does not know."""
        return self._members | kept(extra)


def expect(value: object, kind: type) -> None:
    """Refuses a value of another type. A bool is no int here, and a datetime no date."""
    if type(value) is not kind:
        raise TypeError(f"a {type(value).__name__} where a {kind.__name__} is promised")


def text(value: str, _: Reading | None = None) -> object:
    """Texts and ids."""
    expect(value, str)
    return value


def boolean(value: bool, _: Reading | None = None) -> object:
    """True or false."""
    expect(value, bool)
    return value


def integer(value: int, _: Reading | None = None) -> object:
    """Whole numbers keep every digit."""
    expect(value, int)
    return value


def number(value: float, _: Reading | None = None) -> object:
    """The shortest decimal that gives the same double, whole ones without a point; a gap in a series is null."""
    expect(value, float)
    if math.isnan(value):
        return None
    return int(value) if value.is_integer() and abs(value) <= EXACT else value


def instant(value: datetime.datetime, _: Reading | None = None) -> object:
    """In UTC, the fraction without trailing zeros."""
    expect(value, datetime.datetime)
    if value.tzinfo is not datetime.timezone.utc:
        raise TypeError("an instant that is not in UTC")
    whole = f"{value.year:04}-{value.month:02}-{value.day:02}T{value.hour:02}:{value.minute:02}:{value.second:02}"
    return f"{whole}.{value.microsecond:06}".rstrip("0").rstrip(".") + "Z"


def date(value: datetime.date, _: Reading | None = None) -> object:
    """A date."""
    expect(value, datetime.date)
    return f"{value.year:04}-{value.month:02}-{value.day:02}"


def raw(value: bytes, _: Reading | None = None) -> object:
    """Bytes, in base64."""
    expect(value, bytes)
    return base64.b64encode(value).decode()


def plain(value: object, _: Reading | None = None) -> object:
    """A value of any type, its numbers in canonical form."""
    if isinstance(value, float):
        return number(value)
    if isinstance(value, vitalwire.JsonText):
        return json.loads(value.text)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return value


def kept(extra: dict[str, object]) -> dict[str, object]:
    """Members that the client does not know, marked as such."""
    return {name: {"extra": plain(value)} for name, value in extra.items()}


def named(known: Iterable[tuple[str, str]], *spellings: str) -> Form:
    """A value of an open set: its text, marked if it is none of the constants and no other spelling of one."""
    texts = {constant for _, constant in known}.union(spellings)

    def value(given: str, _: Reading) -> object:
        expect(given, str)
        return given if given in texts else {"unknown": given}

    return value


def many(form: Form) -> Form:
    """A list."""

    def values(items: tuple[object, ...], reading: Reading) -> object:
        expect(items, tuple)
        return [form(item, reading) for item in items]

    return values


def records(form: Form) -> Form:
    """An answer that is a list."""

    def values(found: vitalwire.Records[object], reading: Reading) -> object:
        expect(found, vitalwire.Records)
        reading.texts += [repr(found), str(found)]
        return [form(item, reading) for item in found]

    return values


def doubles(series: memoryview[float], _: Reading | None = None) -> object:
    """A series: one buffer of doubles."""
    expect(series, memoryview)
    if (series.format, series.readonly) != ("d", True):
        raise TypeError("a series that is no read-only buffer of doubles")
    return [number(value) for value in series]


def numbers(known: Iterable[tuple[str, str]]) -> Form:
    """A map of numbers: what its iterator gives, beside what each known name's constant gives. Where the two differ both stand
    there in a list, which equals no number."""

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
        return found | kept(values.extra)

    return pairs


def series(values: vitalwire.SeriesMap, reading: Reading) -> object:
    """A map of series."""
    expect(values, vitalwire.SeriesMap)
    reading.texts += [repr(values), repr(values.items())]
    found = {name: doubles(values[name]) for name in values}
    return found | kept(values.extra)
