"""Sleep stages as time spans in lanes."""

from __future__ import annotations

import datetime

from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import SleepRecord
from vitalwire.constants import SleepStageName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Lanes of every hypnogram with a REM, light or deep stage, from the top.
_USUAL = (SleepStageName.AWAKE, SleepStageName.REM, SleepStageName.LIGHT, SleepStageName.DEEP)

#: Order of stages by wakefulness, from the top. Other stages are placed below.
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
    """A stage with start and end."""

    __slots__ = ("end", "stage", "start")

    def __init__(self, stage: str, start: datetime.datetime, end: datetime.datetime) -> None:
        self.stage = stage
        self.start = start
        self.end = end


def spans(night: SleepRecord) -> list[Span]:
    """Returns the stages with a known time, in chronological order."""
    if not isinstance(night, SleepRecord):
        raise invalid_type("night", "a SleepRecord")
    if night.stages is None and "stages" not in night.null_members:
        raise invalid_value("night", "the record has no stages; request it with include_stages=True")
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
    """Returns the lanes from the top: stages by wakefulness, including the usual four, then stages without a depth."""
    there = {span.stage for span in found}
    if not there or not there.isdisjoint(_USUAL[1:]):
        there.update(_USUAL)
    placed = [stage for stage in _ORDER if stage in there]
    return placed + sorted(there.difference(_ORDER), key=lambda stage: (stage == SleepStageName.UNKNOWN, stage))


def has_depth(stage: str) -> bool:
    """Whether the stage has a depth."""
    return stage in _ORDER
