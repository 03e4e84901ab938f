//! Calls that wait for an analysis.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::wait::{WaitCall, WaitError, WaitOperation, WaitProgress};

use crate::call::{Call, PreparedCall, into_value};
use crate::error::{ErasedValue, vitalwire_error};
use crate::generated::code::vitalwire_code;
use crate::guard::{self, catch, optional, present};
use crate::handles::{self, owned};
use crate::user_data::{Observer, vitalwire_destructor};
use crate::value::vitalwire_str;
use crate::view;

/// Options of a wait. Unset options keep their defaults. Calls only read them, so they can be reused.
#[derive(Clone)]
pub struct vitalwire_wait_options {
    timeout: Option<Duration>,
    interval: Option<(Duration, Duration)>,
    on_progress: Option<Arc<Observer<vitalwire_wait_progress>>>,
}

/// Progress of a wait. Its texts are valid until the callback returns.
#[repr(C)]
pub struct vitalwire_wait_progress {
    /// Number of times the record was read; 0 right after the response to an upload.
    pub polls: u32,
    /// Time since the wait began, including an upload, in milliseconds.
    pub elapsed_ms: u64,
    /// Status as received. It may be unknown to this version.
    pub status: vitalwire_str,
    /// Id of the record that an upload created. With the id, another call can wait for the record if this wait fails.
    pub record_id: vitalwire_str,
}

/// Callback that receives the progress of a wait.
pub type vitalwire_wait_observer = Option<extern "C" fn(user_data: *mut c_void, progress: &vitalwire_wait_progress)>;

impl From<&WaitProgress<'_>> for vitalwire_wait_progress {
    fn from(core: &WaitProgress<'_>) -> Self {
        Self {
            polls: core.polls,
            elapsed_ms: u64::try_from(core.elapsed.as_millis()).unwrap_or(u64::MAX),
            status: core.status.into(),
            record_id: core.record_id.map_or(vitalwire_str::NONE, vitalwire_str::from),
        }
    }
}

/// Creates options with the defaults. Free them with vitalwire_wait_options_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_new() -> Option<Box<vitalwire_wait_options>> {
    catch(|| owned(vitalwire_wait_options { timeout: None, interval: None, on_progress: None }))
}

/// Sets the timeout of the whole wait, including an upload, in milliseconds. Defaults to 300 seconds.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_set_timeout_ms(options: Option<&mut vitalwire_wait_options>, milliseconds: u64) {
    if let Some(options) = handles::valid(options) {
        options.timeout = Some(Duration::from_millis(milliseconds));
    }
}

/// Sets the interval between polls, in milliseconds: `floor` at first, growing by half each time up to `ceiling`. The call fails if `floor`
/// is 0 or greater than `ceiling`. Defaults to 1 second, growing to 5 seconds.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_set_interval_ms(options: Option<&mut vitalwire_wait_options>, floor: u64, ceiling: u64) {
    if let Some(options) = handles::valid(options) {
        options.interval = Some((Duration::from_millis(floor), Duration::from_millis(ceiling)));
    }
}

/// Sets a callback that is called with `user_data` after every response. NULL removes the callback. After an upload, the first call
/// provides the id of the record before any polling.
///
/// The callback runs on the waiting thread; for a started call, on a library thread. It may cancel the wait. Calls that it makes fail with
/// VITALWIRE_ERROR_CONFIGURATION. It must be thread-safe if several waits share the options.
///
/// `destructor` is called once with `user_data`: when no options and no wait use the callback any more, or at once if `options` or
/// `function` is NULL. `destructor` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_set_on_progress(
    options: Option<&mut vitalwire_wait_options>,
    function: vitalwire_wait_observer,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
) {
    let observer = Observer::new(function, user_data, destructor);
    if let Some(options) = handles::valid(options) {
        options.on_progress = observer.map(Arc::new);
    }
}

/// Copies options. Both objects share the progress callback and its user data until one of them gets another callback. Returns NULL for
/// NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_clone(options: Option<&vitalwire_wait_options>) -> Option<Box<vitalwire_wait_options>> {
    guard::clone_object(options)
}

/// Frees options. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_free(options: Option<Box<vitalwire_wait_options>>) {
    view::free(options);
}

impl vitalwire_wait_options {
    /// Applies the options to a wait. `around` wraps each call of the observer.
    pub(crate) fn apply<O: WaitOperation>(&self, mut wait: WaitCall<O>, around: impl Fn(&mut dyn FnMut()) + Send + 'static) -> WaitCall<O> {
        if let Some(timeout) = self.timeout {
            wait = wait.timeout(timeout);
        }
        if let Some((floor, ceiling)) = self.interval {
            wait = wait.interval(floor, ceiling);
        }
        if let Some(observer) = self.on_progress.clone() {
            wait = wait.on_progress(move |progress| around(&mut || observer.call(&progress.into())));
        }
        wait
    }
}

impl<O: WaitOperation + Clone> Call<'_, O>
where
    O::Record: Sync,
{
    /// Makes the call, waits until its analysis has ended and writes the record to `out`.
    pub(crate) fn wait(self, options: Option<&vitalwire_wait_options>, out: Option<&mut MaybeUninit<Box<O::Record>>>) -> vitalwire_code {
        self.attempt(|call| {
            let out = present(out, "out")?;
            let options = optional(options, "wait_options")?;
            let PreparedCall { call, metadata } = call.prepare()?;
            let wait = call.and_wait();
            let wait = match options {
                Some(options) => options.apply(wait, |observer| observer()),
                None => wait,
            };
            let response = wait.send_blocking().map_err(wait_error)?;
            out.write(owned(into_value(response, metadata.as_ref())));
            Ok(())
        })
    }
}

/// Converts the error of a wait. It keeps the record as last read.
pub(crate) fn wait_error<T: Send + Sync + 'static>(error: WaitError<T>) -> vitalwire_error {
    let (error, last) = error.into_parts();
    vitalwire_error { last: last.map(|response| Box::new(response.into_inner()) as ErasedValue), ..error.into() }
}
