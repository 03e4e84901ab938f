"""Colours of sleep stages. They are distinct for colour-blind people and in greyscale, and visible on white and black."""

from __future__ import annotations

from vitalwire.constants import SleepStageName

#: Colour of unknown stages.
UNKNOWN = "#8a8a8a"

STAGES = {
    SleepStageName.OUT_OF_BED: "#a8481c",
    SleepStageName.AWAKE: "#d55e00",
    SleepStageName.AWAKE_IN_BED: "#c98300",
    SleepStageName.REM: "#c76a9f",
    SleepStageName.NAP: "#009e73",
    SleepStageName.SLEEPING: "#009e73",
    SleepStageName.LIGHT: "#3b97d3",
    SleepStageName.DEEP: "#2f62b5",
}
