//! Calls that do not block: start, wait, cancel and free.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

pub mod completion_queue;
pub mod notifier;
pub(crate) mod pending_call;

use std::ffi::c_void;
use std::mem::{self, MaybeUninit};
use std::sync::Arc;
use std::time::Duration;

use vitalwire::blocking;

use self::pending_call::PendingCall;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::catch;
use crate::handles;
use crate::outcome::attempt;

/// A call that a `_start` function started. After the call has ended, the `_finish` function takes its result.
///
/// If an argument is invalid, `_start` returns an error code and starts nothing. `_finish` reports every other error, including a closed
/// client. Thread-safe. A call cannot be used in a child of fork().
pub struct vitalwire_call(pub(crate) Arc<PendingCall>);

/// Called once after a call has ended. The callback may take the result with `_finish`, free the call, start other calls and block.
///
/// Runs on a library thread, one completion at a time for each client. After the first use of vitalwire_client_descriptor or
/// vitalwire_client_dispatch, completions of the client run only in vitalwire_client_dispatch.
pub type vitalwire_completion = Option<extern "C" fn(user_data: *mut c_void, call: *mut vitalwire_call)>;

/// Waits until a call has ended, for at most `milliseconds`. 0 returns at once; UINT64_MAX waits without a timeout. Returns whether the
/// call has ended, successfully or not, and false for NULL. Thread-safe.
///
/// The completion may still be running or waiting for vitalwire_client_dispatch.
///
/// When called in an observer, this function does not wait.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_wait(call: Option<&vitalwire_call>, milliseconds: u64) -> bool {
    let Some(call) = handles::valid(call) else { return false };
    let patience = if blocking::is_in_task() { Duration::ZERO } else { Duration::from_millis(milliseconds) };
    catch(|| call.0.wait(patience)).unwrap_or(false)
}

/// Cancels a call and closes its connection. Its `_finish` then returns VITALWIRE_ERROR_CANCELLED, and its completion runs as usual. A
/// response that has arrived is kept. Thread-safe and idempotent, but not allowed in a signal handler. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_cancel(call: Option<&vitalwire_call>) {
    let Some(call) = handles::valid(call) else { return };
    catch(|| call.0.cancel());
}

/// Frees a call. A call in flight is cancelled, and its completion never runs. If the completion or observer is running on another thread,
/// this function waits until it returns. May be called in the completion of the call. Results that were taken stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_free(call: Option<Box<vitalwire_call>>) {
    let Some(call) = handles::valid(call) else { return };
    catch(|| call.0.abandon());
    // The handle is freed last, because a completion that `abandon` waited for may use it.
    handles::unregister(&*call);
    if !call.0.is_of_this_process() {
        // In a forked child, locks that threads of the parent held stay locked.
        mem::forget(call);
    }
}

/// Ends all threads of the library, so that the library can be unloaded. Cancels started calls and waits for the calls, their completions
/// and token providers. Completions of a client with a descriptor stay queued for vitalwire_client_dispatch.
///
/// Fails with VITALWIRE_ERROR_CONFIGURATION, and ends no thread, while another thread waits for a call or if called in a callback. Later
/// calls start new threads.
///
/// Before `dlclose`, free all objects and call this function on a thread of your own. Unload the library only if it returns VITALWIRE_OK
/// and no other thread is inside one of its functions.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_shutdown(error: Option<&mut MaybeUninit<Box<vitalwire_error>>>) -> vitalwire_code {
    attempt(error, blocking::shutdown)
}
