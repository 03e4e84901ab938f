//! Thread-local state of the body that is being read: mode, memory budget, and expected series length.
//!
//! serde passes no context to the values it decodes.

use std::cell::Cell;

use serde::de::Error;

use super::interrupt::{self, MEMORY_SLICE};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeMode {
    /// Decoding by serde, not by [`decode`](super::decode). There is only one pass, so lists are read as text first.
    Direct,
    /// First pass over a body. A failure that cannot be undone is an error, and leads to the second pass.
    Quick,
    /// Second pass over a body. Optional values and list items are read as text first. A value of the wrong type is kept, an invalid item
    /// is skipped, and the location of an error is recorded.
    Thorough,
}

impl DecodeMode {
    /// Whether leaves, optional lists and optional objects are read as text first. serde_json stops at a number beyond a double and at a
    /// lone surrogate; the list or object around it would be lost.
    #[inline]
    pub(crate) fn as_text(self) -> bool {
        self == Self::Thorough
    }
}

/// Memory that a body may take in addition to a multiple of its size, in bytes.
const BASE_BYTES: usize = 32 << 20;

/// Memory that a body may take, as a multiple of its size. Real responses take two to three times their size. Every list item and every
/// unknown field is charged, because a short text can become a large structure: `{},` takes three bytes, but its record a hundred.
const BYTES_PER_BODY_BYTE: usize = 4;

/// Reason of the error for a body over the budget.
pub(super) const TOO_MUCH_MEMORY: &str = "must not exceed the memory limit";

/// Minimum length of a series. Shorter lists do not set the expected length.
const MIN_SERIES_LENGTH: usize = 64;

/// Field names that the specifications declare, sorted.
pub type DeclaredNames = &'static [&'static str];

#[derive(Clone, Copy)]
pub(crate) struct DecodeRules {
    /// Field names that the specifications declare.
    pub(crate) declared: DeclaredNames,
    /// Whether a list item that cannot be decoded is an error. Otherwise it is skipped.
    pub(crate) strict_lists: bool,
}

/// Rules for decoding by serde, without a body.
const NO_RULES: DecodeRules = DecodeRules { declared: &[], strict_lists: false };

struct DecodeState {
    mode: Cell<DecodeMode>,
    rules: Cell<DecodeRules>,
    /// Memory left in the current slice, in bytes. `None` when decoding by serde.
    left: Cell<Option<usize>>,
    /// Memory left after the current slice, in bytes. Memory is granted in slices, so that a large body can be interrupted.
    reserve: Cell<usize>,
    /// Length of the last series. Series of one object mostly have the same length, so it is reserved at once.
    series: Cell<usize>,
}

thread_local! {
    static STATE: DecodeState = const {
        DecodeState {
            mode: Cell::new(DecodeMode::Direct),
            rules: Cell::new(NO_RULES),
            left: Cell::new(None),
            reserve: Cell::new(0),
            series: Cell::new(0),
        }
    };
}

/// State of a body.
pub(super) struct BodyState {
    mode: DecodeMode,
    rules: DecodeRules,
    memory: MemoryBudget,
    series: usize,
}

/// Begins a body of `bytes` bytes. Returns the state to pass to [`resume`].
pub(super) fn begin(mode: DecodeMode, rules: DecodeRules, bytes: usize) -> BodyState {
    let memory = MemoryBudget { left: Some(0), reserve: BASE_BYTES + bytes.saturating_mul(BYTES_PER_BODY_BYTE) };
    STATE.with(|current| current.replace(BodyState { mode, rules, memory, series: 0 }))
}

/// Resumes the body that was interrupted by another one.
pub(super) fn resume(state: BodyState) {
    STATE.with(|current| current.replace(state));
}

/// Returns the field names that the specifications declare.
pub(super) fn declared() -> DeclaredNames {
    STATE.with(|current| current.rules.get().declared)
}

/// Whether a list item that cannot be decoded is an error.
pub(super) fn is_strict() -> bool {
    STATE.with(|current| current.rules.get().strict_lists)
}

/// Remaining memory budget.
#[derive(Clone, Copy)]
pub(super) struct MemoryBudget {
    left: Option<usize>,
    reserve: usize,
}

/// Returns the remaining memory budget.
pub(super) fn memory() -> MemoryBudget {
    STATE.with(|current| MemoryBudget { left: current.left.get(), reserve: current.reserve.get() })
}

/// Restores a memory budget that [`memory`] returned.
pub(super) fn set_memory(memory: MemoryBudget) {
    STATE.with(|current| current.replace_memory(memory));
}

/// Returns the mode of this thread.
#[inline]
pub(crate) fn mode() -> DecodeMode {
    STATE.with(|current| current.mode.get())
}

/// Charges memory that is about to be allocated.
#[inline]
pub(crate) fn charge<E: Error>(bytes: usize) -> Result<(), E> {
    STATE.with(|current| match current.left.get() {
        None => Ok(()),
        Some(left) if left >= bytes => {
            current.left.set(Some(left - bytes));
            Ok(())
        }
        Some(left) => current.refill(left, bytes),
    })
}

impl DecodeState {
    fn replace(&self, state: BodyState) -> BodyState {
        BodyState {
            mode: self.mode.replace(state.mode),
            rules: self.rules.replace(state.rules),
            memory: self.replace_memory(state.memory),
            series: self.series.replace(state.series),
        }
    }

    fn replace_memory(&self, memory: MemoryBudget) -> MemoryBudget {
        MemoryBudget { left: self.left.replace(memory.left), reserve: self.reserve.replace(memory.reserve) }
    }

    /// Charges memory that exceeds the current slice.
    #[cold]
    fn refill<E: Error>(&self, left: usize, bytes: usize) -> Result<(), E> {
        interrupt::check()?;
        let reserve = self.reserve.get();
        let granted = reserve.min(MEMORY_SLICE.max(bytes - left));
        let left = (left + granted).checked_sub(bytes).ok_or_else(too_much_memory)?;
        self.reserve.set(reserve - granted);
        self.left.set(Some(left));
        Ok(())
    }
}

/// Returns memory to the budget.
pub(super) fn refund(bytes: usize) {
    STATE.with(|current| current.left.set(current.left.get().map(|left| left + bytes)));
}

#[cold]
fn too_much_memory<E: Error>() -> E {
    E::custom(TOO_MUCH_MEMORY)
}

pub(super) fn expected_series() -> usize {
    STATE.with(|current| current.series.get())
}

/// Records the length of a series and frees reserved memory that it did not use. Unused memory never exceeds the memory of the previous
/// series.
pub(super) fn series_ended<T>(list: &mut Vec<T>) {
    let last = expected_series();
    if list.len() < last / 2 {
        list.shrink_to_fit();
    }
    if last > 0 || list.len() >= MIN_SERIES_LENGTH {
        STATE.with(|current| current.series.set(list.len()));
    }
}
