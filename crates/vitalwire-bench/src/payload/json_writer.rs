//! JSON writer that keeps the service's field order and decimals, which a serializer would not.

use std::fmt::Write;

use fastrand::Rng;

use super::Unknown;

/// JSON text in progress.
pub(super) struct JsonWriter {
    text: String,
    rng: Rng,
}

impl JsonWriter {
    pub(super) fn new(seed: u64) -> Self {
        Self { text: String::new(), rng: Rng::with_seed(seed) }
    }

    pub(super) fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(['{', '[', ':']) {
            self.text.push(',');
        }
    }

    pub(super) fn name(&mut self, name: &str) {
        self.separate();
        let _ = write!(self.text, "\"{name}\":");
    }

    /// Writes a literal value: a number, `true` or `null`.
    pub(super) fn raw(&mut self, value: impl std::fmt::Display) {
        self.separate();
        let _ = write!(self.text, "{value}");
    }

    /// Writes a string without characters to escape.
    pub(super) fn text(&mut self, value: impl std::fmt::Display) {
        self.separate();
        let _ = write!(self.text, "\"{value}\"");
    }

    pub(super) fn field(&mut self, name: &str, value: impl std::fmt::Display) {
        self.name(name);
        self.raw(value);
    }

    pub(super) fn text_field(&mut self, name: &str, value: impl std::fmt::Display) {
        self.name(name);
        self.text(value);
    }

    pub(super) fn object(&mut self, inside: impl FnOnce(&mut Self)) {
        self.separate();
        self.text.push('{');
        inside(self);
        self.text.push('}');
    }

    pub(super) fn list(&mut self, inside: impl FnOnce(&mut Self)) {
        self.separate();
        self.text.push('[');
        inside(self);
        self.text.push(']');
    }

    /// Writes a random number in a range, with a fixed number of decimals.
    pub(super) fn number(&mut self, from: f64, to: f64, decimals: usize) {
        let value = from + (to - from) * self.rng.f64();
        self.raw(format_args!("{value:.decimals$}"));
    }

    /// Returns a random version 4 UUID.
    pub(super) fn id(&mut self) -> String {
        let bits = (self.rng.u128(..) & !(0xf000_c000 << 48 | 0xf << 76)) | (4 << 76) | (8 << 60);
        let hex = format!("{bits:032x}");
        format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }

    /// Writes one to five ids.
    pub(super) fn record_ids(&mut self) {
        self.name("record_ids");
        let count = self.rng.usize(1..=5);
        self.list(|json| {
            for _ in 0..count {
                let id = json.id();
                json.text(id);
            }
        });
    }

    /// Writes the undocumented fields.
    pub(super) fn unknown(&mut self, unknown: Unknown) {
        if unknown == Unknown::Four {
            let number = self.rng.u16(..);
            self.field("confidence_level", number);
            self.text_field("algorithm_version", "4.2.1-b");
            self.field("is_estimated", number.is_multiple_of(2));
            self.name("origin");
            self.object(|json| json.text_field("kind", "derived"));
        }
    }
}

/// Returns the date `days_later` days after 2025-01-01, as `YYYY-MM-DD`.
pub(super) fn day(days_later: u32) -> String {
    const LENGTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let (mut year, mut left) = (2025, days_later);
    while left >= 365 {
        year += 1;
        left -= 365;
    }
    let mut month = 1;
    for length in LENGTHS {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", left + 1)
}

/// Returns the instant `seconds` seconds after 2025-01-01T00:00:00Z.
pub(super) fn instant(seconds: u32) -> String {
    let (day_number, rest) = (seconds / 86_400, seconds % 86_400);
    format!("{}T{:02}:{:02}:{:02}Z", day(day_number), rest / 3_600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(
            (day(0), day(31), day(58), day(59)),
            ("2025-01-01".into(), "2025-02-01".into(), "2025-02-28".into(), "2025-03-01".into())
        );
        assert_eq!((day(364), day(365)), ("2025-12-31".into(), "2026-01-01".into()));
        assert_eq!(instant(86_400 + 3_661), "2025-01-02T01:01:01Z");
    }

    #[test]
    fn ids_are_uuids_of_version_4() {
        let id = JsonWriter::new(1).id();
        assert_eq!((id.len(), &id[14..15], &id[19..20]), (36, "4", "8"));
    }
}
