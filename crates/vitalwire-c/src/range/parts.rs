//! The parts of a range, read one by one.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::Error;
use vitalwire::blocking::block_on_several;
use vitalwire::range::{AnyPart, AnyParts, OnError};

use super::part::{vitalwire_range_part, vitalwire_range_progress};
use super::vitalwire_range_call;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::ranges::RangeResponse;
use crate::guard::{catch, handle, present};
use crate::handles::{self, owned};
use crate::outcome::{attempt, attempt_with};
use crate::parts::{finish_part, start_part};
use crate::pending_calls::completion_queue::CompletionQueues;
use crate::pending_calls::{vitalwire_call, vitalwire_completion};
use crate::start::CompletionCallback;
use crate::user_data::vitalwire_destructor;
use crate::value::vitalwire_json;
use crate::view;

/// Name of calls that read the next part.
const NEXT: &str = "range_parts_next";

/// The parts of a range, read one by one. Thread-safe, but only one thread can read at a time: a second thread gets
/// VITALWIRE_ERROR_CONFIGURATION, and the read of the first thread continues.
pub struct vitalwire_range_parts {
    parts: Arc<AnyParts<RangeResponse>>,
    on_error: OnError,
    completions: CompletionQueues,
}

impl vitalwire_range_parts {
    pub(super) fn new(range: &vitalwire_range_call) -> Result<Self, Error> {
        let parts = range.range.parts(range.client.engine())?;
        Ok(Self { parts: Arc::new(parts), on_error: range.range.on_error(), completions: range.completions.clone() })
    }
}

/// Reads the next part, in order. Writes NULL to `out` after the last part and after vitalwire_range_parts_close. If failures are
/// collected, a failed part is returned with its error. Otherwise a failed part ends the range, and vitalwire_error_resume_token returns a
/// token for the missing parts. Free the part with vitalwire_range_part_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_next(
    parts: Option<&vitalwire_range_parts>,
    out: Option<&mut MaybeUninit<Option<Box<vitalwire_range_part>>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let parts = handle(parts, "parts")?;
        let out = present(out, "out")?;
        let part = block_on_several(parts.parts.next())??.map(|part| part_or_error(part, parts.on_error)).transpose()?;
        out.write(part.map(handles::register_box));
        Ok(())
    })
}

/// Starts vitalwire_range_parts_next and returns at once. `completion` may be NULL. vitalwire_call_cancel also ends the parts.
///
/// The part counts as returned when vitalwire_range_parts_next_finish returns it. Until then, other reads fail with
/// VITALWIRE_ERROR_CONFIGURATION. If the call has begun to read and is freed without vitalwire_range_parts_next_finish, the parts end. The
/// next read then fails with VITALWIRE_ERROR_CANCELLED, and the resume token includes the part.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_next_start(
    parts: Option<&vitalwire_range_parts>,
    completion: vitalwire_completion,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
    out: Option<&mut MaybeUninit<*mut vitalwire_call>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    let callback = CompletionCallback::new(completion, user_data, destructor);
    attempt(error, || {
        let parts = handle(parts, "parts")?;
        let out = present(out, "out")?;
        let on_error = parts.on_error;
        start_part(NEXT, &parts.parts, &parts.completions, callback, out, move |part| part_or_error(part, on_error))
    })
}

/// Takes the part of a call that vitalwire_range_parts_next_start started, after the call has ended. `out` receives NULL after the last
/// part.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_next_finish(
    call: Option<&vitalwire_call>,
    out: Option<&mut MaybeUninit<Option<Box<vitalwire_range_part>>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    finish_part::<_, RangeResponse>(NEXT, call, out, error)
}

/// Writes the progress of the range, up to the last part that was returned. Returns false for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_progress(
    parts: Option<&vitalwire_range_parts>,
    value: Option<&mut MaybeUninit<vitalwire_range_progress>>,
) -> bool {
    view::scalar(parts, value, |parts| Some(parts.parts.progress().into()))
}

/// Returns the text of a resume token for all parts that failed or were not returned, even while a part is being read. Returns NULL if no
/// part is missing. The text may be stored for a later process. Free it with vitalwire_json_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_resume_token(parts: Option<&vitalwire_range_parts>) -> Option<Box<vitalwire_json>> {
    let parts = handles::valid(parts)?;
    catch(|| parts.parts.resume_token().map(|token| owned(vitalwire_json(token.to_string())))).flatten()
}

/// Cancels parts in flight. A read in progress fails with VITALWIRE_ERROR_CANCELLED. Thread-safe and idempotent. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_close(parts: Option<&vitalwire_range_parts>) {
    let Some(parts) = handles::valid(parts) else { return };
    catch(|| parts.parts.close());
}

/// Frees the parts and cancels those in flight. No thread may be reading them. Parts that were returned stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_free(parts: Option<Box<vitalwire_range_parts>>) {
    view::free(parts);
}

/// Returns a part, or its error unless failures are collected.
fn part_or_error(part: AnyPart<RangeResponse>, on_error: OnError) -> Result<Box<vitalwire_range_part>, vitalwire_error> {
    let mut part = vitalwire_range_part::from(part);
    match part.failure.take_if(|_| on_error == OnError::Stop) {
        Some(failure) => Err(failure),
        None => Ok(Box::new(part)),
    }
}
