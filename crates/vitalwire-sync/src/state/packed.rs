//! Serialization of known records as base64 text.

use data_encoding::BASE64_NOPAD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

use super::compare::KnownRecord;
use super::rows::RecordKey;

/// Size of a serialized record without its id.
const RECORD_BYTES: usize = 33;

/// Maximum length of a record's id.
const MAX_ID_BYTES: usize = u16::MAX as usize;

pub(super) fn serialize<S: Serializer>(records: &[KnownRecord<RecordKey>], serializer: S) -> Result<S::Ok, S::Error> {
    let mut bytes = Vec::with_capacity(records.len() * RECORD_BYTES);
    for record in records {
        let (kind, number, id) = match &record.key {
            RecordKey::Time(time) => (0, time.cast_unsigned(), ""),
            RecordKey::Content(digest) => (1, *digest, ""),
            RecordKey::Id(id) if id.len() <= MAX_ID_BYTES => (2, id.len() as u64, &**id),
            // A record with such an id counts as new in the next response.
            RecordKey::Id(_) => continue,
        };
        bytes.push(kind);
        bytes.extend(number.to_le_bytes());
        bytes.extend(record.content.to_le_bytes());
        bytes.extend(record.first_day.to_le_bytes());
        bytes.extend(record.last_day.to_le_bytes());
        bytes.extend(record.rows.to_le_bytes());
        bytes.extend(id.as_bytes());
    }
    serializer.serialize_str(&BASE64_NOPAD.encode(&bytes))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<KnownRecord<RecordKey>>, D::Error> {
    let invalid = || D::Error::custom("the records of the state are damaged; start again without the state");
    let bytes = BASE64_NOPAD.decode(String::deserialize(deserializer)?.as_bytes()).map_err(|_| invalid())?;
    let mut reader = Reader(&bytes);
    let mut records = Vec::new();
    while !reader.0.is_empty() {
        records.push(reader.record().ok_or_else(invalid)?);
    }
    Ok(records)
}

/// Remaining bytes of serialized records.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn record(&mut self) -> Option<KnownRecord<RecordKey>> {
        let [kind] = self.array()?;
        let number = u64::from_le_bytes(self.array()?);
        let content = u64::from_le_bytes(self.array()?);
        let [first_day, last_day] = [i32::from_le_bytes(self.array()?), i32::from_le_bytes(self.array()?)];
        let rows = u64::from_le_bytes(self.array()?);
        let key = match kind {
            0 => RecordKey::Time(number.cast_signed()),
            1 => RecordKey::Content(number),
            2 => RecordKey::Id(self.text(usize::try_from(number).ok().filter(|length| *length <= MAX_ID_BYTES)?)?),
            _ => return None,
        };
        (first_day <= last_day).then_some(KnownRecord { key, content, first_day, last_day, rows })
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    fn text(&mut self, length: usize) -> Option<String> {
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}
