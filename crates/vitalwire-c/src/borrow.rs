//! The one module that follows pointers by hand: text and bytes that the caller passes as address and length.

#![allow(unsafe_code, reason = "C passes text and bytes as pointers; each use states what the caller promises")]

use std::ffi::{CStr, c_char};

/// The `length` bytes at `data`; `None` where `data` is NULL or no object can be that long.
///
/// The header's promise: where `data` is not NULL, `length` bytes are readable there and nobody changes them until the function
/// that was given them returns. The lifetime is that of the argument, which lives as long.
pub(crate) fn bytes<Argument>(_argument: &Argument, data: *const u8, length: usize) -> Option<&[u8]> {
    if data.is_null() || isize::try_from(length).is_err() {
        return None;
    }
    // SAFETY: not NULL, not too long, readable and unchanged by the header's promise; u8 has no alignment or invalid values.
    Some(unsafe { std::slice::from_raw_parts(data, length) })
}

/// The same, or why they cannot be read.
pub(crate) fn read<Argument>(argument: &Argument, data: *const u8, length: usize) -> Result<&[u8], &'static str> {
    bytes(argument, data, length).ok_or(if data.is_null() { "it is NULL" } else { "nothing is that long" })
}

/// How many bytes come before the NUL at the end of `text`; `None` where `text` is NULL.
///
/// The header's promise: where `text` is not NULL, it ends with a NUL.
pub(crate) fn length(text: *const c_char) -> Option<usize> {
    // SAFETY: not NULL, and ends with a NUL by the header's promise; the reference does not outlive this line.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.count_bytes())
}
