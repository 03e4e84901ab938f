//! Syncs: changes of a user's records since the last sync.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

pub mod params;
pub mod part;
pub mod parts;
pub mod plan;

use std::ffi::c_void;
use std::mem::MaybeUninit;

use vitalwire::blocking::block_on_several;
use vitalwire::client::CallOptions;
use vitalwire_sync::{SyncCall, SyncClient as _, generation};

use self::params::vitalwire_sync_params;
use self::part::vitalwire_sync_part;
use self::parts::{take_part, vitalwire_sync_parts};
use self::plan::vitalwire_sync_plan;
use crate::arguments::Arguments;
use crate::cancel::vitalwire_cancel_token;
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{free, handle, optional, present};
use crate::handles::{self, owned};
use crate::options::vitalwire_call_options;
use crate::outcome::attempt_with;
use crate::pending_calls::completion_queue::CompletionQueues;
use crate::user_data::{UserData, vitalwire_destructor};
use crate::value::vitalwire_bytes;
use crate::view;

/// A sync of one user. Nothing is requested until its parts are read. Each reading starts from the same state, so create another sync from
/// the last stored state instead of a second reading.
pub struct vitalwire_sync_call {
    call: SyncCall,
    /// Queue of started readings that have ended.
    completions: CompletionQueues,
}

/// A state that belongs to the caller.
pub struct vitalwire_sync_state(Vec<u8>);

/// Called with each part of a sync. Apply the changes of the part and store its state. Return false to end the sync: the last state stays
/// valid. The callback may make calls.
pub type vitalwire_sync_callback = Option<extern "C" fn(user_data: *mut c_void, part: &vitalwire_sync_part) -> bool>;

/// Creates a sync, which returns what has changed since the state of the last one. Checks the arguments and the state, and sends nothing.
/// Free the result with vitalwire_sync_call_free.
///
/// If the state cannot be used, this function fails with VITALWIRE_ERROR_INVALID_ARGUMENT, and vitalwire_error_state_reason returns the
/// reason. `options` apply to each call of the sync; response metadata is not available. `cancel` cancels all of them. `options` and
/// `cancel` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_sync(
    client: Option<&vitalwire_client>,
    params: Option<&vitalwire_sync_params>,
    options: Option<&vitalwire_call_options>,
    cancel: Option<&vitalwire_cancel_token>,
    out: Option<&mut MaybeUninit<Box<vitalwire_sync_call>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let out = present(out, "out")?;
        let client = handle(client, "client")?;
        let (params, options, cancel) = (optional(params, "params")?, optional(options, "options")?, optional(cancel, "cancel")?);
        let (kinds, key, build) = present(params, "params")?.checked()?;
        let mut call_options = match options {
            Some(options) => {
                options.arguments.check()?;
                options.value.clone()
            }
            None => CallOptions::new(),
        };
        if let Some(cancel) = cancel {
            call_options = call_options.cancel_token(&cancel.0);
        }
        let call = build(client.core.sync(kinds, key).options(call_options));
        drop(call.clone().start()?);
        out.write(owned(vitalwire_sync_call { call, completions: client.completions.clone() }));
        Ok(())
    })
}

/// Begins to read the parts of a sync. Sends nothing until the first part is read. Free the result with vitalwire_sync_parts_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_call_read(
    sync: Option<&vitalwire_sync_call>,
    out: Option<&mut MaybeUninit<Box<vitalwire_sync_parts>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let sync = handle(sync, "sync")?;
        let out = present(out, "out")?;
        out.write(owned(vitalwire_sync_parts::new(sync.call.clone().start()?.shared(), sync.completions.clone())));
        Ok(())
    })
}

/// Runs a sync, and calls `callback` with `user_data` and each part, on this thread. A part that fails is left out, and its days stay due.
/// After the last part, this function returns the last error.
///
/// `destructor` is called once with `user_data`, before this function returns. It may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_call_each(
    sync: Option<&vitalwire_sync_call>,
    callback: vitalwire_sync_callback,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    let user_data = UserData::new(user_data, destructor);
    attempt_with(error, || {
        let sync = handle(sync, "sync")?;
        let callback = present(callback, "callback")?;
        let parts = sync.call.clone().start()?.shared();
        while let Some(part) = block_on_several(parts.next())??.map(take_part).transpose()? {
            let part = handles::register_box(part);
            let continues = callback(user_data.get(), &part);
            free(Some(part));
            if !continues {
                break;
            }
        }
        Ok(())
    })
}

/// Returns the days and the number of requests of a sync, by the clock of this machine, without a request. Free the result with
/// vitalwire_sync_plan_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_call_plan(
    sync: Option<&vitalwire_sync_call>,
    out: Option<&mut MaybeUninit<Box<vitalwire_sync_plan>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let sync = handle(sync, "sync")?;
        let out = present(out, "out")?;
        out.write(owned(sync.call.clone().plan()?.into()));
        Ok(())
    })
}

/// Returns the state with the events of a sync, without a request. A receiver of webhooks stores this state and responds. The next sync
/// reads the days. Free the result with vitalwire_sync_state_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_call_record_events(
    sync: Option<&vitalwire_sync_call>,
    out: Option<&mut MaybeUninit<Box<vitalwire_sync_state>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let sync = handle(sync, "sync")?;
        let out = present(out, "out")?;
        out.write(owned(vitalwire_sync_state(sync.call.clone().record_events()?)));
        Ok(())
    })
}

/// Frees a sync. Readings in progress continue. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_call_free(sync: Option<Box<vitalwire_sync_call>>) {
    view::free(sync);
}

/// Returns the bytes of a state, which are valid as long as the state.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_state_bytes(of: Option<&vitalwire_sync_state>) -> vitalwire_bytes {
    view::plain(of, vitalwire_bytes::NONE, |of| of.0.as_slice().into())
}

/// Frees a state. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_state_free(of: Option<Box<vitalwire_sync_state>>) {
    view::free(of);
}

/// Writes the number of a state of `length` bytes to `out`. Every later state of a copy has a higher number. If two syncs start from the
/// same state, only one of them may store its states. Before you store a state, check that the stored state still has the number that
/// this sync has read or stored last. Fails if the state is damaged or has the layout of another version.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_state_generation(
    state: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let out = present(out, "out")?;
        let mut arguments = Arguments::default();
        let bytes = arguments.slice("state", &state, length);
        arguments.check()?;
        out.write(generation(bytes)?);
        Ok(())
    })
}
