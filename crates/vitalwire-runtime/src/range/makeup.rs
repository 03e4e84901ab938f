//! What a merged answer is made of.

use super::token::{Origin, ResumeToken};

/// The place of one part's items in the merged response.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergedPart<R> {
    /// Index among the parts of the whole range, from 0.
    pub index: u32,
    /// Range of the part; `None` if the range is open.
    pub range: Option<R>,
    /// Indexes of its items in the merged list.
    pub rows: std::ops::Range<usize>,
}

impl<R> MergedPart<R> {
    /// A part with its items.
    #[doc(hidden)]
    pub fn new(index: u32, range: Option<R>, rows: std::ops::Range<usize>) -> Self {
        Self { index, range, rows }
    }
}

/// The parts of a merged answer, and what is missing of it.
#[derive(Clone)]
pub struct Makeup<R> {
    /// The parts that were read, in order, and the places of their items.
    pub parts: Vec<MergedPart<R>>,
    /// Number of items that were left out because the previous part had them.
    pub duplicates: usize,
    /// Number of items left out because the service has none of that id.
    pub skipped: usize,
    /// A token for the parts that are missing; `None` if nothing is missing.
    pub resume: Option<ResumeToken>,
    /// The call.
    pub origin: Origin,
    /// Number of parts of the whole range.
    pub count: u32,
}

impl<R> Makeup<R> {
    /// Of no part yet.
    pub fn new(origin: Origin, count: u32) -> Self {
        Self { parts: Vec::new(), duplicates: 0, skipped: 0, resume: None, origin, count }
    }

    /// Whether it has this part.
    pub fn has(&self, index: u32) -> bool {
        self.parts.binary_search_by_key(&index, |part| part.index).is_ok()
    }

    /// A token for the parts of the whole range that `has` does not know.
    pub fn missing(&self, has: impl Fn(&u32) -> bool) -> Option<ResumeToken> {
        ResumeToken::new(&self.origin, (0..self.count).filter(|index| !has(index)))
    }
}
