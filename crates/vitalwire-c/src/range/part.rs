//! A part of a range.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;

use vitalwire::range::{AnyPart, Progress, RangeBounds};

use crate::error::vitalwire_error;
use crate::generated::ranges::RangeResponse;
use crate::guard::catch;
use crate::handles;
use crate::value::{vitalwire_date, vitalwire_timestamp};
use crate::view;

/// The response to one part of a range, or its error. Each operation has a function that returns the response, such as
/// vitalwire_range_part_statistics_daily.
pub struct vitalwire_range_part {
    pub(super) index: u32,
    range: Option<RangeBounds>,
    duplicates: usize,
    pub(crate) answer: Option<RangeResponse>,
    pub(super) failure: Option<vitalwire_error>,
}

/// Progress of a range. Parts of an earlier run are not counted.
#[repr(C)]
pub struct vitalwire_range_progress {
    /// Number of completed parts, including collected failures.
    pub done: u32,
    /// Number of parts of this run.
    pub total: u32,
    /// Number of items so far.
    pub items: u64,
}

impl From<Progress> for vitalwire_range_progress {
    fn from(core: Progress) -> Self {
        Self { done: core.done, total: core.total, items: core.items }
    }
}

impl From<AnyPart<RangeResponse>> for vitalwire_range_part {
    fn from(part: AnyPart<RangeResponse>) -> Self {
        let AnyPart { index, range, duplicates, response, .. } = part;
        let (answer, failure) = match response {
            Ok(answer) => (Some(answer), None),
            Err(failure) => (None, Some(failure.into())),
        };
        // Only the parts of a search have no index, and C has no searches.
        Self { index: index.unwrap_or_default(), range, duplicates, answer, failure }
    }
}

/// Returns the index of the part in the whole range, from 0.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_part_index(of: Option<&vitalwire_range_part>) -> u32 {
    view::plain(of, 0, |of| of.index)
}

/// Writes the first and the last day of the part. Returns false for a range of instants and for an open range. Either pointer may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_part_dates(
    of: Option<&vitalwire_range_part>,
    first: Option<&mut MaybeUninit<vitalwire_date>>,
    last: Option<&mut MaybeUninit<vitalwire_date>>,
) -> bool {
    read_dates(handles::valid(of).and_then(|of| of.range.as_ref()), first, last)
}

/// Writes the bounds of the part: its first instant, and the first instant after it. Returns false for a range of dates and for an open
/// range. Either pointer may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_part_instants(
    of: Option<&vitalwire_range_part>,
    start: Option<&mut MaybeUninit<vitalwire_timestamp>>,
    end: Option<&mut MaybeUninit<vitalwire_timestamp>>,
) -> bool {
    read_instants(handles::valid(of).and_then(|of| of.range.as_ref()), start, end)
}

/// Returns the number of items that were left out because the previous part contains them too.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_part_duplicates(of: Option<&vitalwire_range_part>) -> usize {
    view::plain(of, 0, |of| of.duplicates)
}

/// Returns the error of a part that failed; NULL if the part has a response. The error is valid as long as the part.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_part_failure(of: Option<&vitalwire_range_part>) -> Option<&vitalwire_error> {
    view::child(of, |of| of.failure.as_ref())
}

/// Frees a part that was read. NULL is allowed. Do not free parts of a merged range.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_part_free(of: Option<Box<vitalwire_range_part>>) {
    view::free(of);
}

/// Reads the bounds of a range of dates.
pub(super) fn read_dates(
    of: Option<&RangeBounds>,
    first: Option<&mut MaybeUninit<vitalwire_date>>,
    last: Option<&mut MaybeUninit<vitalwire_date>>,
) -> bool {
    let days = catch(|| of?.dates().map(|days| (days.first(), days.last())));
    write_bounds(days.flatten(), first, last)
}

/// Reads the bounds of a range of instants.
pub(super) fn read_instants(
    of: Option<&RangeBounds>,
    start: Option<&mut MaybeUninit<vitalwire_timestamp>>,
    end: Option<&mut MaybeUninit<vitalwire_timestamp>>,
) -> bool {
    let range = catch(|| of?.instants().map(|range| (range.start(), range.end())));
    write_bounds(range.flatten(), start, end)
}

/// Writes the bounds of a range. Returns false if there are none.
pub(crate) fn write_bounds<B, C: From<B>>(
    bounds: Option<(B, B)>,
    from: Option<&mut MaybeUninit<C>>,
    to: Option<&mut MaybeUninit<C>>,
) -> bool {
    let Some((first, last)) = bounds else { return false };
    if let Some(from) = from {
        from.write(first.into());
    }
    if let Some(to) = to {
        to.write(last.into());
    }
    true
}
