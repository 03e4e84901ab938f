//! Merges the responses to the parts of a range.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::Deref;

use super::makeup::{Makeup, MergedPart};
use super::stream::PartFailure;
use super::token::{Origin, ResumeToken};
use super::{Range, RangeOperation};
use crate::error::Error;

/// Removes the items that two neighbouring parts share.
pub(super) struct BoundaryDedup<O: RangeOperation> {
    /// The previous part, and the keys of its items.
    previous: Option<(u32, HashSet<O::Key>)>,
}

impl<O: RangeOperation> BoundaryDedup<O> {
    pub(super) fn new() -> Self {
        Self { previous: None }
    }

    /// Removes the items that the previous part had too, and returns how many. An item without a key is never removed, nor is one that its
    /// own part has twice.
    pub(super) fn remove_duplicates(&mut self, index: u32, items: &mut Vec<O::Item>) -> usize {
        let received = items.len();
        let keys = items.iter().filter_map(O::key).collect();
        if let Some((previous, seen)) = &self.previous
            && *previous + 1 == index
        {
            items.retain(|item| O::key(item).is_none_or(|key| !seen.contains(&key)));
        }
        self.previous = Some((index, keys));
        received - items.len()
    }
}

/// Range and items of one part.
type Piece<O> = (Option<<O as RangeOperation>::Range>, Vec<<O as RangeOperation>::Item>);

/// Merges responses in the order they are pushed.
pub(super) struct Merger<O: RangeOperation> {
    value: Option<O::Output>,
    parts: Vec<MergedPart<O::Range>>,
    duplicates: usize,
}

impl<O: RangeOperation> Merger<O> {
    pub(super) fn new() -> Self {
        Self { value: None, parts: Vec::new(), duplicates: 0 }
    }

    pub(super) fn push(&mut self, index: u32, range: Option<O::Range>, mut output: O::Output, duplicates: usize) {
        let items = std::mem::take(O::items(&mut output));
        self.duplicates += duplicates;
        self.value.get_or_insert(output);
        self.append(index, range, items);
    }

    /// Adds items to the response.
    fn append(&mut self, index: u32, range: Option<O::Range>, mut items: Vec<O::Item>) {
        let Some(value) = &mut self.value else { return };
        let merged = O::items(value);
        let start = merged.len();
        if merged.is_empty() {
            // No copy of the first part, which is often the only one.
            *merged = items;
        } else {
            merged.append(&mut items);
        }
        self.parts.push(MergedPart { index, range, rows: start..merged.len() });
    }

    /// Returns the response, with its own bounds set to those of all parts; `None` without a part.
    pub(super) fn finish(self, origin: Origin, count: u32) -> Option<MergedRange<O>> {
        let mut value = self.value?;
        if let [first, .., last] = &self.parts[..]
            && let (Some(first), Some(last)) = (first.range, last.range)
        {
            O::set_answer_bounds(&mut value, first.bounds()[0], last.bounds()[1]);
        }
        let Self { parts, duplicates, .. } = self;
        Some(MergedRange { value, failures: Vec::new(), makeup: Makeup { parts, duplicates, ..Makeup::new(origin, count) } })
    }
}

/// The responses to the parts of a range merged. It dereferences to the response.
///
/// Items are in the order of the parts. Bounds in the response are those of the first and the last part; its other fields are those of the
/// first part.
pub struct MergedRange<O: RangeOperation> {
    value: O::Output,
    failures: Vec<PartFailure<O>>,
    makeup: Makeup<O::Range>,
}

impl<O: RangeOperation> MergedRange<O> {
    /// The same answer again, from what [`take`](Self::take) gave.
    pub(super) fn of(value: O::Output, makeup: Makeup<O::Range>) -> Self {
        Self { value, failures: Vec::new(), makeup }
    }

    /// The response, what it is made of, and the parts that failed.
    pub(super) fn take(self) -> (O::Output, Makeup<O::Range>, Vec<PartFailure<O>>) {
        (self.value, self.makeup, self.failures)
    }

    pub(super) fn leaving(mut self, failures: Vec<PartFailure<O>>, resume: Option<ResumeToken>) -> Self {
        self.failures = failures;
        self.makeup.resume = resume;
        self
    }

    /// Returns the response alone.
    #[must_use]
    pub fn into_inner(self) -> O::Output {
        self.value
    }

    /// Returns the response, and the parts that failed.
    #[must_use]
    pub fn into_parts(self) -> (O::Output, Vec<PartFailure<O>>) {
        (self.value, self.failures)
    }

    /// The parts that were read, in order, and the places of their items.
    #[must_use]
    pub fn parts(&self) -> &[MergedPart<O::Range>] {
        &self.makeup.parts
    }

    /// Number of items that were left out because the previous part had them.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.makeup.duplicates
    }

    /// The parts that failed; empty except with [`OnError::Collect`](super::OnError::Collect).
    #[must_use]
    pub fn failures(&self) -> &[PartFailure<O>] {
        &self.failures
    }

    /// Returns a token for the parts that are missing; `None` if nothing is missing.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.makeup.resume.as_ref()
    }

    /// Merges this with what a later run of the same call read, in the order of the parts. A part that both have is taken from this one.
    ///
    /// # Errors
    /// `invalid_argument` if the other is of another call.
    pub fn join(self, later: Self) -> Result<Self, Error> {
        if self.makeup.origin != later.makeup.origin {
            return Err(Error::invalid_argument("later", "the responses are of different calls"));
        }
        let (origin, count) = (self.makeup.origin.clone(), self.makeup.count);
        let duplicates = self.makeup.duplicates + later.makeup.duplicates;
        let (base, mine, mut failures) = self.take_apart();
        let (_, theirs, more) = later.take_apart();
        let mut pieces: BTreeMap<u32, Piece<O>> = theirs.collect();
        pieces.extend(mine);
        failures.extend(more);
        failures.retain(|failure| !pieces.contains_key(&failure.index));
        let resume = ResumeToken::new(&origin, (0..count).filter(|index| !pieces.contains_key(index)));
        let mut merger = Merger::<O> { value: Some(base), parts: Vec::with_capacity(pieces.len()), duplicates };
        let mut dedup = BoundaryDedup::<O>::new();
        for (index, (range, mut items)) in pieces {
            merger.duplicates += dedup.remove_duplicates(index, &mut items);
            merger.append(index, range, items);
        }
        let merged = merger.finish(origin, count).ok_or_else(|| Error::internal("a merged answer had no part"))?;
        Ok(merged.leaving(failures, resume))
    }

    /// The response without items, the items of each part, and the failures.
    #[expect(clippy::type_complexity, reason = "used once, just above")]
    fn take_apart(mut self) -> (O::Output, impl Iterator<Item = (u32, Piece<O>)>, Vec<PartFailure<O>>) {
        let mut items = std::mem::take(O::items(&mut self.value)).into_iter();
        let pieces = self.makeup.parts.into_iter().map(move |part| {
            let own = items.by_ref().take(part.rows.len()).collect();
            (part.index, (part.range, own))
        });
        (self.value, pieces, self.failures)
    }
}

impl<O: RangeOperation> Deref for MergedRange<O> {
    type Target = O::Output;

    fn deref(&self) -> &O::Output {
        &self.value
    }
}

/// Shows sizes, no values.
impl<O: RangeOperation> fmt::Debug for MergedRange<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MergedRange")
            .field("operation", &self.makeup.origin.operation)
            .field("parts", &self.makeup.parts.len())
            .field("of", &self.makeup.count)
            .field("items", &self.makeup.parts.last().map_or(0, |part| part.rows.end))
            .field("failures", &self.failures)
            .finish_non_exhaustive()
    }
}
