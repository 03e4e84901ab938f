"""Sleep stages as time spans in lanes."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import NamedTuple

from vitalwire import _people
from vitalwire._errors import invalid_type, invalid_value
from vitalwire._native import MergedRange, NightResult, SleepRecord, Table
from vitalwire._people import split
from vitalwire.constants import SleepStageName
from vitalwire.plot._clock import local_offset
from vitalwire.plot._columns import read_columns, to_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

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


class Stages(NamedTuple):
    """A night with its stages in chronological order."""

    spans: list[Span]
    #: Start and end of the night, extended to include all stages.
    first: datetime.datetime
    last: datetime.datetime
    #: UTC offset in minutes.
    offset: int | None
    #: Defaults to the date of the end.
    date: datetime.date | None
    #: Key of the person, or `""`.
    person: str


def read_stages(source: Any) -> tuple[list[Stages], bool]:
    """Returns the nights of a record, a list, a search, its result, a table `sleep_stages` or a frame, and whether it is a single night."""
    if isinstance(source, MergedRange):
        source = source.response
    if isinstance(source, (SleepRecord, NightResult)):
        return [_from_record(source)], True
    if isinstance(source, Table) or _people.is_frame(source):
        nights = _from_table(source)
        return nights, len(nights) == 1
    if not isinstance(source, Iterable) or isinstance(source, (str, bytes)):
        raise invalid_type("night", "a SleepRecord, several of them, a night search, a table or a frame")
    nights = [_from_record(night) for night in source]
    if not nights:
        raise invalid_value("night", "must contain at least one night")
    return nights, False


def _from_record(night: Any) -> Stages:
    if isinstance(night, NightResult):
        night = night.sleep
    if not isinstance(night, SleepRecord):
        raise invalid_type("night", "a SleepRecord")
    if night.stages is None and "stages" not in night.null_members:
        raise invalid_value("night", "the record has no stages; request it with include_stages=True")
    found = _spans((stage.stage, stage.start_at, stage.end_at, stage.duration) for stage in night.stages or ())
    first = min([night.start_at_timestamp, *(span.start for span in found)])
    last = max([night.end_at_timestamp or first, *(span.end for span in found)])
    return Stages(found, first, last, night.user_time_offset_minutes, night.sleep_date, "")


def _from_table(source: Any) -> list[Stages]:
    """Returns the nights of each person in a table or frame, in order of appearance."""
    found = []
    for person, columns in read_columns("night", source, "sleep_stages", "stage", "start_at").items():
        for rows in split(columns, "sleep_id" if "sleep_id" in columns else None).values():
            absent = [None] * len(rows["start_at"])
            stages = zip(rows["stage"], rows["start_at"], rows.get("end_at", absent), map(to_number, rows.get("duration", absent)), strict=True)
            if there := _spans(stages):
                locals_ = zip(rows["start_at"], rows.get("start_at_local", absent), strict=True)
                offset = next((local_offset(start, local) for start, local in locals_ if start is not None and local is not None), None)
                found.append(Stages(there, there[0].start, max(span.end for span in there), offset, None, person))
    if not found:
        raise invalid_value("night", "must contain at least one night with stages")
    return found


def _spans(stages: Iterable[tuple[Any, Any, Any, Any]]) -> list[Span]:
    """Returns the stages with a known time, in chronological order. Each is a name, a start, an end and a duration in milliseconds."""
    found = []
    for name, start, end, duration in stages:
        length = None if duration is None else datetime.timedelta(milliseconds=duration)
        if end is None and start is not None and length is not None:
            end = start + length
        if start is None and end is not None and length is not None:
            start = end - length
        if start is not None and end is not None and start < end:
            found.append(Span(name or SleepStageName.UNKNOWN, start, end))
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
