//! Errors: one type, one table of kinds, and texts without health data, tokens, URLs or bodies.

mod build;
mod details;
mod display;
mod kind;
mod problem;

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;

pub use details::{ProblemDetails, ProblemItem};
pub use kind::ErrorKind;
pub(crate) use problem::from_body as problem_from_body;

use crate::operation::Effect;

/// Any error of another library, as a source.
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// What a call can end with instead of a result.
///
/// Its text holds the kind, the HTTP status, the operation's path template, the request id and the places of what was
/// refused; never a value, a URL, a body or a token. What the service said is reachable through [`Error::problem`].
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
    pub(crate) place: Option<String>,
    pub(crate) source: Option<BoxError>,
}

impl Error {
    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// The kind's stable number, the same in every language.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.inner.kind.code()
    }

    /// A fixed sentence about the cause, where there is one.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        self.inner.reason
    }

    /// The HTTP status, when the service answered.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.inner.status
    }

    /// The problem details, when the service sent some. They may hold personal data.
    #[must_use]
    pub fn problem(&self) -> Option<&ProblemDetails> {
        self.inner.problem.as_ref()
    }

    /// The answer's headers, when the service answered. They may hold what is private.
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

    /// How many times the request was tried; 0 when it never came to a try.
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

    /// Where the answer is not as described ([`ErrorKind::Decode`]), for example `statistics[3].from_timestamp`; `byte 17` of the body
    /// where it is no JSON.
    #[must_use]
    pub fn place(&self) -> Option<&str> {
        self.inner.place.as_deref()
    }

    /// Whether the service may have done what the failed call asked for, although no answer says so.
    ///
    /// False where it surely did not: a read, a refused connection, a request that was refused before it was read, a definite 4xx, a local
    /// check, a deadline or a cancel before it was sent. Otherwise true: look whether it is there before sending it again.
    #[must_use]
    pub fn may_have_taken_effect(&self) -> bool {
        self.inner.effect != Effect::None
    }

    /// The id of the record that the failed call made, where that much of the answer could be read.
    #[must_use]
    pub fn record_id(&self) -> Option<&str> {
        self.inner.record_id.as_deref()
    }

    /// The body of a successful answer that could not be decoded, where
    /// [`keep_raw`](crate::client::CallOptions::keep_raw) was set. It may hold health data.
    #[must_use]
    pub fn body(&self) -> Option<&Bytes> {
        self.inner.body.as_ref()
    }

    /// Whether the same call may well succeed a little later: a timeout, a broken connection, a busy or failing service.
    ///
    /// False for an upload that [may have been taken](Self::may_have_taken_effect): a second time it would be there twice.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        if self.inner.effect == Effect::Once {
            return false;
        }
        match self.inner.kind {
            ErrorKind::Timeout | ErrorKind::RateLimited => true,
            ErrorKind::Transport => self.inner.reason != Some(build::CERTIFICATE_REASON),
            ErrorKind::Service => matches!(self.inner.status, Some(500 | 502 | 503 | 504)),
            _ => false,
        }
    }

    /// Whether a deadline passed or the service answered 408.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        self.inner.kind == ErrorKind::Timeout
    }

    /// Whether the service does not know what was asked for.
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
