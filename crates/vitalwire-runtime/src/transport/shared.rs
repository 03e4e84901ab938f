//! What all clones of a client share.

use super::answers::Answers;
use super::deadlines::Deadlines;
use super::hooks::Hooks;
use super::options::{ArrayStyle, CallOptions};
use super::queue::Queue;
use super::retry::Budget;
use super::{BaseUrl, RetryPolicy};
use crate::auth::Auth;
use crate::error::Error;
use crate::operation::{Interface, ServiceMeta};

/// One service as configured.
#[derive(Default)]
pub(crate) struct Endpoint {
    pub(crate) base_url: Option<BaseUrl>,
    pub(crate) auth: Option<Auth>,
}

/// A client as configured, with its connections.
pub struct Shared {
    pub(crate) interface: &'static Interface,
    pub(crate) http: reqwest::Client,
    /// What answers instead of the services.
    pub(crate) answers: Option<Answers>,
    /// In the order of the interface's services.
    pub(crate) endpoints: Vec<Endpoint>,
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

impl Shared {
    /// The HTTP client, for making requests; sending them is [`execute`](super::execute)'s task.
    pub(crate) fn reqwest(&self) -> &reqwest::Client {
        &self.http
    }

    /// A service's base URL.
    pub(crate) fn base_url(&self, service: &ServiceMeta) -> Result<&BaseUrl, Error> {
        let endpoint = self.endpoints.get(service.index);
        endpoint.and_then(|endpoint| endpoint.base_url.as_ref()).ok_or_else(|| Error::setting(service.base_url, service.no_base_url))
    }

    /// A service's tokens.
    pub(crate) fn auth(&self, service: &ServiceMeta) -> Result<&Auth, Error> {
        let endpoint = self.endpoints.get(service.index);
        endpoint.and_then(|endpoint| endpoint.auth.as_ref()).ok_or_else(|| Error::setting(service.token, service.no_token))
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
