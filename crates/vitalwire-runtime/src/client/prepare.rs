//! Parameters that take time, such as a file to upload.

use std::future::{Future, ready};
use std::pin::pin;

use futures_util::future::{Either, select};

use super::{CallOptions, Client, Operation};
use crate::error::Error;
use crate::transport::CallClock;

impl Client {
    /// Waits for the parameters of a call, under its total deadline, its cancel token and the closing of the client. Returns the options
    /// for the rest of the call.
    ///
    /// # Errors
    /// Returns the errors of the parameters, and `timeout`, `cancelled` and `closed`.
    #[doc(hidden)]
    pub async fn prepare<O: Operation, E: From<Error>>(
        &self,
        parameters: impl Future<Output = Result<O, E>>,
        options: CallOptions,
    ) -> Result<(O, CallOptions), E> {
        let mut parameters = pin!(parameters);
        // Most are there at once.
        if let Either::Left((parameters, _)) = select(parameters.as_mut(), ready(())).await {
            return Ok((parameters?, options));
        }
        let ended = |error: Error| E::from(error.in_operation(O::META));
        let shared = self.shared().map_err(ended)?;
        let clock = CallClock::start(&shared.deadlines, O::META.deadline, &options);
        let parameters = shared.unless_ended(&options, clock.until_end(parameters)).await.and_then(|outcome| outcome);
        let options = options.within(clock.left());
        Ok((parameters.map_err(ended)??, options))
    }
}
