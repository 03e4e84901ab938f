//! The statistics that the interface names.

/// One statistic. The order is that of the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stat {
    ActivityScore,
    Active,
    Basal,
    Total,
    Cycling,
    Running,
    Distance,
    Walking,
    Heart,
    HeartMax,
    HeartMin,
    Resting,
    Rmssd,
    Sdnn,
    RecoveryScore,
    Asleep,
    SleepScore,
    Skin,
    Steps,
    StressScore,
}

use Stat::{
    Active, ActivityScore, Asleep, Basal, Cycling, Distance, Heart, HeartMax, HeartMin, RecoveryScore, Resting, Rmssd, Running, Sdnn, Skin,
    SleepScore, Steps, StressScore, Total, Walking,
};

/// What the daily endpoint takes: every statistic there is.
pub(crate) const DAILY: [Stat; 20] = [
    ActivityScore,
    Active,
    Basal,
    Total,
    Cycling,
    Running,
    Distance,
    Walking,
    Heart,
    HeartMax,
    HeartMin,
    Resting,
    Rmssd,
    Sdnn,
    RecoveryScore,
    Asleep,
    SleepScore,
    Skin,
    Steps,
    StressScore,
];

/// What the interval endpoint takes: every statistic that is no score and not the night's length.
pub(crate) const HOURLY: [Stat; 15] =
    [Active, Basal, Total, Cycling, Running, Distance, Walking, Heart, HeartMax, HeartMin, Resting, Rmssd, Sdnn, Skin, Steps];

impl Stat {
    /// Its name on the wire.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ActivityScore => "activity_score",
            Active => "calories_burned_active",
            Basal => "calories_burned_basal",
            Total => "calories_burned_total",
            Cycling => "distance_cycling",
            Running => "distance_running",
            Distance => "distance_total",
            Walking => "distance_walking",
            Heart => "heartrate",
            HeartMax => "heartrate_max",
            HeartMin => "heartrate_min",
            Resting => "heartrate_resting",
            Rmssd => "hrv_rmssd",
            Sdnn => "hrv_sdnn",
            RecoveryScore => "recovery_score",
            Asleep => "sleep_duration_total",
            SleepScore => "sleep_score",
            Skin => "sleep_skin_temperature_deviation",
            Steps => "steps",
            StressScore => "stress_score",
        }
    }
}
