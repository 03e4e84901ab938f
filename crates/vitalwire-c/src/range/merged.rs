//! The parts of a range as one.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::range::{AnyBounds, AnyMerged, Half, MergedPart};

use super::part::{dates, instants, vitalwire_range_part};
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::ranges::RangeAnswer;
use crate::guard::{catch, optional, present};
use crate::kind::{self, owned};
use crate::outcome::attempt;
use crate::value::{vitalwire_date, vitalwire_json, vitalwire_timestamp};
use crate::view;

/// The answers to the parts of a range as one, and the parts that failed. vitalwire_merged_range_statistics_daily and their like have the
/// answer.
pub struct vitalwire_merged_range {
    half: Arc<dyn Half<RangeAnswer>>,
    pub(crate) answer: RangeAnswer,
    parts: Vec<vitalwire_merged_part>,
    failures: Vec<Arc<vitalwire_range_part>>,
}

/// The place of one part's items in a merged answer.
pub struct vitalwire_merged_part(MergedPart<AnyBounds>);

impl vitalwire_merged_range {
    fn new(half: Arc<dyn Half<RangeAnswer>>, failures: Vec<Arc<vitalwire_range_part>>) -> Self {
        let parts = half.parts().into_iter().map(vitalwire_merged_part).collect();
        Self { answer: half.answer(), half, parts, failures }
    }
}

impl From<AnyMerged<RangeAnswer>> for vitalwire_merged_range {
    fn from(merged: AnyMerged<RangeAnswer>) -> Self {
        let (half, failures) = merged.into_parts();
        // Parts at another place are of searches, which C does not have.
        Self::new(half, failures.into_iter().filter_map(|part| part.try_into().ok().map(Arc::new)).collect())
    }
}

/// Of a range that was collected and ended early: what was read before; NULL where nothing was. It lives as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_so_far(error: Option<&vitalwire_error>) -> Option<&vitalwire_merged_range> {
    view::child(error, |error| error.so_far.as_deref()?.downcast_ref())
}

/// How many parts were read.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_parts_count(of: Option<&vitalwire_merged_range>) -> usize {
    view::count(of, |of| of.parts.len())
}

/// One of the parts that were read, in their order, counted from 0; NULL beyond the end.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_parts_at(of: Option<&vitalwire_merged_range>, index: usize) -> Option<&vitalwire_merged_part> {
    view::child(of, |of| of.parts.get(index))
}

/// How many parts failed; 0 unless failures are collected.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_failures_count(of: Option<&vitalwire_merged_range>) -> usize {
    view::count(of, |of| of.failures.len())
}

/// One of the parts that failed, counted from 0; NULL beyond the end.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_failures_at(of: Option<&vitalwire_merged_range>, index: usize) -> Option<&vitalwire_range_part> {
    view::child(of, |of| of.failures.get(index).map(|part| &**part))
}

/// How many items were left out because the previous part had them.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_duplicates(of: Option<&vitalwire_merged_range>) -> usize {
    view::count(of, |of| of.half.duplicates())
}

/// The text of a resume token for the parts that are missing; NULL where nothing is missing. It is freed by vitalwire_json_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_resume_token(of: Option<&vitalwire_merged_range>) -> Option<Box<vitalwire_json>> {
    let of = kind::known(of)?;
    catch(|| of.half.resume_token().map(|token| owned(vitalwire_json(token.to_string())))).flatten()
}

/// Merges an answer with what a later run of the same call read, in the order of the parts. A part that both have is taken from the first.
/// Both stay as they are. Answers of different calls are VITALWIRE_ERROR_INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_join(
    of: Option<&vitalwire_merged_range>,
    later: Option<&vitalwire_merged_range>,
    out: Option<&mut MaybeUninit<Box<vitalwire_merged_range>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let (of, later) = (optional(of, "of")?, optional(later, "later")?);
        let (of, later, out) = (present(of, "of")?, present(later, "later")?, present(out, "out")?);
        let half = of.half.join(&*later.half)?;
        let left = of.failures.iter().chain(&later.failures).filter(|failure| !half.has(failure.index));
        let failures = left.cloned().collect();
        out.write(owned(vitalwire_merged_range::new(half, failures)));
        Ok(())
    })
}

/// Frees a merged answer that was collected or joined; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_range_free(of: Option<Box<vitalwire_merged_range>>) {
    view::free(of);
}

/// The part's index among those of the whole range, from 0.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_index(of: Option<&vitalwire_merged_part>) -> u32 {
    view::plain(of, 0, |of| of.0.index)
}

/// Index of the part's first item in the merged list.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_start(of: Option<&vitalwire_merged_part>) -> usize {
    view::plain(of, 0, |of| of.0.rows.start)
}

/// Index after the part's last item in the merged list.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_end(of: Option<&vitalwire_merged_part>) -> usize {
    view::plain(of, 0, |of| of.0.rows.end)
}

/// The part's first and last day, as vitalwire_range_part_dates.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_dates(
    of: Option<&vitalwire_merged_part>,
    first: Option<&mut MaybeUninit<vitalwire_date>>,
    last: Option<&mut MaybeUninit<vitalwire_date>>,
) -> bool {
    dates(kind::known(of).and_then(|of| of.0.range.as_ref()), first, last)
}

/// The part's instants, as vitalwire_range_part_instants.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_merged_part_instants(
    of: Option<&vitalwire_merged_part>,
    start: Option<&mut MaybeUninit<vitalwire_timestamp>>,
    end: Option<&mut MaybeUninit<vitalwire_timestamp>>,
) -> bool {
    instants(kind::known(of).and_then(|of| of.0.range.as_ref()), start, end)
}
