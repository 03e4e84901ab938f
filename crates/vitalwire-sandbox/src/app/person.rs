//! [`Person`]: a seeded person in the public API.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::Settings;
use crate::people::night;
use crate::people::population::Population;
use crate::people::profile::{Profile, seeded_id};
use crate::tokens::{self, Claims, Keys};

/// Number of nights among which the last recorded one is searched.
const MAX_GAP: usize = 366;

/// A seeded synthetic person.
#[derive(Clone)]
#[non_exhaustive]
pub struct Person {
    /// User id in the application.
    pub user_id: String,
    /// Invented name.
    pub display_name: String,
    /// Bearer token for the main service. Never expires.
    pub token: String,
    /// IANA name of the person's time zone at home.
    pub time_zone: String,
    profile: Profile,
}

impl Person {
    /// Creates the people of a seed, with tokens issued at `now`.
    pub(super) fn seeded(settings: &Settings, population: &Arc<Population>, keys: &Keys, now: Timestamp) -> Vec<Self> {
        let person = |number| {
            let profile = Profile::new(settings.seed, &seeded_id(number), population);
            let claims = Claims::new(keys.application_id, profile.user_id.clone(), now.as_second());
            Self {
                user_id: profile.user_id.clone(),
                display_name: profile.name.to_owned(),
                token: tokens::sign(&keys.signing_key, &claims),
                time_zone: profile.zone.name.to_owned(),
                profile,
            }
        };
        (1..=settings.people).map(person).collect()
    }

    pub(super) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the date of the morning on which the last recorded night before `now` ended.
    pub(super) fn last_night(&self, now: Timestamp) -> Date {
        let today = self.date(now);
        let (_, end) = night::bounds(&self.profile, today);
        let last = if end <= now.as_second() { today } else { today.yesterday().unwrap_or(today) };
        let last = last.saturating_sub(self.profile.late_days.days());
        let mut nights = std::iter::successors(Some(last), |date| date.yesterday().ok()).take(MAX_GAP);
        nights.find(|date| !self.profile.is_night_missing(*date)).unwrap_or(last)
    }

    /// Returns the local date at an instant.
    pub(super) fn date(&self, now: Timestamp) -> Date {
        self.profile.date_at(now)
    }

    /// Returns the id of the sleep that ended on the morning of `date`, local time.
    ///
    /// The interface has no operation that lists sleeps, so tests get ids here. A night before 2020-01-01 or in the future has an id too,
    /// but requests for it get a 404 response.
    pub fn sleep_id(&self, date: Date) -> String {
        self.profile.dated_id("sleep", date, 0).to_string()
    }
}

impl fmt::Debug for Person {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Person")
            .field("user_id", &self.user_id)
            .field("display_name", &self.display_name)
            .field("time_zone", &self.time_zone)
            .finish_non_exhaustive()
    }
}
