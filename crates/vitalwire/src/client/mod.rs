//! The client, its builder, the options of one call, raw access and answers.

mod base_url;
mod builder;
mod ca_bundle;
mod call;
mod cancel;
mod env;
mod options;
mod raw;
mod response;
mod retry_policy;
mod table_call;
mod token;

use std::fmt;
use std::sync::Arc;

pub(crate) use base_url::BaseUrl;
pub use builder::ClientBuilder;
pub use call::{Call, Operation};
pub use cancel::CancelToken;
pub use options::{ArrayStyle, CallOptions};
pub use raw::RawRequest;
pub use response::{RawResponse, Response, ResponseMeta};
pub use retry_policy::RetryPolicy;
pub(crate) use token::Secret;
pub use token::{BoxFuture, Token, TokenProvider, TokenReason};

use crate::error::Error;
use crate::transport::auth::Auth;
use crate::transport::deadlines::Deadlines;
use crate::transport::hooks::Hooks;
use crate::transport::queue::Queue;
use crate::transport::retry::Budget;

/// Which of the two services an operation belongs to. Each has its own base URL and its own token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Service {
    /// Health data (`base_url`).
    Health,
    /// Policy benefits (`care_base_url`).
    Care,
}

/// What is said where the URL of the service that is called was not given.
const NO_HEALTH_URL: &str = "no base URL is set for the health service: give base_url, or set VITALWIRE_BASE_URL and read the environment";
const NO_CARE_URL: &str =
    "no base URL is set for the care service: give care_base_url, or set VITALWIRE_CARE_BASE_URL and read the environment";

impl Service {
    /// `health` or `care`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Health => "health",
            Self::Care => "care",
        }
    }
}

/// A client of the service. Cheap to clone: all clones share connections, token and retry budget.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

/// One service as configured.
#[derive(Default)]
pub(crate) struct Endpoint {
    pub(crate) base_url: Option<BaseUrl>,
    pub(crate) auth: Option<Auth>,
}

/// What all clones of a client share.
pub(crate) struct Inner {
    pub(crate) http: reqwest::Client,
    pub(crate) health: Endpoint,
    pub(crate) care: Endpoint,
    pub(crate) deadlines: Deadlines,
    pub(crate) retry: RetryPolicy,
    pub(crate) budget: Budget,
    pub(crate) queue: Queue,
    pub(crate) hooks: Hooks,
    /// Largest body of an answer, inflated, in bytes.
    pub(crate) max_response_bytes: u64,
    pub(crate) array_style: ArrayStyle,
    pub(crate) local_checks: bool,
}

impl Client {
    /// Starts a client from nothing.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::new()
    }

    /// A client from the `VITALWIRE_*` environment variables; see [`ClientBuilder::from_env`].
    ///
    /// # Errors
    /// A configuration error that names the setting.
    pub fn from_env() -> Result<Self, Error> {
        ClientBuilder::from_env()?.build()
    }

    /// Raw access: any path of a service, with the client's token, deadlines, retries and limits.
    ///
    /// The path begins with `/` and is appended to the service's base URL; the query is given by [`RawRequest::query`].
    pub fn request(&self, method: http::Method, service: Service, path: impl Into<String>) -> RawRequest {
        RawRequest::new(self.clone(), method, service, path.into())
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }

    pub(crate) fn from_inner(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }
}

impl Inner {
    /// The HTTP client, for making requests; sending them is [`execute`](crate::transport::execute)'s task.
    pub(crate) fn reqwest(&self) -> &reqwest::Client {
        &self.http
    }

    pub(crate) fn endpoint(&self, service: Service) -> &Endpoint {
        match service {
            Service::Health => &self.health,
            Service::Care => &self.care,
        }
    }

    /// A service's base URL.
    pub(crate) fn base_url(&self, service: Service) -> Result<&BaseUrl, Error> {
        let missing = || match service {
            Service::Health => Error::setting("base_url", NO_HEALTH_URL),
            Service::Care => Error::setting("care_base_url", NO_CARE_URL),
        };
        self.endpoint(service).base_url.as_ref().ok_or_else(missing)
    }

    /// How lists travel in the query of a call.
    pub(crate) fn array_style(&self, options: &CallOptions) -> ArrayStyle {
        options.array_style.unwrap_or(self.array_style)
    }

    /// Whether arguments are checked before anything is sent.
    pub(crate) fn local_checks(&self, options: &CallOptions) -> bool {
        options.local_checks.unwrap_or(self.local_checks)
    }
}

/// No URL, token or proxy is shown.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.inner();
        f.debug_struct("Client")
            .field("health", &inner.health.base_url.is_some())
            .field("care", &inner.care.base_url.is_some())
            .finish_non_exhaustive()
    }
}
