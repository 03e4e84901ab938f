//! State shared by all clones of a client.

use std::pin::pin;

use futures_util::future::select;
use http::HeaderMap;

use super::callbacks::AttemptCallbacks;
use super::cancel::{CancelToken, run_until};
use super::deadlines::Deadlines;
use super::last_response::LastResponse;
use super::mock::MockResponses;
use super::options::{ArrayStyle, CallOptions};
use super::queue::RequestQueue;
use super::retry::RetryBudget;
use super::{BaseUrl, RetryPolicy};
use crate::auth::Auth;
use crate::error::Error;
use crate::operation::ServiceMeta;

/// Base URL, tokens and last response of a service.
#[derive(Default)]
pub(crate) struct Endpoint {
    pub(crate) base_url: Option<BaseUrl>,
    pub(crate) auth: Option<Auth>,
    pub(crate) last_response: LastResponse,
}

impl Endpoint {
    /// Creates a copy for another process.
    pub(crate) fn for_new_process(&self) -> Self {
        Self {
            base_url: self.base_url.clone(),
            auth: self.auth.as_ref().map(Auth::for_new_process),
            last_response: LastResponse::default(),
        }
    }
}

/// Settings, connections and state of a client.
pub struct ClientState {
    pub(crate) http: reqwest::Client,
    /// Headers that `http` adds to every request.
    pub(crate) default_headers: HeaderMap,
    /// Mock responses that replace the services.
    pub(crate) mock_responses: Option<MockResponses>,
    /// Services, in the order of the interface.
    pub(crate) endpoints: Vec<Endpoint>,
    pub(crate) deadlines: Deadlines,
    pub(crate) retry: RetryPolicy,
    pub(crate) budget: RetryBudget,
    pub(crate) queue: RequestQueue,
    pub(crate) callbacks: AttemptCallbacks,
    /// Maximum size of a response body after decompression, in bytes.
    pub(crate) max_response_bytes: u64,
    pub(crate) array_style: ArrayStyle,
    pub(crate) client_side_validation: bool,
    pub(crate) strict_lists: bool,
    /// Cancelled when the client is closed, which ends all calls in flight.
    pub(crate) close_token: CancelToken,
}

impl ClientState {
    /// Returns the HTTP client for building requests. Only [`execute`](super::execute) sends them.
    pub(crate) fn reqwest(&self) -> &reqwest::Client {
        &self.http
    }

    pub(crate) fn base_url(&self, service: &ServiceMeta) -> Result<&BaseUrl, Error> {
        let endpoint = self.endpoints.get(service.index);
        endpoint
            .and_then(|endpoint| endpoint.base_url.as_ref())
            .ok_or_else(|| Error::invalid_setting(service.base_url, service.no_base_url))
    }

    /// Returns the facts of a service's last response.
    pub(crate) fn last_response(&self, service: &ServiceMeta) -> Option<&LastResponse> {
        self.endpoints.get(service.index).map(|endpoint| &endpoint.last_response)
    }

    /// Returns the token cache of a service.
    pub(crate) fn auth(&self, service: &ServiceMeta) -> Result<&Auth, Error> {
        let endpoint = self.endpoints.get(service.index);
        endpoint.and_then(|endpoint| endpoint.auth.as_ref()).ok_or_else(|| Error::invalid_setting(service.token, service.no_token))
    }

    /// Runs a future until the call's token is cancelled or the client is closed.
    pub(crate) async fn unless_ended<T>(&self, options: &CallOptions, work: impl Future<Output = T>) -> Result<T, Error> {
        match self.is_ended(options) {
            true => None,
            false => run_until(work, self.until_ended(options)).await,
        }
        .ok_or_else(|| self.end_error(options))
    }

    /// Completes when the call's token is cancelled or the client is closed.
    pub(super) async fn until_ended(&self, options: &CallOptions) {
        match &options.cancel_token {
            Some(token) => {
                select(pin!(token.until_cancelled()), pin!(self.close_token.until_cancelled())).await;
            }
            None => self.close_token.until_cancelled().await,
        }
    }

    /// Whether the call's token is cancelled or the client is closed.
    pub(super) fn is_ended(&self, options: &CallOptions) -> bool {
        self.close_token.is_cancelled() || options.cancel_token.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// Returns the error of a call that was ended. Cancellation takes precedence over closing.
    pub(super) fn end_error(&self, options: &CallOptions) -> Error {
        let cancelled = options.cancel_token.as_ref().is_some_and(CancelToken::is_cancelled);
        if cancelled || !self.close_token.is_cancelled() { Error::cancelled() } else { Error::closed() }
    }

    /// Returns the query format of lists for a call.
    pub(crate) fn array_style(&self, options: &CallOptions) -> ArrayStyle {
        options.array_style.unwrap_or(self.array_style)
    }

    /// Whether arguments are validated before a request is sent.
    pub(crate) fn client_side_validation(&self, options: &CallOptions) -> bool {
        options.client_side_validation.unwrap_or(self.client_side_validation)
    }

    /// Whether a list item that cannot be decoded is an error.
    pub(crate) fn strict_lists(&self, options: &CallOptions) -> bool {
        options.strict_lists.unwrap_or(self.strict_lists)
    }
}
