"""A case's arguments, as the types that calls take."""

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
    """What a case asks for and this binding cannot do."""


class Arguments:
    """The arguments of one operation, and the settings of its call."""

    def __init__(self, given: dict[str, object], options: CallOptions, more: dict[str, typing.Any] | None = None) -> None:
        self._given = given
        self.options = options
        #: Keywords of a wait or a range.
        self.more = dict(more or {})
        #: What happens to the parts of a range that are read one by one.
        self.turn: str | None = self.more.pop("turn", None)

    def only(self, *names: str) -> None:
        """Refuses names that the operation does not have."""
        unknown = self._given.keys() - set(names)
        if unknown:
            raise LookupError(f"there is no argument {', '.join(sorted(unknown))}")

    def required(self, name: str, read: Callable[[typing.Any], T]) -> T:
        """An argument that must be there."""
        return read(self._given[name])

    def optional(self, name: str, read: Callable[[typing.Any], T]) -> T | None:
        """An argument that may be left out."""
        return read(self._given[name]) if name in self._given else None


def text(value: str) -> str:
    """Texts, ids and values of open sets."""
    return value


def boolean(value: bool) -> bool:
    """True or false."""
    return value


def integer(value: int) -> int:
    """A whole number."""
    return value


def number(value: str | float) -> float:
    """A double; those that JSON cannot write are texts."""
    return float(value)


def instant(value: str) -> datetime.datetime:
    """An aware datetime with the offset that is written; none means UTC."""
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
    """A date."""
    return datetime.date.fromisoformat(value)


def raw(value: str) -> bytes:
    """Bytes, which are base64 in a case, or so many zeros."""
    if value.startswith("zeros:"):
        return bytes(int(value.removeprefix("zeros:")))
    return base64.b64decode(value, validate=True)


def many(read: Callable[[typing.Any], T]) -> Callable[[list[typing.Any]], list[T]]:
    """A list."""
    return lambda values: [read(value) for value in values]


def plain(value: object) -> object:
    """A value of any type."""
    return value
