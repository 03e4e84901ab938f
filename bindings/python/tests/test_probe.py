"""Tests conversions between Python and the extension with the echo probe of a test wheel.

`cargo xtask test` builds this wheel and sets `VITALWIRE_PROBE`. `test_packages.py` checks that shipped wheels have no probe.
"""

from __future__ import annotations

import datetime
import json
import math
import os
import sys
import threading
import time
import traceback
import typing

import pytest

import vitalwire
import vitalwire._native

UTC = datetime.timezone.utc
CANARY = "canary-7f3a"

# Not StateError, which is a kind of InvalidArgumentError.
KINDS = [
    kind
    for kind in vars(vitalwire).values()
    if isinstance(kind, type) and issubclass(kind, vitalwire.VitalwireError) and vitalwire.VitalwireError in kind.__bases__
]


@pytest.fixture(scope="module")
def native() -> typing.Any:
    """Returns the extension module."""
    if "VITALWIRE_PROBE" not in os.environ:
        pytest.skip("a wheel without probe")
    return vitalwire._native


@pytest.fixture(scope="module")
def probe(native: typing.Any) -> typing.Any:
    return native._Probe


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_error_is_raised_as_its_class(native: typing.Any, kind: type[vitalwire.VitalwireError]) -> None:
    with pytest.raises(native.VitalwireError) as caught:
        native._Probe.fail(kind.code)
    error = caught.value
    assert type(error) is getattr(native, kind.__name__)
    assert (error.code, error.kind, error.attempts, error.status, error.problem) == (kind.code, kind.kind, 0, None, None)
    assert isinstance(error, TimeoutError) == (error.kind == "timeout") and isinstance(error, ValueError) == (error.kind == "invalid_argument")
    assert str(error)


def test_the_core_has_no_other_error_kind(native: typing.Any) -> None:
    numbers = {kind.code for kind in KINDS}
    assert len(KINDS) == len(numbers) == 17
    for number in set(range(900, 2100)) - numbers:
        with pytest.raises(native.InvalidArgumentError) as caught:
            native._Probe.fail(number)
        assert caught.value.argument == "code"


def test_a_panic_is_an_internal_error_without_its_text(native: typing.Any, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(native.InternalError) as caught:
        native._Probe.panic(CANARY)
    shown = capfd.readouterr()
    assert "internal error" in shown.err
    assert CANARY not in f"{caught.value!r}{shown.err}{shown.out}" + "".join(traceback.format_exception(caught.value))
    native._Probe.wait(0)


def test_a_slow_call_releases_the_interpreter(probe: typing.Any) -> None:
    started = time.monotonic()
    waiting = threading.Thread(target=probe.wait, args=(1.0,))
    waiting.start()
    turns = 0
    while waiting.is_alive():
        turns += 1
        time.sleep(0.005)
    assert time.monotonic() - started >= 1
    # If the call held the interpreter, there would be only one turn. An idle machine has up to 200 turns, a busy machine fewer.
    assert turns >= 5


def test_plain_values_are_converted_both_ways(probe: typing.Any) -> None:
    assert probe.boolean(True) is True and probe.boolean(False) is False
    for integer in (0, -1, 2**53 + 1, 2**63 - 1, -(2**63)):
        back = probe.integer(integer)
        assert type(back) is int and back == integer
    with pytest.raises(OverflowError):
        probe.integer(2**63)
    for number in (0.0, -0.0, 0.1, 5e-324, sys.float_info.max, math.inf, -math.inf):
        back = probe.number(number)
        assert type(back) is float and (back, math.copysign(1, back)) == (number, math.copysign(1, number))
    assert math.isnan(probe.number(math.nan))
    for text in ("", "a\0b", "é e\u0301 \u202e 👩‍👩‍👧 \U0010ffff"):
        assert probe.text(text) == text
    with pytest.raises(UnicodeEncodeError):
        probe.text("\ud800")
    assert probe.texts(["a", ""]) == ["a", ""] and probe.texts(()) == []


def test_times_are_converted_both_ways(probe: typing.Any) -> None:
    east, west = datetime.timezone(datetime.timedelta(hours=14)), datetime.timezone(-datetime.timedelta(hours=11, minutes=30))
    for zone in (UTC, east, west):
        for instant in (
            datetime.datetime(2024, 2, 29, 23, 59, 59, 999_999, zone),
            datetime.datetime(1969, 12, 31, 23, 59, 59, 1, zone),
            datetime.datetime(1, 1, 2, tzinfo=zone),
            datetime.datetime(9999, 12, 30, tzinfo=zone),
        ):
            back = probe.instant(instant)
            assert back == instant and back.tzinfo is UTC
    for date in (datetime.date(1, 1, 1), datetime.date(2024, 2, 29), datetime.date(9999, 12, 31)):
        back = probe.date(date)
        assert type(back) is datetime.date and back == date


def test_buffers_and_json_are_converted_both_ways(probe: typing.Any) -> None:
    every = bytes(range(256))
    for raw in (b"", every, bytearray(every), memoryview(every)[::2]):
        back = probe.raw(raw)
        assert type(back) is bytes and back == bytes(raw)
    for numbers in ([], [0.1, -0.0, 5e-324]):
        series = probe.series(numbers)
        assert (series.format, series.itemsize, series.readonly, series.tolist()) == ("d", 8, True, numbers)
    text = '{"a": [null, true, 9007199254740993, 18446744073709551615, 72.0, "\\u0000"], "b": {}}'
    assert probe.json(text) == json.loads(text)
    assert type(probe.json("72.0")) is float and type(probe.json("72")) is int
