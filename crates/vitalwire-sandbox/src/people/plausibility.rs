//! Plausibility tests of synthetic data over many people and days.

use std::sync::Arc;

use super::effects::{Effect, Effects};
use super::hours;
use super::night::Night;
use super::population::Population;
use super::profile::{Profile, seeded_id};
use super::samples::NightSeries;
use crate::values::calendar;

/// Returns six people for each of three seeds.
pub(crate) fn people() -> impl Iterator<Item = Profile> {
    (1..=3).flat_map(|seed| (1..=6).map(move |number| Profile::plain(seed, &seeded_id(number))))
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn heart_rate_and_steps_follow_the_time_of_day() {
    for person in people() {
        let (mut heart, mut steps) = (vec![Vec::new(); 24], [0; 24]);
        for day in 20_000..20_060 {
            for hour in hours::hours(&person, calendar::from_number(day).unwrap()) {
                let clock = usize::try_from(hour.clock).unwrap();
                heart[clock].push(hour.heart as f64);
                steps[clock] += hour.steps;
            }
        }
        let (night, day) = (mean(&heart[3]), mean(&heart[15]));
        assert!((8.0..35.0).contains(&(day - night)), "{night} at three in the night, {day} at three in the afternoon");
        assert!(mean(&heart[18]) > night && mean(&heart[7]) > night);
        let walked: i64 = steps.iter().sum();
        let at_night: i64 = steps[..5].iter().sum();
        assert!(at_night * 50 < walked, "{at_night} of {walked} steps between midnight and five");
    }
}

#[test]
fn nights_have_cycles_and_a_falling_heart_rate() {
    for person in people() {
        for day in 20_000..20_100 {
            let night = Night::new(&person, calendar::from_number(day).unwrap(), 0);
            let dreams = night.stages.iter().filter(|stage| stage.name == "rem").count();
            assert!((3..=7).contains(&dreams), "{dreams} dreams in {} h", (night.end - night.start) / 3_600);
            assert_eq!((night.stages[0].name, night.stages.last().unwrap().name), ("awake", "awake"));
            let share = |name: &str| night.time_in(name) as f64 / night.time_asleep() as f64;
            assert!((0.10..0.40).contains(&share("deep")) && (0.10..0.40).contains(&share("rem")), "{} {}", share("deep"), share("rem"));
            let series = NightSeries::new(&person, &night);
            let third = series.heart.len() / 3;
            let part = |from: usize, to: usize| mean(&series.heart[from..to].iter().map(|heart| *heart as f64).collect::<Vec<_>>());
            assert!(part(0, third) > part(third, 2 * third), "the heart slows in the night");
        }
    }
}

#[test]
fn people_with_extreme_effects_are_plausible() {
    let extremes = |extreme: fn(Effect) -> f64| Effect::ALL.into_iter().try_fold(Effects::default(), |all, of| all.with(of, extreme(of)));
    for effects in [extremes(|effect| *effect.sizes().start()), extremes(|effect| *effect.sizes().end())] {
        let population = Arc::new(Population::new(0.3, effects.unwrap()));
        for person in (1..=12).map(|number| Profile::new(1, &seeded_id(number), &population)) {
            for day in 20_000..20_400 {
                let date = calendar::from_number(day).unwrap();
                let hours = hours::hours(&person, date);
                assert!((17..=31).contains(&hours.len()), "{date}");
                assert!((500..=20_000).contains(&hours.iter().map(|hour| hour.steps).sum::<i64>()));
                for hour in hours {
                    assert!(hour.steps >= 0 && hour.heart_min <= hour.heart && hour.heart <= hour.heart_max, "{hour:?}");
                    assert!(hour.heart_min >= 35 && hour.heart_max < 220 && hour.rmssd >= 12, "{hour:?}");
                }
                let night = Night::new(&person, date, 0);
                assert_eq!(night.stages.iter().map(|stage| stage.length).sum::<i64>(), night.end - night.start);
                assert!((3 * 3_600..12 * 3_600).contains(&night.time_asleep()), "{}", night.time_asleep());
                assert!((30..=90 * 60).contains(&night.stages[0].length));
            }
        }
    }
}

#[test]
fn glucose_changes_gradually() {
    let mut sensors = 0;
    for person in people().filter(|person| person.glucose) {
        sensors += 1;
        for day in 20_000..20_030 {
            let series = NightSeries::new(&person, &Night::new(&person, calendar::from_number(day).unwrap(), 0));
            assert!((75.0..110.0).contains(&mean(&series.glucose)));
            assert!(series.glucose.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 9.0), "{:?}", series.glucose);
        }
    }
    // The first and the fifth person of each seed.
    assert_eq!(sensors, 6);
}
