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
    /// A body for the second time: each optional value and each list item as text first. A value that does not fit is kept, an item that
    /// does not fit is left out. An error's place is noted.
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

/// The member names that specifications declare, sorted.
pub type Declared = &'static [&'static str];

/// How a body is read.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// The member names that the specifications declare.
    pub(crate) declared: Declared,
    /// Whether a list item that cannot be decoded is an error instead of being left out.
    pub(crate) strict_lists: bool,
}

/// For values that are read by serde directly.
const NO_RULES: Rules = Rules { declared: &[], strict_lists: false };

struct Reading {
    mode: Cell<Mode>,
    rules: Cell<Rules>,
    /// What is left to take, in bytes; `None` where values are read by serde directly.
    left: Cell<Option<usize>>,
    /// Memory that may be taken after that, in bytes. It is taken in slices, so that a large body can be interrupted.
    reserve: Cell<usize>,
    /// Length of the last series: series come several of a length, so it is reserved for the next instead of growing it a dozen times.
    series: Cell<usize>,
}

thread_local! {
    static READING: Reading = const {
        Reading {
            mode: Cell::new(Mode::Direct),
            rules: Cell::new(NO_RULES),
            left: Cell::new(None),
            reserve: Cell::new(0),
            series: Cell::new(0),
        }
    };
}

/// State of the body that is read now.
pub(super) struct BodyState {
    mode: Mode,
    rules: Rules,
    memory: Memory,
    series: usize,
}

/// Begins a body of so many bytes. Returns what [`resume`] needs.
pub(super) fn begin(mode: Mode, rules: Rules, bytes: usize) -> BodyState {
    let memory = Memory { left: Some(0), reserve: BASE + bytes.saturating_mul(FACTOR) };
    READING.with(|reading| reading.replace(BodyState { mode, rules, memory, series: 0 }))
}

/// Continues the body that another one interrupted.
pub(super) fn resume(state: BodyState) {
    READING.with(|reading| reading.replace(state));
}

/// The member names that the specifications of the body declare.
pub(super) fn declared() -> Declared {
    READING.with(|reading| reading.rules.get().declared)
}

/// Whether a list item that cannot be decoded is an error.
pub(super) fn is_strict() -> bool {
    READING.with(|reading| reading.rules.get().strict_lists)
}

/// Memory that may still be taken.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    left: Option<usize>,
    reserve: usize,
}

/// Returns the memory that may still be taken.
pub(super) fn memory() -> Memory {
    READING.with(|reading| Memory { left: reading.left.get(), reserve: reading.reserve.get() })
}

/// Sets the memory that may still be taken to what [`memory`] returned earlier.
pub(super) fn set_memory(memory: Memory) {
    READING.with(|reading| reading.replace_memory(memory));
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
    fn replace(&self, state: BodyState) -> BodyState {
        BodyState {
            mode: self.mode.replace(state.mode),
            rules: self.rules.replace(state.rules),
            memory: self.replace_memory(state.memory),
            series: self.series.replace(state.series),
        }
    }

    fn replace_memory(&self, memory: Memory) -> Memory {
        Memory { left: self.left.replace(memory.left), reserve: self.reserve.replace(memory.reserve) }
    }

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
