//! Merged ranges.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::range::{AnyMerged, AnyPart, MergedPart};

use super::part::{read_dates, read_instants, vitalwire_range_part};
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::ranges::RangeResponse;
use crate::guard::{catch, optional, present};
use crate::handles::{self, owned};
use crate::outcome::attempt;
use crate::skipped::vitalwire_skipped_items;
use crate::value::{vitalwire_date, vitalwire_json, vitalwire_timestamp};
use crate::view;

/// The merged responses to the parts of a range, and the parts that failed. Each operation has a function that returns the merged response,
/// such as vitalwire_merged_range_statistics_daily.
pub struct vitalwire_merged_range {
    merged: AnyMerged<RangeResponse>,
    pub(crate) answer: RangeResponse,
    parts: Vec<vitalwire_merged_part>,
    failures: Vec<Arc<vitalwire_range_part>>,
    skipped: vitalwire_skipped_items,
}

/// The indexes of one part's items in the merged response.
pub struct vitalwire_merged_part(MergedPart);

impl vitalwire_merged_range {
    fn new(merged: AnyMerged<RangeResponse>, failures: Vec<Arc<vitalwire_range_part>>) -> Self {
        let parts = merged.parts().iter().cloned().map(vitalwire_merged_part).collect();
        let skipped = vitalwire_skipped_items(merged.skipped_items().clone());
        Self { answer: merged.response(), merged, parts, failures, skipped }
    }
}

impl From<AnyMerged<RangeResponse>> for vitalwire_merged_range {
    fn from(mut merged: AnyMerged<RangeResponse>) -> Self {
        let failures = merged.take_failures().into_iter().map(|failure| Arc::new(AnyPart::failed(failure).into())).collect();
        Self::new(merged, failures)
    }
}

/// Returns the merged parts of a range that ended early; NULL if no part was read. The merged range is valid as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_partial_result(error: Option<&vitalwire_error>) -> Option<&vitalwire_merged_range> {
    view::child(error, |error| error.partial_result.as_deref()?.downcast_ref())
}

/// Returns the number of parts that were read.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_parts_count(of: Option<&vitalwire_merged_range>) -> usize {
    view::count(of, |of| of.parts.len())
}

/// Returns a part that was read, in order, by index from 0; NULL beyond the end. The part is valid as long as the merged range.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_parts_at(of: Option<&vitalwire_merged_range>, index: usize) -> Option<&vitalwire_merged_part> {
    view::child(of, |of| of.parts.get(index))
}

/// Returns the number of parts that failed; 0 unless failures are collected.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_failures_count(of: Option<&vitalwire_merged_range>) -> usize {
    view::count(of, |of| of.failures.len())
}

/// Returns a part that failed, by index from 0; NULL beyond the end. The part is valid as long as the merged range.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_failures_at(of: Option<&vitalwire_merged_range>, index: usize) -> Option<&vitalwire_range_part> {
    view::child(of, |of| of.failures.get(index).map(|part| &**part))
}

/// Returns the number of items that were left out because the previous part contains them too.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_duplicates(of: Option<&vitalwire_merged_range>) -> usize {
    view::count(of, |of| of.merged.duplicates())
}

/// Returns the skipped list items, in the order of the parts. They are valid as long as the merged range and must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_skipped_items(of: Option<&vitalwire_merged_range>) -> Option<&vitalwire_skipped_items> {
    view::child(of, |of| Some(&of.skipped))
}

/// Returns the text of a resume token for the missing parts; NULL if no part is missing. Free the text with vitalwire_json_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_resume_token(of: Option<&vitalwire_merged_range>) -> Option<Box<vitalwire_json>> {
    let of = handles::valid(of)?;
    catch(|| of.merged.resume_token().map(|token| owned(vitalwire_json(token.to_string())))).flatten()
}

/// Merges a range with a later run of the same call, in the order of the parts. A part that is in both ranges is taken from the first.
/// Neither argument changes. Fails with VITALWIRE_ERROR_INVALID_ARGUMENT for ranges of different calls. Free the result with
/// vitalwire_merged_range_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_merge(
    of: Option<&vitalwire_merged_range>,
    later: Option<&vitalwire_merged_range>,
    out: Option<&mut MaybeUninit<Box<vitalwire_merged_range>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let (of, later) = (optional(of, "of")?, optional(later, "later")?);
        let (of, later, out) = (present(of, "of")?, present(later, "later")?, present(out, "out")?);
        let failures = [of, later].map(|range| range.failures.iter().cloned());
        let (merged, failures) = of.merged.merge_with(&later.merged, failures, |failure| failure.index)?;
        out.write(owned(vitalwire_merged_range::new(merged, failures)));
        Ok(())
    })
}

/// Frees a merged range that was collected or merged. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_free(of: Option<Box<vitalwire_merged_range>>) {
    view::free(of);
}

/// Returns the index of the part in the whole range, from 0.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_index(of: Option<&vitalwire_merged_part>) -> u32 {
    view::plain(of, 0, |of| of.0.index)
}

/// Returns the index of the part's first item in the merged list.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_start(of: Option<&vitalwire_merged_part>) -> usize {
    view::plain(of, 0, |of| of.0.rows.start)
}

/// Returns the index after the part's last item in the merged list.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_end(of: Option<&vitalwire_merged_part>) -> usize {
    view::plain(of, 0, |of| of.0.rows.end)
}

/// Writes the first and last day of the part, like vitalwire_range_part_dates.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_dates(
    of: Option<&vitalwire_merged_part>,
    first: Option<&mut MaybeUninit<vitalwire_date>>,
    last: Option<&mut MaybeUninit<vitalwire_date>>,
) -> bool {
    read_dates(handles::valid(of).and_then(|of| of.0.range.as_ref()), first, last)
}

/// Writes the bounds of the part as instants, like vitalwire_range_part_instants.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_instants(
    of: Option<&vitalwire_merged_part>,
    start: Option<&mut MaybeUninit<vitalwire_timestamp>>,
    end: Option<&mut MaybeUninit<vitalwire_timestamp>>,
) -> bool {
    read_instants(handles::valid(of).and_then(|of| of.0.range.as_ref()), start, end)
}
