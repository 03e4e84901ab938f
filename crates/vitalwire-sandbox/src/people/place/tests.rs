use std::sync::Arc;

use super::super::effects::Effects;
use super::super::population::Population;
use super::super::profile::seeded_id;
use super::*;

fn traveller(number: usize) -> Profile {
    let effects = Effects::default().with(Effect::Travel, 5.0).unwrap();
    Profile::new(4, &seeded_id(number), &Arc::new(Population::new(0.0, effects)))
}

#[test]
fn days_follow_each_other_and_only_flights_change_their_length() {
    for number in 1..=6 {
        let person = traveller(number);
        for day in 20_000..20_800 {
            let date = calendar::from_number(day).unwrap();
            let (begin, end) = (person.midnight(date), person.midnight(calendar::next_day(date)));
            let flight = person.trip(i64::from(day)).map_or(0, |trip| {
                let hours = [(trip.out, -trip.hours), (trip.back, trip.hours)];
                hours.into_iter().find(|(of, _)| *of == i64::from(day)).map_or(0, |(_, hours)| hours)
            });
            let hours = (end - begin) / 3_600;
            assert!((end - begin) % 3_600 == 0 && (23..=25).contains(&(hours - flight)), "{date}: {hours} hours, flight of {flight}");
            for at in (begin..end).step_by(1_800) {
                assert_eq!(person.date_at(calendar::instant(at)), date);
            }
        }
    }
}

#[test]
fn local_times_are_those_of_the_place() {
    let person = traveller(1);
    let trip = (20_000..20_800).find_map(|day| person.trip(day)).unwrap();
    let offset = |day: i64, hour: i8| {
        let local = calendar::from_number(day as i32).unwrap().at(hour, 30, 0, 0);
        let at = calendar::instant(person.unix_seconds(local));
        assert_eq!(person.zones(local.date()).at(at.as_second()).to_datetime(at), local);
        person.offset_minutes(at) / 60
    };
    let home = offset(trip.out, 12);
    assert_eq!(offset(trip.out, 20), home + trip.hours);
    assert_eq!(offset(trip.back, 12), home + trip.hours);
    let back = offset(trip.back, 20);
    // A clock change at home may be in between.
    assert!((home - back).abs() <= 1 && back != home + trip.hours);
}
