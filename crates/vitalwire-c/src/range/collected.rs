//! Ranges that are collected into one response.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::blocking::block_on_several;
use vitalwire::range::RangeCollect;

use super::merged::vitalwire_merged_range;
use super::part::vitalwire_range_progress;
use super::vitalwire_range_call;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::ranges::RangeResponse;
use crate::guard::{handle, present};
use crate::handles::owned;
use crate::outcome::{attempt, attempt_with};
use crate::pending_calls::{vitalwire_call, vitalwire_completion};
use crate::start::{CompletionCallback, finish, start};
use crate::user_data::{Observer, vitalwire_destructor};

/// Name of calls that collect a range.
const COLLECT: &str = "range_collect";

/// Called after each part of a range.
pub type vitalwire_range_observer = Option<extern "C" fn(user_data: *mut c_void, progress: &vitalwire_range_progress)>;

/// Reads every part of a range and merges the responses. If the range ends early, vitalwire_error_partial_result returns the parts that
/// were read, and vitalwire_error_resume_token a token for the missing parts. Free the result with vitalwire_merged_range_free.
///
/// `observer` is called with `user_data` after each part, on the waiting thread. Calls that the observer makes fail with
/// VITALWIRE_ERROR_CONFIGURATION. `destructor` is called once with `user_data`, before this function returns. `observer` and `destructor`
/// may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_call_collect(
    range: Option<&vitalwire_range_call>,
    observer: vitalwire_range_observer,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
    out: Option<&mut MaybeUninit<Box<vitalwire_merged_range>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    let observer = Observer::new(observer, user_data, destructor);
    attempt_with(error, || {
        let range = handle(range, "range")?;
        let out = present(out, "out")?;
        let reading = range.range.collect(range.client.engine());
        let merged = block_on_several(collect_range(reading, |progress| {
            if let Some(observer) = &observer {
                observer.call(&progress);
            }
        }))??;
        out.write(owned(merged));
        Ok(())
    })
}

/// Starts vitalwire_range_call_collect and returns at once. If the call is cancelled, its error also has the parts that were read and a
/// resume token. If failures are collected and a part was read, the call succeeds, and the other parts are failures.
///
/// `observer` is called with `observed` after each part, on a library thread, until the call ends. `observed_destructor` is called once
/// with `observed`: after the last call of `observer`, or at once if `observer` is NULL or this function fails. `observer`,
/// `observed_destructor` and `completion` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_call_collect_start(
    range: Option<&vitalwire_range_call>,
    observer: vitalwire_range_observer,
    observed: *mut c_void,
    observed_destructor: vitalwire_destructor,
    completion: vitalwire_completion,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
    out: Option<&mut MaybeUninit<*mut vitalwire_call>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    let observer = Observer::new(observer, observed, observed_destructor);
    let callback = CompletionCallback::new(completion, user_data, destructor);
    attempt(error, || {
        let range = handle(range, "range")?;
        let out = present(out, "out")?;
        let (parts, token) = range.range.with_token();
        let reading = parts.collect(range.client.engine());
        start(COLLECT, &range.completions, token, callback, out, |pending| {
            let pending = Arc::clone(pending);
            collect_range(reading, move |progress| {
                if let Some(observer) = &observer {
                    pending.observe(&mut || observer.call(&progress));
                }
            })
        })
    })
}

/// Takes the merged range of a call that vitalwire_range_call_collect_start started, after the call has ended.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_call_collect_finish(
    call: Option<&vitalwire_call>,
    out: Option<&mut MaybeUninit<Box<vitalwire_merged_range>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    finish(COLLECT, call, out, error)
}

/// Reads a range to its end.
async fn collect_range(
    range: RangeCollect<RangeResponse>,
    mut observe: impl FnMut(vitalwire_range_progress),
) -> Result<vitalwire_merged_range, vitalwire_error> {
    let merged = range.collect(|progress| observe(progress.into())).await;
    merged.map(Into::into).map_err(|error| error.map(vitalwire_merged_range::from).into())
}
