//! Errors: one type, [`Error`], for every failure.
//!
//! [`Error::kind`] classifies the failure. Error texts never contain health data, tokens, URLs or bodies.

mod constructors;
mod conversions;
mod details;
mod display;
mod kind;
pub(crate) mod os_error;
mod problem;
pub(crate) mod status;

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;

pub(crate) use constructors::PROXY_CREDENTIALS;
pub use details::{ProblemDetails, ProblemItem};
pub(crate) use display::displayable_id;
pub use kind::ErrorKind;
use kind::Transience;
pub(crate) use problem::parse_problem;

use crate::operation::Effect;

/// An error of another library, as the source of an [`Error`].
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// The error of a call.
///
/// The text contains the kind, the HTTP status, the path template of the operation, the request id, and the locations of invalid input. It
/// never contains a value, a URL, a body or a token. [`Error::problem`] has the service's own description.
pub struct Error {
    // Boxed to keep `Result<T, Error>` as small as `T`: most calls succeed.
    inner: Box<Inner>,
}

pub(crate) struct Inner {
    pub(crate) kind: ErrorKind,
    /// Fixed at compile time, so that it cannot contain private data.
    pub(crate) reason: Option<&'static str>,
    pub(crate) operation: Option<&'static str>,
    pub(crate) http_method: Option<&'static str>,
    pub(crate) path_template: Option<&'static str>,
    pub(crate) status: Option<u16>,
    pub(crate) problem: Option<ProblemDetails>,
    /// The detail of the problem, if it is one of the interface's fixed sentences.
    pub(crate) detail: Option<&'static str>,
    pub(crate) headers: Option<HeaderMap>,
    pub(crate) request_id: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) attempts: u32,
    pub(crate) effect: Effect,
    pub(crate) body: Option<Bytes>,
    pub(crate) record_id: Option<String>,
    pub(crate) argument: Option<Cow<'static, str>>,
    pub(crate) json_path: Option<String>,
    pub(crate) source: Option<BoxError>,
}

impl Error {
    /// Kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// Stable number of the kind, the same in every language.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.inner.kind.code()
    }

    /// Fixed text about the cause, if there is one.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        self.inner.reason
    }

    /// HTTP status, if the service responded.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.inner.status
    }

    /// Problem details, if the service sent any. They may contain personal data.
    #[must_use]
    pub fn problem(&self) -> Option<&ProblemDetails> {
        self.inner.problem.as_ref()
    }

    /// Headers of the response, if the service responded. They may contain private data.
    #[must_use]
    pub fn headers(&self) -> Option<&HeaderMap> {
        self.inner.headers.as_ref()
    }

    /// Id that the service gave the request, unchanged.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.inner.request_id.as_deref()
    }

    /// Delay that the service requests before the next attempt.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.inner.retry_after
    }

    /// Number of attempts. 0 if no request was sent.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.inner.attempts
    }

    /// Id of the operation, for example `"get_sleep"`.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        self.inner.operation
    }

    /// Path of the operation with parameter names, for example `/v3/sleeps/{id}`.
    #[must_use]
    pub fn path_template(&self) -> Option<&'static str> {
        self.inner.path_template
    }

    /// Name of the rejected argument or setting.
    ///
    /// Set for [`ErrorKind::InvalidArgument`] and [`ErrorKind::Configuration`].
    #[must_use]
    pub fn argument(&self) -> Option<&str> {
        self.inner.argument.as_deref()
    }

    /// Path of the value that does not match the specification, for example `statistics[3].from_timestamp`.
    ///
    /// Set for [`ErrorKind::Decode`]. It is `byte 17` if the body is not JSON.
    #[must_use]
    pub fn json_path(&self) -> Option<&str> {
        self.inner.json_path.as_deref()
    }

    /// Whether the service may have carried out the failed call, although no response says so. False if it certainly did not: a read, a
    /// refused connection, a definite 4xx, a local check, or a timeout or cancellation before the request was sent. If true, check whether
    /// the record exists before sending it again.
    #[must_use]
    pub fn may_have_taken_effect(&self) -> bool {
        self.inner.effect != Effect::None
    }

    /// Id of the record that the failed call created, if known. It can be waited for.
    #[must_use]
    pub fn record_id(&self) -> Option<&str> {
        self.inner.record_id.as_deref()
    }

    /// Body of a response that cannot be decoded, if `keep_body` was set. It may contain health data.
    ///
    /// See [`keep_body`](crate::client::CallOptions::keep_body).
    #[must_use]
    pub fn body(&self) -> Option<&Bytes> {
        self.inner.body.as_ref()
    }

    /// Whether the same call may succeed later. False for an upload that may have taken effect.
    ///
    /// Every failure that the client retries is transient, except 401: the client retries it once with a new token of the provider.
    ///
    /// | failure | transient | retried by the client |
    /// |---|---|---|
    /// | connecting failed or timed out | yes | yes, also an upload: nothing was sent |
    /// | the connection broke, or the attempt timed out | yes | yes |
    /// | the call timed out | yes | no: the time of the call is over |
    /// | 408, 502, 503, 504 | yes | yes |
    /// | 429 | yes | yes, after its `Retry-After` |
    /// | 500 | yes | no: the service failed at this very request, which may have taken effect in part |
    /// | 401 | no | once, with a new token of the provider |
    /// | any other status, an untrusted certificate, a proxy that requires credentials | no | no |
    ///
    /// The client retries within the call's number of retries and timeout, and only operations that may be repeated
    /// ([`RetryClass`](crate::operation::RetryClass)). An upload that [may have taken effect](Self::may_have_taken_effect) could be stored
    /// twice.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        if self.inner.effect == Effect::Once {
            return false;
        }
        match self.inner.kind.transience() {
            Transience::Never => false,
            Transience::Always => true,
            Transience::ByStatus => self.inner.status.is_some_and(|status| status::classify_status(status).1.is_transient()),
            Transience::ByReason => !self.has_permanent_reason(),
        }
    }

    /// Whether a timeout expired, or the service responded with 408.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        self.inner.kind == ErrorKind::Timeout
    }

    /// Whether the service does not have the requested record.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.inner.kind == ErrorKind::NotFound
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.inner.source.as_deref().map(|source| source as _)
    }
}
