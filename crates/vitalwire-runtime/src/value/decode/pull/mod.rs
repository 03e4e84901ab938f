//! The pull decoder: the fast first pass over a body.
//!
//! It reads eight bytes at a time and needs no unsafe code. It accepts the texts that serde_json accepts, and decodes them to the same
//! values. It does not locate errors: serde_json reads a body again that this decoder cannot read.

mod access;
mod body;
mod cursor;
mod number;
mod value;

pub(super) use body::{BODY, pull_body, read_body};
pub(crate) use cursor::{Cursor, PullError, Result, Token};
pub(super) use value::{strict, strict_list};
