use std::sync::Arc;

use super::super::effects::Effects;
use super::super::population::Population;
use super::super::profile::seeded_id;
use super::*;

const DAYS: std::ops::Range<i64> = 19_800..20_520;

fn people() -> Vec<Profile> {
    let population = Arc::new(Population::new(0.2, Effects::all()));
    (1..=60).map(|number| Profile::new(2, &seeded_id(number), &population)).collect()
}

/// Returns the share of days of all people on which a condition holds.
fn share(holds: impl Fn(&Profile, i64) -> bool) -> f64 {
    let people = people();
    let count: usize = people.iter().map(|person| DAYS.filter(|day| holds(person, *day)).count()).sum();
    count as f64 / (people.len() * DAYS.count()) as f64
}

fn date(day: i64) -> Date {
    calendar::from_number(day as i32).unwrap()
}

#[test]
fn episodes_are_as_frequent_as_documented() {
    let near = |share: f64, expected: f64| (share / expected - 1.0).abs() < 0.15;
    // 4.5 of 60 days with a probability of 0.7, 8.5 of 90 with one of 0.6.
    assert!(near(share(Profile::is_ill), 0.0525));
    let is_abroad = |person: &Profile, day: i64| person.trip(day).is_some_and(|trip| trip.out < day && day <= trip.back);
    assert!(near(share(is_abroad), 0.0567));
    assert!(near(share(Profile::has_second_device), 0.5));
    assert!(near(share(Profile::has_outlier), 0.01));
    assert!(near(share(|person, day| person.is_missing(date(day))), 0.2));
    // Half the share of the other nights, and all nights of missing days.
    assert!(near(share(|person, day| person.is_night_missing(date(day))), 0.2 + 0.8 * 0.1));
}

#[test]
fn a_trip_and_its_jet_lag_are_in_one_block() {
    for person in people() {
        for trip in DAYS.filter_map(|day| person.trip(day)) {
            assert_eq!((person.trip(trip.out), person.trip(trip.back + 6)), (Some(trip), Some(trip)));
            let lag = [trip.out, trip.out + 1, trip.out + 2, trip.back, trip.back + 1, trip.back + 6, trip.back + 7];
            let longest = (7 - (trip.back - trip.out)).max(0);
            assert_eq!(lag.map(|day| trip.jet_lag(day)), [0, 6, 5, longest, 6, 1, 0]);
        }
    }
}

#[test]
fn a_person_without_effects_has_no_episodes() {
    let person = Profile::plain(2, "person-1");
    for day in DAYS {
        assert!(!person.is_ill(day) && !person.has_second_device(day) && !person.has_outlier(day) && person.trip(day).is_none());
        assert!(!person.is_missing(date(day)) && !person.is_night_missing(date(day)) && person.heart_deviation(day).is_none());
    }
}
