//! Calls that block the caller's thread.

use std::mem::MaybeUninit;

use vitalwire::Error;
use vitalwire::client::{Call as CoreCall, CallOptions, CancelToken, Operation, Response};

use crate::cancel::vitalwire_cancel_token;
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{handle, optional, present};
use crate::handles::owned;
use crate::options::vitalwire_call_options;
use crate::outcome::attempt_with;
use crate::params::Params;
use crate::response_slot::ResponseSlot;

/// Arguments that every call has.
pub(crate) struct Call<'a, O> {
    pub(crate) client: Option<&'a vitalwire_client>,
    pub(crate) params: Option<&'a Params<O>>,
    /// Parameters if the caller passed NULL; `None` if some are required.
    pub(crate) fallback: Option<O>,
    pub(crate) options: Option<&'a vitalwire_call_options>,
    pub(crate) cancel: Option<&'a vitalwire_cancel_token>,
    pub(crate) error: Option<&'a mut MaybeUninit<Box<vitalwire_error>>>,
}

/// A call of the core, and the slot for its response metadata.
pub(crate) struct PreparedCall<O> {
    pub(crate) call: CoreCall<O>,
    pub(crate) metadata: Option<ResponseSlot>,
}

impl<O: Operation + Clone> Call<'_, O> {
    /// Runs the work of the call. Checks its options first and clears their metadata: if anything fails, the slot must not have the metadata
    /// of an earlier call.
    pub(crate) fn attempt(mut self, work: impl FnOnce(Self) -> Result<(), vitalwire_error>) -> vitalwire_code {
        let error = self.error.take();
        attempt_with(error, || {
            if let Some(metadata) = optional(self.options, "options")?.and_then(|options| options.metadata.as_ref()) {
                metadata.clear();
            }
            work(self)
        })
    }

    /// Makes the call and writes its result to `out`.
    pub(crate) fn send(self, out: Option<&mut MaybeUninit<Box<O::Output>>>) -> vitalwire_code {
        self.attempt(|call| {
            let out = present(out, "out")?;
            out.write(owned(call.run()?));
            Ok(())
        })
    }

    /// Prepares the call without sending anything. [`Call::attempt`] must have checked the options.
    pub(crate) fn prepare(self) -> Result<PreparedCall<O>, Error> {
        let cancel = optional(self.cancel, "cancel")?.map(|cancel| cancel.0.clone());
        self.prepare_with(cancel)
    }

    /// Prepares the call with another cancel token.
    pub(crate) fn prepare_with(self, token: Option<CancelToken>) -> Result<PreparedCall<O>, Error> {
        let (client, params) = (handle(self.client, "client")?, optional(self.params, "params")?);
        let params = match (params, self.fallback) {
            (Some(params), _) => {
                params.arguments.check()?;
                params.value.clone()
            }
            (None, fallback) => present(fallback, "params")?,
        };
        let (mut options, metadata) = match self.options {
            Some(options) => {
                options.arguments.check()?;
                (options.value.clone(), options.metadata.clone())
            }
            None => (CallOptions::new(), None),
        };
        if let Some(token) = token {
            options = options.cancel_token(&token);
        }
        Ok(PreparedCall { call: client.core.call(params).options(options), metadata })
    }

    fn run(self) -> Result<O::Output, Error> {
        let PreparedCall { call, metadata } = self.prepare()?;
        let response = call.send_blocking()?;
        Ok(into_value(response, metadata.as_ref()))
    }
}

impl<O: Operation<Output = ()> + Clone> Call<'_, O> {
    /// Makes a call that has no result.
    pub(crate) fn send_empty(self) -> vitalwire_code {
        self.attempt(|call| Ok(call.run()?))
    }
}

/// Returns the value of a response and stores its metadata.
pub(crate) fn into_value<T>(response: Response<T>, metadata: Option<&ResponseSlot>) -> T {
    if let Some(metadata) = metadata {
        metadata.store(response.metadata());
    }
    response.into_inner()
}
