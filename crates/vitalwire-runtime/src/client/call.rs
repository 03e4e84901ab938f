//! Calls: parameters and options of one use of an operation.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::time::Duration;

use super::{BoxFuture, CallOptions, CancelToken, Client, RawResponse, Response};
use crate::error::Error;
use crate::operation::{OperationMeta, Projection, UnrequestedTable};
use crate::request::{self, CallContext, CallMode, ResponseValue};
use crate::transport::DecodeGuard;

/// Parameters of an operation. Only generated types implement it.
pub trait Operation: Sized + Send + Sync + 'static {
    /// Type of a successful response.
    type Output: Send + 'static;

    /// Static description of the operation: id, HTTP method, path template, retry and timeout class.
    const META: &'static OperationMeta;

    /// Validates the parameters before anything is sent. With `limits`, also checks the limits of the interface.
    #[doc(hidden)]
    fn check(&self, limits: bool) -> Result<(), Error>;

    /// Returns the tables whose rows are in the response only on request, and that these parameters do not request.
    #[doc(hidden)]
    fn unrequested_tables(&self) -> Vec<UnrequestedTable> {
        Vec::new()
    }

    /// Returns the statistics that these parameters request by name, in their order, then lists that they request.
    #[doc(hidden)]
    fn columns(&self) -> Vec<String> {
        Vec::new()
    }

    /// Sends the request and decodes the response.
    #[doc(hidden)]
    fn run(self, context: CallContext) -> impl Future<Output = Result<ResponseValue<Self::Output>, request::Error<()>>> + Send;
}

/// A call that is not sent yet. Set parameters and options, then `.await` it, or use [`send`](Self::send).
#[must_use = "a call is made when it is awaited or sent"]
pub struct Call<O> {
    client: Client,
    parameters: O,
    options: CallOptions,
}

impl<O> Call<O> {
    /// Creates a call with default options.
    #[doc(hidden)]
    pub fn new(client: &Client, parameters: O) -> Self {
        Self { client: client.clone(), parameters, options: CallOptions::new() }
    }

    /// Returns the options set so far.
    pub(super) fn current_options(&self) -> &CallOptions {
        &self.options
    }

    /// Marks an argument as invalid, with the reason. The call then fails when it is sent. `None` changes nothing.
    pub(crate) fn with_invalid_argument(mut self, argument: Option<(&'static str, &'static str)>) -> Self {
        self.options.invalid_argument = argument;
        self
    }

    /// Changes the parameters.
    #[doc(hidden)]
    pub fn map_parameters(mut self, change: impl FnOnce(O) -> O) -> Self {
        self.parameters = change(self.parameters);
        self
    }

    /// Splits the call into client, parameters and options, for types that make several calls.
    #[doc(hidden)]
    pub fn into_parts(self) -> (Client, O, CallOptions) {
        (self.client, self.parameters, self.options)
    }

    /// Binds the call to the client's current connections. If the client is closed later with
    /// [`CloseMode::Drain`](super::CloseMode::Drain), the call still completes.
    #[doc(hidden)]
    pub fn bind_connections(mut self) -> Self {
        // If the client is already closed, sending the call returns that error.
        if let Ok(client) = self.client.keep_open() {
            self.client = client;
        }
        self
    }

    /// Sets all options at once and replaces those set before.
    pub fn options(mut self, options: CallOptions) -> Self {
        // Keep the invalid argument, so that it is reported by the parts of a range call too.
        let invalid = self.options.invalid_argument.or(options.invalid_argument);
        self.options = options;
        self.with_invalid_argument(invalid)
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
    /// Sends the call. Dropping the future aborts it and closes its connection.
    ///
    /// Returns the decoded response. Use [`raw`](Self::raw) for the undecoded response and [`table`](Self::table) for columns.
    ///
    /// # Errors
    /// Any [`ErrorKind`](crate::error::ErrorKind) except `signature`.
    pub async fn send(self) -> Result<Response<O::Output>, Error> {
        self.client.decode_response(self.parameters, Box::new(self.options)).await
    }

    /// Sends the call and returns the response without decoding it.
    ///
    /// # Errors
    /// Same as [`Call::send`], except `decode`.
    pub async fn raw(self) -> Result<RawResponse, Error> {
        self.send_guarded().await.map(|(response, _)| response)
    }

    /// Same as [`Call::raw`], but also returns the guard that stops decoding when the call ends.
    pub(super) async fn send_guarded(self) -> Result<(RawResponse, Option<Box<DecodeGuard>>), Error> {
        self.client.execute_raw(self.parameters, Box::new(self.options)).await
    }

    /// Sends the call and blocks this thread until it completes.
    ///
    /// # Errors
    /// * Errors of [`Call::send`].
    /// * `configuration` if called inside an async runtime, whose thread must not be blocked.
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
    /// Creates a call from its parameters. The methods of resources do this for you.
    pub fn call<O: Operation>(&self, parameters: O) -> Call<O> {
        Call::new(self, parameters)
    }

    /// Sends a call with these parameters and options. Same as [`Call::send`].
    ///
    /// # Errors
    /// Same as [`Call::send`].
    pub async fn execute<O: Operation>(&self, parameters: O, options: &CallOptions) -> Result<Response<O::Output>, Error> {
        self.decode_response(parameters, Box::new(options.clone())).await
    }

    async fn decode_response<O: Operation>(&self, parameters: O, options: Box<CallOptions>) -> Result<Response<O::Output>, Error> {
        let projection = Projection::new(parameters.unrequested_tables(), parameters.columns());
        let keep_body = options.keep_body;
        match self.run(parameters, options, CallMode::Decode).await {
            Ok(value) => {
                let mut response = value.into_response(keep_body);
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
        options: Box<CallOptions>,
    ) -> Result<(RawResponse, Option<Box<DecodeGuard>>), Error> {
        let projection = Projection::new(parameters.unrequested_tables(), parameters.columns());
        let keep_body = options.keep_body;
        match self.run(parameters, options, CallMode::Raw).await {
            Err(request::Error::Captured(mut response, guard)) => {
                response.meta.projection = projection;
                // Values that are decoded from this body later, and their errors, keep the body too.
                response.meta.body = keep_body.then(|| Box::new(response.body.clone()));
                Ok((response, guard))
            }
            Err(request::Error::Failed(error)) => Err(error),
            Ok(_) | Err(_) => Err(Error::internal("the raw response was not captured")),
        }
    }

    pub(super) async fn run<O: Operation>(
        &self,
        parameters: O,
        options: Box<CallOptions>,
        mode: CallMode,
    ) -> Result<ResponseValue<O::Output>, request::Error<()>> {
        let state = self.state().map_err(|error| error.with_operation(O::META))?;
        parameters.check(state.client_side_validation(&options)).map_err(|error| error.with_operation(O::META))?;
        let context = CallContext { client: state, meta: O::META, options, mode };
        parameters.run(context).await.map_err(|error| match error {
            request::Error::Failed(error) => request::Error::Failed(error.with_operation(O::META)),
            other => other,
        })
    }
}
