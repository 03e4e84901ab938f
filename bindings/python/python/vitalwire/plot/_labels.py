"""Labels of axes: readable names and units."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: Spelling of abbreviations in names.
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

#: Display text of units. Counts have no unit.
_SHOWN = {"count": "", "degC": "°C", "mcg": "µg", "percent": "%"}

#: Larger units: minimum value, unit, and number of smaller units in it.
_LARGER = {
    "ms": ((3_600_000.0, "h", 3_600_000.0), (60_000.0, "min", 60_000.0)),
    "m": ((2_000.0, "km", 1_000.0),),
}

#: Maximum number of characters of a name, because unknown names may be long.
_LONGEST = 32


def words(name: str) -> str:
    """Returns a readable name: `hrv_rmssd` becomes "HRV RMSSD". Escapes `$`, which begins a formula in matplotlib."""
    text = " ".join(_WORDS.get(word, word) for word in name[:_LONGEST].split("_") if word)
    return (text[:1].upper() + text[1:]).replace("$", r"\$")


def shown_unit(unit: str | None, values: Iterable[float]) -> tuple[str, float]:
    """Returns a readable unit and its factor: hours for long durations, kilometres for long distances."""
    if unit is None:
        return "", 1.0
    largest = max((abs(value) for value in values if value == value), default=0.0)
    for least, larger, factor in _LARGER.get(unit, ()):
        if largest >= least:
            return larger, factor
    return _SHOWN.get(unit, unit), 1.0


def with_unit(name: str, unit: str) -> str:
    """Returns the label of an axis."""
    return f"{words(name)} ({unit})" if unit else words(name)
