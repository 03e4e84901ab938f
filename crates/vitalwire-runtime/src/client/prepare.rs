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
        let shared = self.shared().map_err(ended)?;
        let clock = CallClock::start(&shared.deadlines, O::META.deadline, &options);
        let parameters = shared.unless_ended(&options, clock.until_end(parameters)).await.and_then(|outcome| outcome);
        let options = options.within(clock.left());
        Ok((parameters.map_err(ended)??, options))
    }
}
