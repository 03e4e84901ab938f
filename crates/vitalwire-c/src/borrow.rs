//! Reads text, bytes and enums that the caller passes. The only module that dereferences raw pointers.

#![allow(unsafe_code, reason = "C passes text and bytes as pointers; each use states what the caller promises")]

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

/// Returns the `length` bytes at `data`; `None` if `data` is NULL or `length` exceeds the size of any object.
///
/// The header requires that `length` bytes at `data` are readable and unchanged until the function returns. The result has the lifetime of
/// `_argument`, which ends before that function returns.
pub(crate) fn bytes<Argument>(_argument: &Argument, data: *const u8, length: usize) -> Option<&[u8]> {
    if data.is_null() || isize::try_from(length).is_err() {
        return None;
    }
    // SAFETY: `data` is not NULL, `length` is not too long, and the header requires readable, unchanged bytes. Any byte is a valid u8.
    Some(unsafe { std::slice::from_raw_parts(data, length) })
}

/// Returns the bytes, or the rule that they break.
pub(crate) fn read<Argument>(argument: &Argument, data: *const u8, length: usize) -> Result<&[u8], &'static str> {
    bytes(argument, data, length).ok_or(if data.is_null() { "must not be NULL" } else { "must not be longer than PTRDIFF_MAX" })
}

/// Returns the number of bytes before the terminating NUL of `text`; `None` if `text` is NULL.
///
/// The header requires that `text` is NUL-terminated.
pub(crate) fn length(text: *const c_char) -> Option<usize> {
    // SAFETY: not NULL, and NUL-terminated as the header requires; the reference does not outlive this line.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.count_bytes())
}

/// Returns the number of an enum with the layout of a byte. C can pass any number, which an enum of Rust must not hold.
pub(crate) fn enum_number<Enum>(value: MaybeUninit<Enum>) -> u8 {
    const { assert!(size_of::<Enum>() == 1, "the enum must be repr(u8)") };
    // SAFETY: C passes an initialised byte, the enum has the layout of a byte, and any byte is a valid u8.
    unsafe { value.as_ptr().cast::<u8>().read() }
}
