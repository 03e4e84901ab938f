//! Functions that start calls on library threads and take their results.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::any::Any;
use std::ffi::c_void;
use std::future::Future;
use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::blocking::{self, RegisteredCall};
use vitalwire::client::{CancelToken, Operation};
use vitalwire::wait::WaitOperation;
use vitalwire::{Error, boundary};

use crate::call::{Call, PreparedCall, into_value};
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{catch, handle, optional, present};
use crate::handles::{self, owned};
use crate::outcome::{attempt, attempt_with};
use crate::pending_calls::completion_queue::CompletionQueues;
use crate::pending_calls::notifier::vitalwire_descriptor;
use crate::pending_calls::pending_call::{Completion, PendingCall};
use crate::pending_calls::{vitalwire_call, vitalwire_completion};
use crate::user_data::{UserData, vitalwire_destructor};
use crate::waits::{vitalwire_wait_options, wait_error};

/// Output parameter for a started call.
pub(crate) type CallOut<'a> = Option<&'a mut MaybeUninit<*mut vitalwire_call>>;

/// A completion as passed to `_start`. Takes over the user data, also if the call is rejected.
pub(crate) struct CompletionCallback {
    function: vitalwire_completion,
    user_data: UserData,
}

impl CompletionCallback {
    pub(crate) fn new(function: vitalwire_completion, user_data: *mut c_void, destructor: vitalwire_destructor) -> Self {
        Self { function, user_data: UserData::new(user_data, destructor) }
    }
}

impl<O: Operation + Clone> Call<'_, O> {
    pub(crate) fn start(self, name: &'static str, callback: CompletionCallback, out: CallOut<'_>) -> vitalwire_code {
        self.attempt(|call| {
            let out = present(out, "out")?;
            let (completions, token) = call.queue_and_token()?;
            let PreparedCall { call, metadata } = call.prepare_with(Some(token.clone()))?;
            let call = call.bind_connections();
            Ok(start(name, &completions, token, callback, out, |_| async move { Ok(into_value(call.send().await?, metadata.as_ref())) })?)
        })
    }

    /// Returns the queue for the ended call, and a token that cancels only this call.
    pub(crate) fn queue_and_token(&self) -> Result<(CompletionQueues, CancelToken), Error> {
        let client = handle(self.client, "client")?;
        let cancel = optional(self.cancel, "cancel")?;
        Ok((client.completions.clone(), cancel.map(|cancel| cancel.0.child()).unwrap_or_default()))
    }
}

impl<O: WaitOperation + Clone> Call<'_, O>
where
    O::Record: Sync,
{
    /// Starts a call that waits until its analysis has ended.
    pub(crate) fn start_wait(
        self,
        name: &'static str,
        options: Option<&vitalwire_wait_options>,
        callback: CompletionCallback,
        out: CallOut<'_>,
    ) -> vitalwire_code {
        self.attempt(|call| {
            let out = present(out, "out")?;
            let options = optional(options, "wait_options")?;
            let (completions, token) = call.queue_and_token()?;
            let PreparedCall { call, metadata } = call.prepare_with(Some(token.clone()))?;
            let wait = call.bind_connections().and_wait();
            Ok(start(name, &completions, token, callback, out, |pending| {
                let pending = Arc::clone(pending);
                let wait = match options {
                    Some(options) => options.apply(wait, move |observer| pending.observe(observer)),
                    None => wait,
                };
                async move { Ok(into_value(wait.send().await.map_err(wait_error)?, metadata.as_ref())) }
            })?)
        })
    }
}

/// Runs `work` on the library's threads.
pub(crate) fn start<T, F>(
    name: &'static str,
    completions: &CompletionQueues,
    token: CancelToken,
    callback: CompletionCallback,
    out: &mut MaybeUninit<*mut vitalwire_call>,
    work: impl FnOnce(&Arc<PendingCall>) -> F,
) -> Result<(), Error>
where
    T: Send + 'static,
    F: Future<Output = Result<T, vitalwire_error>> + Send + 'static,
{
    let starting = RegisteredCall::new(&token)?;
    let CompletionCallback { function, user_data } = callback;
    let completion = function.map(|function| Completion { function, user_data });
    let pending = Arc::new(PendingCall::new(name, token, completion));
    let work = work(&pending);
    let handle = Box::into_raw(owned(vitalwire_call(Arc::clone(&pending))));
    pending.set_handle(handle);
    // Written before the start, because the call may end and its completion may use the handle before this function returns.
    out.write(handle);
    let completions = completions.current();
    starting.start(boundary::catch_panic_async(work), |result, started| async move {
        let result = result.map_err(Into::into).and_then(|result| result);
        pending.set_outcome(result.map(|value| Box::new(value) as Box<dyn Any + Send>));
        completions.push(pending, started).await;
    });
    Ok(())
}

/// Takes the result of a call that has ended.
pub(crate) fn finish<T: Send + 'static>(
    name: &str,
    call: Option<&vitalwire_call>,
    out: Option<&mut MaybeUninit<Box<T>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let call = handle(call, "call")?;
        let out = present(out, "out")?;
        out.write(handles::register_box(take_result(name, call)?));
        Ok(())
    })
}

/// Takes the outcome of a call without a result.
pub(crate) fn finish_empty(
    name: &str,
    call: Option<&vitalwire_call>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        take_result::<()>(name, handle(call, "call")?)?;
        Ok(())
    })
}

/// Takes the result of a call and checks its type.
pub(crate) fn take_result<T: 'static>(name: &str, call: &vitalwire_call) -> Result<Box<T>, vitalwire_error> {
    call.0.take(name)??.downcast().map_err(|_| Error::internal("a result has an unexpected type").into())
}

/// Writes a descriptor that becomes readable when calls of the client have ended, for `poll`, `select`, `epoll` and similar functions. Do
/// not read from it or close it.
///
/// From now on, completions run only in vitalwire_client_dispatch. The descriptor stays the same and is valid as long as the client. A
/// child of fork() must request its own descriptor. Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_descriptor(
    client: Option<&vitalwire_client>,
    out: Option<&mut MaybeUninit<vitalwire_descriptor>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let client = handle(client, "client")?;
        let out = present(out, "out")?;
        out.write(
            client
                .completions
                .current()
                .descriptor()
                .map_err(|error| blocking::resource_error(error, "the descriptor cannot be created"))?,
        );
        Ok(())
    })
}

/// Runs the completions of all calls of the client that have ended, on this thread, without waiting. Returns the number of these calls,
/// including calls without a completion.
///
/// The descriptor is optional: an event loop can also call this function once per iteration. A completion may call this function. Threads
/// that call it at the same time run completions in parallel.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_dispatch(client: Option<&vitalwire_client>) -> usize {
    let Some(client) = handles::valid(client) else { return 0 };
    catch(|| client.completions.current().dispatch()).unwrap_or(0)
}
