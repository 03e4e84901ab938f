//! Responses: how a person's steps and sleep depend on the day, on each other and on episodes.

use jiff::civil::{Date, Weekday};

use super::effects::Effect;
use super::profile::Profile;
use super::{hours, night};
use crate::values::calendar;
use crate::values::rng::Rng;

/// Steps that the latency of sleep is centred at.
const CENTRAL_STEPS: f64 = 7_500.0;
/// Mean latency of sleep at [`CENTRAL_STEPS`], in minutes.
const CENTRAL_LATENCY: f64 = 22.0;
/// Standard deviation of the latency between people, in minutes.
const LATENCY_BETWEEN_PEOPLE: f64 = 3.0;
/// Standard deviation of the latency between the nights of a person, in minutes.
const LATENCY_BETWEEN_NIGHTS: f64 = 4.0;
/// Additional steps and minutes in bed on a day of an illness.
const ILLNESS: (f64, i64) = (-3_000.0, 45);
/// Minutes in bed that each hour of jet lag takes.
const JET_LAG: i64 = -5;
/// Day of the year at midsummer, and days of a year.
const MIDSUMMER: (f64, f64) = (172.0, 365.25);

/// Whether a day is Saturday or Sunday.
pub(super) fn is_weekend(date: Date) -> bool {
    matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday)
}

/// Returns the season of a day in a person's home, from -1 at midwinter to 1 at midsummer.
fn season(person: &Profile, date: Date) -> f64 {
    let (midsummer, year) = MIDSUMMER;
    let north = (std::f64::consts::TAU * (f64::from(date.day_of_year()) - midsummer) / year).cos();
    if person.zone.is_southern { -north } else { north }
}

/// Returns the steps that effects add to a day. `None` without such effects.
pub(super) fn additional_steps(person: &Profile, date: Date) -> Option<i64> {
    let weekend = person.size(Effect::WeekendSteps).map(|size| if is_weekend(date) { size } else { 0.0 });
    let season = person.size(Effect::SeasonSteps).map(|size| size * season(person, date));
    let sleep = person.size(Effect::SleepOnSteps).map(|size| {
        let (start, end) = night::bounds(person, date);
        size * ((end - start) / 60 - person.bed) as f64 / 60.0
    });
    let illness = person.size(Effect::Illness).map(|_| if person.is_ill(calendar::day_number(date)) { ILLNESS.0 } else { 0.0 });
    [weekend, season, sleep, illness].into_iter().flatten().reduce(|sum, more| sum + more).map(|sum| sum.round() as i64)
}

/// Returns the minutes that a weekend delays getting up, as part of [`additional_minutes`].
pub(super) fn weekend_minutes(person: &Profile, date: Date) -> i64 {
    person.size(Effect::WeekendSleep).filter(|_| is_weekend(date)).map_or(0, |size| size.round() as i64)
}

/// Returns the minutes in bed that effects add to a night, dated by its morning.
pub(super) fn additional_minutes(person: &Profile, date: Date) -> i64 {
    let day = calendar::day_number(date);
    let illness = if person.is_ill(day) { ILLNESS.1 } else { 0 };
    let jet_lag = person.trip(day).map_or(0, |trip| trip.jet_lag(day));
    weekend_minutes(person, date) + illness + JET_LAG * jet_lag
}

/// Returns the latency of a night's sleep in half minutes, by the steps of the day before. `None` without this effect.
pub(super) fn latency(person: &Profile, date: Date) -> Option<i64> {
    let size = person.size(Effect::StepsOnLatency)?;
    let before = date.yesterday().ok()?;
    let usual = Rng::new(person.key, 0, "latency").normal() * LATENCY_BETWEEN_PEOPLE;
    let chance = Rng::new(person.key, calendar::day_number(date), "latency of a night").normal() * LATENCY_BETWEEN_NIGHTS;
    let response = size * (hours::steps(person, before) as f64 - CENTRAL_STEPS) / 1_000.0;
    let minutes = CENTRAL_LATENCY + usual + chance + response;
    Some(((minutes * 2.0).round() as i64).clamp(1, 180))
}
