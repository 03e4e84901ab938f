"""Errors about arguments. Their texts contain the name of the argument, never its value."""

from __future__ import annotations

from vitalwire._native import InvalidArgumentError, VitalwireError


def argument_error(kind: type[VitalwireError], argument: str, reason: str) -> VitalwireError:
    """Creates an error about an argument, with the same text as in the native module."""
    error = kind(f"{kind.kind}: {reason}, argument {argument}")
    error.argument = argument
    return error


def invalid_value(argument: str, reason: str) -> VitalwireError:
    """Creates the error for an invalid value."""
    return argument_error(InvalidArgumentError, argument, reason)


def invalid_type(argument: str, expected: str) -> TypeError:
    """Creates the error for a value of the wrong type."""
    return TypeError(f"argument '{argument}': must be {expected}")
