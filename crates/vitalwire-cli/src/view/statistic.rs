//! Names and formats of statistics. The rules use the parts of a name, so that new statistics of the service are shown too.

use crate::render::number::{grouped, hours_minutes};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DisplayFormat {
    pub(crate) unit: &'static str,
    /// The divisor that converts a value to this unit.
    divisor: u32,
    decimals: usize,
    is_duration: bool,
}

/// Order of topics in a table. Other topics come last.
const TOPICS: [&str; 8] = ["steps", "distance", "calories", "activity", "heartrate", "hrv", "stress", "recovery"];

/// Returns the position of a statistic in a table.
fn rank(name: &str) -> usize {
    TOPICS.iter().position(|topic| name.starts_with(topic)).unwrap_or(TOPICS.len())
}

pub(crate) fn sort_by_topic(names: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().map(Into::into).collect();
    names.sort_by_key(|name| rank(name));
    names
}

/// Returns the name as words.
pub(crate) fn words(name: &str) -> String {
    name.replace("hrv_rmssd", "HRV (RMSSD)")
        .replace("hrv_sdnn", "HRV (SDNN)")
        .replace("heartrate", "heart_rate")
        .replace("skin_temperature_deviation", "skin_temp_change")
        .replace('_', " ")
}

/// Returns the unit and the number of decimals.
pub(crate) fn display_format(name: &str) -> DisplayFormat {
    let plain = |unit, decimals| DisplayFormat { unit, divisor: 1, decimals, is_duration: false };
    if name.ends_with("_score") {
        plain("0–100", 0)
    } else if name.starts_with("distance") {
        DisplayFormat { unit: "km", divisor: 1_000, decimals: 2, is_duration: false }
    } else if name.starts_with("calories") {
        plain("kcal", 0)
    } else if name.starts_with("heartrate") {
        plain("bpm", 0)
    } else if name.starts_with("hrv") {
        plain("ms", 0)
    } else if name.contains("duration") {
        DisplayFormat { unit: "h:mm", divisor: 1, decimals: 0, is_duration: true }
    } else if name.contains("temperature") {
        plain("°C", 2)
    } else {
        plain("", if name == "steps" { 0 } else { 2 })
    }
}

impl DisplayFormat {
    /// Formats a number.
    pub(crate) fn text(self, value: f64) -> String {
        if self.is_duration { hours_minutes(value) } else { grouped(value / f64::from(self.divisor), self.decimals) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitalwire::open_sets::StatisticName;
    use vitalwire::value::OpenSet;

    #[test]
    fn numbers_are_shown_in_familiar_units() {
        for (name, value, unit, text) in [
            ("steps", 12_345.0, "", "12,345"),
            ("distance_total", 8_641.44, "km", "8.64"),
            ("calories_burned_total", 2_101.6, "kcal", "2,102"),
            ("sleep_duration_total", 26_460_000.0, "h:mm", "7:21"),
            ("sleep_skin_temperature_deviation", -0.25, "°C", "-0.25"),
            ("hrv_sdnn", 54.4, "ms", "54"),
            ("sleep_score", 88.0, "0–100", "88"),
            ("something_new", 1.0, "", "1.00"),
        ] {
            assert_eq!((display_format(name).unit, display_format(name).text(value).as_str()), (unit, text), "{name}");
        }
    }

    #[test]
    fn names_are_shown_as_words() {
        assert_eq!(words("sleep_skin_temperature_deviation"), "sleep skin temp change");
        assert_eq!(words("heartrate_resting"), "heart rate resting");
        assert_eq!(words("hrv_sdnn"), "HRV (SDNN)");
    }

    #[test]
    fn topics_stay_together() {
        let mut names = StatisticName::KNOWN.to_vec();
        names.sort_by_key(|name| rank(name));
        assert_eq!(names.first(), Some(&"steps"));
        let mut last = names.iter().rev().take_while(|name| rank(name) == rank("something_new"));
        assert!(last.any(|name| name.starts_with("sleep")), "{names:?}");
        assert_eq!(rank("something_new"), rank("sleep_score"));
    }
}
