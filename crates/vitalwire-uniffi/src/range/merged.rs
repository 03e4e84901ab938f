//! The merged response of a range, with the parts that were read and the parts that failed.

use std::fmt;
use std::sync::Arc;

use vitalwire::Error;
use vitalwire::range::{AnyMerged, AnyPart, MergedPart as CorePart};

use super::part::{RangeBounds, RangePart};
use super::{Night, RangeResponse};
use crate::call::{SkippedItem, catch_panics};
use crate::error::ApiError;
use crate::generated::OperationResponse;
use crate::table::TableColumns;

/// The merged responses to the parts of a range, and the parts that failed.
#[derive(uniffi::Object)]
pub struct NativeMerged {
    merged: AnyMerged<RangeResponse>,
    failures: Vec<RangePart>,
}

/// The indexes of one part's items in the merged response.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct MergedPart {
    /// Index among the parts of the whole range, from 0.
    pub index: u32,
    /// Bounds of the part; absent if the range is open.
    pub range: Option<RangeBounds>,
    /// Index of the part's first item in the merged list.
    pub start: u64,
    /// Index after the part's last item.
    pub end: u64,
}

/// Omits the bounds from debug output.
impl fmt::Debug for MergedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MergedPart(index {})", self.index)
    }
}

impl From<AnyMerged<RangeResponse>> for NativeMerged {
    fn from(mut merged: AnyMerged<RangeResponse>) -> Self {
        let failures = merged.take_failures().into_iter().filter_map(|failure| AnyPart::failed(failure).try_into().ok()).collect();
        Self { merged, failures }
    }
}

#[uniffi::export]
impl NativeMerged {
    /// Returns the merged response of an operation.
    pub fn response(&self) -> Result<OperationResponse, ApiError> {
        catch_panics(|| match self.merged.response() {
            RangeResponse::Operation(response) => Ok(response),
            _ => Err(Error::internal("the merged range must be of an operation").into()),
        })
    }

    /// Returns the nights of a search.
    pub fn nights(&self) -> Result<Vec<Night>, ApiError> {
        catch_panics(|| match self.merged.response() {
            RangeResponse::Nights(nights) => Ok(nights),
            _ => Err(Error::internal("the merged range must be of a search").into()),
        })
    }

    /// Returns the table of a range that collects one.
    pub fn table(&self) -> Result<TableColumns, ApiError> {
        catch_panics(|| match self.merged.response() {
            RangeResponse::Table(table) => Ok(table),
            _ => Err(Error::internal("the merged range must be a table").into()),
        })
    }

    /// Returns the parts that were read, in order, with the indexes of their items.
    pub fn parts(&self) -> Vec<MergedPart> {
        let part = |part: &CorePart| MergedPart {
            index: part.index,
            range: part.range.map(Into::into),
            start: part.rows.start as u64,
            end: part.rows.end as u64,
        };
        self.merged.parts().iter().map(part).collect()
    }

    /// Returns the parts that failed; empty unless failures are collected.
    pub fn failures(&self) -> Vec<RangePart> {
        self.failures.clone()
    }

    /// Returns the number of items that were left out because the previous part had them.
    pub fn duplicates(&self) -> u64 {
        self.merged.duplicates() as u64
    }

    /// Returns the first 100 list items that could not be decoded and were left out, in the order of the parts.
    pub fn skipped_items(&self) -> Vec<SkippedItem> {
        self.merged.skipped_items().as_slice().iter().map(SkippedItem::from).collect()
    }

    /// Returns the number of list items that could not be decoded and were left out.
    pub fn skipped_count(&self) -> u64 {
        self.merged.skipped_items().count()
    }

    /// Returns the text of a resume token for the missing parts; absent if no part is missing.
    pub fn resume_token(&self) -> Option<String> {
        self.merged.resume_token().map(ToString::to_string)
    }

    /// Merges this range with a later run of the same call, in the order of the parts. A part that both have is taken from this range.
    pub fn merge(&self, later: Arc<NativeMerged>) -> Result<Arc<NativeMerged>, ApiError> {
        catch_panics(|| {
            let failures = [self, &*later].map(|range| range.failures.iter().cloned());
            let (merged, failures) = self.merged.merge_with(&later.merged, failures, |failure| failure.index)?;
            Ok(Arc::new(Self { merged, failures }))
        })
    }
}
