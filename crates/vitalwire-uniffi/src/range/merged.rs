//! The parts of a range as one.

use std::fmt;
use std::sync::Arc;

use vitalwire::Error;
use vitalwire::range::{AnyBounds, AnyMerged, Half};

use super::part::{RangeBounds, RangePart};
use super::{Answered, Night};
use crate::call::guarded;
use crate::error::ApiError;
use crate::generated::RangeAnswer;

/// The answers to the parts of a range as one, and the parts that failed.
#[derive(uniffi::Object)]
pub struct NativeMerged {
    half: Arc<dyn Half<Answered>>,
    failures: Vec<RangePart>,
}

/// The place of one part's items in a merged answer.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct MergedPart {
    /// Index among the parts of the whole range, from 0.
    pub index: u32,
    /// Range of the part; absent if the range is open.
    pub range: Option<RangeBounds>,
    /// Index of its first item in the merged list.
    pub start: u64,
    /// Index after its last.
    pub end: u64,
}

/// Shows no bounds.
impl fmt::Debug for MergedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MergedPart(index {})", self.index)
    }
}

impl From<AnyMerged<Answered>> for NativeMerged {
    fn from(merged: AnyMerged<Answered>) -> Self {
        let (half, failures) = merged.into_parts();
        // Every part that failed has its place in the range, those of searches too.
        Self { half, failures: failures.into_iter().filter_map(|part| part.try_into().ok()).collect() }
    }
}

#[uniffi::export]
impl NativeMerged {
    /// Returns the merged response of an operation.
    pub fn response(&self) -> Result<RangeAnswer, ApiError> {
        guarded(|| match self.half.answer() {
            Answered::Operation(answer) => Ok(answer),
            Answered::Night(_) | Answered::Nights(_) => Err(Error::internal("a search has no answer of an operation").into()),
        })
    }

    /// Every night of a search.
    pub fn nights(&self) -> Result<Vec<Night>, ApiError> {
        guarded(|| match self.half.answer() {
            Answered::Nights(nights) => Ok(nights),
            Answered::Operation(_) | Answered::Night(_) => Err(Error::internal("an operation finds no nights").into()),
        })
    }

    /// The parts that were read, in order, and the places of their items.
    pub fn parts(&self) -> Vec<MergedPart> {
        let part = |part: vitalwire::range::MergedPart<AnyBounds>| MergedPart {
            index: part.index,
            range: part.range.map(Into::into),
            start: part.rows.start as u64,
            end: part.rows.end as u64,
        };
        self.half.parts().into_iter().map(part).collect()
    }

    /// The parts that failed; empty unless failures are collected.
    pub fn failures(&self) -> Vec<RangePart> {
        self.failures.clone()
    }

    /// Number of items that were left out because the previous part had them.
    pub fn duplicates(&self) -> u64 {
        self.half.duplicates() as u64
    }

    /// The text of a token for the parts that are missing; absent if nothing is missing.
    pub fn left(&self) -> Option<String> {
        self.half.resume_token().map(ToString::to_string)
    }

    /// Merges this with what a later run of the same call read, in the order of the parts. A part that both have is taken from this one.
    pub fn join(&self, later: Arc<NativeMerged>) -> Result<Arc<NativeMerged>, ApiError> {
        guarded(|| {
            let half = self.half.join(&*later.half)?;
            let left = self.failures.iter().chain(&later.failures).filter(|failure| !half.has(failure.index));
            let failures = left.cloned().collect();
            Ok(Arc::new(Self { half, failures }))
        })
    }
}
