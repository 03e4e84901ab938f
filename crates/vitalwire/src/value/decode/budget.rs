//! How much memory one body may become.
//!
//! A short text can become a large structure: `{},` is three bytes and a record of a hundred. So every item of a list and every
//! unknown member is charged, and a body that would become many times its own size is a decode error instead.

use std::cell::Cell;

use serde::de::Error;

/// What a body may become besides a multiple of its size, in bytes.
const BASE: usize = 32 << 20;

/// How many times its own size a body may become; real answers take two to three times.
const FACTOR: usize = 4;

/// What an error says.
pub(super) const EXCEEDED: &str = "takes too much memory";

thread_local! {
    /// What is left while a body is read on this thread; `None` outside, where values are read by serde directly.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `read` with the budget of a body.
pub(super) fn of_body<T>(bytes: usize, read: impl FnOnce() -> T) -> T {
    let before = LEFT.replace(Some(BASE + bytes.saturating_mul(FACTOR)));
    let result = read();
    LEFT.set(before);
    result
}

/// Charges memory that is about to be taken.
#[inline]
pub(crate) fn charge<E: Error>(bytes: usize) -> Result<(), E> {
    match LEFT.get() {
        None => Ok(()),
        Some(left) if left >= bytes => {
            LEFT.set(Some(left - bytes));
            Ok(())
        }
        Some(_) => Err(exceeded()),
    }
}

/// Gives back what was charged for memory that is free again.
pub(super) fn refund(bytes: usize) {
    if let Some(left) = LEFT.get() {
        LEFT.set(Some(left + bytes));
    }
}

#[cold]
fn exceeded<E: Error>() -> E {
    E::custom(EXCEEDED)
}
