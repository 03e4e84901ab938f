//! Plain values: texts, series, instants, dates, and the owned JSON text.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::ffi::c_char;
use std::ptr;

use vitalwire::value::{Date, ListMember, NumberBasis, Timestamp};

use crate::borrow;
use crate::guard::free;
use crate::kind;

/// A text: `length` bytes of UTF-8 at `data`, without a NUL at the end (and perhaps with one inside).
///
/// A text that a function returns belongs to the object it was asked of and lives as long. `data` is NULL where there is no
/// text; a text that is there, also an empty one, has `data` set.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct vitalwire_str {
    /// First byte, or NULL.
    pub data: *const c_char,
    /// Bytes.
    pub length: usize,
}

/// A series of numbers: `length` doubles at `data`, in the memory of the object it was asked of; nothing is copied.
///
/// A gap in the series (null in the response) is a NaN in its place: test it with isnan. `data` is NULL if there is no series. If `length` is
/// 0, `data` must not be read.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct vitalwire_numbers {
    /// First number, or NULL.
    pub data: *const f64,
    /// Numbers.
    pub length: usize,
}

/// An instant in UTC.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct vitalwire_timestamp {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down, also before 1970.
    pub seconds: i64,
    /// Nanoseconds after them, 0 to 999,999,999.
    pub nanoseconds: u32,
}

/// A calendar date without time and time zone.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct vitalwire_date {
    /// Year, -9999 to 9999.
    pub year: i16,
    /// Month, 1 to 12.
    pub month: u8,
    /// Day of the month, 1 to 31.
    pub day: u8,
}

/// Whether an optional list was there. Stages that were not asked for are not "no stages".
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_presence {
    /// The member was not in the answer.
    VITALWIRE_PRESENCE_ABSENT = 0,
    /// The member was null.
    VITALWIRE_PRESENCE_NULL = 1,
    /// The member was a list, perhaps an empty one.
    VITALWIRE_PRESENCE_LIST = 2,
}

/// What nutritional numbers refer to. Never put numbers of different bases into one table without it.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_number_basis {
    /// Not known: the numbers came from an upload's answer.
    VITALWIRE_NUMBER_BASIS_UNKNOWN = 0,
    /// For the record's serving size.
    VITALWIRE_NUMBER_BASIS_PER_SERVING = 1,
    /// For 100 g or 100 ml.
    VITALWIRE_NUMBER_BASIS_PER_100 = 2,
}

/// A JSON text of its own, made when it was asked for.
pub struct vitalwire_json(pub(crate) String);

impl vitalwire_str {
    /// No text.
    pub(crate) const NONE: Self = Self { data: ptr::null(), length: 0 };

    /// Bytes as they are.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr().cast(), length: bytes.len() }
    }

    /// The text as Rust sees it, or why it is none.
    pub(crate) fn read(&self) -> Result<&str, &'static str> {
        let bytes = borrow::read(self, self.data.cast(), self.length)?;
        std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8")
    }
}

impl From<&str> for vitalwire_str {
    fn from(text: &str) -> Self {
        Self::of(text.as_bytes())
    }
}

impl vitalwire_numbers {
    /// No series.
    pub(crate) const NONE: Self = Self { data: ptr::null(), length: 0 };
}

impl From<&[f64]> for vitalwire_numbers {
    fn from(numbers: &[f64]) -> Self {
        Self { data: numbers.as_ptr(), length: numbers.len() }
    }
}

impl From<Timestamp> for vitalwire_timestamp {
    fn from(instant: Timestamp) -> Self {
        Self { seconds: instant.unix_seconds(), nanoseconds: instant.subsec_nanoseconds() }
    }
}

impl From<Date> for vitalwire_date {
    fn from(date: Date) -> Self {
        let (year, month, day) = date.ymd();
        Self { year, month: month.unsigned_abs(), day: day.unsigned_abs() }
    }
}

impl From<NumberBasis> for vitalwire_number_basis {
    fn from(basis: NumberBasis) -> Self {
        match basis {
            NumberBasis::PerServing => Self::VITALWIRE_NUMBER_BASIS_PER_SERVING,
            NumberBasis::Per100 => Self::VITALWIRE_NUMBER_BASIS_PER_100,
            _ => Self::VITALWIRE_NUMBER_BASIS_UNKNOWN,
        }
    }
}

impl<T> From<&ListMember<T>> for vitalwire_presence {
    fn from(list: &ListMember<T>) -> Self {
        match list {
            ListMember::Absent => Self::VITALWIRE_PRESENCE_ABSENT,
            ListMember::Null => Self::VITALWIRE_PRESENCE_NULL,
            ListMember::List(_) => Self::VITALWIRE_PRESENCE_LIST,
        }
    }
}

/// This library's version.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_version() -> vitalwire_str {
    env!("CARGO_PKG_VERSION").into()
}

/// A view of a text that ends with a NUL. NULL gives no text.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_str_from(text: *const c_char) -> vitalwire_str {
    borrow::length(text).map_or(vitalwire_str::NONE, |length| vitalwire_str { data: text, length })
}

/// Whether a text is there and equals one that ends with a NUL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_str_equals(text: vitalwire_str, other: *const c_char) -> bool {
    let Some(length) = borrow::length(other) else { return false };
    let own = borrow::bytes(&text, text.data.cast(), text.length);
    own.is_some() && own == borrow::bytes(&other, other.cast(), length)
}

/// The JSON text, as long as it is not freed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_json_text(json: Option<&vitalwire_json>) -> vitalwire_str {
    kind::known(json).map_or(vitalwire_str::NONE, |json| json.0.as_str().into())
}

/// Frees a JSON text; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_json_free(json: Option<Box<vitalwire_json>>) {
    free(json);
}
