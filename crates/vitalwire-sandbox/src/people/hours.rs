//! The actual measures of every hour of a local day. [`super::bucket`] derives from them what each device measured.

use jiff::civil::Date;

use super::profile::Profile;
use super::{manual_entries, night, responses, samples};
use crate::values::calendar;
use crate::values::rng::Rng;

/// An hour. Distances are ten-thousandths of a metre, energies ten-thousandths of a kilocalorie, heart rates bpm, variability ms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hour {
    /// Start in seconds since 1970.
    pub(crate) start: i64,
    /// Hour of the local clock.
    pub(crate) clock: i8,
    pub(crate) asleep: bool,
    /// Whether devices were worn. False in a night without data.
    pub(crate) worn: bool,
    pub(crate) steps: i64,
    /// Steps that the watch counts too many.
    pub(crate) miscounted: i64,
    pub(crate) walking: i64,
    pub(crate) running: i64,
    pub(crate) cycling: i64,
    pub(crate) active: i64,
    pub(crate) basal: i64,
    pub(crate) heart: i64,
    pub(crate) heart_min: i64,
    pub(crate) heart_max: i64,
    pub(crate) resting: i64,
    pub(crate) rmssd: i64,
    pub(crate) sdnn: i64,
    pub(crate) skin: i64,
}

impl Hour {
    /// Returns its end in seconds since 1970.
    pub(crate) fn end(&self) -> i64 {
        self.start + 3_600
    }
}

/// Maximum number of steps of a day that has effects. Outliers are above it.
const MAX_STEPS: i64 = 20_000;

/// Maximum heart rate, which only the ill could exceed.
const MAX_HEART: i64 = 215;

/// Weights of a day's walking by hour of the local clock.
const WALKING: [i64; 24] = [0, 0, 0, 0, 1, 4, 12, 26, 22, 12, 10, 14, 24, 18, 10, 10, 14, 26, 28, 18, 12, 8, 4, 1];

/// Hour of the local clock in which the watch may count too many steps.
const OUTLIER_HOUR: i8 = 11;

/// Steps and exercise of a day, before they are split into hours.
struct DayPlan {
    steps: i64,
    run_hour: Option<i8>,
    ride_hour: Option<i8>,
}

impl DayPlan {
    /// Draws the plan of a day. Returns the generator too, for the hours.
    fn draw(person: &Profile, date: Date) -> (Self, Rng) {
        let mut rng = Rng::new(person.key, calendar::day_number(date), "hours");
        let run_hour = rng.chance(person.runs).then(|| if rng.chance(0.4) { 7 } else { 18 });
        let ride_hour = rng.chance(person.rides).then_some(17);
        let usual = (person.steps as f64 * (1.0 + 0.25 * rng.normal())) as i64 + if run_hour.is_some() { 3_000 } else { 0 };
        let steps = match responses::additional_steps(person, date) {
            None => usual.clamp(2_000, 16_000),
            Some(more) => (usual + more).clamp(500, MAX_STEPS),
        };
        (Self { steps, run_hour, ride_hour }, rng)
    }
}

/// Returns the steps of a local day.
pub(super) fn steps(person: &Profile, date: Date) -> i64 {
    DayPlan::draw(person, date).0.steps
}

/// Returns the energy burned on a local day, in ten-thousandths of a kilocalorie.
pub(crate) fn energy(person: &Profile, date: Date) -> i64 {
    let ride = manual_entries::ride(person, date).map_or(0, |ride| ride.energy);
    hours(person, date).iter().map(|hour| hour.basal + hour.active).sum::<i64>() + ride
}

/// Returns all hours of a local day: 24, or 23 or 25 on days of a clock change, and other numbers on days of a flight.
pub(crate) fn hours(person: &Profile, date: Date) -> Vec<Hour> {
    let day = calendar::day_number(date);
    let (DayPlan { steps: total, run_hour, ride_hour }, mut rng) = DayPlan::draw(person, date);
    let tomorrow = calendar::next_day(date);
    let begin = person.midnight(date);
    let count = (person.midnight(tomorrow) - begin) / 3_600;
    let zones = person.zones(date);
    let nights = [date, tomorrow].map(|date| (night::bounds(person, date), person.is_night_missing(date)));
    let outlier_hour = person.has_outlier(day).then_some(OUTLIER_HOUR);
    let resting = samples::resting(person, day);
    let skin = samples::skin_deviation(person, day);

    let mut weights = Vec::new();
    let mut hours = Vec::new();
    for at in 0..count {
        let start = begin + at * 3_600;
        let clock = zones.at(start).to_datetime(calendar::instant(start)).hour();
        let night = nights.iter().find(|((from, to), _)| *from <= start + 1_800 && start + 1_800 < *to);
        let asleep = night.is_some();
        let running = run_hour == Some(clock);
        let usual = WALKING.get(clock.unsigned_abs() as usize).copied().unwrap_or(0);
        let weight = match (asleep, running) {
            (true, _) => 0,
            (false, true) => 120,
            (false, false) => usual * rng.between(40, 160) / 100,
        };
        weights.push(weight);
        let worn = !night.is_some_and(|(_, missing)| *missing);
        hours.push((start, clock, asleep, worn, running, ride_hour == Some(clock) && !asleep));
    }
    let steps = split_by_weight(total, &weights);
    let mut metres_left = rng.between(4_000, 15_000);
    hours
        .into_iter()
        .zip(steps)
        .map(|((start, clock, asleep, worn, running, riding), steps)| {
            // The ride happens once even if a clock change repeats its hour.
            let cycling = if riding { std::mem::take(&mut metres_left) * 10_000 } else { 0 };
            let walked = if running { steps / 4 } else { steps };
            let effort = (steps as f64 / 35.0 + cycling as f64 / 300_000.0).min(85.0);
            let heart = if asleep { resting + 3 + rng.between(0, 3) } else { resting + 14 + rng.between(0, 8) + effort as i64 };
            let swing = if asleep { rng.between(4, 9) } else { rng.between(8, 30) };
            let rmssd = ((105 - heart) + rng.between(-5, 5)).clamp(12, 120);
            Hour {
                start,
                clock,
                asleep,
                worn,
                steps,
                miscounted: if outlier_hour == Some(clock) { Rng::new(person.key, start, "miscounted").between(25_000, 35_000) } else { 0 },
                walking: walked * 7_000,
                running: (steps - walked) * 11_000,
                cycling,
                active: steps * 420 + cycling / 40,
                basal: person.basal * 10_000 / 24,
                heart,
                heart_min: (heart - swing / 2).max(resting - 2),
                heart_max: (heart + swing).min(MAX_HEART),
                resting,
                rmssd,
                sdnn: rmssd + rng.between(4, 24),
                skin,
            }
        })
        .collect()
}

/// Splits an integer by weights. The parts add up to it exactly.
fn split_by_weight(total: i64, weights: &[i64]) -> Vec<i64> {
    let sum = weights.iter().sum::<i64>().max(1);
    let mut parts: Vec<i64> = weights.iter().map(|weight| total * weight / sum).collect();
    let left = total - parts.iter().sum::<i64>();
    if let Some(largest) = parts.iter_mut().max_by_key(|part| **part) {
        *largest += left;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::profile::seeded_id;

    #[test]
    fn parts_add_up_to_the_total() {
        assert_eq!(split_by_weight(10, &[1, 1, 1]), [3, 3, 4]);
        assert_eq!(split_by_weight(10, &[0, 0]).iter().sum::<i64>(), 10);
        assert!(split_by_weight(10, &[]).is_empty());
    }

    #[test]
    fn hours_of_all_people_are_plausible_for_years() {
        for number in 1..=6 {
            let person = Profile::plain(11, &seeded_id(number));
            for day in 20_000..20_800 {
                let date = calendar::from_number(day).unwrap();
                let hours = hours(&person, date);
                assert!((23..=25).contains(&hours.len()), "{date}");
                let steps: i64 = hours.iter().map(|hour| hour.steps).sum();
                assert!((2_000..=16_000).contains(&steps), "{date}: {steps}");
                for hour in &hours {
                    assert!(hour.steps >= 0 && hour.steps < 12_000);
                    assert!(hour.heart_min <= hour.heart && hour.heart <= hour.heart_max);
                    assert!(hour.heart_min >= 46 && hour.heart_max < 220, "{hour:?}");
                    assert!(!hour.asleep || hour.steps == 0 || steps == hour.steps);
                }
            }
        }
    }
}
