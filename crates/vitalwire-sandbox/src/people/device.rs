//! [`DeviceKind`]: measurements and names of the devices of providers.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceKind {
    /// Worn day and night except for the charging hour. Measures everything.
    Watch,
    /// Worn day and night. Measures variability, skin temperature and sleep, and the heart rate during sleep.
    Ring,
    /// Lies in the bed. Measures sleep, and the heart rate during sleep.
    Mat,
    /// Records only runs and rides.
    Track,
    /// Carried most of the time. Measures steps and distances.
    Phone,
    /// Measures glucose, which no statistic contains.
    Glucose,
    /// Measures blood pressure, which no statistic contains.
    Pressure,
}

impl DeviceKind {
    pub(crate) fn from_provider(slug: &str) -> Self {
        match slug {
            "oura" | "ultrahuman" | "whoop" | "luna" => Self::Ring,
            "withings" => Self::Mat,
            "strava" | "wahoo" => Self::Track,
            "apple" | "health_connect" | "samsung_health_data" => Self::Phone,
            "dexcom" | "freestyle_libre" => Self::Glucose,
            "omron_eu" | "omron_us" => Self::Pressure,
            // Includes providers that a later specification adds.
            _ => Self::Watch,
        }
    }

    /// Returns the manufacturer's model and product names, as records contain them.
    pub(crate) fn device(self) -> [&'static str; 2] {
        match self {
            Self::Ring => ["Ring S", "ring-s"],
            Self::Mat => ["Mat M", "mat-m"],
            _ => ["Watch W", "watch-w"],
        }
    }

    /// Whether the device type is `unknown`: records of phones and of uploaded tracks do not name it. The interface does not list the
    /// names of other types.
    pub(super) fn has_unknown_type(self) -> bool {
        matches!(self, Self::Phone | Self::Track)
    }

    /// Whether the device has an app for manual entries.
    pub(super) fn has_manual_entries(self) -> bool {
        matches!(self, Self::Watch | Self::Phone)
    }
}
