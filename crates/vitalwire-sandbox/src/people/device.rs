//! Devices of providers: what each kind measures and how it is named.

/// The kind of a provider's device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceKind {
    /// Worn day and night, but for the hour in which it is charged: everything.
    Watch,
    /// Worn day and night: variability, skin and sleep, and the heart while asleep.
    Ring,
    /// Lies in the bed: sleep, and the heart while asleep.
    Mat,
    /// Records runs and rides only.
    Track,
    /// In a pocket, most of the time: steps and distances.
    Phone,
    /// Glucose, which no statistic shows.
    Glucose,
    /// Blood pressure, which no statistic shows.
    Pressure,
}

impl DeviceKind {
    /// Returns the kind of the device of a provider.
    pub(crate) fn of_provider(slug: &str) -> Self {
        match slug {
            "oura" | "ultrahuman" | "whoop" | "luna" => Self::Ring,
            "withings" => Self::Mat,
            "strava" | "wahoo" => Self::Track,
            "apple" | "health_connect" | "samsung_health_data" => Self::Phone,
            "dexcom" | "freestyle_libre" => Self::Glucose,
            "omron_eu" | "omron_us" => Self::Pressure,
            // Also those that a later specification adds.
            _ => Self::Watch,
        }
    }

    /// Model and product in the words of the manufacturer, as records name them.
    pub(crate) fn device(self) -> [&'static str; 2] {
        match self {
            Self::Ring => ["Ring S", "ring-s"],
            Self::Mat => ["Mat M", "mat-m"],
            _ => ["Watch W", "watch-w"],
        }
    }

    /// Whether the type of the device is `unknown`: records of phones and of uploaded tracks do not name it. The others have a type, but
    /// the interface does not show its name.
    pub(super) fn type_is_unknown(self) -> bool {
        matches!(self, Self::Phone | Self::Track)
    }

    /// Whether the device has an app that takes entries by hand.
    pub(super) fn takes_entries(self) -> bool {
        matches!(self, Self::Watch | Self::Phone)
    }
}
