//! Starting calls on the library's threads, and taking their results.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::any::Any;
use std::ffi::c_void;
use std::future::Future;
use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::blocking::{self, Starting};
use vitalwire::client::{CancelToken, Operation};
use vitalwire::wait::WaitOperation;
use vitalwire::{Error, boundary};

use crate::call::{Begun, Call, taken};
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{catch, handle, optional, present};
use crate::kind::{self, owned};
use crate::outcome::{attempt, attempt_with};
use crate::started::bell::vitalwire_descriptor;
use crate::started::endings::Endings;
use crate::started::going::{Completion, Going};
use crate::started::{vitalwire_call, vitalwire_completion};
use crate::user_data::{UserData, vitalwire_destructor};
use crate::waits::{ended, vitalwire_wait_options};

/// Output parameter for a started call.
pub(crate) type Out<'a> = Option<&'a mut MaybeUninit<*mut vitalwire_call>>;

/// A completion as passed to `_start`. Takes over the user data, also if the call is rejected.
pub(crate) struct Then {
    function: vitalwire_completion,
    user_data: UserData,
}

impl Then {
    pub(crate) fn new(function: vitalwire_completion, user_data: *mut c_void, destructor: vitalwire_destructor) -> Self {
        Self { function, user_data: UserData::new(user_data, destructor) }
    }
}

impl<O: Operation + Clone> Call<'_, O> {
    /// Starts the call.
    pub(crate) fn start(mut self, name: &'static str, then: Then, out: Out<'_>) -> vitalwire_code {
        let error = self.error.take();
        attempt(error, || {
            let out = present(out, "out")?;
            let (endings, token) = self.own()?;
            let Begun { call, metadata } = self.begin_with(Some(token.clone()))?;
            let call = call.begun();
            start(name, &endings, token, then, out, |_| async move { Ok(taken(call.send().await?, metadata.as_ref())) })
        })
    }

    /// Returns the queue for the ended call, and a token that cancels only this call.
    pub(crate) fn own(&self) -> Result<(Endings, CancelToken), Error> {
        let client = handle(self.client, "client")?;
        let cancel = optional(self.cancel, "cancel")?;
        Ok((client.endings.clone(), cancel.map(|cancel| cancel.0.child()).unwrap_or_default()))
    }
}

impl<O: WaitOperation + Clone> Call<'_, O>
where
    O::Record: Sync,
{
    /// Starts a call that waits until its analysis has ended.
    pub(crate) fn start_wait(
        mut self,
        name: &'static str,
        options: Option<&vitalwire_wait_options>,
        then: Then,
        out: Out<'_>,
    ) -> vitalwire_code {
        let error = self.error.take();
        attempt(error, || {
            let out = present(out, "out")?;
            let options = optional(options, "wait_options")?;
            let (endings, token) = self.own()?;
            let Begun { call, metadata } = self.begin_with(Some(token.clone()))?;
            let wait = call.begun().and_wait();
            start(name, &endings, token, then, out, |going| {
                let going = Arc::clone(going);
                let wait = match options {
                    Some(options) => options.set(wait, move |tell| going.observe(tell)),
                    None => wait,
                };
                async move { Ok(taken(wait.send().await.map_err(ended)?, metadata.as_ref())) }
            })
        })
    }
}

/// Runs `work` on the library's threads.
pub(crate) fn start<T, F>(
    name: &'static str,
    endings: &Endings,
    token: CancelToken,
    then: Then,
    out: &mut MaybeUninit<*mut vitalwire_call>,
    work: impl FnOnce(&Arc<Going>) -> F,
) -> Result<(), Error>
where
    T: Send + 'static,
    F: Future<Output = Result<T, vitalwire_error>> + Send + 'static,
{
    let starting = Starting::new(&token)?;
    let Then { function, user_data } = then;
    let completion = function.map(|function| Completion { function, user_data });
    let going = Arc::new(Going::new(name, token, completion));
    let work = work(&going);
    let handle = Box::into_raw(owned(vitalwire_call(Arc::clone(&going))));
    going.is_held_by(handle);
    // Before the start: the call may end, and its completion use the handle, before this function returns.
    out.write(handle);
    let endings = endings.here();
    starting.start(boundary::caught_call(work), |answer, started| async move {
        let answer = answer.map_err(Into::into).and_then(|answer| answer);
        going.end(answer.map(|answer| Box::new(answer) as Box<dyn Any + Send>));
        endings.push(going, started).await;
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
        out.write(kind::handed_out(answer(name, call)?));
        Ok(())
    })
}

/// Takes the outcome of a call without a result.
pub(crate) fn finish_nothing(
    name: &str,
    call: Option<&vitalwire_call>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        answer::<()>(name, handle(call, "call")?)?;
        Ok(())
    })
}

/// Takes the result of a call and checks its type.
pub(crate) fn answer<T: 'static>(name: &str, call: &vitalwire_call) -> Result<Box<T>, vitalwire_error> {
    call.0.take(name)??.downcast().map_err(|_| Error::internal("an answer of another type").into())
}

/// Writes a descriptor that becomes readable when calls of the client have ended, for `poll`, `select`, `epoll` and similar functions. Do
/// not read from it or close it.
///
/// From now on completions run only in vitalwire_client_dispatch. The descriptor stays the same and is valid as long as the client. A child
/// of fork() must request its own. Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_descriptor(
    client: Option<&vitalwire_client>,
    out: Option<&mut MaybeUninit<vitalwire_descriptor>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let client = handle(client, "client")?;
        let out = present(out, "out")?;
        out.write(client.endings.here().descriptor().map_err(|error| blocking::unavailable(error, "no descriptor can be made"))?);
        Ok(())
    })
}

/// Runs the completions of the client's calls that have ended, on this thread, without waiting. Returns how many calls had ended, including
/// those without a completion.
///
/// Works without the descriptor, for example once per iteration of an event loop, and in a completion. Threads that dispatch at the same
/// time run completions in parallel.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_dispatch(client: Option<&vitalwire_client>) -> usize {
    let Some(client) = kind::known(client) else { return 0 };
    catch(|| client.endings.here().dispatch()).unwrap_or(0)
}
