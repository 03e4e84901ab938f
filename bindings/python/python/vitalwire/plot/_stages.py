"""The stages of a night as spans of time in lanes."""

from __future__ import annotations

import datetime

from vitalwire._native import SleepRecord
from vitalwire._refuse import bad_type, bad_value
from vitalwire.constants import SleepStageName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: What every hypnogram shows, from the top, once one of the lower three is there.
_USUAL = (SleepStageName.AWAKE, SleepStageName.REM, SleepStageName.LIGHT, SleepStageName.DEEP)

#: How awake one is, from the top. What is not here has no place among them and comes below.
_ORDER = (
    SleepStageName.OUT_OF_BED,
    SleepStageName.AWAKE,
    SleepStageName.AWAKE_IN_BED,
    SleepStageName.NAP,
    SleepStageName.SLEEPING,
    SleepStageName.REM,
    SleepStageName.LIGHT,
    SleepStageName.DEEP,
)


class Span:
    """A stage and when it was."""

    __slots__ = ("end", "stage", "start")

    def __init__(self, stage: str, start: datetime.datetime, end: datetime.datetime) -> None:
        self.stage = stage
        self.start = start
        self.end = end


def spans(night: SleepRecord) -> list[Span]:
    """The stages that have a time, in its order."""
    if not isinstance(night, SleepRecord):
        raise bad_type("night", "a SleepRecord")
    if night.stages is None and "stages" not in night.null_members:
        raise bad_value("night", "it came without stages; ask for them by include_stages=True")
    found = []
    for stage in night.stages or ():
        start, end = stage.start_at, stage.end_at
        length = None if stage.duration is None else datetime.timedelta(milliseconds=stage.duration)
        if end is None and start is not None and length is not None:
            end = start + length
        if start is None and end is not None and length is not None:
            start = end - length
        if start is not None and end is not None and start < end:
            found.append(Span(stage.stage or SleepStageName.UNKNOWN, start, end))
    return sorted(found, key=lambda span: (span.start, span.end))


def lanes(found: Sequence[Span]) -> list[str]:
    """The lanes from the top: the usual four, what else there is among them by wakefulness, and below what has no such place."""
    there = {span.stage for span in found}
    if not there or not there.isdisjoint(_USUAL[1:]):
        there.update(_USUAL)
    placed = [stage for stage in _ORDER if stage in there]
    return placed + sorted(there.difference(_ORDER), key=lambda stage: (stage == SleepStageName.UNKNOWN, stage))


def has_depth(stage: str) -> bool:
    """Whether the stage has a place between awake and deep."""
    return stage in _ORDER
