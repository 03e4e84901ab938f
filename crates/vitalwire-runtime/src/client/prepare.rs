//! Parameters that are computed asynchronously, such as a file to upload.

use std::future::{Future, ready};
use std::pin::pin;

use futures_util::future::{Either, select};

use super::{CallOptions, Client, Operation};
use crate::error::Error;
use crate::transport::CallClock;

impl Client {
    /// Awaits the parameters of a call, within its timeout, and until it is cancelled or the client is closed. Returns the options for the
    /// rest of the call, with the remaining time.
    ///
    /// # Errors
    /// Errors of the parameters, `timeout`, `cancelled` and `closed`.
    #[doc(hidden)]
    pub async fn prepare<O: Operation, E: From<Error>>(
        &self,
        parameters: impl Future<Output = Result<O, E>>,
        options: CallOptions,
    ) -> Result<(O, CallOptions), E> {
        let mut parameters = pin!(parameters);
        // Most parameters are ready at once: skip the clock.
        if let Either::Left((parameters, _)) = select(parameters.as_mut(), ready(())).await {
            return Ok((parameters?, options));
        }
        let ended = |error: Error| E::from(error.with_operation(O::META));
        let state = self.state().map_err(ended)?;
        let clock = CallClock::start(&state.deadlines, O::META.deadline, &options);
        let parameters = state.unless_ended(&options, clock.run_within_total(parameters)).await.and_then(|outcome| outcome);
        let options = options.with_remaining_time(clock.remaining());
        Ok((parameters.map_err(ended)??, options))
    }
}
