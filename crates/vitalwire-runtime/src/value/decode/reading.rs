//! What is known while a body is read: how it is read, what it may still take, and how long its series are.
//!
//! serde hands nothing down to the values it makes, so this is kept for the thread.

use std::cell::Cell;

use serde::de::Error;

use super::interrupt::{self, SLICE};

/// How values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// By serde directly, without a body of ours: once, so a list is taken as text first, lest one item cost its record.
    Direct,
    /// A body for the first time: as it comes. What cannot be gone back to is an error, and the body is read again.
    Quick,
    /// A body for the second time: each optional value as text first, which is kept where it does not fit. An error's place is
    /// noted.
    Thorough,
}

impl Mode {
    /// Whether leaves, and optional lists and objects, are taken as text first. serde_json stops at a number beyond a double and at
    /// half a surrogate pair; of a list or an object, what was read before it stopped is gone.
    #[inline]
    pub(crate) fn as_text(self) -> bool {
        self == Self::Thorough
    }
}

/// What a body may become besides a multiple of its size, in bytes.
const BASE: usize = 32 << 20;

/// How many times its own size a body may become; real answers take two to three times. A short text can become a large structure:
/// `{},` is three bytes and a record of a hundred. So every item of a list and every unknown member is charged.
const FACTOR: usize = 4;

/// What an error says.
pub(super) const EXCEEDED: &str = "takes too much memory";

/// Shorter lists are no series.
const SERIES: usize = 64;

struct Reading {
    mode: Cell<Mode>,
    /// What is left to take, in bytes; `None` where values are read by serde directly.
    left: Cell<Option<usize>>,
    /// What is left to take after that. It is taken in slices, so that a large body can be interrupted.
    reserve: Cell<usize>,
    /// Length of the last series: series come several of a length, so it is reserved for the next instead of growing it a dozen times.
    series: Cell<usize>,
}

thread_local! {
    static READING: Reading = const {
        Reading { mode: Cell::new(Mode::Direct), left: Cell::new(None), reserve: Cell::new(0), series: Cell::new(0) }
    };
}

/// Runs `read` on a body of so many bytes.
pub(super) fn of_body<T>(mode: Mode, bytes: usize, read: impl FnOnce() -> T) -> T {
    let set = |mode, left, reserve, series| {
        READING.with(|own| (own.mode.replace(mode), own.left.replace(left), own.reserve.replace(reserve), own.series.replace(series)))
    };
    let before = set(mode, Some(0), BASE + bytes.saturating_mul(FACTOR), 0);
    let result = read();
    set(before.0, before.1, before.2, before.3);
    result
}

/// How values are read on this thread now.
#[inline]
pub(crate) fn mode() -> Mode {
    READING.with(|reading| reading.mode.get())
}

/// Charges memory that is about to be taken.
#[inline]
pub(crate) fn charge<E: Error>(bytes: usize) -> Result<(), E> {
    READING.with(|reading| match reading.left.get() {
        None => Ok(()),
        Some(left) if left >= bytes => {
            reading.left.set(Some(left - bytes));
            Ok(())
        }
        Some(left) => reading.refill(left, bytes),
    })
}

impl Reading {
    /// Charges memory for which the current slice is too small.
    #[cold]
    fn refill<E: Error>(&self, left: usize, bytes: usize) -> Result<(), E> {
        interrupt::check()?;
        let reserve = self.reserve.get();
        let taken = reserve.min(SLICE.max(bytes - left));
        let left = (left + taken).checked_sub(bytes).ok_or_else(exceeded)?;
        self.reserve.set(reserve - taken);
        self.left.set(Some(left));
        Ok(())
    }
}

/// Gives back what was charged for memory that is free again.
pub(super) fn refund(bytes: usize) {
    READING.with(|reading| reading.left.set(reading.left.get().map(|left| left + bytes)));
}

#[cold]
fn exceeded<E: Error>() -> E {
    E::custom(EXCEEDED)
}

/// How many numbers a series is likely to have.
pub(super) fn expected_series() -> usize {
    READING.with(|reading| reading.series.get())
}

/// Gives back what was reserved for more than came. So what is reserved in vain is never more than what the series before took.
pub(super) fn series_ended<T>(list: &mut Vec<T>) {
    let last = expected_series();
    if list.len() < last / 2 {
        list.shrink_to_fit();
    }
    if last > 0 || list.len() >= SERIES {
        READING.with(|reading| reading.series.set(list.len()));
    }
}
