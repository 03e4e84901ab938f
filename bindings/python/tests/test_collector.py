"""Tests that the garbage collector does not track records. Otherwise, it would traverse nights with many stages."""

import gc

import vitalwire
from vitalwire._native import _restore


def test_records_and_their_parts_are_not_tracked_by_the_garbage_collector() -> None:
    night = _restore(
        "SleepRecord",
        """{"sleep_id": "night-1", "modified_at": "2025-01-02T08:00:00Z", "start_at_timestamp": "2025-01-01T22:30:00Z",
            "end_at_timestamp": "2025-01-02T06:30:00Z", "duration": 28800000, "sleep_date": "2025-01-02", "input_method": "device",
            "provider_slug": "oura", "user_time_offset_minutes": 60, "stages": [{"stage": "deep", "metrics": {"heartrate": 51.5}}]}""",
    )
    assert isinstance(night, vitalwire.SleepRecord)
    assert night.stages is not None and night.stages[0].metrics is not None
    for part in (night, night.stages[0], night.stages[0].metrics):
        assert not gc.is_tracked(part), type(part)
    # A part keeps its owner alive, and no object is freed twice.
    metrics = night.stages[0].metrics
    del night, part
    gc.collect()
    assert metrics["heartrate"] == 51.5
