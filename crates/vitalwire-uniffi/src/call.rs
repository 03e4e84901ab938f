//! Calls: options, cancellation and response metadata.

use std::fmt;
use std::sync::{Arc, Once};

use tokio_util::task::AbortOnDropHandle;
use vitalwire::client::{BoxFuture, Operation};
use vitalwire::{Client, Error, ErrorKind, boundary, sigpipe};

use crate::error::ApiError;
use crate::generated::CallOptions;
use crate::token::ProviderContext;

impl CallOptions {
    pub(crate) fn into_core(self, cancel: Option<&CancelToken>) -> vitalwire::client::CallOptions {
        let core = self.apply(vitalwire::client::CallOptions::new());
        match cancel {
            Some(cancel) => core.cancel_token(&cancel.token),
            None => core,
        }
    }
}

/// Metadata of a response.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ResponseMetadata {
    /// HTTP status.
    pub status: u16,
    /// Request id of the response.
    pub request_id: Option<String>,
    /// Number of attempts, including failed ones.
    pub attempts: u32,
    /// Duration of the call with all attempts, in milliseconds.
    pub elapsed_ms: u64,
    /// Raw response body, if the call sets `keep_body`.
    #[uniffi(default = None)]
    pub body: Option<Vec<u8>>,
    /// The first 100 list items that could not be decoded and were left out of the value.
    #[uniffi(default = [])]
    pub skipped_items: Vec<SkippedItem>,
    /// Number of list items that were left out.
    #[uniffi(default = 0)]
    pub skipped_count: u64,
}

/// A list item that could not be decoded and was left out of its list.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct SkippedItem {
    /// Position of the item in the body.
    pub json_path: String,
    /// The rule that the item breaks.
    pub reason: String,
    /// The item as JSON text. Contains health data.
    pub json: String,
}

/// Shows position and reason.
impl fmt::Debug for SkippedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SkippedItem({}: {})", self.json_path, self.reason)
    }
}

impl From<&vitalwire::client::SkippedItem> for SkippedItem {
    fn from(core: &vitalwire::client::SkippedItem) -> Self {
        Self { json_path: core.json_path().to_owned(), reason: core.reason().to_owned(), json: core.json().to_owned() }
    }
}

/// Leaves out the request id, because it identifies a person's request.
impl fmt::Debug for ResponseMetadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResponseMetadata(status {}, attempts {}, {} ms)", self.status, self.attempts, self.elapsed_ms)
    }
}

impl From<&vitalwire::client::ResponseMetadata> for ResponseMetadata {
    fn from(core: &vitalwire::client::ResponseMetadata) -> Self {
        Self {
            status: core.status,
            request_id: core.request_id.clone(),
            attempts: core.attempts,
            elapsed_ms: u64::try_from(core.elapsed.as_millis()).unwrap_or(u64::MAX),
            body: core.body().map(|body| body.to_vec()),
            skipped_items: core.skipped_items().iter().map(SkippedItem::from).collect(),
            skipped_count: core.skipped_count(),
        }
    }
}

/// Cancels calls from outside. Swift needs it, because `Task.cancel()` does not reach Rust.
#[derive(Default, uniffi::Object)]
pub struct CancelToken {
    pub(crate) token: vitalwire::client::CancelToken,
    context: Option<vitalwire::client::ProviderContext>,
}

#[uniffi::export]
impl CancelToken {
    /// Creates a token that is not cancelled.
    #[uniffi::constructor]
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Creates a token for a call that a token provider makes, if its thread does not carry the provider's context.
    #[uniffi::constructor]
    #[must_use]
    pub fn from_context(context: Arc<ProviderContext>) -> Arc<Self> {
        Arc::new(Self { context: Some(context.core.clone()), ..Self::default() })
    }

    /// Cancels all calls with this token and closes their connections.
    pub fn cancel(&self) {
        self.token.cancel();
    }
}

/// Returns the token provider context of a call: that of its cancel token, or else of the thread.
pub(crate) fn provider_context(cancel: Option<&CancelToken>) -> Option<vitalwire::client::ProviderContext> {
    cancel.and_then(|cancel| cancel.context.clone()).or_else(vitalwire::client::ProviderContext::current)
}

/// Runs a call in a token provider context. The future is boxed, so that the call is compiled once.
pub(crate) fn run_in_context<'call, T: 'call>(
    context: Option<vitalwire::client::ProviderContext>,
    call: impl Future<Output = T> + Send + 'call,
) -> BoxFuture<'call, T> {
    match context {
        Some(context) => Box::pin(context.run_async(call)),
        None => Box::pin(call),
    }
}

/// Executor of a call.
#[derive(Clone, Copy)]
pub(crate) enum Driver {
    /// The runtime's thread, which also drives connections. The call then changes threads twice, at its start and end, instead of at each
    /// step. Thread changes are the largest cost of a small call.
    Runtime,
    /// The thread that awaits the call. Used if callbacks of the application, which may block, run within the call.
    Caller,
}

impl Driver {
    /// Runs a call to its end. Dropping the future aborts the call.
    pub(crate) async fn drive<T: Send + 'static>(self, call: impl Future<Output = Result<T, Error>> + Send + 'static) -> Result<T, Error> {
        match self {
            Self::Caller => call.await,
            Self::Runtime => {
                let task = AbortOnDropHandle::new(tokio::spawn(boundary::catch_panic_async(call)));
                task.await.unwrap_or_else(|_| Err(Error::new(ErrorKind::Internal)))?
            }
        }
    }
}

/// Calls an operation. A panic, also in a conversion, becomes an internal error without its message, which may contain health data.
pub(crate) async fn call<O: Operation, T>(
    core: &Client,
    driver: Driver,
    parameters: impl Future<Output = Result<O, ApiError>>,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
    convert: impl FnOnce(O::Output, ResponseMetadata) -> T,
) -> Result<T, ApiError> {
    let work = async {
        // The first poll runs on the caller's thread, which has the context.
        let context = provider_context(cancel.as_deref());
        let (parameters, options) = core.prepare::<O, _, _>(parameters, options.into_core(cancel.as_deref())).await?;
        let core = core.clone();
        // Boxed, because the future has several kilobytes, which each awaiting function would otherwise hold twice and copy.
        let call = run_in_context(context, async move { core.execute(parameters, &options).await });
        let response = driver.drive(call).await?;
        let meta = response.metadata().into();
        Ok(convert(response.into_inner(), meta))
    };
    catch_panics_async(work).await
}

/// Runs the body of an async foreign call. A panic becomes an internal error.
pub(crate) async fn catch_panics_async<T>(work: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
    block_sigpipe_on_runtime();
    boundary::catch_panic_async(work).await?
}

/// Blocks `SIGPIPE` on the thread of uniffi's runtime, which drives all connections.
fn block_sigpipe_on_runtime() {
    static BLOCKED: Once = Once::new();
    BLOCKED.call_once(|| drop(tokio::spawn(async { sigpipe::block_on_this_thread() })));
}

/// Runs the body of a synchronous foreign call. A panic becomes an internal error.
pub(crate) fn catch_panics<T>(work: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    boundary::hide_panic_messages();
    boundary::catch_panic(work)?
}
