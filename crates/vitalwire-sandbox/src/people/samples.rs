//! Series measured during a night, with one value every five minutes, and aggregates of them.

use super::night::Night;
use super::profile::Profile;
use crate::values::calendar;
use crate::values::rng::Rng;
use crate::values::round;

/// Additional skin temperature during an illness, in ten-thousandths of a degree Celsius. Above all other deviations.
const FEVER: i64 = 16_000;

/// Seconds between two values.
pub(crate) const STEP: i64 = 300;

/// Series of one night, all of the same length. Heart rate in bpm, variability in ms, respiration in breaths per minute, glucose in mg/dL
/// with at most six decimals.
#[derive(Debug, Default)]
pub(crate) struct NightSeries {
    /// Seconds since the start of the night.
    pub(crate) offsets: Vec<i64>,
    /// Seconds that each value covers.
    pub(crate) durations: Vec<i64>,
    pub(crate) heart: Vec<i64>,
    pub(crate) rmssd: Vec<i64>,
    pub(crate) breathing: Vec<f64>,
    pub(crate) glucose: Vec<f64>,
}

impl NightSeries {
    pub(crate) fn new(person: &Profile, night: &Night) -> Self {
        let mut rng = Rng::new(person.key ^ (u64::from(night.part) << 40), calendar::day_number(night.date), "samples");
        let resting = resting(person, calendar::day_number(night.date));
        let length = night.end - night.start;
        let mut series = Self::default();
        let mut glucose = 92.0 + rng.normal() * 5.0;
        let mut offset = 0;
        while offset < length {
            let stage = night.stage_at(night.start + offset);
            // The heart rate falls during the first two thirds of the night.
            let depth = (offset as f64 / length as f64 * 1.5).min(1.0);
            let (raised, breath) = match stage {
                "deep" => (-1.0, 13.0),
                "light" => (1.0, 14.2),
                "rem" => (4.0, 15.6),
                _ => (10.0, 15.8),
            };
            let heart = resting as f64 + 7.0 * (1.0 - depth) + raised + rng.normal() * 1.2;
            let heart = (heart.round() as i64).clamp(resting, 110);
            let rmssd = (110 - heart) as f64 * 0.9 + rng.normal() * 6.0;
            glucose = (glucose + rng.normal() * 1.6 + (90.0 - glucose) * 0.05).clamp(70.0, 140.0);
            series.offsets.push(offset);
            series.durations.push(STEP.min(length - offset));
            series.heart.push(heart);
            series.rmssd.push((rmssd.round() as i64).clamp(12, 140));
            series.breathing.push(round(breath + rng.normal() * 0.4, 10.0));
            if person.glucose {
                series.glucose.push(round(glucose, 1_000_000.0));
            }
            offset += STEP;
        }
        series
    }
}

/// Returns the resting heart rate of a day: 48 to 70 bpm without illness.
pub(crate) fn resting(person: &Profile, day: i64) -> i64 {
    let mut rng = Rng::new(person.key, day, "resting");
    let chance = rng.normal() * 1.6;
    match person.heart_deviation(day) {
        None => (person.resting + chance as i64).clamp(48, 70),
        Some(more) => (person.resting + (chance + more).round() as i64).clamp(40, 95),
    }
}

/// Returns the deviation of a night's skin temperature from the usual one, in ten-thousandths of a degree Celsius, rounded to
/// hundredths of a degree.
pub(crate) fn skin_deviation(person: &Profile, day: i64) -> i64 {
    let mut rng = Rng::new(person.key, day, "skin");
    let fever = if person.is_ill(day) { FEVER } else { 0 };
    (rng.normal() * 22.0) as i64 * 100 + fever
}

/// Returns the minimum, rounded mean and maximum of a series, or zeros if it is empty.
pub(crate) fn min_mean_max(values: &[i64]) -> (i64, i64, i64) {
    let count = i64::try_from(values.len()).unwrap_or(0).max(1);
    let least = values.iter().copied().min().unwrap_or(0);
    let greatest = values.iter().copied().max().unwrap_or(0);
    let mean = (values.iter().sum::<i64>() * 2 + count) / (2 * count);
    (least, mean, greatest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_have_one_length_and_cover_the_night() {
        let person = Profile::plain(5, "person-1");
        let night = Night::new(&person, calendar::from_number(20_400).unwrap(), 0);
        let series = NightSeries::new(&person, &night);
        let count = series.offsets.len();
        assert_eq!(series.durations.iter().sum::<i64>(), night.end - night.start);
        assert!(count > 60);
        assert_eq!([series.heart.len(), series.rmssd.len(), series.breathing.len(), series.glucose.len()], [count; 4]);
        assert!(series.glucose.iter().all(|value| (70.0..=140.0).contains(value)));
        assert!(NightSeries::new(&Profile::plain(5, "person-2"), &night).glucose.is_empty());
    }

    #[test]
    fn the_mean_is_rounded() {
        assert_eq!(min_mean_max(&[1, 2]), (1, 2, 2));
        assert_eq!(min_mean_max(&[1, 1, 2]), (1, 1, 2));
        assert_eq!(min_mean_max(&[]), (0, 0, 0));
    }
}
