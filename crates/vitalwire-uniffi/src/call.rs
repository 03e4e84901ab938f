//! One call: options, cancelling, facts of the answer.

use std::fmt;
use std::sync::Arc;

use vitalwire::client::Operation;
use vitalwire::{Client, boundary};

use crate::error::ApiError;
use crate::generated::CallOptions;

/// How a list travels in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum ArrayStyle {
    /// `types=steps&types=floors`
    Repeated,
    /// `types=steps,floors`
    Comma,
}

impl From<ArrayStyle> for vitalwire::client::ArrayStyle {
    fn from(style: ArrayStyle) -> Self {
        match style {
            ArrayStyle::Repeated => Self::Repeated,
            ArrayStyle::Comma => Self::Comma,
        }
    }
}

/// A name and its value: a header, or a pair of the query.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct NameAndValue {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Shows neither.
impl fmt::Debug for NameAndValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NameAndValue(..)")
    }
}

impl CallOptions {
    pub(crate) fn into_core(self, cancel: Option<&CancelToken>) -> vitalwire::client::CallOptions {
        let core = self.tell(vitalwire::client::CallOptions::new());
        match cancel {
            Some(cancel) => core.cancel_token(&cancel.0),
            None => core,
        }
    }
}

/// What is known of an answer besides its value.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ResponseMeta {
    /// The HTTP status.
    pub status: u16,
    /// The id that the service gave this request.
    pub request_id: Option<String>,
    /// How many times the request was sent or tried.
    pub attempts: u32,
    /// How long the call took, in milliseconds.
    pub elapsed_ms: u64,
}

/// Shows no request id, which stands for one person's request.
impl fmt::Debug for ResponseMeta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResponseMeta(status {}, attempts {}, {} ms)", self.status, self.attempts, self.elapsed_ms)
    }
}

impl From<&vitalwire::client::ResponseMeta> for ResponseMeta {
    fn from(core: &vitalwire::client::ResponseMeta) -> Self {
        Self {
            status: core.status,
            request_id: core.request_id.clone(),
            attempts: core.attempts,
            elapsed_ms: u64::try_from(core.elapsed.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// Ends calls from outside: Swift's `Task.cancel()` does not reach Rust by itself, Kotlin's does.
#[derive(Default, uniffi::Object)]
pub struct CancelToken(pub(crate) vitalwire::client::CancelToken);

#[uniffi::export]
impl CancelToken {
    /// A token that has not been fired.
    #[uniffi::constructor]
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Ends every call made with this token; their connections close.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

/// Carries out an operation. A panic, also one in a conversion, becomes an internal error without its text, which could hold
/// anything.
pub(crate) async fn call<O: Operation, T>(
    client: &Client,
    parameters: impl Future<Output = Result<O, ApiError>>,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
    answer: impl FnOnce(O::Output, ResponseMeta) -> T,
) -> Result<T, ApiError> {
    let work = async {
        let parameters = parameters.await?;
        let response = client.execute(parameters, &options.into_core(cancel.as_deref())).await?;
        let meta = response.meta().into();
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
