//! Making a call and waiting for it on the caller's thread.

use std::mem::MaybeUninit;

use vitalwire::Error;
use vitalwire::client::{CallOptions, Operation};

use crate::cancel::vitalwire_cancel;
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{attempt, present};
use crate::options::vitalwire_call_options;
use crate::params::Params;

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
        Ok(client.0.call(params).options(options).send_blocking()?.into_inner())
    }
}

impl<O: Operation<Output = ()> + Clone> Call<'_, O> {
    /// Makes a call that answers nothing.
    pub(crate) fn nothing(mut self) -> vitalwire_code {
        let error = self.error.take();
        attempt(error, || self.run())
    }
}
