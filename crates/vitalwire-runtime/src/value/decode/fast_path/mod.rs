//! The fast path: the first pass over a body.
//!
//! It reads eight bytes at a time and needs no unsafe code. It accepts the texts that serde_json accepts, and decodes them to the same
//! values. It does not locate errors: serde_json reads a body again that it cannot read.

mod access;
mod cursor;
mod number;
mod value;

pub use cursor::FastPathError;
pub(crate) use cursor::{Cursor, Result, Token};
pub(super) use value::{strict, strict_list};
