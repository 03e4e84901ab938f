"""Tests whole numbers as arguments: one rule for negative, large, fractional and other values."""

from __future__ import annotations

import datetime
import typing

import numpy
import pytest

import vitalwire
from vitalwire import cohort

DAYS = (datetime.date(2025, 11, 1), datetime.date(2025, 11, 2))

Call = typing.Callable[[typing.Any], object]


def plan(**options: typing.Any) -> cohort.Plan:
    return cohort.plan(["u"], "daily", *DAYS, **options)


#: Calls by argument, and the rule for a number that is too large. `None` if there is none.
CALLS: dict[str, tuple[Call, str | None]] = {
    "lookback_days": (lambda value: plan(lookback_days=value), "must be at most 3,660"),
    "users_per_item": (lambda value: plan(users_per_item=value), None),
    "months_per_item": (lambda value: plan(months_per_item=value), None),
    "tasks": (lambda value: plan().divide(value), None),
    "in_flight": (lambda value: cohort.RateLimits(in_flight=value), "must be from 1 to 1,024"),
    "rows": (lambda value: vitalwire.Table.read("daily_statistics", "daily_statistics", b'{"from_date":"2025-11-01","to_date":"2025-11-01","statistics":[]}').head(value), None),
    "status": (lambda value: vitalwire.MockResponses().on("get_user_info", status=value), None),
    "added": (lambda value: cohort.Changes(value, 0, 0), None),
    "done": (lambda value: cohort.ExportProgress(value, 0, 0, 0), None),
    "count": (lambda value: cohort.FailureReason("server", None, "", value), None),
}
SHARES: dict[str, Call] = {
    "share": lambda value: cohort.RateLimits().share(value),
    "max_tasks": lambda value: cohort.RateLimits().max_tasks(value),
}
REALS: dict[str, Call] = {
    "per_second": lambda value: cohort.RateLimits(per_second=value),
    "delay": lambda value: vitalwire.MockResponses().on("get_user_info", delay=value),
}
EVERY = [(name, call) for name, (call, _) in CALLS.items()] + [("tasks", call) for call in SHARES.values()]


@pytest.mark.parametrize("value", [-1, -(10**30), numpy.int64(-1)])
@pytest.mark.parametrize(("argument", "call"), EVERY)
def test_negative_numbers_are_invalid_values(argument: str, call: Call, value: typing.Any) -> None:
    with pytest.raises(ValueError, match=f"must be a whole number of at least 0, argument {argument}") as raised:
        call(value)
    assert isinstance(raised.value, vitalwire.InvalidArgumentError) and raised.value.argument == argument


@pytest.mark.parametrize("value", [1.0, 1.5, True, "1", b"1", numpy.float64(1)])
@pytest.mark.parametrize(("argument", "call"), EVERY)
def test_other_values_are_wrong_types(argument: str, call: Call, value: typing.Any) -> None:
    with pytest.raises(TypeError, match=f"^argument '{argument}': must be a whole number"):
        call(value)


@pytest.mark.parametrize("value", [2**32, 2**63, 10**30])
@pytest.mark.parametrize("argument", CALLS)
def test_large_numbers_have_the_rule_of_the_argument(argument: str, value: int) -> None:
    call, rule = CALLS[argument]
    if rule is None:
        call(value)
        return
    with pytest.raises(ValueError, match=f"{rule}, argument {argument}"):
        call(value)


@pytest.mark.parametrize(("argument", "call"), REALS.items())
def test_real_numbers_have_the_rule_of_the_argument(argument: str, call: Call) -> None:
    for value in (-1, float("nan"), float("inf"), 10**30, 10**400):
        with pytest.raises(ValueError, match=f"must be .* {argument}"):
            call(value)
    others: list[typing.Any] = [True, "1", [], numpy.array([1, 2])]
    for other in others:
        with pytest.raises(TypeError, match=f"^argument '{argument}': must be a number"):
            call(other)


def test_missing_numbers_are_the_defaults_of_optional_arguments() -> None:
    assert plan(users_per_item=None, months_per_item=None) == plan() and cohort.RateLimits(in_flight=None) == cohort.RateLimits()
    with pytest.raises(TypeError, match="^argument 'lookback_days': must be a whole number"):
        plan(lookback_days=None)
