//! Sends requests: tokens, attempts, deadlines, retries, limits and callbacks.

mod attempt;
mod base_url;
mod body;
pub(crate) mod ca_bundle;
mod cancel;
mod classify;
mod coding;
mod connect;
pub(crate) mod deadlines;
mod decode_guard;
mod execute;
pub(crate) mod head;
pub(crate) mod hooks;
pub(crate) mod mock;
mod no_proxy;
mod options;
mod pace;
mod pause;
pub(crate) mod pins;
pub(crate) mod proxy;
pub(crate) mod queue;
pub(crate) mod retry;
pub(crate) mod retry_after;
mod retry_policy;
mod shared;
mod status;
#[cfg(test)]
mod tests;
pub(crate) mod tls;
mod unreadable_body;

pub(crate) use base_url::BaseUrl;
pub use cancel::CancelToken;
pub(crate) use connect::ConnectLimit;
pub(crate) use deadlines::CallClock;
pub use decode_guard::DecodeGuard;
pub(crate) use execute::{MAX_ADDRESS, execute, execute_by};
pub use hooks::AttemptEvent;
pub use mock::{Exchange, MockRequest, MockResponse, MockResponses, RecordedBody, RecordedRequest, RecordedResponse};
pub use options::{ArrayStyle, CallOptions};
pub use retry_policy::RetryPolicy;
pub(crate) use shared::Endpoint;
pub use shared::Shared;
