//! New data as the clock advances: each night that has ended.

use std::ops::RangeInclusive;

use jiff::{SignedDuration, Timestamp};

use super::Webhooks;
use super::notice::Event;
use crate::people::night::Night;
use crate::people::profile::Profile;
use crate::people::source::{SLEEP, Source};
use crate::values::calendar::{instant, plus};

/// Maximum age of data that is announced after a jump of the clock.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(48);

/// Time until the next check if no night is ahead. Less than [`MAX_AGE`], so that no night is skipped.
const RECHECK: SignedDuration = SignedDuration::from_hours(24);

const METRICS: [&str; 6] =
    ["sleep_duration", "sleep_duration_deep", "sleep_duration_light", "sleep_duration_rem", "sleep_score", "heartrate_resting"];

/// Returns the nights that ended after `seen` and by `now`.
pub(super) fn new_nights(webhooks: &Webhooks, seen: Timestamp, now: Timestamp) -> Vec<Event> {
    let from = seen.max(plus(now, -MAX_AGE));
    let mut events: Vec<(Timestamp, Event)> = Vec::new();
    for person in &webhooks.people {
        for (slug, start, end) in nights(webhooks, person, now, -3..=1).filter(|(.., end)| from < *end && *end <= now) {
            events.push((end, Event::data(&person.user_id, slug, &METRICS, start, end)));
        }
    }
    events.sort_by_key(|(end, _)| *end);
    events.into_iter().map(|(_, event)| event).collect()
}

/// Returns the end of the next night, or a later time to check again if the next nights of all people are missing.
pub(super) fn next_night_end(webhooks: &Webhooks, now: Timestamp) -> Timestamp {
    let first = |person: &Profile| nights(webhooks, person, now, 0..=2).map(|(.., end)| end).filter(|end| *end > now).min();
    webhooks.people.iter().filter_map(first).min().unwrap_or_else(|| plus(now, RECHECK))
}

/// Returns provider, start and end of nights, as each source has them. Days are counted from the current one.
fn nights(
    webhooks: &Webhooks,
    person: &Profile,
    now: Timestamp,
    days: RangeInclusive<i64>,
) -> impl Iterator<Item = (&'static str, Timestamp, Timestamp)> {
    let today = person.date_at(now);
    let sources: Vec<Source> = webhooks.sources.list(person).into_iter().filter(|source| SLEEP.contains(&source.kind)).collect();
    let is_announced = person.late_days == 0;
    days.filter(move |_| is_announced).filter_map(move |days| today.checked_add(jiff::Span::new().days(days)).ok()).flat_map(move |date| {
        let of = |source: &Source| {
            let night = Night::recorded(person, date, source.part(person))?;
            source.covers(night.start, night.end).then(|| (source.slug, instant(night.start), instant(night.end)))
        };
        sources.iter().filter_map(of).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sandbox;

    #[test]
    fn missing_nights_are_not_announced_and_later_ones_are() {
        let app = Sandbox::builder().people(1).missing(0.9).today(jiff::civil::date(2025, 11, 21)).app("http://localhost:1").unwrap();
        let person = app.profile("person-1");
        let mut announced = 0;
        let mut now = app.now();
        for _ in 0..200 {
            let next = next_night_end(app.webhooks(), now);
            assert!(now < next && next <= plus(now, MAX_AGE), "{next}");
            // A ring and a watch recorded each night.
            announced += new_nights(app.webhooks(), now, next).len();
            now = next;
        }
        let (first, last) = (person.date_at(app.now()), person.date_at(now));
        let days = std::iter::successors(first.tomorrow().ok(), |day| day.tomorrow().ok()).take_while(|day| *day <= last);
        let recorded = days.filter(|day| !person.is_night_missing(*day)).count();
        assert!(recorded > 5 && announced.abs_diff(2 * recorded) <= 2, "{announced} of {recorded} nights");
    }
}
