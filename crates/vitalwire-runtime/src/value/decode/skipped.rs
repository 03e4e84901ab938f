//! List items that were skipped because they could not be decoded.
//!
//! Only the second pass over a body skips items, because it knows their location. A thread-local collects them, because serde passes no
//! context.

use std::cell::RefCell;
use std::fmt;

use serde::de::Error;

use super::decode_state::{MemoryBudget, TOO_MUCH_MEMORY, charge, declared, is_strict, memory, set_memory};
use super::failure::decode_failure;
use super::{decode_state, interrupt, json_path};

/// Maximum number of items that are kept. Further items are only counted.
const MAX_KEPT_ITEMS: usize = 100;

/// A list item that could not be decoded and was left out of its list.
#[derive(Clone, PartialEq, Eq)]
pub struct SkippedItem {
    json_path: String,
    /// Broken rule, without the location inside the item.
    rule: &'static str,
    reason: String,
    json: Box<str>,
}

impl SkippedItem {
    /// Returns the path of the item in the body, such as `stages[0]`, `[1]` or `sections[0].results[2]`. The index counts the items of the
    /// body, skipped ones included. An undeclared name is shown as `*`.
    #[must_use]
    pub fn json_path(&self) -> &str {
        &self.json_path
    }

    /// Returns the rule that the item breaks, such as `expected an object`. For an error inside the item, the path in the item follows:
    /// `expected a string, at status` or `missing, at source.name`. Contains no values.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Returns the rule without a path.
    pub(crate) fn rule(&self) -> &'static str {
        self.rule
    }

    /// Returns the original JSON text of the item. It is health data; no error or `Debug` output contains it.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }
}

/// Redacted: shows path and reason.
impl fmt::Debug for SkippedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkippedItem").field("json_path", &self.json_path).field("reason", &self.reason).finish_non_exhaustive()
    }
}

/// List items that were skipped in a response, or in all parts of a range call: the first 100, and the total number.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SkippedItems {
    items: Vec<SkippedItem>,
    count: u64,
}

impl SkippedItems {
    /// Returns the first 100 skipped items, ordered by part, then by position in the body.
    #[must_use]
    pub fn as_slice(&self) -> &[SkippedItem] {
        &self.items
    }

    /// Returns the number of skipped items.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Logs a warning with the number of skipped items, if there are any.
    #[doc(hidden)]
    pub fn log(&self, operation: Option<&'static str>) {
        if self.count > 0 {
            tracing::warn!(operation, items = self.count, "left out list items that cannot be decoded");
        }
    }

    /// Appends the items of another body.
    #[doc(hidden)]
    pub fn extend(&mut self, other: &Self) {
        self.items.extend(other.items.iter().take(MAX_KEPT_ITEMS - self.items.len()).cloned());
        self.count = self.count.saturating_add(other.count);
    }

    /// Adds the items that another pass over the same body skipped, without duplicates.
    pub(crate) fn merge(&mut self, other: Self) {
        let before = self.items.len();
        let new: Vec<SkippedItem> =
            other.items.into_iter().filter(|item| !self.items.iter().any(|known| known.json_path == item.json_path)).collect();
        self.items.extend(new);
        self.items.truncate(MAX_KEPT_ITEMS);
        let new = u64::try_from(self.items.len() - before).unwrap_or(u64::MAX);
        self.count = self.count.saturating_add(new).max(other.count);
    }
}

/// Redacted: shows the number of items.
impl fmt::Debug for SkippedItems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkippedItems").field("count", &self.count).finish_non_exhaustive()
    }
}

thread_local! {
    static SKIPPED: RefCell<SkippedItems> = const { RefCell::new(SkippedItems { items: Vec::new(), count: 0 }) };
}

/// Takes the collected items and starts again with none.
pub(super) fn take() -> SkippedItems {
    SKIPPED.take()
}

/// Replaces the collected items.
pub(super) fn set(items: SkippedItems) {
    SKIPPED.set(items);
}

/// Returns the number of items skipped so far.
pub(crate) fn skipped_count() -> u64 {
    SKIPPED.with_borrow(|skipped| skipped.count)
}

/// State before an item is decoded, to return to if it fails.
#[derive(Clone, Copy)]
pub(crate) struct DecodeCheckpoint {
    memory: MemoryBudget,
    items: usize,
    count: u64,
}

impl DecodeCheckpoint {
    /// Captures the current state.
    pub(crate) fn new() -> Self {
        SKIPPED.with_borrow(|skipped| Self { memory: memory(), items: skipped.items.len(), count: skipped.count })
    }

    /// Discards the items that were skipped since this checkpoint. The value that contains them is kept as text or is skipped itself.
    pub(super) fn discard_items(self) {
        SKIPPED.with_borrow_mut(|skipped| {
            skipped.items.truncate(self.items);
            skipped.count = self.count;
        });
    }

    /// Skips the current item and refunds the memory it was charged. Returns the broken rule.
    ///
    /// # Errors
    /// Returns `error` if lists are strict, the call has ended, or the body takes too much memory.
    pub(crate) fn skip<E: Error + fmt::Display>(self, error: E, text: String) -> Result<&'static str, E> {
        let message = error.to_string();
        if is_strict() || interrupt::is_interrupted() || message.starts_with(TOO_MUCH_MEMORY) {
            return Err(error);
        }
        self.discard_items();
        set_memory(self.memory);
        let inside = decode_failure(json_path::take(), &message, declared());
        if decode_state::mode() == decode_state::DecodeMode::Thorough {
            self.record_item(&inside.json_path, inside.reason, text)?;
        }
        Ok(inside.reason)
    }

    /// Refunds the text of an item that was decoded.
    #[expect(clippy::unused_self, reason = "counterpart of `skip`")]
    pub(crate) fn refund(self, text: &str) {
        decode_state::refund(text.len());
    }

    fn record_item<E: Error>(self, inside: &str, rule: &'static str, text: String) -> Result<(), E> {
        let item = if self.items < MAX_KEPT_ITEMS {
            let json_path = json_path::current();
            let reason = if inside.is_empty() { rule.to_owned() } else { format!("{rule}, at {inside}") };
            charge(size_of::<SkippedItem>() + json_path.len() + reason.len() + text.len())?;
            Some(SkippedItem { json_path, rule, reason, json: text.into() })
        } else {
            None
        };
        SKIPPED.with_borrow_mut(|skipped| {
            skipped.items.extend(item);
            skipped.count += 1;
        });
        Ok(())
    }
}

#[cfg(test)]
#[path = "skipped_tests.rs"]
mod tests;
