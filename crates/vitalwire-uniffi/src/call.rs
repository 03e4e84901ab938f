//! One call: options, cancelling, facts of the answer.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use vitalwire::client::Operation;
use vitalwire::{Client, ErrorKind};

use crate::error::ApiError;

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

/// Options of one call; what is not set comes from the client.
#[derive(Clone, Default, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct CallOptions {
    /// How long the whole call may take, attempts and waits between them, in milliseconds.
    #[uniffi(default = None)]
    pub timeout_ms: Option<u64>,
    /// How often a failed attempt may be tried again; 0 is never.
    #[uniffi(default = None)]
    pub max_retries: Option<u32>,
    /// How long making a connection may take, TLS included, in milliseconds.
    #[uniffi(default = None)]
    pub connect_timeout_ms: Option<u64>,
    /// How long one attempt may take, from sending to the end of the answer, in milliseconds.
    #[uniffi(default = None)]
    pub attempt_timeout_ms: Option<u64>,
    /// Largest body of the answer, inflated, in bytes.
    #[uniffi(default = None)]
    pub max_response_bytes: Option<u64>,
    /// Allows sending an upload again although the first may have had an effect: it may then be there twice.
    #[uniffi(default = false)]
    pub allow_resend: bool,
    /// How lists travel in the query.
    #[uniffi(default = None)]
    pub array_style: Option<ArrayStyle>,
    /// The token of this call, instead of the client's.
    #[uniffi(default = None)]
    pub token: Option<String>,
}

/// Shows no token.
impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallOptions(..)")
    }
}

impl CallOptions {
    pub(crate) fn into_core(self, cancel: Option<&CancelToken>) -> vitalwire::client::CallOptions {
        let mut core = vitalwire::client::CallOptions::new().allow_resend(self.allow_resend);
        if let Some(cancel) = cancel {
            core = core.cancel_token(&cancel.0);
        }
        if let Some(timeout) = self.timeout_ms {
            core = core.total_timeout(Duration::from_millis(timeout));
        }
        if let Some(retries) = self.max_retries {
            core = core.max_retries(retries);
        }
        if let Some(timeout) = self.connect_timeout_ms {
            core = core.connect_timeout(Duration::from_millis(timeout));
        }
        if let Some(timeout) = self.attempt_timeout_ms {
            core = core.attempt_timeout(Duration::from_millis(timeout));
        }
        if let Some(bytes) = self.max_response_bytes {
            core = core.max_response_bytes(bytes);
        }
        if let Some(style) = self.array_style {
            core = core.array_style(style.into());
        }
        if let Some(token) = &self.token {
            core = core.token(token);
        }
        core
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
    parameters: impl FnOnce() -> Result<O, ApiError>,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
    answer: impl FnOnce(O::Output, ResponseMeta) -> T,
) -> Result<T, ApiError> {
    let work = async {
        let parameters = parameters()?;
        let response = client.execute(parameters, &options.into_core(cancel.as_deref())).await?;
        let meta = response.meta().into();
        Ok(answer(response.into_inner(), meta))
    };
    guarded_call(work).await
}

/// Carries out what a foreign call asks for; a panic becomes an internal error.
pub(crate) async fn guarded_call<T>(work: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
    // Unwind safety: what a panic leaves behind belongs to this call and is dropped.
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    outcome.unwrap_or_else(|_| Err(ApiError::of_kind(ErrorKind::Internal)))
}
