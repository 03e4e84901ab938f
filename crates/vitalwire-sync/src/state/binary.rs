//! Binary form of a state, for phones and databases: about 3 kB for a year of a kind.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::KnownRecord;
use super::digester::DAY_MASK;
use super::rows::RecordKey;
use super::{SyncState, VERSION};
use crate::bytes::{Reader, put_digest, put_number, put_signed};
use crate::day_set::{DaySet, date_of};

/// Lengths of the content key of a record, and of the digest of a day with the number of its ids.
const CONTENT_BYTES: usize = 6;
const DAY_BYTES: usize = 4;

/// Bits below the number of ids in the digest of a day. The largest number means that the number follows.
const IDS_SHIFT: u32 = 28;
const MORE_IDS: u64 = 15;

/// An hour and a day, in microseconds.
const HOUR: i64 = 3_600_000_000;
const DAY: i64 = 24 * HOUR;

/// Maximum length of a record's id. Records with longer ids are not stored, and count as new in each response.
const MAX_ID_BYTES: usize = 1_024;

/// Forms of a key: the number of the record's day, an hour of this day, a UUID, another id, or another time. A form has 3 bits.
const KEY_DAY: u8 = 0;
const KEY_HOUR: u8 = 1;
const KEY_UUID: u8 = 2;
const KEY_ID: u8 = 3;
const KEY_TIME: u8 = 4;

/// Number that is added to the form of an id if the record was reported without a day.
const UNDATED: u8 = 3;

/// Bits of the first byte of a record: 3 for the form of the key, 1 if it has several possible days, 4 for the days since the previous
/// record. The largest number of days means that the number follows.
const HAS_DAYS: u8 = 1 << 3;
const DAYS_SHIFT: u32 = 4;
const MORE_DAYS: u8 = 15;

impl SyncState {
    /// Appends the state. Records must be ordered by their first day.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        for days in [&self.requested, &self.failed, &self.pending] {
            days.write(bytes);
        }
        for time in [self.as_of, self.providers_as_of] {
            // 0 means that there is no time.
            put_signed(bytes, time.map_or(0, |time| if time < 0 { time } else { time + 1 }));
        }
        bytes.push(self.refuted);
        let records: Vec<_> = self.records.iter().filter(|record| is_stored(&record.key)).collect();
        put_number(bytes, records.len() as u64);
        let mut before = 0;
        for record in records {
            write_record(bytes, record, before, if self.undated.contains(&record.key) { UNDATED } else { 0 });
            before = record.first_day;
        }
        write_folded(bytes, &self.folded, &self.folded_ids);
    }

    /// Reads a state.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let [requested, failed, pending] = [DaySet::read(reader)?, DaySet::read(reader)?, DaySet::read(reader)?];
        let mut time = || Some(reader.signed()?).map(|time| if time > 0 { Some(time - 1) } else { Some(time).filter(|time| *time < 0) });
        let (as_of, providers_as_of) = (time()?, time()?);
        let refuted = reader.byte()?;
        let (mut records, mut undated) = (Vec::new(), BTreeSet::new());
        let mut before = 0;
        for _ in 0..reader.count()? {
            let (record, is_undated) = read_record(reader, before)?;
            before = record.first_day;
            if is_undated {
                undated.insert(record.key.clone());
            }
            records.push(record);
        }
        let (folded, folded_ids) = read_folded(reader)?;
        Some(Self {
            version: VERSION,
            requested,
            failed,
            pending,
            as_of,
            providers_as_of,
            refuted,
            records,
            undated,
            folded,
            folded_ids,
            ..Self::default()
        })
    }
}

fn is_stored(key: &RecordKey) -> bool {
    match key {
        RecordKey::Time(_) => true,
        RecordKey::Id(id) => id.len() <= MAX_ID_BYTES,
        RecordKey::Content(_) => false,
    }
}

fn write_record(bytes: &mut Vec<u8>, record: &KnownRecord<RecordKey>, before: i32, undated: u8) {
    let since = i64::from(record.first_day) - i64::from(before);
    let short = u8::try_from(since).ok().filter(|days| *days < MORE_DAYS);
    let midnight = i64::from(record.first_day) * DAY;
    let mut key = Vec::new();
    let form = match &record.key {
        RecordKey::Time(time) if *time == i64::from(record.first_day) => KEY_DAY,
        RecordKey::Time(time) => match u8::try_from((time - midnight) / HOUR) {
            Ok(hour) if midnight + i64::from(hour) * HOUR == *time => {
                key.push(hour);
                KEY_HOUR
            }
            _ => {
                put_signed(&mut key, *time);
                KEY_TIME
            }
        },
        RecordKey::Id(id) => match uuid_bytes(id) {
            Some(uuid) => {
                key.extend(uuid);
                KEY_UUID + undated
            }
            None => {
                put_number(&mut key, id.len() as u64);
                key.extend(id.as_bytes());
                KEY_ID + undated
            }
        },
        RecordKey::Content(_) => return,
    };
    let has_days = if record.first_day == record.last_day { 0 } else { HAS_DAYS };
    bytes.push(form | has_days | short.unwrap_or(MORE_DAYS) << DAYS_SHIFT);
    if short.is_none() {
        put_signed(bytes, since);
    }
    if has_days != 0 {
        put_number(bytes, u64::from(record.last_day.abs_diff(record.first_day)));
    }
    bytes.append(&mut key);
    put_digest(bytes, record.content, CONTENT_BYTES);
}

fn read_record(reader: &mut Reader<'_>, before: i32) -> Option<(KnownRecord<RecordKey>, bool)> {
    let head = reader.byte()?;
    let since = match head >> DAYS_SHIFT {
        MORE_DAYS => reader.signed()?,
        days => days.into(),
    };
    let first_day = i32::try_from(i64::from(before).checked_add(since)?).ok()?;
    let last_day = match head & HAS_DAYS {
        0 => first_day,
        _ => i32::try_from(i64::from(first_day).checked_add_unsigned(reader.number()?)?).ok()?,
    };
    // Times of possible days do not overflow.
    date_of(first_day).and(date_of(last_day))?;
    let form = head & (HAS_DAYS - 1);
    let (form, is_undated) = if form > KEY_TIME { (form - UNDATED, true) } else { (form, false) };
    let key = match form {
        KEY_DAY => RecordKey::Time(first_day.into()),
        KEY_HOUR => RecordKey::Time(i64::from(first_day) * DAY + i64::from(reader.byte()?) * HOUR),
        KEY_UUID => RecordKey::Id(uuid_text(&reader.array()?)),
        KEY_ID => {
            let length = usize::try_from(reader.number()?).ok().filter(|length| *length <= MAX_ID_BYTES)?;
            RecordKey::Id(String::from_utf8(reader.take(length)?.to_vec()).ok()?)
        }
        KEY_TIME => RecordKey::Time(reader.signed()?),
        _ => return None,
    };
    Some((KnownRecord { key, content: reader.digest(CONTENT_BYTES)?, first_day, last_day, rows: 1 }, is_undated))
}

/// Returns the bytes of a UUID, if the text has its usual form: lower case, with hyphens.
fn uuid_bytes(id: &str) -> Option<[u8; 16]> {
    let digits = id.replace('-', "");
    let bytes = data_encoding::HEXLOWER.decode(digits.as_bytes()).ok()?.try_into().ok()?;
    (uuid_text(&bytes) == id).then_some(bytes)
}

fn uuid_text(bytes: &[u8; 16]) -> String {
    let mut text = data_encoding::HEXLOWER.encode(bytes);
    [20, 16, 12, 8].into_iter().for_each(|at| text.insert(at, '-'));
    text
}

/// Appends the digests of days and of their ids, in sequences of consecutive days.
fn write_folded(bytes: &mut Vec<u8>, folded: &BTreeMap<i32, u64>, ids: &BTreeMap<i32, Vec<u16>>) {
    let mut sequences: Vec<(i32, Vec<u64>)> = Vec::new();
    for (day, digest) in folded {
        match sequences.last_mut() {
            Some((first, digests)) if usize::try_from(i64::from(*day) - i64::from(*first)) == Ok(digests.len()) => digests.push(*digest),
            _ => sequences.push((*day, vec![*digest])),
        }
    }
    put_number(bytes, sequences.len() as u64);
    for (first, digests) in sequences {
        put_signed(bytes, first.into());
        put_number(bytes, digests.len() as u64);
        for (day, digest) in (first..).zip(digests) {
            let ids = ids.get(&day).map_or(&[][..], Vec::as_slice);
            let count = MORE_IDS.min(ids.len() as u64);
            put_digest(bytes, digest & DAY_MASK | count << IDS_SHIFT, DAY_BYTES);
            if count == MORE_IDS {
                put_number(bytes, ids.len() as u64);
            }
            // Two ids have 3 bytes.
            for pair in ids.chunks(2) {
                let (one, other) = (pair.first().copied().unwrap_or_default(), pair.get(1).copied().unwrap_or_default());
                put_digest(bytes, u64::from(one) | u64::from(other) << 12, pair.len() + 1);
            }
        }
    }
}

type Folded = (BTreeMap<i32, u64>, BTreeMap<i32, Vec<u16>>);

fn read_folded(reader: &mut Reader<'_>) -> Option<Folded> {
    let (mut folded, mut folded_ids) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..reader.count()? {
        let mut day = reader.day()?;
        for _ in 0..reader.count()? {
            let digest = reader.digest(DAY_BYTES)?;
            let count = match digest >> IDS_SHIFT {
                MORE_IDS => reader.count()?,
                count => usize::try_from(count).ok()?,
            };
            let mut ids = Vec::new();
            while ids.len() < count {
                let pair = 2.min(count - ids.len());
                let digests = reader.digest(pair + 1)?;
                ids.extend([digests & 0xfff, digests >> 12].into_iter().take(pair).map(|id| id as u16));
            }
            folded.insert(day, digest & DAY_MASK);
            if !ids.is_empty() {
                folded_ids.insert(day, ids);
            }
            day = day.checked_add(1)?;
        }
    }
    Some((folded, folded_ids))
}
