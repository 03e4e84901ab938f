//! Statistics that people have data for. The specifications decide which names an operation accepts; a name without data has no value.

/// Declares the statistics with their wire names.
macro_rules! statistics {
    ($($stat:ident = $name:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Stat {
            $($stat,)*
        }

        impl Stat {
            /// Returns its wire name.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$stat => $name,)*
                }
            }

            /// Returns the statistic with this name, if there is data for it.
            pub(crate) fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$stat),)*
                    _ => None,
                }
            }
        }

        #[cfg(test)]
        pub(crate) const ALL: &[Stat] = &[$(Stat::$stat,)*];
    };
}

statistics! {
    ActivityScore = "activity_score",
    Active = "calories_burned_active",
    Basal = "calories_burned_basal",
    Total = "calories_burned_total",
    Cycling = "distance_cycling",
    Running = "distance_running",
    Distance = "distance_total",
    Walking = "distance_walking",
    Heart = "heartrate",
    HeartMax = "heartrate_max",
    HeartMin = "heartrate_min",
    Resting = "heartrate_resting",
    Rmssd = "hrv_rmssd",
    Sdnn = "hrv_sdnn",
    RecoveryScore = "recovery_score",
    Asleep = "sleep_duration_total",
    SleepScore = "sleep_score",
    Skin = "sleep_skin_temperature_deviation",
    Steps = "steps",
    StressScore = "stress_score",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::names::STATISTIC_NAME;

    #[test]
    fn every_statistic_is_in_the_specifications() {
        for stat in ALL {
            assert!(STATISTIC_NAME.contains(&stat.name()), "{stat:?}");
            assert_eq!(Stat::from_name(stat.name()), Some(*stat));
        }
        assert_eq!(Stat::from_name("nonsense"), None);
    }
}
