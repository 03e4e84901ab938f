//! What all clones of a client share.

use std::pin::pin;

use futures_util::future::select;

use super::cancel::{CancelToken, unless};
use super::deadlines::Deadlines;
use super::hooks::Hooks;
use super::mock::MockResponses;
use super::options::{ArrayStyle, CallOptions};
use super::queue::Queue;
use super::retry::Budget;
use super::{BaseUrl, RetryPolicy};
use crate::auth::Auth;
use crate::error::Error;
use crate::operation::ServiceMeta;

/// One service as configured.
#[derive(Default)]
pub(crate) struct Endpoint {
    pub(crate) base_url: Option<BaseUrl>,
    pub(crate) auth: Option<Auth>,
}

impl Endpoint {
    /// The same for another process.
    pub(crate) fn anew(&self) -> Self {
        Self { base_url: self.base_url.clone(), auth: self.auth.as_ref().map(Auth::anew) }
    }
}

/// A client as configured, with its connections.
pub struct Shared {
    pub(crate) http: reqwest::Client,
    /// Mock responses that replace the services.
    pub(crate) mock_responses: Option<MockResponses>,
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
    pub(crate) strict_lists: bool,
    /// Ends all calls on their way: the client was closed.
    pub(crate) ended: CancelToken,
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

    /// Runs the work until the call's token or closing the client ends it.
    pub(crate) async fn unless_ended<T>(&self, options: &CallOptions, work: impl Future<Output = T>) -> Result<T, Error> {
        match self.is_ended(options) {
            true => None,
            false => unless(work, self.ended(options)).await,
        }
        .ok_or_else(|| self.end(options))
    }

    /// Completes when the call's token or closing the client ends a call.
    pub(super) async fn ended(&self, options: &CallOptions) {
        match &options.cancel_token {
            Some(token) => {
                select(pin!(token.until_cancelled()), pin!(self.ended.until_cancelled())).await;
            }
            None => self.ended.until_cancelled().await,
        }
    }

    /// Whether a call is ended.
    pub(super) fn is_ended(&self, options: &CallOptions) -> bool {
        self.ended.is_cancelled() || options.cancel_token.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// What a call ends with that was ended; who asked for that comes first.
    pub(super) fn end(&self, options: &CallOptions) -> Error {
        let cancelled = options.cancel_token.as_ref().is_some_and(CancelToken::is_cancelled);
        if cancelled || !self.ended.is_cancelled() { Error::cancelled() } else { Error::closed() }
    }

    /// How lists travel in the query of a call.
    pub(crate) fn array_style(&self, options: &CallOptions) -> ArrayStyle {
        options.array_style.unwrap_or(self.array_style)
    }

    /// Whether arguments are checked before anything is sent.
    pub(crate) fn local_checks(&self, options: &CallOptions) -> bool {
        options.local_checks.unwrap_or(self.local_checks)
    }

    /// Whether a list item that cannot be decoded is an error.
    pub(crate) fn strict_lists(&self, options: &CallOptions) -> bool {
        options.strict_lists.unwrap_or(self.strict_lists)
    }
}
