"""What is written on axes: names as words, units as people write them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: Parts of names that are no words.
_WORDS = {
    "ecg": "ECG",
    "heartrate": "heart rate",
    "hrv": "HRV",
    "rem": "REM",
    "rmssd": "RMSSD",
    "rri": "RRI",
    "sdnn": "SDNN",
    "spo2": "SpO2",
    "vo2max": "VO2max",
}

#: Units as they are written on an axis; a count has none.
_SHOWN = {"count": "", "degC": "°C", "mcg": "µg", "percent": "%"}

#: Larger units: from this number on, which unit, and how many of the smaller it is.
_LARGER = {
    "ms": ((3_600_000.0, "h", 3_600_000.0), (60_000.0, "min", 60_000.0)),
    "m": ((2_000.0, "km", 1_000.0),),
}

#: Characters of a name that was not known when this was written.
_LONGEST = 32


def words(name: str) -> str:
    """`hrv_rmssd` as "HRV RMSSD". No name can be taken for a formula."""
    text = " ".join(_WORDS.get(word, word) for word in name[:_LONGEST].split("_") if word)
    return (text[:1].upper() + text[1:]).replace("$", r"\$")


def shown_unit(unit: str | None, values: Iterable[float]) -> tuple[str, float]:
    """A unit in which the values can be read, and how many of the given one it is: hours for long times, km for long ways."""
    if unit is None:
        return "", 1.0
    largest = max((abs(value) for value in values if value == value), default=0.0)
    for least, larger, factor in _LARGER.get(unit, ()):
        if largest >= least:
            return larger, factor
    return _SHOWN.get(unit, unit), 1.0


def with_unit(name: str, unit: str) -> str:
    """The text of an axis."""
    return f"{words(name)} ({unit})" if unit else words(name)
