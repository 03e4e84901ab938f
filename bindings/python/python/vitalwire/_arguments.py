"""Checks of the arguments of a sandbox, before they are passed to the program."""

from __future__ import annotations

import contextlib
import datetime
import os
import typing
from collections.abc import Iterable, Mapping

from vitalwire._errors import invalid_value

_V = typing.TypeVar("_V")

#: Effects in the data of a sandbox.
EffectName = typing.Literal[
    "steps_on_latency",
    "sleep_on_steps",
    "weekend_steps",
    "weekend_sleep",
    "season_steps",
    "illness",
    "travel",
    "device_change",
    "outliers",
    "meals",
]


def check_type(argument: str, value: _V, *kinds: type) -> _V:
    """Returns the value if it has one of these types. Raises `TypeError` otherwise."""
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise TypeError(f"argument '{argument}': must be {' or '.join(kind.__name__ for kind in kinds)}, not {type(value).__name__}")
    return value


def format_option(argument: str, value: object, *kinds: type) -> str | None:
    """Formats a setting as an option of the program. Returns `None` if it is not set."""
    if value is None:
        return None
    found = check_type(argument, value, *kinds)
    return check_text(argument, os.fspath(found) if isinstance(found, os.PathLike) else str(found))


def format_date(value: datetime.date) -> str:
    """Formats the setting `today`. A `datetime` is invalid, although it is a `date`."""
    if isinstance(value, datetime.datetime):
        raise TypeError("argument 'today': must be a date, not a datetime")
    return check_type("today", value, datetime.date).isoformat()


def format_effects(value: str | Iterable[str] | Mapping[EffectName, float]) -> str:
    """Formats the setting `effects` as a list of names with optional sizes."""
    if isinstance(value, str):
        return check_text("effects", value)
    if isinstance(value, Mapping):
        sizes = {check_type("effects", name, str): check_type("effects", size, float, int) for name, size in value.items()}
        return check_text("effects", ",".join(f"{name}={size}" for name, size in sizes.items()))
    return ",".join(check_texts("effects", value))


def format_delivery(value: str | Mapping[str, str]) -> str:
    """Formats the setting `delivery` as a list of users with their deliveries."""
    if isinstance(value, str):
        return check_text("delivery", value)
    items = {check_type("delivery", user, str): check_type("delivery", when, str) for user, when in value.items()}
    return check_text("delivery", ",".join(f"{user}={when}" for user, when in items.items()))


def check_texts(argument: str, values: Iterable[str]) -> list[str]:
    """Checks several texts with `check_text`."""
    if isinstance(values, str):
        raise TypeError(f"argument '{argument}': must be a list of str, not a str")
    return [check_text(argument, check_type(argument, value, str)) for value in values]


def check_text(argument: str, text: str) -> str:
    """Returns a text if it can be passed to a program: encodable, and without null characters."""
    with contextlib.suppress(UnicodeError):
        if b"\0" not in os.fsencode(text):
            return text
    # Raised outside the handler: the context would contain the text.
    raise invalid_value(argument, "must not contain null characters or unpaired surrogates")


def check_unicode(argument: str, text: str) -> str:
    """Returns a text if it can be encoded as UTF-8."""
    with contextlib.suppress(UnicodeError):
        check_type(argument, text, str).encode()
        return text
    raise invalid_value(argument, "must be valid Unicode")


def check_day(argument: str, value: datetime.date | str | None) -> datetime.date | None:
    """Returns a date, or the date of an ISO 8601 text."""
    if value is None or (isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)):
        return value
    text = check_type(argument, value, str)
    with contextlib.suppress(ValueError):
        return datetime.date.fromisoformat(str(text))
    raise invalid_value(argument, "must be a date, such as 2025-01-31")
