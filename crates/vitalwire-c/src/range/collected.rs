//! A range that is read to its end, as one answer.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::blocking::block_on_several;
use vitalwire::range::{AnyFailure, AnyMerged, Gathering, Step};

use super::merged::vitalwire_range_merged;
use super::part::vitalwire_range_progress;
use super::vitalwire_range;
use crate::error::{Kept, vitalwire_error};
use crate::generated::code::vitalwire_code;
use crate::generated::ranges::RangeAnswer;
use crate::guard::{handle, present};
use crate::kind::owned;
use crate::outcome::{attempt, attempt_with};
use crate::started::{vitalwire_call, vitalwire_completion};
use crate::starting::{Then, finish, start};
use crate::user_data::{UserData, vitalwire_destructor};

/// What calls are that collect.
const COLLECT: &str = "range_collect";

/// Is told how far a range is.
pub type vitalwire_range_observer = Option<extern "C" fn(user_data: *mut c_void, progress: &vitalwire_range_progress)>;

/// Reads every part of a range and merges the answers. `observer`, which may be NULL, is called with `user_data` after each part, on the
/// thread that waits; a call that it makes itself ends with VITALWIRE_ERROR_CONFIGURATION. Where the range ends early, the error has what
/// was read and what is left: vitalwire_error_so_far, vitalwire_error_resume_token.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_collect(
    range: Option<&vitalwire_range>,
    observer: vitalwire_range_observer,
    user_data: *mut c_void,
    out: Option<&mut MaybeUninit<Box<vitalwire_range_merged>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let range = handle(range, "range")?;
        let out = present(out, "out")?;
        let gathering = range.range.collect(range.client.engine());
        let merged = block_on_several(collected(gathering, |progress| {
            if let Some(observer) = observer {
                observer(user_data, &progress);
            }
        }))??;
        out.write(owned(merged));
        Ok(())
    })
}

/// Starts vitalwire_range_collect, and returns at once. `observer` and `completion` may be NULL. The observer is called with `observed` after
/// each part, on a thread of the library, until the call ends. After vitalwire_call_cancel the error has what was read and what is left, too;
/// where failures are collected and a part was read, there is an answer, in which the others are failures.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_collect_start(
    range: Option<&vitalwire_range>,
    observer: vitalwire_range_observer,
    observed: *mut c_void,
    completion: vitalwire_completion,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
    out: Option<&mut MaybeUninit<*mut vitalwire_call>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    let then = Then::new(completion, user_data, destructor);
    attempt(error, || {
        let range = handle(range, "range")?;
        let out = present(out, "out")?;
        let (parts, token) = range.range.apart();
        let gathering = parts.collect(range.client.engine());
        start(COLLECT, &range.endings, token, then, out, |going| {
            let (going, observed) = (Arc::clone(going), UserData::new(observed, None));
            collected(gathering, move |progress| {
                if let Some(observer) = observer {
                    going.observe(&mut || observer(observed.get(), &progress));
                }
            })
        })
    })
}

/// The answer of a range that vitalwire_range_collect_start started, once that has ended.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_collect_finish(
    call: Option<&vitalwire_call>,
    out: Option<&mut MaybeUninit<Box<vitalwire_range_merged>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    finish(COLLECT, call, out, error)
}

/// Reads a range to its end.
async fn collected(
    mut reading: Gathering<RangeAnswer>,
    mut tell: impl FnMut(vitalwire_range_progress),
) -> Result<vitalwire_range_merged, vitalwire_error> {
    loop {
        match reading.step().await.map_err(ended_early)? {
            Step::Progress(progress) => tell(progress.into()),
            Step::Ended(merged) => return Ok(merged.into()),
        }
    }
}

/// Why it ended, with what was read and what is left.
fn ended_early(failure: AnyFailure<AnyMerged<RangeAnswer>>) -> vitalwire_error {
    let (error, left, so_far) = failure.into_parts();
    let so_far = so_far.map(|merged| Box::new(vitalwire_range_merged::from(merged)) as Kept);
    vitalwire_error { so_far, ..vitalwire_error::leaving(error, left.as_ref()) }
}
