//! Columns of strings and lists, with the memory layout of Arrow.

use std::ops::Range;

use serde::de::Error;

use super::growth::{growth_step, push};
use crate::value::decode::charge;

/// Number of lists from which the size of the rest is estimated.
const MIN_SAMPLED_LISTS: usize = 64;

/// Strings, stored consecutively in one buffer.
#[derive(Clone, Default)]
pub struct Texts {
    /// End of each string, after a leading 0; empty before the first string.
    pub(super) offsets: Vec<i32>,
    pub(super) text: String,
}

impl Texts {
    /// Number of strings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no strings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the string at an index; empty if there is none.
    #[must_use]
    pub fn get(&self, at: usize) -> &str {
        text_range(&self.offsets, at).and_then(|range| self.text.get(range)).unwrap_or_default()
    }

    /// Adds a string. `expected` is the expected number of strings.
    #[inline]
    pub(super) fn push<E: Error>(&mut self, text: &str, expected: usize) -> Result<(), E> {
        if self.text.capacity() - self.text.len() < text.len() || self.offsets.is_empty() {
            self.make_room::<E>(text.len(), expected);
        }
        let end = i32::try_from(self.text.len() + text.len()).map_err(|_| E::custom("must not exceed the memory limit"))?;
        self.text.push_str(text);
        push(&mut self.offsets, end);
        Ok(())
    }

    /// Adds strings of another column.
    pub(super) fn extend_from<E: Error>(&mut self, other: &Self, from: Range<usize>) -> Result<(), E> {
        let range = extend_offsets(&mut self.offsets, &other.offsets, from)?;
        let text = other.text.get(range).unwrap_or_default();
        charge(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    #[cold]
    fn make_room<E: Error>(&mut self, length: usize, expected: usize) {
        if self.offsets.is_empty() {
            self.offsets.reserve(expected + 1);
            self.offsets.push(0);
            let bytes = length.saturating_mul(expected);
            if charge::<E>(bytes).is_ok() {
                self.text.reserve_exact(bytes);
            }
        }
        if self.text.capacity() - self.text.len() < length {
            self.text.reserve_exact(growth_step(self.text.len()).max(length));
        }
    }

    pub(super) fn truncate(&mut self, len: usize) {
        if let Some(end) = self.offsets.get(len) {
            self.text.truncate(usize::try_from(*end).unwrap_or_default());
            self.offsets.truncate(len + 1);
        }
    }
}

/// Lists of strings, stored consecutively.
#[derive(Clone, Default)]
pub struct TextLists {
    /// End of each list in `items`, after a leading 0; empty before the first list.
    pub(super) offsets: Vec<i32>,
    pub(super) items: Texts,
}

impl TextLists {
    /// Number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the strings of the list at an index; none if there is no list.
    pub fn get(&self, at: usize) -> impl Iterator<Item = &str> {
        text_range(&self.offsets, at).into_iter().flatten().map(|item| self.items.get(item))
    }

    /// Adds an item to the list that [`TextLists::end_list`] ends. `expected` is the expected number of lists. When the memory of the
    /// items is full, it grows to the size estimated from the lists so far.
    #[inline]
    pub(super) fn push<E: Error>(&mut self, text: &str, expected: usize) -> Result<(), E> {
        let items = &self.items;
        if items.offsets.len() == items.offsets.capacity() || items.text.len() + text.len() > items.text.capacity() {
            self.reserve_estimated::<E>(expected);
        }
        self.items.push(text, expected)
    }

    #[cold]
    fn reserve_estimated<E: Error>(&mut self, expected: usize) {
        let (done, left) = (self.len(), expected.saturating_sub(self.len()));
        if done < MIN_SAMPLED_LISTS || left == 0 {
            return;
        }
        // Add a hundredth: a slightly larger allocation is better than a second one.
        let more = |len: usize| len / done * left + len % done * left / done + len / 100;
        let (offsets, text) = (more(self.items.offsets.len()), more(self.items.text.len()));
        if charge::<E>(offsets * size_of::<i32>() + text).is_ok() {
            self.items.offsets.reserve_exact(offsets);
            self.items.text.reserve_exact(text);
        }
    }

    /// Adds lists of another column.
    pub(super) fn extend_from<E: Error>(&mut self, other: &Self, from: Range<usize>) -> Result<(), E> {
        let items = extend_offsets(&mut self.offsets, &other.offsets, from)?;
        self.items.extend_from(&other.items, items)
    }

    /// Ends the list of the items pushed since the previous end.
    pub(super) fn end_list<E: Error>(&mut self, expected: usize) -> Result<(), E> {
        if self.offsets.is_empty() {
            self.offsets.reserve(expected + 1);
            self.offsets.push(0);
        }
        let end = i32::try_from(self.items.len()).map_err(|_| E::custom("must not exceed the memory limit"))?;
        push(&mut self.offsets, end);
        Ok(())
    }

    pub(super) fn truncate(&mut self, len: usize) {
        if let Some(end) = self.offsets.get(len) {
            self.items.truncate(usize::try_from(*end).unwrap_or_default());
            self.offsets.truncate(len + 1);
        }
    }
}

/// Adds the ends of some values of another column. Returns the range of their content.
fn extend_offsets<E: Error>(all: &mut Vec<i32>, other: &[i32], from: Range<usize>) -> Result<Range<usize>, E> {
    let [first, ends @ ..] = other.get(from.start..=from.end).unwrap_or_default() else { return Ok(0..0) };
    let last = ends.last().unwrap_or(first);
    if all.is_empty() {
        all.push(0);
    }
    let before = all.last().copied().unwrap_or_default();
    before.checked_add(last - first).ok_or_else(|| E::custom("must not exceed the memory limit"))?;
    charge(size_of_val(ends))?;
    all.extend(ends.iter().map(|end| before + (end - first)));
    Ok(usize::try_from(*first).unwrap_or_default()..usize::try_from(*last).unwrap_or_default())
}

fn text_range(offsets: &[i32], at: usize) -> Option<Range<usize>> {
    let offset = |at: usize| usize::try_from(*offsets.get(at)?).ok();
    Some(offset(at)?..offset(at + 1)?)
}
