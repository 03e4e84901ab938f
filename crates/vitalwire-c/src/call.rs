//! Making a call and waiting for it on the caller's thread.

use std::future::Future;
use std::mem::MaybeUninit;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle, Runtime};
use vitalwire::Error;
use vitalwire::client::{CallOptions, Operation};

use crate::cancel::vitalwire_cancel;
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{attempt, present};
use crate::options::vitalwire_call_options;
use crate::params::Params;

/// Threads that drive connections while callers block: two are enough, since each caller drives its own call.
const THREADS: usize = 2;

/// What every call is given.
pub(crate) struct Call<'a, O> {
    pub(crate) client: Option<&'a vitalwire_client>,
    pub(crate) params: Option<&'a Params<O>>,
    /// The parameters where the caller gave NULL; `None` where some are required.
    pub(crate) fallback: Option<O>,
    pub(crate) options: Option<&'a vitalwire_call_options>,
    pub(crate) cancel: Option<&'a vitalwire_cancel>,
    pub(crate) error: Option<&'a mut MaybeUninit<Box<vitalwire_error>>>,
}

impl<O: Operation + Clone> Call<'_, O> {
    /// Makes the call; its answer goes to `out`.
    pub(crate) fn answer(mut self, out: Option<&mut MaybeUninit<Box<O::Output>>>) -> vitalwire_code {
        let error = self.error.take();
        attempt(error, || {
            let out = present(out, "out")?;
            out.write(Box::new(self.run()?));
            Ok(())
        })
    }

    fn run(self) -> Result<O::Output, Error> {
        let client = present(self.client, "client")?;
        let params = match (self.params, self.fallback) {
            (Some(params), _) => {
                params.given.check()?;
                params.value.clone()
            }
            (None, fallback) => present(fallback, "params")?,
        };
        let mut options = match self.options {
            Some(options) => {
                options.given.check()?;
                options.value.clone()
            }
            None => CallOptions::new(),
        };
        if let Some(cancel) = self.cancel {
            options = options.cancel_token(&cancel.0);
        }
        Ok(block_on(client.0.execute(params, &options))??.into_inner())
    }
}

impl<O: Operation<Output = ()> + Clone> Call<'_, O> {
    /// Makes a call that answers nothing.
    pub(crate) fn nothing(mut self) -> vitalwire_code {
        let error = self.error.take();
        attempt(error, || self.run())
    }
}

/// Runs a future on this thread, with one runtime for the whole process that is made when first needed and never ends.
pub(crate) fn block_on<F: Future>(future: F) -> Result<F::Output, Error> {
    if Handle::try_current().is_ok() {
        return Err(Error::configuration("a blocking call was made on a thread of an async runtime"));
    }
    Ok(runtime()?.block_on(future))
}

fn runtime() -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    // Two threads may get here at once; the second's runtime is dropped unused.
    let made = Builder::new_multi_thread().worker_threads(THREADS).thread_name("vitalwire").enable_all().build();
    let made = made.map_err(|_| Error::internal("the threads that drive connections cannot be started"))?;
    Ok(RUNTIME.get_or_init(|| made))
}
