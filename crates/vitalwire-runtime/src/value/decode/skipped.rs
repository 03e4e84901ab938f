//! List items that could not be decoded and were left out.
//!
//! Only the second reading of a body leaves items out: it knows the place that is read now, and serde hands nothing up, so they are
//! collected for the thread.

use std::cell::RefCell;
use std::fmt;

use serde::de::Error;

use super::failure::describe;
use super::reading::{EXCEEDED, Memory, charge, declared, is_strict, memory, set_memory};
use super::{interrupt, place, reading};

/// Number of items whose place, reason and text are kept. Further ones are counted.
const KEPT: usize = 100;

/// A list item that could not be decoded and was left out of its list.
#[derive(Clone, PartialEq, Eq)]
pub struct SkippedItem {
    json_path: String,
    /// Without the place in the item.
    rule: &'static str,
    reason: String,
    json: Box<str>,
}

impl SkippedItem {
    /// The place of the item in the body, such as `stages[0]`, `[1]` or `sections[0].results[2]`. The index counts the items of the body,
    /// skipped ones included. An undeclared name is `*`.
    #[must_use]
    pub fn json_path(&self) -> &str {
        &self.json_path
    }

    /// The rule that the item breaks, such as `expected an object`; if the fault is inside the item, the place in it follows:
    /// `expected a string, at status` or `missing, at source.name`. It contains no value.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The rule alone.
    pub(crate) fn rule(&self) -> &'static str {
        self.rule
    }

    /// The item as JSON text, as it came. Health data: no text of this library contains it.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }
}

/// Redacted: shows place and reason.
impl fmt::Debug for SkippedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkippedItem").field("json_path", &self.json_path).field("reason", &self.reason).finish_non_exhaustive()
    }
}

/// The items that were left out of the lists of a response, or of all parts of a range: the first 100, and how many there are.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SkippedItems {
    items: Vec<SkippedItem>,
    count: u64,
}

impl SkippedItems {
    /// The first 100 items, in the order of the body and of the parts.
    #[must_use]
    pub fn as_slice(&self) -> &[SkippedItem] {
        &self.items
    }

    /// Number of items that were left out.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Tells the log how many there are, if there are some, and nothing of them.
    #[doc(hidden)]
    pub fn log(&self, operation: Option<&'static str>) {
        if self.count > 0 {
            tracing::warn!(operation, items = self.count, "left out list items that cannot be decoded");
        }
    }

    /// Appends the items of another body.
    #[doc(hidden)]
    pub fn extend(&mut self, other: &Self) {
        self.items.extend(other.items.iter().take(KEPT - self.items.len()).cloned());
        self.count = self.count.saturating_add(other.count);
    }

    /// Adds the items that another reading of the same body left out, without those that both did.
    pub(crate) fn merge(&mut self, other: Self) {
        let before = self.items.len();
        let new: Vec<SkippedItem> =
            other.items.into_iter().filter(|item| !self.items.iter().any(|known| known.json_path == item.json_path)).collect();
        self.items.extend(new);
        self.items.truncate(KEPT);
        let new = u64::try_from(self.items.len() - before).unwrap_or(u64::MAX);
        self.count = self.count.saturating_add(new).max(other.count);
    }
}

/// Redacted: shows how many there are.
impl fmt::Debug for SkippedItems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkippedItems").field("count", &self.count).finish_non_exhaustive()
    }
}

thread_local! {
    static SKIPPED: RefCell<SkippedItems> = const { RefCell::new(SkippedItems { items: Vec::new(), count: 0 }) };
}

/// Returns the collected items and begins anew.
pub(super) fn take() -> SkippedItems {
    SKIPPED.take()
}

/// Collects further items after these.
pub(super) fn set(items: SkippedItems) {
    SKIPPED.set(items);
}

/// Number of items that were left out so far.
pub(crate) fn count() -> u64 {
    SKIPPED.with_borrow(|skipped| skipped.count)
}

/// State before an item is read.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    memory: Memory,
    items: usize,
    count: u64,
}

impl Mark {
    /// Returns the present state.
    pub(crate) fn set() -> Self {
        SKIPPED.with_borrow(|skipped| Self { memory: memory(), items: skipped.items.len(), count: skipped.count })
    }

    /// Forgets the items that were left out since: what holds them is kept as text or left out itself.
    pub(super) fn forget_items(self) {
        SKIPPED.with_borrow_mut(|skipped| {
            skipped.items.truncate(self.items);
            skipped.count = self.count;
        });
    }

    /// Leaves out the item that is read now and gives back the memory it was charged. Returns the broken rule.
    ///
    /// # Errors
    /// The given error if lists are strict, the call has ended or the body takes too much memory.
    pub(crate) fn skip<E: Error + fmt::Display>(self, error: E, text: String) -> Result<&'static str, E> {
        let message = error.to_string();
        if is_strict() || interrupt::is_ended() || message.starts_with(EXCEEDED) {
            return Err(error);
        }
        self.forget_items();
        set_memory(self.memory);
        let inside = describe(place::take(), &message, declared());
        if reading::mode() == reading::Mode::Thorough {
            self.note(&inside.place, inside.reason, text)?;
        }
        Ok(inside.reason)
    }

    /// Gives back the memory that the text of an item was charged: it was decoded.
    #[expect(clippy::unused_self, reason = "counterpart of `skip`")]
    pub(crate) fn refund(self, text: &str) {
        reading::refund(text.len());
    }

    fn note<E: Error>(self, inside: &str, rule: &'static str, text: String) -> Result<(), E> {
        let item = if self.items < KEPT {
            let place = place::current();
            let reason = if inside.is_empty() { rule.to_owned() } else { format!("{rule}, at {inside}") };
            charge(size_of::<SkippedItem>() + place.len() + reason.len() + text.len())?;
            Some(SkippedItem { json_path: place, rule, reason, json: text.into() })
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
