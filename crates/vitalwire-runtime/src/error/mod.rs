//! Errors: one type, one table of kinds, and texts without health data, tokens, URLs or bodies.

mod build;
mod details;
mod display;
mod kind;
mod problem;
pub(crate) mod status;
pub(crate) mod system;
mod values;

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;

pub use details::{ProblemDetails, ProblemItem};
pub(crate) use display::harmless_id;
pub use kind::ErrorKind;
pub(crate) use problem::from_body as problem_from_body;

use crate::operation::Effect;

/// Any error of another library, as a source.
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// The error of a call.
///
/// Its text contains the kind, the HTTP status, the operation's path template, the request id and the places of rejected input; never a value,
/// a URL, a body or a token. [`Error::problem`] has what the service said.
pub struct Error {
    // Boxed: a `Result<T, Error>` stays as small as its `T`, and most calls succeed.
    inner: Box<Inner>,
}

pub(crate) struct Inner {
    pub(crate) kind: ErrorKind,
    /// A text of ours, fixed at compile time, so it cannot hold anything private.
    pub(crate) reason: Option<&'static str>,
    pub(crate) operation: Option<&'static str>,
    pub(crate) http_method: Option<&'static str>,
    pub(crate) path_template: Option<&'static str>,
    pub(crate) status: Option<u16>,
    pub(crate) problem: Option<ProblemDetails>,
    /// The problem's detail, where it is one of the fixed sentences of the interface.
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
    /// The kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// The kind's stable number, the same in every language.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.inner.kind.code()
    }

    /// A fixed sentence about the cause, if there is one.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        self.inner.reason
    }

    /// The HTTP status, if the service responded.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.inner.status
    }

    /// The problem details, if the service sent some. They may contain personal data.
    #[must_use]
    pub fn problem(&self) -> Option<&ProblemDetails> {
        self.inner.problem.as_ref()
    }

    /// The headers of the response, if the service responded. They may contain private data.
    #[must_use]
    pub fn headers(&self) -> Option<&HeaderMap> {
        self.inner.headers.as_ref()
    }

    /// The id that the service gave this request, as it came.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.inner.request_id.as_deref()
    }

    /// How long the service asks to wait before another request.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.inner.retry_after
    }

    /// Number of attempts; 0 if none was made.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.inner.attempts
    }

    /// The operation's id, for example `get_sleep`.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        self.inner.operation
    }

    /// The operation's path with its parameters' names, for example `/v3/sleeps/{id}`.
    #[must_use]
    pub fn path_template(&self) -> Option<&'static str> {
        self.inner.path_template
    }

    /// The name of the argument that cannot be sent ([`ErrorKind::InvalidArgument`]).
    #[must_use]
    pub fn argument(&self) -> Option<&str> {
        self.inner.argument.as_deref()
    }

    /// The place where the response does not fit the specification ([`ErrorKind::Decode`]), for example `statistics[3].from_timestamp`; `byte 17`
    /// if the body is not JSON.
    #[must_use]
    pub fn json_path(&self) -> Option<&str> {
        self.inner.json_path.as_deref()
    }

    /// Whether the service may have done what the failed call requested, although no response says so.
    ///
    /// False if it certainly did not: a read, a refused connection, a request that was refused before it was read, a definite 4xx, a local
    /// check, a deadline or a cancellation before it was sent. Otherwise true: look whether the record exists before you send it again.
    #[must_use]
    pub fn may_have_taken_effect(&self) -> bool {
        self.inner.effect != Effect::None
    }

    /// The id of the record that the failed call made, if that much of the response could be read.
    #[must_use]
    pub fn record_id(&self) -> Option<&str> {
        self.inner.record_id.as_deref()
    }

    /// The body of a successful response that could not be decoded, if
    /// [`keep_raw`](crate::client::CallOptions::keep_raw) was set. It may contain health data.
    #[must_use]
    pub fn body(&self) -> Option<&Bytes> {
        self.inner.body.as_ref()
    }

    /// Whether the same call may succeed later: a timeout, a broken connection, a busy or failing service.
    ///
    /// Whatever the client tries again by itself is transient; one failure is transient and not tried again:
    ///
    /// | failure | transient | tried again by the client |
    /// |---|---|---|
    /// | connecting failed or timed out | yes | yes, also an upload: nothing was sent |
    /// | the connection broke, or the attempt's deadline passed | yes | yes |
    /// | the total deadline passed | yes | no: the call's time is over |
    /// | 408, 502, 503, 504 | yes | yes |
    /// | 429 | yes | yes, after its `Retry-After` |
    /// | 500 | yes | no: the service failed at this very request, which may have had half an effect |
    /// | 401 | no | once, with another token of a provider |
    /// | any other status, a certificate that is not trusted | no | no |
    ///
    /// "Yes" holds within the call's retries and time, and for operations that may be repeated
    /// ([`RetryClass`](crate::operation::RetryClass)). False for an upload that [may have been taken](Self::may_have_taken_effect): a second time it would be there twice.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        if self.inner.effect == Effect::Once {
            return false;
        }
        match self.inner.kind {
            ErrorKind::Timeout | ErrorKind::RateLimited => true,
            ErrorKind::Transport => self.inner.reason != Some(build::CERTIFICATE_REASON),
            ErrorKind::Service => self.inner.status.is_some_and(|status| status::of(status).1.is_transient()),
            _ => false,
        }
    }

    /// Whether a deadline passed, or the service responded with 408.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        self.inner.kind == ErrorKind::Timeout
    }

    /// Whether the service does not have what was requested.
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
