//! The values of a whole day.

use jiff::civil::Date;

use super::hours::{self, Hour};
use super::night::Night;
use super::profile::Profile;
use super::rng::Rng;
use super::values::{Num, Values};
use super::{calendar, samples};

/// What the daily endpoint takes: every statistic there is.
pub(crate) const NAMES: [&str; 20] = [
    "activity_score",
    "calories_burned_active",
    "calories_burned_basal",
    "calories_burned_total",
    "distance_cycling",
    "distance_running",
    "distance_total",
    "distance_walking",
    "heartrate",
    "heartrate_max",
    "heartrate_min",
    "heartrate_resting",
    "hrv_rmssd",
    "hrv_sdnn",
    "recovery_score",
    "sleep_duration_total",
    "sleep_score",
    "sleep_skin_temperature_deviation",
    "steps",
    "stress_score",
];

/// A day as far as it has happened.
pub(crate) struct Day {
    number: i64,
    key: u64,
    resting: i64,
    skin: i64,
    hours: Vec<Hour>,
    /// The night that ended on this day; absent while it lasts.
    night: Option<Night>,
}

impl Day {
    /// Only hours and nights that were over at `now` (seconds since 1970) count. `None` before the first full hour.
    pub(crate) fn until(person: &Profile, date: Date, now: i64) -> Option<Self> {
        if date < calendar::FIRST_DAY {
            return None;
        }
        let mut hours = hours::hours(person, date);
        hours.retain(|hour| hour.end() <= now);
        if hours.is_empty() {
            return None;
        }
        let number = calendar::number(date);
        Some(Self {
            number,
            key: person.key,
            resting: samples::resting(person, number),
            skin: samples::skin_deviation(person, number),
            hours,
            night: Some(Night::new(person, date)).filter(|night| night.end <= now),
        })
    }

    fn sum(&self, of: impl Fn(&Hour) -> i64) -> i64 {
        self.hours.iter().map(of).sum()
    }

    fn mean(&self, of: impl Fn(&Hour) -> i64) -> i64 {
        let values: Vec<i64> = self.hours.iter().map(of).collect();
        samples::spread(&values).1
    }

    /// The values of the statistics at those positions of [`NAMES`].
    pub(crate) fn values(&self, wanted: &[usize]) -> Values {
        let mut values = Values::default();
        for name in wanted.iter().filter_map(|at| NAMES.get(*at)) {
            if let Some(value) = self.value(name) {
                values.push(name, value);
            }
        }
        values
    }

    fn value(&self, name: &str) -> Option<Num> {
        let night = self.night.as_ref();
        Some(match name {
            "activity_score" => Num::Int((self.sum(|hour| hour.steps) / 110).clamp(5, 100)),
            "calories_burned_active" => Num::Dec(self.sum(|hour| hour.active)),
            "calories_burned_basal" => Num::Dec(self.sum(|hour| hour.basal)),
            "calories_burned_total" => Num::Dec(self.sum(|hour| hour.active + hour.basal)),
            "distance_cycling" => Num::Dec(self.sum(|hour| hour.cycling)),
            "distance_running" => Num::Dec(self.sum(|hour| hour.running)),
            "distance_total" => Num::Dec(self.sum(|hour| hour.walking + hour.running + hour.cycling)),
            "distance_walking" => Num::Dec(self.sum(|hour| hour.walking)),
            "heartrate" => Num::Int(self.mean(|hour| hour.heart)),
            "heartrate_max" => Num::Int(self.hours.iter().map(|hour| hour.heart_max).max()?),
            "heartrate_min" => Num::Int(self.hours.iter().map(|hour| hour.heart_min).min()?),
            "heartrate_resting" => Num::Int(self.resting),
            "hrv_rmssd" => Num::Int(self.mean(|hour| hour.rmssd)),
            "hrv_sdnn" => Num::Int(self.mean(|hour| hour.sdnn)),
            "recovery_score" => {
                let score = night?.score() + (58 - self.resting) * 2;
                Num::Int(score.clamp(20, 99))
            }
            "sleep_duration_total" => Num::Int(night?.asleep() * 1_000),
            "sleep_score" => Num::Int(night?.score()),
            "sleep_skin_temperature_deviation" => night.map(|_| Num::Dec(self.skin))?,
            "steps" => Num::Int(self.sum(|hour| hour.steps)),
            "stress_score" => Num::Int(Rng::new(self.key, self.number, "stress").between(12, 78)),
            _ => return None,
        })
    }
}
