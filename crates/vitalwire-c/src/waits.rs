//! Calls that end when an analysis has.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::wait::{WaitCall, WaitError, WaitOperation, WaitProgress};

use crate::call::{Begun, Call, taken};
use crate::error::{Kept, vitalwire_error};
use crate::generated::code::vitalwire_code;
use crate::guard::{self, catch, optional, present};
use crate::kind::{self, owned};
use crate::outcome::attempt_with;
use crate::user_data::{Observer, vitalwire_destructor};
use crate::value::vitalwire_str;
use crate::view;

/// How an analysis is waited for; what is not set keeps its default. Calls only read it, so it can be used for many.
#[derive(Clone)]
pub struct vitalwire_wait_options {
    timeout: Option<Duration>,
    interval: Option<(Duration, Duration)>,
    on_progress: Option<Arc<Observer<vitalwire_wait_progress>>>,
}

/// How far a wait is. Its texts are readable until the function returns that was given it.
#[repr(C)]
pub struct vitalwire_wait_progress {
    /// How often the record was read; 0 when an upload has just been answered.
    pub polls: u32,
    /// Time since the wait began, an upload included, in milliseconds.
    pub elapsed_ms: u64,
    /// The status as on the wire; it may be one that this version does not know.
    pub status: vitalwire_str,
    /// After an upload, the id of its record: it can be waited for again, whatever becomes of this wait.
    pub record_id: vitalwire_str,
}

/// Is told how far a wait is.
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

/// Creates options with the defaults.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_new() -> Option<Box<vitalwire_wait_options>> {
    catch(|| owned(vitalwire_wait_options { timeout: None, interval: None, on_progress: None }))
}

/// Maximum time for the whole wait, including an upload. In milliseconds. Defaults to 300 seconds.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_set_timeout_ms(options: Option<&mut vitalwire_wait_options>, milliseconds: u64) {
    if let Some(options) = kind::known(options) {
        options.timeout = Some(Duration::from_millis(milliseconds));
    }
}

/// Interval between two polls, in milliseconds: `floor` at first, growing by half each time up to `ceiling`. A floor of 0, or a ceiling
/// below it, is rejected when the call is made. Defaults to 1 second, growing to 5 seconds.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_set_interval_ms(options: Option<&mut vitalwire_wait_options>, floor: u64, ceiling: u64) {
    if let Some(options) = kind::known(options) {
        options.interval = Some((Duration::from_millis(floor), Duration::from_millis(ceiling)));
    }
}

/// Sets a function that is called with `user_data` after every response: on the waiting thread, or, for a started call, on a thread of the
/// library. NULL sets none. The first call after an upload has the record's id before anything is waited for. The function must not make
/// calls (VITALWIRE_ERROR_CONFIGURATION), but may cancel. Options that several waits use at the same time call it for each. `destructor`
/// may be NULL. It is called once with `user_data`: when the options and their copies are freed or get another function and no wait uses them
/// any more, and at once if `options` or `function` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_set_on_progress(
    options: Option<&mut vitalwire_wait_options>,
    function: vitalwire_wait_observer,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
) {
    let observer = Observer::new(function, user_data, destructor);
    if let Some(options) = kind::known(options) {
        options.on_progress = observer.map(Arc::new);
    }
}

/// Copies options: a change of one does not change the other. The function for progress and its user data are shared until one of them gets
/// another function. Returns NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_clone(options: Option<&vitalwire_wait_options>) -> Option<Box<vitalwire_wait_options>> {
    guard::copied(options)
}

/// Frees options; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_wait_options_free(options: Option<Box<vitalwire_wait_options>>) {
    view::free(options);
}

impl vitalwire_wait_options {
    /// A wait with these options; `around` calls the observer.
    pub(crate) fn set<O: WaitOperation>(&self, mut wait: WaitCall<O>, around: impl Fn(&mut dyn FnMut()) + Send + 'static) -> WaitCall<O> {
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
    /// Makes the call and waits until its analysis has ended; the record as it is read then goes to `out`.
    pub(crate) fn wait(
        mut self,
        options: Option<&vitalwire_wait_options>,
        out: Option<&mut MaybeUninit<Box<O::Record>>>,
    ) -> vitalwire_code {
        let error = self.error.take();
        attempt_with(error, || {
            let out = present(out, "out")?;
            let options = optional(options, "wait_options")?;
            let Begun { call, metadata } = self.begin()?;
            let wait = call.and_wait();
            let wait = match options {
                Some(options) => options.set(wait, |tell| tell()),
                None => wait,
            };
            let response = wait.send_blocking().map_err(ended)?;
            out.write(owned(taken(response, metadata.as_ref())));
            Ok(())
        })
    }
}

/// The error keeps what was known of the record by then: it can be waited for again.
pub(crate) fn ended<T: Send + Sync + 'static>(error: WaitError<T>) -> vitalwire_error {
    let (error, last) = error.into_parts();
    vitalwire_error { last: last.map(|response| Box::new(response.into_inner()) as Kept), ..error.into() }
}
