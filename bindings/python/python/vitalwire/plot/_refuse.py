"""Arguments that are refused: their names are in the texts, their values never."""

from __future__ import annotations

from vitalwire._native import InvalidArgumentError


def bad_value(argument: str, why: str) -> InvalidArgumentError:
    """The error of a value that cannot be drawn."""
    error = InvalidArgumentError(f"invalid_argument: {why}, argument {argument}")
    error.argument = argument
    return error


def bad_type(argument: str, expected: str) -> TypeError:
    """The error of a value of another type."""
    return TypeError(f"argument '{argument}': {expected} is needed")
