"""Arguments that are refused: their names are in the texts, their values never."""

from __future__ import annotations

from vitalwire._native import InvalidArgumentError, VitalwireError


def refused(kind: type[VitalwireError], argument: str, why: str) -> VitalwireError:
    """An error about an argument, with the text that the native part gives such errors."""
    error = kind(f"{kind.kind}: {why}, argument {argument}")
    error.argument = argument
    return error


def bad_value(argument: str, why: str) -> VitalwireError:
    """The error of a value that cannot be meant."""
    return refused(InvalidArgumentError, argument, why)


def bad_type(argument: str, expected: str) -> TypeError:
    """The error of a value of another type."""
    return TypeError(f"argument '{argument}': {expected} is needed")
