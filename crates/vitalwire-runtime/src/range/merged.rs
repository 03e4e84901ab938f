//! Merged ranges.

use std::fmt;
use std::ops::{Deref, Range as Rows};
use std::sync::Arc;

use super::bounds::RangeBounds;
use super::error::PartFailure;
use super::merge::NotFoundRecord;
use super::resume_token::{RangeOrigin, ResumeToken};
use crate::error::Error;
use crate::value::decode::{SkippedItem, SkippedItems};

/// A part that was read, with the indexes of its items in the merged value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergedPart {
    /// Index among the parts of the whole range, from 0.
    pub index: u32,
    /// Range of the part; `None` if the range is open.
    pub range: Option<RangeBounds>,
    /// Indexes of its items in the merged list.
    pub rows: Rows<usize>,
    pub(super) skipped: SkippedItems,
}

/// The parts of a merged value.
#[derive(Clone)]
pub(super) struct MergedParts {
    pub(super) parts: Vec<MergedPart>,
    pub(super) duplicates: usize,
    pub(super) not_found: Vec<NotFoundRecord>,
    pub(super) skipped: SkippedItems,
    /// Indexes of the parts that failed, ascending. A failure of a search may include several parts.
    pub(super) failed: Vec<u32>,
    pub(super) resume: Option<ResumeToken>,
    pub(super) origin: RangeOrigin,
    /// Number of parts of the whole range.
    pub(super) count: u32,
}

impl MergedParts {
    pub(super) fn contains_part(&self, index: u32) -> bool {
        self.parts.binary_search_by_key(&index, |part| part.index).is_ok()
    }

    /// Merges the failures of this run and of a later run, in the order of the parts. Omits failures of parts that the other run has read,
    /// and failures of this run whose part failed again. `index` returns the index of a failure's first part.
    pub(super) fn merge_failures<F>(&self, later: &Self, failures: [impl IntoIterator<Item = F>; 2], index: impl Fn(&F) -> u32) -> Vec<F> {
        let [failures, later_failures] = failures;
        let failures = failures.into_iter().filter(|failure| !later.contains_part(index(failure)) && !later.has_failed(index(failure)));
        let later_failures = later_failures.into_iter().filter(|failure| !self.contains_part(index(failure)));
        let mut merged: Vec<F> = failures.chain(later_failures).collect();
        merged.sort_by_key(&index);
        merged
    }

    fn has_failed(&self, index: u32) -> bool {
        self.failed.binary_search(&index).is_ok()
    }
}

pub(super) type MergedValue<T> = (T, MergedParts);

/// Merges the results of two runs of the same call.
pub(super) type MergeFn<T> = Arc<dyn Fn(MergedValue<T>, MergedValue<T>) -> Result<MergedValue<T>, Error> + Send + Sync>;

/// The merged responses to the parts of a range: a response, a [`Table`](crate::table::Table), or the nights of a search. Dereferences to
/// that value.
///
/// Items are in the order of the parts. The bounds in a response are those of the first and last part. Its other fields come from the
/// first part.
pub struct MergedRange<T> {
    pub(super) value: T,
    pub(super) failures: Vec<PartFailure>,
    pub(super) merged: MergedParts,
    pub(super) merge_fn: MergeFn<T>,
}

impl<T> MergedRange<T> {
    /// Returns the merged value.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Returns the merged value and the failed parts.
    #[must_use]
    pub fn into_parts(self) -> (T, Vec<PartFailure>) {
        (self.value, self.failures)
    }

    /// The parts that were read, in order.
    #[must_use]
    pub fn parts(&self) -> &[MergedPart] {
        &self.merged.parts
    }

    /// Number of items omitted because the previous part had them. For a search, because the same or an earlier day had them.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.merged.duplicates
    }

    /// Number of records omitted from a search because the service does not have them. 0 for other ranges.
    #[must_use]
    pub fn not_found(&self) -> usize {
        self.merged.not_found.len()
    }

    /// Records omitted from a search because the service does not have them. Empty for other ranges.
    #[must_use]
    pub fn not_found_records(&self) -> &[NotFoundRecord] {
        &self.merged.not_found
    }

    /// The first 100 list items that were skipped because they could not be decoded, in the order of the parts. Their paths refer to the
    /// responses of the parts.
    #[must_use]
    pub fn skipped_items(&self) -> &[SkippedItem] {
        self.merged.skipped.as_slice()
    }

    /// Number of list items that were skipped because they could not be decoded.
    #[must_use]
    pub fn skipped_count(&self) -> u64 {
        self.merged.skipped.count()
    }

    /// The failed parts; empty except with [`OnError::Collect`](super::OnError::Collect).
    #[must_use]
    pub fn failures(&self) -> &[PartFailure] {
        &self.failures
    }

    /// Returns a resume token for the missing parts. Returns `None` if no parts are missing.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.merged.resume.as_ref()
    }

    /// Merges this range with the result of a later run of the same call, in the order of the parts. If both have a part, this range's
    /// part is used. A part that failed in both runs has the failure of `later`.
    ///
    /// # Errors
    /// `invalid_argument` if `later` comes from another call or another table; `decode` if the texts of a column would exceed 2 GiB.
    pub fn merge(self, later: Self) -> Result<Self, Error> {
        let failures = self.merged.merge_failures(&later.merged, [self.failures, later.failures], PartFailure::index);
        let (value, merged) = (self.merge_fn)((self.value, self.merged), (later.value, later.merged))?;
        Ok(Self { value, failures, merged, merge_fn: self.merge_fn })
    }
}

impl<T> Deref for MergedRange<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Shows sizes, but no values.
impl<T> fmt::Debug for MergedRange<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MergedParts { parts, origin, count, .. } = &self.merged;
        f.debug_struct("MergedRange")
            .field("operation", &origin.operation)
            .field("parts", &parts.len())
            .field("of", count)
            .field("items", &parts.last().map_or(0, |part| part.rows.end))
            .field("failures", &self.failures)
            .finish_non_exhaustive()
    }
}
