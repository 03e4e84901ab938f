//! The parts of a sync, read one by one.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::blocking::block_on_several;
use vitalwire::range::{AnyPart, AnyParts};
use vitalwire_sync::{SyncError, SyncPart};

use super::part::vitalwire_sync_part;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{catch, handle, present};
use crate::handles;
use crate::outcome::{attempt, attempt_with};
use crate::parts::{finish_part, start_part};
use crate::pending_calls::completion_queue::CompletionQueues;
use crate::pending_calls::{vitalwire_call, vitalwire_completion};
use crate::start::CompletionCallback;
use crate::user_data::vitalwire_destructor;
use crate::view;

/// Name of calls that read the next part.
const NEXT: &str = "sync_parts_next";

/// Result of a part.
type PartResult = Result<SyncPart, SyncError>;

/// The parts of a sync, read one by one. Days that remain from an interrupted sync come first, then the newest days. Thread-safe, but only one
/// thread can read at a time: a second thread gets VITALWIRE_ERROR_CONFIGURATION, and the read of the first thread continues.
pub struct vitalwire_sync_parts {
    parts: Arc<AnyParts<PartResult>>,
    completions: CompletionQueues,
}

impl vitalwire_sync_parts {
    pub(super) fn new(parts: AnyParts<PartResult>, completions: CompletionQueues) -> Self {
        Self { parts: Arc::new(parts), completions }
    }
}

/// Reads the next part. Writes NULL to `out` after the last part, after an error, and after vitalwire_sync_parts_close. Free the part with
/// vitalwire_sync_part_free.
///
/// A part that fails is left out, and its days stay due. After the last part, this function returns the last error once. It does so earlier
/// if the error would occur for every part: the token is rejected, the service does not respond, or the client is closed or cancelled. In
/// all cases, parts that were returned stay valid, and the next sync continues from the state of the last one.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_parts_next(
    parts: Option<&vitalwire_sync_parts>,
    out: Option<&mut MaybeUninit<Option<Box<vitalwire_sync_part>>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let parts = handle(parts, "parts")?;
        let out = present(out, "out")?;
        let part = block_on_several(parts.parts.next())??.map(take_part).transpose()?;
        out.write(part.map(handles::register_box));
        Ok(())
    })
}

/// Starts vitalwire_sync_parts_next and returns at once. `completion` may be NULL. vitalwire_call_cancel also ends the sync.
///
/// The part counts as returned when vitalwire_sync_parts_next_finish returns it. Until then, other reads fail with
/// VITALWIRE_ERROR_CONFIGURATION. If the call has begun to read and is freed without vitalwire_sync_parts_next_finish, the sync ends. The
/// next read then fails with VITALWIRE_ERROR_CANCELLED, and the next sync returns the part.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_parts_next_start(
    parts: Option<&vitalwire_sync_parts>,
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
        start_part(NEXT, &parts.parts, &parts.completions, callback, out, take_part)
    })
}

/// Takes the part of a call that vitalwire_sync_parts_next_start started, after the call has ended. `out` receives NULL after the last
/// part.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_parts_next_finish(
    call: Option<&vitalwire_call>,
    out: Option<&mut MaybeUninit<Option<Box<vitalwire_sync_part>>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    finish_part::<_, PartResult>(NEXT, call, out, error)
}

/// Ends the sync. A read in progress fails with VITALWIRE_ERROR_CANCELLED. The state of the last part stays valid. Thread-safe and
/// idempotent. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_parts_close(parts: Option<&vitalwire_sync_parts>) {
    let Some(parts) = handles::valid(parts) else { return };
    catch(|| parts.parts.close());
}

/// Frees the parts and ends the sync. No thread may be reading them. Parts that were returned stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_parts_free(parts: Option<Box<vitalwire_sync_parts>>) {
    view::free(parts);
}

/// Returns a part or its error.
pub(super) fn take_part(part: AnyPart<PartResult>) -> Result<Box<vitalwire_sync_part>, vitalwire_error> {
    Ok(Box::new(part.response??.into()))
}
