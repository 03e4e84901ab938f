//! Input of a call that is read asynchronously, such as a file to upload.

use std::future::{Future, ready};
use std::pin::pin;

use futures_util::future::{Either, select};

use super::{CallOptions, Client, Operation};
use crate::error::Error;
use crate::transport::CallClock;

impl Client {
    /// Awaits the input of a call, within its timeout, and until it is cancelled or the client is closed. Returns the options for the rest
    /// of the call, with the remaining time.
    ///
    /// # Errors
    /// Errors of the input, `timeout`, `cancelled` and `closed`.
    #[doc(hidden)]
    pub async fn prepare<O: Operation, T, E: From<Error>>(
        &self,
        input: impl Future<Output = Result<T, E>>,
        options: CallOptions,
    ) -> Result<(T, CallOptions), E> {
        let mut input = pin!(input);
        // Most input is ready at once: skip the clock.
        if let Either::Left((input, _)) = select(input.as_mut(), ready(())).await {
            return Ok((input?, options));
        }
        let ended = |error: Error| E::from(error.with_operation(O::META));
        let state = self.state().map_err(ended)?;
        let clock = CallClock::start(&state.deadlines, O::META.deadline, &options);
        let input = state.unless_ended(&options, clock.run_within_total(input)).await.and_then(|outcome| outcome);
        let options = options.with_remaining_time(clock.remaining());
        Ok((input.map_err(ended)??, options))
    }
}
