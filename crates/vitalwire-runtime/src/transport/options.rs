//! The options of one call.

use std::fmt;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};

use super::CancelToken;
use crate::auth::Secret;
use crate::error::Error;
use crate::value::Presence;

/// Format of a list in a query string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArrayStyle {
    /// `types=steps&types=floors`
    #[default]
    Repeated,
    /// `types=steps,floors`
    Comma,
}

/// Options of one call. Options that are not set default to the client's settings.
#[derive(Clone, Default)]
pub struct CallOptions {
    pub(crate) connect_timeout: Option<Duration>,
    pub(crate) attempt_timeout: Option<Duration>,
    pub(crate) timeout: Option<Duration>,
    /// Time left for a task of several calls. It can shorten the total deadline, but not extend it.
    pub(crate) remaining_time: Option<Duration>,
    pub(crate) max_retries: Option<u32>,
    pub(crate) max_response_bytes: Option<u64>,
    pub(crate) allow_resend: bool,
    pub(crate) headers: HeaderMap,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) array_style: Option<ArrayStyle>,
    pub(crate) client_side_validation: Option<bool>,
    pub(crate) strict_lists: Option<bool>,
    pub(crate) token: Option<Secret>,
    pub(crate) keep_body: bool,
    /// Whether a response with an error status is returned like a success.
    pub(crate) any_status: bool,
    pub(crate) cancel_token: Option<CancelToken>,
    /// Extra time for the response to a request that was sent before the token was cancelled.
    pub(crate) grace_after_cancel: Option<Duration>,
    /// The first invalid option; the call reports it.
    pub(crate) invalid_option: Option<(&'static str, &'static str)>,
    /// An invalid argument of the call, with the reason. The call reports it before any invalid option.
    pub(crate) invalid_argument: Option<(&'static str, &'static str)>,
}

/// Headers that the client sets, and headers that frame a message.
const OWN_HEADERS: [&str; 10] = [
    "authorization",
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "accept-encoding",
    "te",
    "upgrade",
    "expect",
    "proxy-authorization",
];

impl CallOptions {
    /// Creates options that all default to the client's settings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Maximum time to connect, including the TLS handshake.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = Some(timeout);
        self
    }

    /// Maximum time for one attempt, from sending the request to the end of the response.
    #[must_use]
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.attempt_timeout = Some(timeout);
        self
    }

    /// Maximum time for the call, including all attempts, the delays between them and getting a token.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Maximum number of retries. 0 disables retries.
    ///
    /// The retry after a rejected token is not counted.
    #[must_use]
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = Some(retries);
        self
    }

    /// Maximum size of the response body after decompression, in bytes. A larger body is a `too_large` error.
    #[must_use]
    pub fn max_response_bytes(mut self, bytes: u64) -> Self {
        self.max_response_bytes = Some(bytes);
        self
    }

    /// Retries an upload even if an earlier attempt may have taken effect. The record may then exist twice. Defaults to false.
    #[must_use]
    pub fn allow_resend(mut self, allow: bool) -> Self {
        self.allow_resend = allow;
        self
    }

    /// Headers to add. Their values are never shown. Headers that the client sets itself are rejected when the call is made.
    ///
    /// Each call adds one.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let Ok(name) = HeaderName::try_from(name) else {
            self.invalid_option.get_or_insert(("header", "must be a valid header name"));
            return self;
        };
        if OWN_HEADERS.contains(&name.as_str()) {
            self.invalid_option.get_or_insert(("header", "must not be a header that the client sets"));
            return self;
        }
        match HeaderValue::try_from(value) {
            Ok(mut value) => {
                value.set_sensitive(true);
                self.headers.append(name, value);
            }
            Err(_) => {
                self.invalid_option.get_or_insert(("header", "must be a valid header value"));
            }
        }
        self
    }

    /// Query parameters to add after the operation's own.
    ///
    /// Each call adds one.
    #[must_use]
    pub fn query(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.query.push((name.into(), value.into()));
        self
    }

    /// Encoding of lists in the query string.
    #[must_use]
    pub fn array_style(mut self, style: ArrayStyle) -> Self {
        self.array_style = Some(style);
        self
    }

    /// Validates arguments before sending, and rejects those that the service is known to reject.
    #[must_use]
    pub fn client_side_validation(mut self, check: bool) -> Self {
        self.client_side_validation = Some(check);
        self
    }

    /// Fails with a decode error if a list item cannot be decoded, instead of leaving it out.
    #[must_use]
    pub fn strict_lists(mut self, strict: bool) -> Self {
        self.strict_lists = Some(strict);
        self
    }

    /// Access token to use instead of the client's. No token provider is called, so a 401 is final.
    #[must_use]
    pub fn token(mut self, token: &str) -> Self {
        match Secret::parse(token) {
            Ok(secret) => self.token = Some(secret),
            Err(reason) => {
                self.invalid_option.get_or_insert(("token", reason));
            }
        }
        self
    }

    /// Token that cancels the call.
    #[must_use]
    pub fn cancel_token(mut self, token: &CancelToken) -> Self {
        self.cancel_token = Some(token.clone());
        self
    }

    /// Replaces the cancel token with a child token. Returns the options and the child. Cancelling the original token cancels the child too.
    #[doc(hidden)]
    #[must_use]
    pub fn with_child_token(mut self) -> (Self, CancelToken) {
        let own = self.cancel_token.as_ref().map(CancelToken::child).unwrap_or_default();
        self.cancel_token = Some(own.clone());
        (self, own)
    }

    /// Keeps the response body as received, beside the decoded value. If the response cannot be decoded, the error has the body. It may
    /// contain health data. Defaults to false.
    #[must_use]
    pub fn keep_body(mut self, keep: bool) -> Self {
        self.keep_body = keep;
        self
    }

    /// Returns responses with an error status like those of a success.
    pub(crate) fn any_status(mut self) -> Self {
        self.any_status = true;
        self
    }

    /// Returns a copy that also respects the time left for a task.
    pub(crate) fn with_remaining_time(&self, left: Duration) -> Self {
        Self { remaining_time: Some(self.remaining_time.map_or(left, |before| before.min(left))), ..self.clone() }
    }

    /// Sets the extra time for the response to a request that was sent before the cancel token was cancelled. Use it for an upload: only
    /// its response has the id of the record.
    #[doc(hidden)]
    #[must_use]
    pub fn grace_after_cancel(mut self, time: Duration) -> Self {
        self.grace_after_cancel = Some(time);
        self
    }

    /// Returns the options for further requests of the same task. Query pairs, `allow_resend` and the time left apply to the first request
    /// only.
    pub(crate) fn for_another_request(&self) -> Self {
        Self { query: Vec::new(), allow_resend: false, remaining_time: None, ..self.clone() }
    }

    /// Fails if an argument or an option is invalid.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.invalid_argument.or(self.invalid_option) {
            Some((argument, reason)) => Err(Error::invalid_argument(argument, reason)),
            None => Ok(()),
        }
    }
}

/// Redacted: shows no header values, query values or token.
impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("connect_timeout", &self.connect_timeout)
            .field("attempt_timeout", &self.attempt_timeout)
            .field("timeout", &self.timeout)
            .field("max_retries", &self.max_retries)
            .field("max_response_bytes", &self.max_response_bytes)
            .field("allow_resend", &self.allow_resend)
            .field("headers", &self.headers.len())
            .field("query", &self.query.len())
            .field("array_style", &self.array_style)
            .field("client_side_validation", &self.client_side_validation)
            .field("strict_lists", &self.strict_lists)
            .field("token", &Presence(self.token.is_some()))
            .field("keep_body", &self.keep_body)
            .field("cancel_token", &self.cancel_token)
            .finish_non_exhaustive()
    }
}
