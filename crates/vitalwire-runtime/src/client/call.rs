//! One call, from its parameters to its answer.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::time::Duration;

use super::{BoxFuture, CallOptions, CancelToken, Client, RawResponse, Response};
use crate::error::Error;
use crate::operation::{NotRequested, OperationMeta, Projection};
use crate::request::{self, CallContext, ResponseValue};
use crate::transport::DecodeGuard;

/// The parameters of an operation, and how it is carried out. Implemented by generated types only.
pub trait Operation: Sized + Send + Sync + 'static {
    /// What the operation answers.
    type Output: Send + 'static;

    /// The facts of the operation: id, HTTP method, path template, classes.
    const META: &'static OperationMeta;

    /// Checks the arguments before anything is sent; `limits` also checks the interface's limits.
    #[doc(hidden)]
    fn check(&self, limits: bool) -> Result<(), Error>;

    /// The tables whose rows the answer has only where they are requested, and which these arguments do not request.
    #[doc(hidden)]
    fn not_requested(&self) -> Vec<NotRequested> {
        Vec::new()
    }

    /// The numbers that these arguments request by name, in their order.
    #[doc(hidden)]
    fn columns(&self) -> Vec<String> {
        Vec::new()
    }

    /// Carries it out.
    #[doc(hidden)]
    fn run(self, context: CallContext) -> impl Future<Output = Result<ResponseValue<Self::Output>, request::Error<()>>> + Send;
}

/// A call that has not been made yet: set parameters and options, then `.await` it.
#[must_use = "a call is made when it is awaited or sent"]
pub struct Call<O> {
    client: Client,
    parameters: O,
    options: CallOptions,
}

impl<O> Call<O> {
    /// A call of a client, with its options yet to be set.
    #[doc(hidden)]
    pub fn new(client: &Client, parameters: O) -> Self {
        Self { client: client.clone(), parameters, options: CallOptions::new() }
    }

    /// The options set so far.
    pub(super) fn current_options(&self) -> &CallOptions {
        &self.options
    }

    /// Which argument the call will be refused for, and why; `None` where all are right.
    pub(crate) fn refused(mut self, argument: Option<(&'static str, &'static str)>) -> Self {
        self.options.refused = argument;
        self
    }

    /// Changes the parameters.
    #[doc(hidden)]
    pub fn with(mut self, change: impl FnOnce(O) -> O) -> Self {
        self.parameters = change(self.parameters);
        self
    }

    /// The client, the parameters and the options, for what makes several calls of one.
    #[doc(hidden)]
    pub fn into_parts(self) -> (Client, O, CallOptions) {
        (self.client, self.parameters, self.options)
    }

    /// The same call as of now: a client that is closed after this, by [`CloseMode::Finish`](super::CloseMode::Finish), lets it go on.
    #[doc(hidden)]
    pub fn begun(mut self) -> Self {
        // The call says itself that its client is closed already.
        if let Ok(held) = self.client.held() {
            self.client = held;
        }
        self
    }

    /// Sets every option at once; options that were set before are gone.
    pub fn options(mut self, options: CallOptions) -> Self {
        // A refused argument stays, and comes along with the options of a call that is made in parts.
        let refused = self.options.refused.or(options.refused);
        self.options = options;
        self.refused(refused)
    }

    /// Maximum time to connect, including the TLS handshake.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.options = self.options.connect_timeout(timeout);
        self
    }

    /// Maximum time for one attempt, from sending the request to the end of the response.
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.options = self.options.attempt_timeout(timeout);
        self
    }

    /// Maximum time for the call, including all attempts, the delays between them and getting a token.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.options = self.options.timeout(timeout);
        self
    }

    /// Token that cancels the call.
    pub fn cancel_token(mut self, token: &CancelToken) -> Self {
        self.options = self.options.cancel_token(token);
        self
    }

    /// Maximum number of retries. 0 disables retries.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.options = self.options.max_retries(retries);
        self
    }
}

impl<O: Operation> Call<O> {
    /// Makes the call. Dropping the future ends it and closes its connection.
    ///
    /// # Errors
    /// Every kind of [`ErrorKind`](crate::error::ErrorKind) but `signature`.
    pub async fn send(self) -> Result<Response<O::Output>, Error> {
        self.client.execute(self.parameters, &self.options).await
    }

    /// Makes the call and hands out the answer as it came, not decoded.
    ///
    /// # Errors
    /// As [`Call::send`], without `decode`.
    pub async fn raw(self) -> Result<RawResponse, Error> {
        self.guarded().await.map(|(response, _)| response)
    }

    /// Makes the call as [`Call::raw`] does. Also returns the guard that ends the decoding of the response.
    pub(super) async fn guarded(self) -> Result<(RawResponse, Option<Box<DecodeGuard>>), Error> {
        self.client.execute_raw(self.parameters, &self.options).await
    }

    /// Makes the call and waits for it on this thread.
    ///
    /// # Errors
    /// As [`Call::send`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn send_blocking(self) -> Result<Response<O::Output>, Error> {
        crate::blocking::block_on(self.send())?
    }
}

impl<O: Operation> IntoFuture for Call<O> {
    type Output = Result<Response<O::Output>, Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl<O: fmt::Debug> fmt::Debug for Call<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("parameters", &self.parameters).field("options", &self.options).finish_non_exhaustive()
    }
}

impl Client {
    /// A call by its parameters, for callers who build parameters themselves.
    pub fn call<O: Operation>(&self, parameters: O) -> Call<O> {
        Call::new(self, parameters)
    }

    /// Carries out an operation by its parameters; what [`Call::send`] does, for callers who build parameters themselves.
    ///
    /// # Errors
    /// As [`Call::send`].
    pub async fn execute<O: Operation>(&self, parameters: O, options: &CallOptions) -> Result<Response<O::Output>, Error> {
        let projection = Projection::new(parameters.not_requested(), parameters.columns());
        match self.run(parameters, options, false).await {
            Ok(answer) => {
                let mut response = answer.into_response(options.keep_raw);
                response.meta_mut().projection = projection;
                Ok(response)
            }
            Err(request::Error::Failed(error)) => Err(error),
            Err(_) => Err(Error::internal("the response has a status that the specification does not list for this operation")),
        }
    }

    async fn execute_raw<O: Operation>(
        &self,
        parameters: O,
        options: &CallOptions,
    ) -> Result<(RawResponse, Option<Box<DecodeGuard>>), Error> {
        let projection = Projection::new(parameters.not_requested(), parameters.columns());
        match self.run(parameters, options, true).await {
            Err(request::Error::Captured(mut response, guard)) => {
                response.meta.projection = projection;
                // Results that are read from this body later, and errors in it, carry it along.
                response.meta.raw = options.keep_raw.then(|| Box::new(response.body.clone()));
                Ok((response, guard))
            }
            Err(request::Error::Failed(error)) => Err(error),
            Ok(_) | Err(_) => Err(Error::internal("the answer was not captured")),
        }
    }

    async fn run<O: Operation>(
        &self,
        parameters: O,
        options: &CallOptions,
        raw: bool,
    ) -> Result<ResponseValue<O::Output>, request::Error<()>> {
        let shared = self.shared().map_err(|error| error.in_operation(O::META))?;
        parameters.check(shared.local_checks(options)).map_err(|error| error.in_operation(O::META))?;
        let context = CallContext { client: shared, meta: O::META, options: Box::new(options.clone()), raw };
        parameters.run(context).await.map_err(|error| match error {
            request::Error::Failed(error) => request::Error::Failed(error.in_operation(O::META)),
            other => other,
        })
    }
}
