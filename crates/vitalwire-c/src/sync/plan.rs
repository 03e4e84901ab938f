//! Plans of syncs.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;

use vitalwire_sync::{PlannedDays, SyncPlan};

use crate::guard::catch;
use crate::handles;
use crate::range::part::write_bounds;
use crate::value::{vitalwire_date, vitalwire_str};
use crate::view;

/// The days and requests of a sync.
pub struct vitalwire_sync_plan {
    requests: u64,
    days: Vec<vitalwire_planned_days>,
}

/// Days of kinds that share requests.
pub struct vitalwire_planned_days(PlannedDays);

impl From<SyncPlan> for vitalwire_sync_plan {
    fn from(core: SyncPlan) -> Self {
        Self { requests: core.requests, days: core.days.into_iter().map(vitalwire_planned_days).collect() }
    }
}

/// Returns the estimated number of requests, without retries. Includes the request for the user's information.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_plan_requests(of: Option<&vitalwire_sync_plan>) -> u64 {
    view::plain(of, 0, |of| of.requests)
}

/// Returns the number of groups of kinds that share requests; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_plan_days_count(of: Option<&vitalwire_sync_plan>) -> usize {
    view::count(of, |of| of.days.len())
}

/// Returns the days of a group, by index from 0; NULL beyond the end. They are valid as long as the plan.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_plan_days_at(of: Option<&vitalwire_sync_plan>, index: usize) -> Option<&vitalwire_planned_days> {
    view::child(of, |of| of.days.get(index))
}

/// Frees a plan. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_plan_free(of: Option<Box<vitalwire_sync_plan>>) {
    view::free(of);
}

/// Returns the number of kinds; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_planned_days_kinds_count(of: Option<&vitalwire_planned_days>) -> usize {
    view::count(of, |of| of.0.kinds.len())
}

/// Returns a kind by index from 0. `data` is NULL beyond the end.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_planned_days_kinds_at(of: Option<&vitalwire_planned_days>, index: usize) -> vitalwire_str {
    view::text(of, |of| Some(of.0.kinds.get(index)?.as_str()))
}

/// Returns the number of ranges of days that are due; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_planned_days_ranges_count(of: Option<&vitalwire_planned_days>) -> usize {
    view::count(of, |of| of.0.days.ranges().count())
}

/// Writes the first and the last day of a range, by index from 0. Returns false beyond the end. Either pointer may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_planned_days_ranges_at(
    of: Option<&vitalwire_planned_days>,
    index: usize,
    first: Option<&mut MaybeUninit<vitalwire_date>>,
    last: Option<&mut MaybeUninit<vitalwire_date>>,
) -> bool {
    let range = handles::valid(of).and_then(|of| catch(|| of.0.days.ranges().nth(index)).flatten());
    write_bounds(range.map(|range| (range.first(), range.last())), first, last)
}

/// Returns the estimated number of requests. One sleep per day is assumed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_planned_days_requests(of: Option<&vitalwire_planned_days>) -> u64 {
    view::plain(of, 0, |of| of.0.requests)
}
