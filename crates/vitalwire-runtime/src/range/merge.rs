//! Merges the parts of a range: the responses of an operation, tables, or the records of a search.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use super::bounds::RangeBounds;
use super::items::Items;
use super::merged::{MergedPart, MergedParts, MergedValue};
use super::resume_token::{RangeOrigin, ResumeToken};
use crate::client::Response;
use crate::error::Error;
use crate::operation::OperationMeta;
use crate::value::Date;
use crate::value::decode::SkippedItems;

/// Rules for merging the values of parts.
pub trait Merge: Send + Sync + 'static {
    /// Type of the value of a part, and of the merged value.
    type Value: Send + 'static;

    /// Type of the items in a value.
    type Items: Items + Send;

    /// Type of the key that identifies an item across parts.
    type Key: Eq + Hash + Send;

    /// Operation reported in errors.
    fn operation(&self) -> &'static OperationMeta;

    /// Returns the parts that an item is compared with, in a run or when two runs are merged.
    fn scope(&self, is_join: bool) -> DuplicateScope;

    /// Returns the items in a value.
    fn items<'a>(&self, value: &'a mut Self::Value) -> &'a mut Self::Items;

    /// Returns the key of each item; `None` for an item whose key the service omitted.
    fn keys(&self, items: &Self::Items) -> Vec<Option<Self::Key>>;

    /// Completes the merged value, given the ranges of its first and last part.
    fn complete(&self, value: Self::Value, _ranges: Option<[RangeBounds; 2]>) -> Self::Value {
        value
    }
}

/// The parts with which an item is compared to find duplicates. An item without a key is never a duplicate. Neither is an item that
/// occurs twice in its own part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuplicateScope {
    /// No part.
    None,
    /// The previous part.
    Previous,
    /// All previous parts.
    Earlier,
}

/// Finds items that previous parts already have.
pub(super) struct DuplicateFilter<K> {
    scope: DuplicateScope,
    /// Index of the last part; `keys` contains the keys to compare with.
    previous: Option<u32>,
    keys: HashSet<K>,
}

impl<K: Eq + Hash> DuplicateFilter<K> {
    pub(super) fn new(scope: DuplicateScope) -> Self {
        Self { scope, previous: None, keys: HashSet::new() }
    }

    /// Returns for each item of a part, by its key, whether it is new.
    pub(super) fn new_items(&mut self, index: u32, keys: impl FnOnce() -> Vec<Option<K>>) -> Vec<bool> {
        if self.scope == DuplicateScope::None {
            return Vec::new();
        }
        let keys = keys();
        let compares = self.scope == DuplicateScope::Earlier || self.previous.is_some_and(|previous| previous + 1 == index);
        let is_new = |key: &Option<K>| !compares || key.as_ref().is_none_or(|key| !self.keys.contains(key));
        let new_items = keys.iter().map(is_new).collect();
        if self.scope == DuplicateScope::Previous {
            self.keys.clear();
        }
        self.keys.extend(keys.into_iter().flatten());
        self.previous = Some(index);
        new_items
    }
}

/// The value of a part, with counts of omitted items.
pub struct PartValue<V> {
    /// The value.
    pub value: V,
    /// List items that could not be decoded.
    pub skipped: SkippedItems,
    /// Number of items omitted because the same or an earlier part has them.
    pub duplicates: usize,
    /// Records that do not exist.
    pub not_found: Vec<NotFoundRecord>,
}

/// A record that a list names, but that the service does not have.
#[derive(Clone, PartialEq, Eq)]
pub struct NotFoundRecord {
    /// Id in the list.
    pub id: String,
    /// Days for which the list names the record.
    pub days: Vec<Date>,
}

/// Redacted: shows no id and no days.
impl fmt::Debug for NotFoundRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotFoundRecord").finish_non_exhaustive()
    }
}

impl<V> From<Response<V>> for PartValue<V> {
    fn from(response: Response<V>) -> Self {
        let (value, metadata) = response.into_parts();
        Self { value, skipped: metadata.skipped().cloned().unwrap_or_default(), duplicates: 0, not_found: Vec::new() }
    }
}

/// Merges values in the order they are pushed.
pub(super) struct Merger<M: Merge> {
    pub(super) merge: Arc<M>,
    filter: DuplicateFilter<M::Key>,
    value: Option<M::Value>,
    parts: Vec<MergedPart>,
    duplicates: usize,
    not_found: Vec<NotFoundRecord>,
}

impl<M: Merge> Merger<M> {
    pub(super) fn new(merge: Arc<M>, filter: DuplicateFilter<M::Key>) -> Self {
        Self { merge, filter, value: None, parts: Vec::new(), duplicates: 0, not_found: Vec::new() }
    }

    /// Adds a part, and returns the number of items added.
    pub(super) fn push(&mut self, index: u32, range: Option<RangeBounds>, part: PartValue<M::Value>) -> Result<usize, Error> {
        let PartValue { mut value, skipped, duplicates, not_found } = part;
        let items = self.merge.items(&mut value).take();
        self.value.get_or_insert(value);
        let added = self.push_items(MergedPart { index, range, rows: 0..0, skipped }, items)?;
        self.duplicates += duplicates;
        self.not_found.extend(not_found);
        Ok(added)
    }

    fn push_items(&mut self, part: MergedPart, items: M::Items) -> Result<usize, Error> {
        let received = items.count();
        let new_items = self.filter.new_items(part.index, || self.merge.keys(&items));
        // Usually no item is omitted, and the memory of the part is reused.
        let items = if new_items.contains(&false) { items.retain(&new_items)? } else { items };
        let added = items.count();
        let Some(value) = &mut self.value else { return Err(Error::internal("a merged range has no value")) };
        let merged = self.merge.items(value);
        let start = merged.count();
        merged.append(items)?;
        self.duplicates += received - added;
        self.parts.push(MergedPart { rows: start..start + added, ..part });
        Ok(added)
    }

    /// Returns the merged value and its parts. Returns `None` if there are no parts.
    pub(super) fn finish(
        self,
        origin: RangeOrigin,
        count: u32,
        failed: Vec<u32>,
        resume: Option<ResumeToken>,
    ) -> Option<MergedValue<M::Value>> {
        let Self { merge, value, parts, duplicates, not_found, .. } = self;
        let [first, last] = [parts.first()?, parts.last()?];
        let ranges = first.range.zip(last.range).filter(|_| parts.len() > 1).map(|(first, last)| [first, last]);
        let value = merge.complete(value?, ranges);
        let mut skipped = SkippedItems::default();
        parts.iter().for_each(|part| skipped.extend(&part.skipped));
        Some((value, MergedParts { parts, duplicates, not_found, skipped, failed, resume, origin, count }))
    }
}

/// Merges the results of two runs of the same call, in the order of the parts. If both have a part, the first run's part is used.
pub(super) fn merge_runs<M: Merge>(
    merge: &Arc<M>,
    (mut value, merged): MergedValue<M::Value>,
    (mut later, later_parts): MergedValue<M::Value>,
) -> Result<MergedValue<M::Value>, Error> {
    let (items, later) = (merge.items(&mut value).take(), merge.items(&mut later).take());
    if merged.origin != later_parts.origin || !items.is_like(&later) {
        return Err(Error::invalid_argument("later", "must be the result of another run of the same call"));
    }
    let mut merger = Merger::new(Arc::clone(merge), DuplicateFilter::new(merge.scope(true)));
    let mut pieces = BTreeMap::new();
    for (parts, items) in [(later_parts.parts, later), (merged.parts, items)] {
        let (split, rest) = items.split(parts.iter().map(|part| part.rows.clone()))?;
        merge.items(&mut value).append(rest)?;
        pieces.extend(parts.into_iter().zip(split).map(|piece| (piece.0.index, piece)));
    }
    merger.value = Some(value);
    merger.duplicates = merged.duplicates + later_parts.duplicates;
    merger.not_found = merged.not_found.into_iter().chain(later_parts.not_found).collect();
    let missing = (0..merged.count).filter(|index| !pieces.contains_key(index));
    let resume = ResumeToken::new(&merged.origin, missing);
    let failed = merged.failed.into_iter().chain(later_parts.failed).filter(|index| !pieces.contains_key(index));
    let failed = failed.collect::<BTreeSet<_>>().into_iter().collect();
    for (part, items) in pieces.into_values() {
        merger.push_items(part, items)?;
    }
    merger.finish(merged.origin, merged.count, failed, resume).ok_or_else(|| Error::internal("a merged range has no part"))
}
