//! Resume tokens: the remaining parts of a range, as text that can be stored.

use std::fmt;
use std::str::FromStr;

use super::bounds::{OpenBounds, RangeBounds};
use super::dates::DateRange;
use super::fingerprint::FINGERPRINT_BYTES;
use super::instants::InstantRange;
use super::part_length::PartLength;
use super::part_plan::PartPlan;
use crate::error::Error;

/// First field of a token: the format and its version.
const FORMAT_VERSION: &str = "vwr1";

/// Maximum length of a token, in bytes. The longest valid token, in which every second part is left, is about a third of it.
const MAX_TOKEN_BYTES: usize = 1 << 20;

/// The call that created a token.
#[derive(Clone, PartialEq, Eq)]
pub struct RangeOrigin {
    /// Id of the operation.
    pub operation: String,
    /// Length of a part.
    pub part_length: Option<PartLength>,
    /// Bounds of the whole range.
    pub bounds: OpenBounds,
    /// Hash of all other parameters.
    pub parameters_hash: [u8; FINGERPRINT_BYTES],
}

/// The parts of a range that were not read, for [`RangeCall::resume`](super::RangeCall::resume) of the same call.
///
/// The text can be stored. It contains the operation, the range, the remaining parts and a hash of the other parameters. It contains no
/// access token, URL or health data, and does not identify the user. Use it with the same user's access token, or bind it to the user
/// with [`RangeCall::resume_key`](super::RangeCall::resume_key).
#[derive(Clone, PartialEq, Eq)]
pub struct ResumeToken {
    pub(crate) origin: RangeOrigin,
    /// First and last index of each sequence of parts, ascending.
    pub todo: Vec<(u32, u32)>,
}

impl ResumeToken {
    /// Creates the token for these parts, in ascending order. Returns `None` if there are none.
    pub fn new(origin: &RangeOrigin, parts: impl Iterator<Item = u32>) -> Option<Self> {
        Self::from_sequences(origin, parts.map(|part| (part, part)))
    }

    /// Creates the token for sequences of parts, as first and last index, in ascending order. Returns `None` if there are none.
    pub(super) fn from_sequences(origin: &RangeOrigin, sequences: impl Iterator<Item = (u32, u32)>) -> Option<Self> {
        let mut todo: Vec<(u32, u32)> = Vec::new();
        for (first, end) in sequences {
            match todo.last_mut() {
                Some((_, last)) if *last + 1 == first => *last = end,
                _ => todo.push((first, end)),
            }
        }
        (!todo.is_empty()).then(|| Self { origin: origin.clone(), todo })
    }

    /// Id of the operation, such as `daily_statistics`.
    #[must_use]
    pub fn operation(&self) -> &str {
        &self.origin.operation
    }

    /// Number of remaining parts.
    #[must_use]
    pub fn parts_left(&self) -> u32 {
        count_sequence_parts(&self.todo)
    }

    /// Whole range of the call; `None` if it is open.
    #[must_use]
    pub fn range(&self) -> Option<RangeBounds> {
        self.origin.bounds.closed()?.ok()
    }

    /// Whole range of the call, if it is a range of dates.
    #[must_use]
    pub fn dates(&self) -> Option<DateRange> {
        self.range()?.dates()
    }

    /// Whole range of the call, if it is a closed range of instants.
    #[must_use]
    pub fn instants(&self) -> Option<InstantRange> {
        self.range()?.instants()
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        const MALFORMED: &str = "must be the unchanged text of a resume token";
        if text.len() > MAX_TOKEN_BYTES {
            return Err("must be a resume token, which is shorter than 1 MiB");
        }
        let mut fields = text.split('/');
        let mut next = || fields.next().ok_or(MALFORMED);
        let version = next()?;
        if version != FORMAT_VERSION {
            return Err(if version.starts_with("vwr") {
                "the resume token was made by an incompatible version; start the range without it"
            } else {
                MALFORMED
            });
        }
        let (operation, part_length, from, to, todo, parameters) = (next()?, next()?, next()?, next()?, next()?, next()?);
        if next().is_ok() || !is_operation_id(operation) {
            return Err(MALFORMED);
        }
        let part_length = parse_part_length(part_length).ok_or(MALFORMED)?;
        let bounds = OpenBounds::parse(from, to).ok_or(MALFORMED)?;
        let count = PartPlan::new(bounds, ["from"; 2], part_length).map_err(|_| MALFORMED)?.count;
        let todo = parse_sequences(todo, count).ok_or(MALFORMED)?;
        let parameters_hash = parse_hash(parameters).ok_or(MALFORMED)?;
        Ok(Self { origin: RangeOrigin { operation: operation.to_owned(), part_length, bounds, parameters_hash }, todo })
    }
}

fn is_operation_id(text: &str) -> bool {
    (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Parses decimal digits. Unlike `str::parse`, rejects a sign.
fn parse_number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn parse_part_length(text: &str) -> Option<Option<PartLength>> {
    if text == "-" {
        return Some(None);
    }
    let part_length = text.parse().ok().filter(|part_length| !matches!(part_length, PartLength::Days(0) | PartLength::Hours(0)))?;
    Some(Some(part_length))
}

fn parse_sequences(text: &str, count: u32) -> Option<Vec<(u32, u32)>> {
    let mut todo: Vec<(u32, u32)> = Vec::new();
    for run in text.split(',') {
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        let (first, last) = (parse_number(first)?, parse_number(last)?);
        if last < first || last >= count || todo.last().is_some_and(|(_, before)| first <= *before) {
            return None;
        }
        todo.push((first, last));
    }
    Some(todo)
}

fn parse_hash(text: &str) -> Option<[u8; FINGERPRINT_BYTES]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * FINGERPRINT_BYTES || !digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut hash = [0; FINGERPRINT_BYTES];
    for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok())?;
    }
    Some(hash)
}

impl FromStr for ResumeToken {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text).map_err(|reason| Error::invalid_argument("resume_token", reason))
    }
}

/// Writes the text to store.
impl fmt::Display for ResumeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn bound<T: fmt::Display>(value: Option<T>) -> String {
            value.map_or_else(String::new, |value| value.to_string())
        }
        let RangeOrigin { operation, part_length, bounds, parameters_hash } = &self.origin;
        write!(f, "{FORMAT_VERSION}/{operation}/")?;
        match part_length {
            None => f.write_str("-")?,
            Some(part_length) => write!(f, "{part_length}")?,
        }
        match *bounds {
            OpenBounds::Dates(from, to) => write!(f, "/{}/{}/", bound(from), bound(to))?,
            OpenBounds::Instants(from, to) => write!(f, "/{}/{}/", bound(from), bound(to))?,
        }
        for (at, (first, last)) in self.todo.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "," })?;
            if first == last { write!(f, "{first}")? } else { write!(f, "{first}-{last}")? }
        }
        f.write_str("/")?;
        parameters_hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Shows no dates.
impl fmt::Debug for ResumeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResumeToken")
            .field("operation", &self.origin.operation)
            .field("parts_left", &self.parts_left())
            .finish_non_exhaustive()
    }
}

/// Returns the number of parts in these sequences.
pub(super) fn count_sequence_parts(sequences: &[(u32, u32)]) -> u32 {
    sequences.iter().map(|(first, last)| last - first + 1).sum()
}
