//! Attempt callbacks.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::ffi::c_void;

use vitalwire::client::Attempt;

use crate::arguments::set;
use crate::client::vitalwire_client_builder;
use crate::generated::code::vitalwire_code;
use crate::user_data::{Observer, vitalwire_destructor};
use crate::value::vitalwire_str;

/// An attempt of a call. Its texts are valid until the callback returns.
#[repr(C)]
pub struct vitalwire_attempt {
    /// Operation id, such as "get_sleep".
    pub operation: vitalwire_str,
    /// HTTP method, such as "GET".
    pub http_method: vitalwire_str,
    /// Path of the operation with parameter names, such as "/v3/sleeps/{id}".
    pub path_template: vitalwire_str,
    /// Request id that the service assigned, if it looks like an id.
    pub request_id: vitalwire_str,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// HTTP status; 0 if the service did not respond.
    pub status: u16,
    /// Error code, or VITALWIRE_OK.
    pub code: vitalwire_code,
    /// Duration of the attempt, in milliseconds.
    pub elapsed_ms: u64,
    /// Delay before the next attempt, in milliseconds; -1 if this was the last attempt.
    pub next_delay_ms: i64,
}

/// Called after every attempt, on the thread that runs the call. It must be thread-safe, return quickly and not unwind.
///
/// The call continues when the callback returns. A callback that blocks delays this call and possibly other calls of the client. Calls that
/// the callback makes fail with VITALWIRE_ERROR_CONFIGURATION.
pub type vitalwire_attempt_observer = Option<extern "C" fn(user_data: *mut c_void, attempt: &vitalwire_attempt)>;

/// Adds a callback that is called with `user_data` after every attempt. Can be called repeatedly to add more.
///
/// `destructor` is called once with `user_data`: when the client can make no further attempts, or at once if `function` is NULL.
/// `destructor` may be NULL.
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
        let callback = move |event: &Attempt| {
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
        *settings = settings.take().map(|settings| settings.on_attempt(callback));
    });
}
