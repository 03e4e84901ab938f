//! Plain values (text, series, instants, dates) and owned JSON text.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::ffi::c_char;
use std::ptr;

use vitalwire::value::{Date, ListMember, NumberBasis, Timestamp};

use crate::borrow;
use crate::guard::free;
use crate::handles;

/// A text of `length` bytes of UTF-8 at `data`. It is not NUL-terminated and may contain NUL.
///
/// A text that a function returns belongs to the object that was passed to the function, and is valid as long as that object. `data` is
/// NULL if there is no text. For an empty text, `data` is not NULL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct vitalwire_str {
    /// First byte, or NULL.
    pub data: *const c_char,
    /// Number of bytes.
    pub length: usize,
}

/// A series of `length` doubles at `data`. The memory belongs to the object that was passed to the function; nothing is copied.
///
/// A gap in the series (null in the response) is a NaN: test it with isnan. `data` is NULL if there is no series. Do not read `data` if
/// `length` is 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct vitalwire_numbers {
    /// First number, or NULL.
    pub data: *const f64,
    /// Number of doubles.
    pub length: usize,
}

/// `length` bytes at `data`. The memory belongs to the object that was passed to the function; nothing is copied. `data` is NULL if there
/// are no bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct vitalwire_bytes {
    /// First byte, or NULL.
    pub data: *const u8,
    /// Number of bytes.
    pub length: usize,
}

/// An instant in UTC.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct vitalwire_timestamp {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down, also before 1970.
    pub seconds: i64,
    /// Nanoseconds after `seconds`, from 0 to 999,999,999.
    pub nanoseconds: u32,
}

/// A calendar date without time or time zone.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct vitalwire_date {
    /// Year, from -9999 to 9999.
    pub year: i16,
    /// Month, from 1 to 12.
    pub month: u8,
    /// Day of the month, from 1 to 31.
    pub day: u8,
}

/// Presence of an optional list. A list that was not requested is absent, not empty.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_presence {
    /// The field is absent from the response.
    VITALWIRE_PRESENCE_ABSENT = 0,
    /// The field is null.
    VITALWIRE_PRESENCE_NULL = 1,
    /// The field is a list, which may be empty.
    VITALWIRE_PRESENCE_LIST = 2,
}

/// Basis of nutritional numbers. Do not mix numbers of different bases in a table without a column for the basis.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_number_basis {
    /// Unknown: the numbers are from the response to an upload.
    VITALWIRE_NUMBER_BASIS_UNKNOWN = 0,
    /// Per serving of the record.
    VITALWIRE_NUMBER_BASIS_PER_SERVING = 1,
    /// Per 100 g or 100 ml.
    VITALWIRE_NUMBER_BASIS_PER_100 = 2,
}

/// An owned text, usually JSON. Read it with vitalwire_json_text and free it with vitalwire_json_free.
pub struct vitalwire_json(pub(crate) String);

impl vitalwire_str {
    /// The value for "no text".
    pub(crate) const NONE: Self = Self { data: ptr::null(), length: 0 };

    /// Returns a view of bytes, which may be invalid UTF-8.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr().cast(), length: bytes.len() }
    }

    /// Returns the text, or the rule that it breaks.
    pub(crate) fn read(&self) -> Result<&str, &'static str> {
        let bytes = borrow::read(self, self.data.cast(), self.length)?;
        std::str::from_utf8(bytes).map_err(|_| "must be UTF-8")
    }
}

impl From<&str> for vitalwire_str {
    fn from(text: &str) -> Self {
        Self::from_bytes(text.as_bytes())
    }
}

impl vitalwire_numbers {
    /// The value for "no series".
    pub(crate) const NONE: Self = Self { data: ptr::null(), length: 0 };
}

impl vitalwire_bytes {
    /// The value for "no bytes".
    pub(crate) const NONE: Self = Self { data: ptr::null(), length: 0 };
}

impl From<&[u8]> for vitalwire_bytes {
    fn from(bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr(), length: bytes.len() }
    }
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

/// Returns the version of this library. The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_version() -> vitalwire_str {
    env!("CARGO_PKG_VERSION").into()
}

/// Returns a view of a NUL-terminated string, which is not copied. Returns no text for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_str_from(text: *const c_char) -> vitalwire_str {
    borrow::length(text).map_or(vitalwire_str::NONE, |length| vitalwire_str { data: text, length })
}

/// Returns whether a text equals a NUL-terminated string. Returns false if either is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_str_equals(text: vitalwire_str, other: *const c_char) -> bool {
    let Some(length) = borrow::length(other) else { return false };
    let own = borrow::bytes(&text, text.data.cast(), text.length);
    own.is_some() && own == borrow::bytes(&other, other.cast(), length)
}

/// Returns the text, which is valid until `json` is freed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_json_text(json: Option<&vitalwire_json>) -> vitalwire_str {
    handles::valid(json).map_or(vitalwire_str::NONE, |json| json.0.as_str().into())
}

/// Frees an owned text. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_json_free(json: Option<Box<vitalwire_json>>) {
    free(json);
}
