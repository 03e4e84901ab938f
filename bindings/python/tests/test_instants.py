"""Instants as `datetime`: every part of them, to the ends of what Python has."""

from datetime import datetime, timezone

import pytest

from vitalwire import SleepStage
from vitalwire._native import _restore


def stage(start_at: str) -> SleepStage:
    made = _restore("SleepStage", f'{{"start_at":"{start_at}"}}')
    assert isinstance(made, SleepStage)
    return made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-02-29T23:58:59.654321Z", datetime(2024, 2, 29, 23, 58, 59, 654321, timezone.utc)),
        # More decimals than Python keeps are cut, not rounded.
        ("2025-12-31T00:00:00.0000019Z", datetime(2025, 12, 31, 0, 0, 0, 1, timezone.utc)),
        ("2025-01-01T01:30:00+02:00", datetime(2024, 12, 31, 23, 30, tzinfo=timezone.utc)),
        ("1969-12-31T23:59:59.5Z", datetime(1969, 12, 31, 23, 59, 59, 500000, timezone.utc)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=timezone.utc)),
        ("9999-12-30T21:59:59.999999Z", datetime(9999, 12, 30, 21, 59, 59, 999999, timezone.utc)),
    ],
)
def test_an_instant_has_all_its_parts(text: str, expected: datetime) -> None:
    found = stage(text).start_at
    assert found == expected
    assert type(found) is datetime and found.tzinfo is timezone.utc
    # Made from bytes, it must not be taken apart otherwise than one that was made from numbers.
    assert (repr(found), found.fold, found.isoformat()) == (repr(expected), 0, expected.isoformat())


def test_an_instant_before_the_years_of_python_stays_text() -> None:
    # In UTC it is in the year 0.
    early = stage("0001-01-01T00:00:00+14:00")
    assert early.start_at is None
    assert early.extra == {"start_at": "0001-01-01T00:00:00+14:00"}
