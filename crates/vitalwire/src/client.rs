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
//! let once = CallOptions::new().max_retries(0).keep_raw(true);
//! let reports = client.lab_reports().list().options(once).await?;
//! println!("{} reports in {} bytes", reports.len(), reports.raw().map_or(0, |body| body.len()));
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "blocking")]
pub use vitalwire_runtime::client::BlockingProvider;
pub use vitalwire_runtime::client::{
    ArrayStyle, BoxFuture, CallOptions, CancelToken, CloseMode, Deferred, Operation, ProviderContext, RawRequest, RawResponse, Response,
    ResponseMetadata, RetryPolicy, SkippedItem, SkippedItems, Token, TokenProvider, TokenReason,
};
pub use vitalwire_runtime::transport::AttemptEvent;

pub use crate::generated::client::{Call, Client, ClientBuilder, Service};
