//! One call: options, cancelling, facts of the answer.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;
use vitalwire::client::Operation;
use vitalwire::{Client, ErrorKind};

use crate::error::ApiError;

/// Options of one call; what is not set comes from the client.
#[derive(Clone, Debug, Default, uniffi::Record)]
pub struct CallOptions {
    /// How long the whole call may take, in milliseconds.
    #[uniffi(default = None)]
    pub timeout_ms: Option<u64>,
    /// How often a failed attempt may be tried again; 0 is never.
    #[uniffi(default = None)]
    pub max_retries: Option<u32>,
}

impl CallOptions {
    fn into_core(self) -> vitalwire::client::CallOptions {
        let mut core = vitalwire::client::CallOptions::new();
        if let Some(timeout) = self.timeout_ms {
            core = core.total_timeout(Duration::from_millis(timeout));
        }
        if let Some(retries) = self.max_retries {
            core = core.max_retries(retries);
        }
        core
    }
}

/// What is known of an answer besides its value.
#[derive(Clone, Debug, uniffi::Record)]
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
pub struct CancelToken(CancellationToken);

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

/// Carries out an operation. A panic becomes an internal error without its text, which could hold anything.
pub(crate) async fn call<O: Operation>(
    client: &Client,
    parameters: O,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
) -> Result<(O::Output, ResponseMeta), ApiError> {
    let options = options.into_core();
    let work = AssertUnwindSafe(client.execute(parameters, &options)).catch_unwind();
    let outcome = match cancel {
        Some(token) => tokio::select! {
            biased;
            () = token.0.cancelled() => return Err(ApiError::of_kind(ErrorKind::Cancelled)),
            outcome = work => outcome,
        },
        None => work.await,
    };
    let response = outcome.map_err(|_| ApiError::of_kind(ErrorKind::Internal))??;
    let meta = response.meta().into();
    Ok((response.into_inner(), meta))
}
