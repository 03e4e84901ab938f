//! Sends requests: tokens, attempts, deadlines, retries, limits and callbacks.

mod attempt;
mod base_url;
mod body;
pub(crate) mod ca_bundle;
pub(crate) mod callbacks;
mod cancel;
mod classify;
pub(crate) mod client_certificate;
mod client_state;
mod connect;
mod content_coding;
pub(crate) mod deadlines;
mod decode_guard;
mod execute;
pub(crate) mod head;
mod last_response;
pub(crate) mod loopback;
pub(crate) mod mock;
mod no_proxy;
mod options;
mod pause;
pub(crate) mod pins;
pub(crate) mod proxy;
pub(crate) mod queue;
mod rate;
pub(crate) mod retry;
pub(crate) mod retry_after;
mod retry_policy;
mod status;
#[cfg(test)]
mod tests;
mod time_slice;
pub(crate) mod tls;
mod unreadable_body;

pub(crate) use base_url::BaseUrl;
pub use callbacks::Attempt;
pub use cancel::CancelToken;
pub use client_state::ClientState;
pub(crate) use client_state::Endpoint;
pub(crate) use connect::ConnectLimit;
pub(crate) use deadlines::CallClock;
pub use decode_guard::DecodeGuard;
pub(crate) use execute::{MAX_URL_BYTES, execute, execute_with_clock};
pub use mock::{Exchange, MockRequest, MockResponse, MockResponses, RecordedBody, RecordedRequest, RecordedResponse};
pub use options::{ArrayStyle, CallOptions};
pub use retry_policy::RetryPolicy;
