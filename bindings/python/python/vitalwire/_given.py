"""Arguments of a sandbox, checked before the program is given them."""

from __future__ import annotations

import contextlib
import datetime
import os
import typing
from collections.abc import Iterable

from vitalwire._refuse import bad_value

_V = typing.TypeVar("_V")


def typed(argument: str, value: _V, *kinds: type) -> _V:
    """The value, if it is of one of these types."""
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise TypeError(f"argument '{argument}': expected {' or '.join(kind.__name__ for kind in kinds)}, got {type(value).__name__}")
    return value


def option(argument: str, value: object, *kinds: type) -> str | None:
    """What the program is told of a setting; nothing where it is not given."""
    if value is None:
        return None
    found = typed(argument, value, *kinds)
    return passed(argument, os.fspath(found) if isinstance(found, os.PathLike) else str(found))


def day(value: datetime.date) -> str:
    """The setting `today` as the program reads it: a date that is no instant."""
    if isinstance(value, datetime.datetime):
        raise TypeError("argument 'today': expected date, got datetime")
    return typed("today", value, datetime.date).isoformat()


def texts(argument: str, values: Iterable[str]) -> list[str]:
    """Several texts that can be handed to a program."""
    if isinstance(values, str):
        raise TypeError(f"argument '{argument}': expected texts, got one str")
    return [passed(argument, typed(argument, value, str)) for value in values]


def passed(argument: str, text: str) -> str:
    """A text that can be handed to a program."""
    with contextlib.suppress(UnicodeError):
        if b"\0" not in os.fsencode(text):
            return text
    # Out here: the exception of Python's own has the text.
    raise bad_value(argument, "not a text that a program can be given")


def unicode(argument: str, text: str) -> str:
    """A text that can be sent."""
    with contextlib.suppress(UnicodeError):
        typed(argument, text, str).encode()
        return text
    raise bad_value(argument, "not Unicode text")
