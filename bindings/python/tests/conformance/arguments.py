"""Converts the arguments of a case to the types that calls accept."""

from __future__ import annotations

import base64
import datetime
import re
import typing
from collections.abc import Callable

import vitalwire
from generated.settings import CallOptions

T = typing.TypeVar("T")

INSTANT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))?")


class Unsupported(Exception):
    """A feature of a case that this binding does not support."""


class Arguments:
    """Arguments of one operation, and the options of its call."""

    def __init__(self, given: dict[str, object], options: CallOptions, keywords: dict[str, typing.Any] | None = None) -> None:
        self._given = given
        self.options = options
        #: Keyword arguments of a wait or a range.
        self.keywords = dict(keywords or {})
        #: Action during iteration over the parts of a range, such as a concurrent read.
        self.turn: str | None = self.keywords.pop("turn", None)

    def check_names(self, *names: str) -> None:
        """Rejects unknown names."""
        unknown = self._given.keys() - set(names)
        if unknown:
            raise LookupError(f"there is no argument {', '.join(sorted(unknown))}")

    def required(self, name: str, read: Callable[[typing.Any], T]) -> T:
        """Returns a required argument."""
        return read(self._given[name])

    def optional(self, name: str, read: Callable[[typing.Any], T]) -> T | None:
        """Returns an optional argument."""
        return read(self._given[name]) if name in self._given else None


def text(value: str) -> str:
    """Converts texts, ids and values of open sets."""
    return value


def boolean(value: bool) -> bool:
    """Converts a boolean."""
    return value


def integer(value: int) -> int:
    """Converts an integer."""
    return value


def number(value: str | float) -> float:
    """Converts a double. Doubles that JSON cannot express are texts."""
    return float(value)


def instant(value: str) -> datetime.datetime:
    """Converts an instant to an aware datetime with its offset. Defaults to UTC."""
    match = INSTANT.fullmatch(value)
    if not match:
        raise ValueError("no instant")
    whole, fraction, sign, hours, minutes = match.groups(default="")
    if fraction[6:].strip("0"):
        raise Unsupported("an instant finer than a microsecond")
    away = datetime.timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    zone = datetime.timezone(-away if sign == "-" else away)
    return datetime.datetime.fromisoformat(whole).replace(microsecond=int(fraction[:6].ljust(6, "0")), tzinfo=zone)


def date(value: str) -> datetime.date:
    """Converts a date."""
    return datetime.date.fromisoformat(value)


def raw(value: str) -> bytes:
    """Converts bytes: base64, or a number of zeros."""
    if value.startswith("zeros:"):
        return bytes(int(value.removeprefix("zeros:")))
    return base64.b64decode(value, validate=True)


def many(read: Callable[[typing.Any], T]) -> Callable[[list[typing.Any]], list[T]]:
    """Returns a function that converts lists."""
    return lambda values: [read(value) for value in values]


def plain(value: object) -> object:
    """Passes a value of any type unchanged."""
    return value
