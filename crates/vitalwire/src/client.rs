//! The client, its builder, call options, raw requests and responses.
//!
//! Build one [`Client`] per user with [`ClientBuilder`]. Set options on a [`Call`], or share [`CallOptions`] between calls.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use vitalwire::client::{CallOptions, Client, RetryPolicy};
//!
//! # async fn example() -> Result<(), vitalwire::Error> {
//! let client = Client::builder()
//!     .base_url("https://health.example.org")
//!     .token("…")
//!     .timeout(Duration::from_secs(20))
//!     .retry_policy(RetryPolicy::default().max_retries(4).max_delay(Duration::from_secs(2)))
//!     .build()?;
//!
//! // Options set on a call apply to that call only.
//! let user = client.user().info().timeout(Duration::from_secs(5)).await?;
//! println!("request {:?} took {:?}", user.metadata().request_id, user.metadata().elapsed);
//!
//! // CallOptions can be reused for several calls.
//! let once = CallOptions::new().max_retries(0).keep_body(true);
//! let reports = client.lab_reports().list().options(once).await?;
//! println!("{} reports in {} bytes", reports.len(), reports.body().map_or(0, |body| body.len()));
//! # Ok(())
//! # }
//! ```
//!
//! # Tokens that expire
//!
//! A [`TokenProvider`] supplies a token before the first request, before the current one expires, and after a status 401. A server that
//! holds the application key signs the user's id and exchanges the signature:
//!
//! ```no_run
//! use std::time::{Duration, SystemTime};
//!
//! use vitalwire::client::{ClientBuilder, RefreshReason, Token};
//! use vitalwire::error::BoxError;
//! use vitalwire::signing::sign_user_id;
//!
//! # fn example(application_id: i64, key: String) -> Result<(), vitalwire::Error> {
//! let service = ClientBuilder::from_env()?.build()?;
//! let provider = move |_: RefreshReason| {
//!     let (service, key) = (service.clone(), key.clone());
//!     async move {
//!         let signature = sign_user_id(key, "user-1")?;
//!         let response = service.tokens().exchange(application_id, "user-1", signature).await?;
//!         let lifetime = Duration::from_secs(60 * 60);
//!         Ok::<_, BoxError>(Token::expiring(&response.access_token, SystemTime::now() + lifetime))
//!     }
//! };
//! let client = ClientBuilder::from_env()?.token_provider(provider).build()?;
//! # let _ = client;
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "blocking")]
pub use vitalwire_runtime::client::BlockingProvider;
pub use vitalwire_runtime::client::{
    ArrayStyle, BoxFuture, CallOptions, CancelToken, CloseMode, LazyResponse, Operation, PreparedUpload, ProviderContext, RawRequest,
    RawResponse, RefreshReason, Response, ResponseMetadata, RetryPolicy, SkippedItem, SkippedItems, Token, TokenProvider, UploadOperation,
};
pub use vitalwire_runtime::transport::Attempt;

pub use crate::generated::client::{Call, Client, ClientBuilder, Service};
use crate::value::Timestamp;

impl Client {
    /// Returns the time of the health service's clock: the `Date` header of its last response, plus the time since then. Returns `None`
    /// before the first response with a valid `Date` header, and after the client was closed.
    ///
    /// Error responses count, too. The header states whole seconds, and a response takes a moment to arrive. A service may be a sandbox whose
    /// clock was moved.
    #[must_use]
    pub fn service_time(&self) -> Option<Timestamp> {
        self.engine().service_time(Service::Health.meta())
    }

    /// Returns the base URL of the health service. Returns `None` if it has none, and after the client was closed.
    #[must_use]
    pub fn base_url(&self) -> Option<String> {
        self.engine().base_url(Service::Health.meta())
    }

    /// Returns the data set of the sandbox that sent the health service's last response, such as `seed=7`. Returns `None` if the service is
    /// not a sandbox, before its first response, and after the client was closed.
    #[must_use]
    pub fn sandbox(&self) -> Option<String> {
        self.engine().sandbox(Service::Health.meta())
    }
}

impl ClientBuilder {
    /// Maximum number of requests per second, including retries, from 0.001 to 1,000,000. Use it for a client of many users. Defaults to no
    /// limit.
    ///
    /// Requests are sent at even intervals, and no more than this number, rounded down, arrive at the services in any second, as long as
    /// each request arrives within 250 milliseconds. A limit of 0.1 allows one request in any ten seconds. Responses with status 429 or 503
    /// reduce the rate for a while. Waiting counts towards the timeout of the call, not of the attempt.
    pub fn max_requests_per_second(self, requests: f64) -> Self {
        Self(self.0.max_requests_per_second(requests))
    }
}
