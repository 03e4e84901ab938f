//! [`Profile`]: properties of a synthetic person that do not change from day to day.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use uuid::Uuid;

use super::device::DeviceKind;
use super::population::Population;
use crate::values::calendar::{self, ZONES, Zone};
use crate::values::rng::Rng;
use crate::values::{crypto, round};

/// Providers without a consent URL, integrated by a mobile SDK instead.
pub(crate) const SDK_ONLY: [&str; 3] = ["apple", "health_connect", "samsung_health_data"];

/// Sleep device and all providers of a person. Many measure the same, see [`DeviceKind`].
const DEVICES: [(&str, &[&str]); 6] = [
    ("oura", &["garmin", "oura", "dexcom", "apple"]),
    ("fitbit", &["fitbit", "withings"]),
    ("polar", &["polar", "strava", "health_connect"]),
    ("whoop", &["suunto", "whoop", "omron_eu"]),
    ("ultrahuman", &["coros", "ultrahuman", "freestyle_libre"]),
    ("withings", &["huawei", "withings", "wahoo", "samsung_health_data"]),
];

const NAMES: [&str; 6] = ["Alva Sample", "Bo Example", "Cleo Specimen", "Dara Fixture", "Eli Placeholder", "Fay Dummy"];

const GENDERS: [&str; 6] = ["female", "male", "unknown", "Other", "female", "male"];
const LANGUAGES: [&str; 6] = ["de", "en", "en", "en", "pt", "en"];

/// Returns the user id of a seeded person, numbered from 1.
pub(crate) fn seeded_id(number: usize) -> String {
    format!("person-{number}")
}

#[derive(Clone, Debug)]
pub(crate) struct Integration {
    pub(crate) id: i64,
    pub(crate) slug: &'static str,
    pub(crate) created_at: Timestamp,
    pub(crate) broken: bool,
}

/// A synthetic person. Lengths are metres, masses kilograms, times of day minutes after midnight.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    /// Seed of all other fields and of every day of this person.
    pub(crate) key: u64,
    pub(crate) population: Arc<Population>,
    pub(crate) user_id: String,
    pub(crate) name: &'static str,
    /// Time zone at home.
    pub(crate) zone: &'static Zone,
    /// Rules of [`Self::zone`]. For local times, use [`Self::unix_seconds`] and [`Self::zones`], which include trips.
    pub(crate) rules: TimeZone,
    pub(crate) gender: &'static str,
    pub(crate) language: &'static str,
    pub(crate) birth_date: Date,
    pub(crate) height: f64,
    pub(crate) weight: f64,
    pub(crate) body_fat: f64,
    pub(crate) resting: i64,
    pub(crate) steps: i64,
    pub(crate) wake: i64,
    pub(crate) weekend: i64,
    pub(crate) bed: i64,
    /// Basal energy in kilocalories per day.
    pub(crate) basal: i64,
    pub(crate) runs: f64,
    pub(crate) rides: f64,
    /// Hour of the local clock in which the watch is charged.
    pub(crate) charge: i8,
    /// Provider of the person's own sleep device.
    pub(crate) sleep_slug: &'static str,
    pub(crate) glucose: bool,
    pub(crate) created_at: Timestamp,
    pub(crate) integrations: Vec<Integration>,
    /// First day with data.
    pub(super) first_day: Date,
    /// Days until data arrives.
    pub(crate) late_days: i64,
}

impl Profile {
    /// Creates the person with this user id. Seeded people (`person-1`, `person-2`, ...) use the table rows in order, other ids by their
    /// hash.
    pub(crate) fn new(seed: u64, user_id: &str, population: &Arc<Population>) -> Self {
        let key = crypto::digest_number(&[b"person", &seed.to_be_bytes(), user_id.as_bytes()]);
        let row = user_id
            .strip_prefix("person-")
            .and_then(|number| number.parse::<usize>().ok())
            .map_or_else(|| (key % 6) as usize, |number| number.wrapping_sub(1) % 6);
        let mut rng = Rng::new(key, 0, "profile");
        let zone = &ZONES[row];
        let height = 1.55 + 0.35 * rng.unit();
        let weight = height * height * (20.0 + 7.0 * rng.unit());
        let resting = rng.between(52, 64);
        let created = 1_577_836_800 + rng.below(30 * 86_400);
        let (sleep_slug, slugs) = DEVICES[row];
        let mut phone = Rng::new(key, 0, "phone");
        let integrations = slugs
            .iter()
            .copied()
            .zip(1_i64..)
            .map(|(slug, at)| {
                // A separate generator, so that an additional phone changes nothing else about the person.
                let rng = if DeviceKind::from_provider(slug) == DeviceKind::Phone { &mut phone } else { &mut rng };
                Integration {
                    id: 100_000 + rng.below(800_000),
                    slug,
                    created_at: calendar::instant(created + at * 3_600 + rng.below(3_000)),
                    // Only this person's last integration needs a new consent.
                    broken: row == 1 && usize::try_from(at) == Ok(slugs.len()),
                }
            })
            .collect();
        let (first_day, late_days) = population.delivery(user_id);
        Self {
            key,
            population: Arc::clone(population),
            user_id: user_id.to_owned(),
            name: NAMES[row],
            zone,
            rules: zone.rules(),
            gender: GENDERS[row],
            language: LANGUAGES[row],
            birth_date: date(1960, 1, 1).checked_add(jiff::SignedDuration::from_hours(24 * rng.below(16_000))).unwrap_or(date(1980, 1, 1)),
            height: round(height, 100.0),
            weight: round(weight, 10.0),
            body_fat: round(14.0 + 16.0 * rng.unit(), 10.0),
            resting,
            steps: rng.between(5_500, 9_500),
            // Early enough that last night has ended at noon UTC in every zone of the table but the last.
            wake: rng.between(340, 370),
            weekend: rng.between(0, 15),
            bed: rng.between(440, 500),
            basal: rng.between(1_350, 1_750),
            runs: 0.15 + 0.35 * rng.unit(),
            rides: 0.10 + 0.30 * rng.unit(),
            charge: [20, 21, 22][(key >> 8) as usize % 3],
            sleep_slug,
            glucose: slugs.iter().any(|slug| DeviceKind::from_provider(slug) == DeviceKind::Glucose),
            created_at: calendar::instant(created),
            integrations,
            first_day,
            late_days,
        }
    }

    /// Returns when the seeded broken integration broke: some weeks before the sandbox started.
    pub(crate) fn broke_at(&self, started: Date) -> i64 {
        let days = 10 + i64::try_from(self.key % 30).unwrap_or(0);
        let day = started.checked_sub(jiff::SignedDuration::from_hours(24 * days)).unwrap_or(started);
        calendar::unix_seconds(&self.rules, day.at(9, 0, 0, 0))
    }

    /// Returns an id derived from this person, a purpose and a number.
    pub(crate) fn uuid(&self, purpose: &str, number: i64) -> Uuid {
        crypto::digest_uuid(&[purpose.as_bytes(), &self.key.to_be_bytes(), &number.to_be_bytes()])
    }

    /// Returns the id of something derived from a day. The day can be decoded from it, so no index is needed.
    pub(crate) fn dated_id(&self, purpose: &str, day: Date, part: u8) -> Uuid {
        let number = (calendar::day_number(day) as i32).cast_unsigned() ^ self.mask();
        let filler = self.uuid(purpose, calendar::day_number(day) * 256 + i64::from(part));
        let mut bytes = *filler.as_bytes();
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        bytes[4] = part;
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }

    /// Decodes the day and part of an id made by [`Self::dated_id`]. Returns `None` for any other text.
    pub(crate) fn parse_dated_id(&self, purpose: &str, text: &str) -> Option<(Date, u8)> {
        let id: Uuid = text.parse().ok()?;
        let bytes = id.as_bytes();
        let number = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) ^ self.mask();
        let day = calendar::from_number(number.cast_signed())?;
        let part = bytes[4];
        (self.dated_id(purpose, day, part) == id).then_some((day, part))
    }

    fn mask(&self) -> u32 {
        (self.key >> 32) as u32
    }
}

#[cfg(test)]
impl Profile {
    /// Creates a person with complete data and without effects.
    pub(crate) fn plain(seed: u64, user_id: &str) -> Self {
        Self::new(seed, user_id, &Arc::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dated_id_is_decoded_only_for_its_owner() {
        let one = Profile::plain(7, "person-1");
        let two = Profile::plain(7, "person-2");
        let day = date(2025, 11, 20);
        let id = one.dated_id("sleep", day, 3).to_string();
        assert_eq!(one.parse_dated_id("sleep", &id), Some((day, 3)));
        assert_eq!(one.parse_dated_id("meal", &id), None);
        assert_eq!(two.parse_dated_id("sleep", &id), None);
        assert_eq!(one.parse_dated_id("sleep", "no id"), None);
        assert_eq!(one.parse_dated_id("sleep", &Uuid::max().to_string()), None);
    }

    #[test]
    fn unusual_user_ids_have_a_profile() {
        for id in ["person-0", "person-18446744073709551615", "person-", "x"] {
            assert_eq!(Profile::plain(1, id).user_id, id);
        }
    }
}
