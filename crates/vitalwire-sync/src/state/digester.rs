//! Keyed digests of records and days.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::rows::{Record, RecordColumns, RecordKey};
use crate::generated::RecordKind;
use crate::key::{SyncKey, add_part};

/// Bits of a content key. The probability that a changed record keeps its content key is 4 · 10⁻¹⁵.
const CONTENT_MASK: u64 = (1 << 48) - 1;

/// Bits of the digest of a day. The probability that a changed day keeps its digest is 4 · 10⁻⁹.
pub(super) const DAY_MASK: u64 = (1 << 28) - 1;

/// Bits of the digest of an id. If two ids have the same digest, the removal of one of them makes the day of the other due, and a removal
/// from a day with both is not noticed.
const ID_MASK: u64 = (1 << 12) - 1;

/// Computes digests of a user's records of one kind, and of their days.
#[derive(Clone)]
pub(crate) struct Digester {
    content: Hmac<Sha256>,
    day: Hmac<Sha256>,
}

impl Digester {
    pub(crate) fn new(key: &SyncKey, kind: RecordKind) -> Self {
        let start = |purpose: &str| {
            let mut hash = key.hash(purpose);
            add_part(&mut hash, key.user().as_bytes());
            add_part(&mut hash, kind.as_str().as_bytes());
            hash
        };
        Self { content: start("content"), day: start("day") }
    }

    /// Returns the content key of a record.
    pub(crate) fn content(&self, columns: &RecordColumns<'_>, record: &Record) -> u64 {
        let mut hash = self.content.clone();
        columns.add_content(&mut hash, record);
        first_bytes(hash) & CONTENT_MASK
    }

    /// Returns the digest of a day with one more record. The order of records makes no difference.
    pub(crate) fn add_to_day(&self, day: u64, key: &RecordKey, content: u64) -> u64 {
        let mut hash = self.with_key(key);
        hash.update(&content.to_le_bytes());
        day.wrapping_add(first_bytes(hash)) & DAY_MASK
    }

    /// Returns the digest of a record's id.
    pub(crate) fn id(&self, key: &RecordKey) -> u16 {
        (first_bytes(self.with_key(key)) & ID_MASK) as u16
    }

    fn with_key(&self, key: &RecordKey) -> Hmac<Sha256> {
        let mut hash = self.day.clone();
        match key {
            RecordKey::Time(time) => add_part(&mut hash, &time.to_le_bytes()),
            RecordKey::Id(id) => add_part(&mut hash, id.as_bytes()),
            RecordKey::Content(_) => {}
        }
        hash
    }
}

fn first_bytes(hash: Hmac<Sha256>) -> u64 {
    let digest: [u8; 32] = hash.finalize().into_bytes().into();
    digest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
