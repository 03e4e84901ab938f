//! What happens to a call, for a function of the application's.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::ffi::c_void;

use vitalwire::client::AttemptEvent;

use crate::client::vitalwire_client_builder;
use crate::generated::code::vitalwire_code;
use crate::given::set;
use crate::user_data::{Observer, vitalwire_destructor};
use crate::value::vitalwire_str;

/// One attempt of a call. Its texts are readable until the function returns that was given it.
#[repr(C)]
pub struct vitalwire_attempt {
    /// The operation, such as "get_sleep".
    pub operation: vitalwire_str,
    /// "GET", "POST" and their like.
    pub http_method: vitalwire_str,
    /// The path with its parameters' names.
    pub path_template: vitalwire_str,
    /// The id that the service gave this request, if it is shaped like an id.
    pub request_id: vitalwire_str,
    /// 1 for the first.
    pub attempt: u32,
    /// The HTTP status; 0 if the service did not respond.
    pub status: u16,
    /// VITALWIRE_OK for a success.
    pub code: vitalwire_code,
    /// Duration of the attempt, in milliseconds.
    pub elapsed_ms: u64,
    /// Pause before the next attempt, in milliseconds; -1 if this was the last.
    pub next_delay_ms: i64,
}

/// Is told of every attempt of a client's calls, on a thread that drives the call, which goes on when it returns: it must be ready for any
/// thread, keep short and not unwind. One that blocks holds up its own call, and may hold up others of its client. A call that it makes itself
/// ends with VITALWIRE_ERROR_CONFIGURATION.
pub type vitalwire_attempt_observer = Option<extern "C" fn(user_data: *mut c_void, attempt: &vitalwire_attempt)>;

/// Has a function called after every attempt, with `user_data`. Each call of this adds one. `destructor` may be NULL; it ends `user_data` when
/// no attempt of the client can follow any more, and at once where NULL is given as function.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_on_attempt(
    builder: Option<&mut vitalwire_client_builder>,
    function: vitalwire_attempt_observer,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
) {
    let observer = Observer::new(function, user_data, destructor);
    set(builder, |settings, _| {
        let Some(observer) = observer else { return };
        let hook = move |event: &AttemptEvent| {
            observer.call(&vitalwire_attempt {
                operation: event.operation.into(),
                http_method: event.http_method.into(),
                path_template: event.path_template.into(),
                request_id: event.request_id.as_deref().map_or(vitalwire_str::NONE, vitalwire_str::from),
                attempt: event.attempt,
                status: event.status.unwrap_or_default(),
                code: event.error.map_or(vitalwire_code::VITALWIRE_OK, vitalwire_code::from),
                elapsed_ms: u64::try_from(event.elapsed.as_millis()).unwrap_or(u64::MAX),
                next_delay_ms: event.next_delay.map_or(-1, |delay| i64::try_from(delay.as_millis()).unwrap_or(i64::MAX)),
            });
        };
        *settings = settings.take().map(|settings| settings.on_attempt(hook));
    });
}
