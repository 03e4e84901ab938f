//! One call: options, cancelling, facts of the answer.

use std::fmt;
use std::sync::Arc;

use tokio_util::task::AbortOnDropHandle;
use vitalwire::client::{BoxFuture, Operation};
use vitalwire::{Client, Error, ErrorKind, boundary};

use crate::error::ApiError;
use crate::generated::CallOptions;
use crate::token::ProviderContext;

impl CallOptions {
    pub(crate) fn into_core(self, cancel: Option<&CancelToken>) -> vitalwire::client::CallOptions {
        let core = self.tell(vitalwire::client::CallOptions::new());
        match cancel {
            Some(cancel) => core.cancel_token(&cancel.token),
            None => core,
        }
    }
}

/// What is known of an answer besides its value.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ResponseMetadata {
    /// The HTTP status.
    pub status: u16,
    /// The id that the service gave this request.
    pub request_id: Option<String>,
    /// How many times the request was sent or tried.
    pub attempts: u32,
    /// How long the call took, in milliseconds.
    pub elapsed_ms: u64,
    /// The body as it came, of a call that keeps it.
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
    /// The place of the item in the body.
    pub json_path: String,
    /// The rule that the item breaks.
    pub reason: String,
    /// The item as JSON text. Health data.
    pub json: String,
}

/// Shows place and reason.
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

/// Shows no request id, which stands for one person's request.
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
            body: core.raw().map(|body| body.to_vec()),
            skipped_items: core.skipped_items().iter().map(SkippedItem::from).collect(),
            skipped_count: core.skipped_count(),
        }
    }
}

/// Ends calls from outside: Swift's `Task.cancel()` does not reach Rust by itself, Kotlin's does.
#[derive(Default, uniffi::Object)]
pub struct CancelToken {
    pub(crate) token: vitalwire::client::CancelToken,
    context: Option<vitalwire::client::ProviderContext>,
}

#[uniffi::export]
impl CancelToken {
    /// A token that has not been fired.
    #[uniffi::constructor]
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Creates a token for a call that a token provider makes, where no thread tells that it does.
    #[uniffi::constructor]
    #[must_use]
    pub fn within(context: Arc<ProviderContext>) -> Arc<Self> {
        Arc::new(Self { context: Some(context.0.clone()), ..Self::default() })
    }

    /// Ends every call made with this token; their connections close.
    pub fn cancel(&self) {
        self.token.cancel();
    }
}

/// The context of a call's token providers: that of its cancel token, or of the thread.
pub(crate) fn provider_context(cancel: Option<&CancelToken>) -> Option<vitalwire::client::ProviderContext> {
    cancel.and_then(|cancel| cancel.context.clone()).or_else(vitalwire::client::ProviderContext::current)
}

/// Runs a call in a context. Boxed, so that the call is compiled once.
pub(crate) fn within<'call, T: 'call>(
    context: Option<vitalwire::client::ProviderContext>,
    call: impl Future<Output = T> + Send + 'call,
) -> BoxFuture<'call, T> {
    match context {
        Some(context) => Box::pin(context.carry(call)),
        None => Box::pin(call),
    }
}

/// Who drives a call.
#[derive(Clone, Copy)]
pub(crate) enum Driver {
    /// The thread that drives connections: the call changes threads as it begins and as it ends, which costs more than all else of a small
    /// one, and not at each step.
    Runtime,
    /// Who awaits it, where code of the application's runs within the call, and may take any time.
    Caller,
}

impl Driver {
    /// The call's result; the call ends with this.
    async fn drive<T: Send + 'static>(self, call: impl Future<Output = Result<T, Error>> + Send + 'static) -> Result<T, Error> {
        match self {
            Self::Caller => call.await,
            Self::Runtime => {
                let task = AbortOnDropHandle::new(tokio::spawn(boundary::caught_call(call)));
                task.await.unwrap_or_else(|_| Err(Error::new(ErrorKind::Internal)))?
            }
        }
    }
}

/// Carries out an operation. A panic, also one in a conversion, becomes an internal error without its text, which could hold
/// anything.
pub(crate) async fn call<O: Operation, T>(
    core: &Client,
    driver: Driver,
    parameters: impl Future<Output = Result<O, ApiError>>,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
    answer: impl FnOnce(O::Output, ResponseMetadata) -> T,
) -> Result<T, ApiError> {
    let work = async {
        // The first poll is the caller's.
        let context = provider_context(cancel.as_deref());
        let (parameters, options) = core.prepare(parameters, options.into_core(cancel.as_deref())).await?;
        let core = core.clone();
        // Boxed: its state has some kilobytes, and each function that awaits it would have it twice, and copy it.
        let call = within(context, async move { core.execute(parameters, &options).await });
        let response = driver.drive(call).await?;
        let meta = response.metadata().into();
        Ok(answer(response.into_inner(), meta))
    };
    guarded_call(work).await
}

/// Carries out what a foreign call asks for; a panic becomes an internal error.
pub(crate) async fn guarded_call<T>(work: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
    boundary::caught_call(work).await?
}

/// The same of what is done at once.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    boundary::quiet_panics();
    boundary::caught(work)?
}
