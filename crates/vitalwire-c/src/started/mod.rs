//! Calls without blocking: they are started, go on by themselves, and say when they have ended.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

pub mod bell;
pub mod endings;
pub(crate) mod going;

use std::ffi::c_void;
use std::mem::{self, MaybeUninit};
use std::sync::Arc;
use std::time::Duration;

use vitalwire::blocking;

use self::going::Going;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::catch;
use crate::kind;
use crate::outcome::attempt;

/// A call that was started by a function with `_start` at its end. The one with `_finish` takes its answer, once it has ended.
///
/// What the `_start` refuses is never started: its code says so. All else, a client that is closed too, is told by `_finish`. Any thread
/// may use a call; a child of fork() has none of its parent's.
pub struct vitalwire_call(pub(crate) Arc<Going>);

/// Is called once, when a call has ended, and takes its answer by `_finish`. It may free its call, start others and wait.
///
/// It runs on a thread of the library, where it may also make calls that block; those of one client run one after the other. As soon as
/// the program has asked for the client's descriptor, or dispatched, it runs in vitalwire_client_dispatch instead, and nowhere else.
pub type vitalwire_completion = Option<extern "C" fn(user_data: *mut c_void, call: *mut vitalwire_call)>;

/// Waits until a call has ended, at most so many milliseconds; 0 only looks, and UINT64_MAX waits without a bound. Returns whether it has
/// ended, well or not. Its completion may be running still, or be yet to run; a
/// dispatch after this runs it.
///
/// In functions of yours that are called while a call is driven (observers), this only looks.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_wait(call: Option<&vitalwire_call>, milliseconds: u64) -> bool {
    let Some(call) = kind::known(call) else { return false };
    let patience = if blocking::is_in_task() { Duration::ZERO } else { Duration::from_millis(milliseconds) };
    catch(|| call.0.wait(patience)).unwrap_or(false)
}

/// Ends a call: soon after this, its `_finish` says VITALWIRE_ERROR_CANCELLED with what the call did by then, and its connection is closed.
/// Its completion runs as after any end. An answer that has come is kept. May be used from any thread, more than once, but not from a
/// signal handler. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_cancel(call: Option<&vitalwire_call>) {
    let Some(call) = kind::known(call) else { return };
    catch(|| call.0.cancel());
}

/// Frees a call, also from its completion; NULL is allowed. One that has not ended is cancelled, and its completion never runs; one whose
/// completion or observer is running on another thread waits for that. Answers that were taken stay.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_free(call: Option<Box<vitalwire_call>>) {
    let Some(call) = kind::known(call) else { return };
    catch(|| call.0.abandon());
    // Not before: the completion that it waits for may use the call.
    kind::gone(&*call);
    if !call.0.is_here() {
        // What the parent's threads had locked stays locked here.
        mem::forget(call);
    }
}

/// Ends all threads of the library, so that it can be unloaded. Calls that were started are cancelled; this waits for them, for their
/// completions, and for token providers. Completions of a client with a descriptor stay for vitalwire_client_dispatch.
///
/// While another thread waits for a call, and in functions of yours that are called by the library, this is VITALWIRE_ERROR_CONFIGURATION
/// and ends nothing. Later calls have threads of their own again.
///
/// Before `dlclose`, free all objects and call this on a thread that is not the library's; unload the library only if it returns VITALWIRE_OK.
/// No other thread may then be inside a function of the library.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_shutdown(error: Option<&mut MaybeUninit<Box<vitalwire_error>>>) -> vitalwire_code {
    attempt(error, blocking::shutdown)
}
