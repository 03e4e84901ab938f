//! Random parts of payloads.

use fastrand::Rng;
use jiff::Timestamp;

use super::Unknown;

/// Unix time of 2025-01-01T00:00:00Z.
const START: i64 = 1_735_689_600;

/// Generator of the random parts of a payload.
pub(super) struct Generator {
    pub(super) rng: Rng,
    unknown: Unknown,
}

impl Generator {
    pub(super) fn new(seed: u64, unknown: Unknown) -> Self {
        Self { rng: Rng::with_seed(seed), unknown }
    }

    /// Returns a random number in a range, with a fixed number of decimals.
    pub(super) fn number(&mut self, from: f64, to: f64, decimals: usize) -> String {
        let value = from + (to - from) * self.rng.f64();
        format!("{value:.decimals$}")
    }

    /// Returns a random version 4 UUID.
    pub(super) fn id(&mut self) -> String {
        let bits = (self.rng.u128(..) & !(0xf000_c000 << 48 | 0xf << 76)) | (4 << 76) | (8 << 60);
        let hex = format!("{bits:032x}");
        format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }

    /// Returns a list of one to five ids.
    pub(super) fn record_ids(&mut self) -> String {
        let count = self.rng.usize(1..=5);
        format!("[{}]", join((0..count).map(|_| format!("\"{}\"", self.id()))))
    }

    /// Returns the undocumented fields at the end of a row, if any.
    pub(super) fn unknown(&mut self) -> String {
        if self.unknown == Unknown::None {
            return String::new();
        }
        let number = self.rng.u16(..);
        let is_estimated = number.is_multiple_of(2);
        compact(&format!(
            r#","confidence_level":{number},"algorithm_version":"4.2.1-b","is_estimated":{is_estimated},
            "origin":{{"kind":"derived"}}"#
        ))
    }
}

/// Joins items with commas.
pub(super) fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(",")
}

/// Removes the line breaks and the indentation of a literal.
pub(super) fn compact(text: &str) -> String {
    text.lines().map(str::trim_start).collect()
}

/// Returns the date `days_later` days after 2025-01-01, as `YYYY-MM-DD`.
pub(super) fn day(days_later: u32) -> String {
    instant(days_later * 86_400)[..10].to_owned()
}

/// Returns the instant `seconds` seconds after 2025-01-01T00:00:00Z.
pub(super) fn instant(seconds: u32) -> String {
    Timestamp::from_second(START + i64::from(seconds)).unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!((day(0), day(58), day(59)), ("2025-01-01".into(), "2025-02-28".into(), "2025-03-01".into()));
        assert_eq!((day(365), instant(86_400 + 3_661)), ("2026-01-01".into(), "2025-01-02T01:01:01Z".into()));
    }

    #[test]
    fn ids_are_uuids_of_version_4() {
        let id = Generator::new(1, Unknown::None).id();
        assert_eq!((id.len(), &id[14..15], &id[19..20]), (36, "4", "8"));
    }
}
