//! Data that appears as time passes: a night is there when it has ended.

use jiff::{SignedDuration, Timestamp};

use super::notice::Event;
use crate::clock::plus;
use crate::people::calendar::instant;
use crate::people::night;
use crate::people::profile::Profile;
use crate::world::World;

/// People whose data is announced; with thousands, the first so many.
const PEOPLE: usize = 50;
/// A clock that jumps announces what appeared in this time before its present.
const BACK: SignedDuration = SignedDuration::from_hours(48);

const METRICS: [&str; 6] =
    ["sleep_duration", "sleep_duration_deep", "sleep_duration_light", "sleep_duration_rem", "sleep_score", "heartrate_resting"];

/// The nights that ended after `seen`, until `now`.
pub(super) fn between(world: &World, seen: Timestamp, now: Timestamp) -> Vec<Event> {
    let from = seen.max(plus(now, -BACK));
    let mut events: Vec<(Timestamp, Event)> = Vec::new();
    for person in people(world) {
        for (start, end) in nights(&person, now).filter(|(_, end)| from < *end && *end <= now) {
            events.push((end, Event::data(&person.user_id, person.sleep_slug, &METRICS, start, end)));
        }
    }
    events.sort_by_key(|(end, _)| *end);
    events.into_iter().map(|(_, event)| event).collect()
}

/// When the next night ends.
pub(super) fn next(world: &World, now: Timestamp) -> Timestamp {
    let ends = people(world).flat_map(|person| nights(&person, now).map(|(_, end)| end).filter(|end| *end > now).min());
    ends.min().unwrap_or(Timestamp::MAX)
}

fn people(world: &World) -> impl Iterator<Item = Profile> {
    world.people().iter().take(PEOPLE).map(|person| world.profile(&person.user_id))
}

/// Start and end of the nights around an instant.
fn nights(person: &Profile, now: Timestamp) -> impl Iterator<Item = (Timestamp, Timestamp)> {
    let today = person.rules.to_datetime(now).date();
    (-3..=2_i64).filter_map(move |days| {
        let date = today.checked_add(jiff::Span::new().days(days)).ok()?;
        let (start, end) = night::bounds(person, date);
        Some((instant(start), instant(end)))
    })
}
