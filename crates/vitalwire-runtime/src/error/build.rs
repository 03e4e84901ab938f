//! How errors are made. Texts are fixed at compile time, so that no value can slip into one.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;

use super::{BoxError, Error, ErrorKind, Inner, ProblemDetails};
use crate::operation::{Effect, OperationMeta, ResponseMetadata};
use crate::value::decode::DecodeFailure;

/// The one transport failure that trying again never mends.
pub(super) const CERTIFICATE_REASON: &str = "the server's certificate is not trusted";

impl Error {
    /// An error of a kind, with nothing else known.
    #[doc(hidden)]
    #[must_use]
    pub fn new(kind: ErrorKind) -> Self {
        Self {
            inner: Box::new(Inner {
                kind,
                reason: None,
                operation: None,
                http_method: None,
                path_template: None,
                status: None,
                problem: None,
                detail: None,
                headers: None,
                request_id: None,
                retry_after: None,
                attempts: 0,
                effect: Effect::None,
                body: None,
                record_id: None,
                argument: None,
                json_path: None,
                source: None,
            }),
        }
    }

    /// A kind with a fixed sentence.
    #[doc(hidden)]
    #[must_use]
    pub fn with_reason(kind: ErrorKind, reason: &'static str) -> Self {
        let mut error = Self::new(kind);
        error.inner.reason = Some(reason);
        error
    }

    /// The client is not set up for this.
    #[doc(hidden)]
    #[must_use]
    pub fn configuration(reason: &'static str) -> Self {
        Self::with_reason(ErrorKind::Configuration, reason)
    }

    /// A setting is refused; `setting` is its name, such as `base_url`.
    #[doc(hidden)]
    #[must_use]
    pub fn setting(setting: impl Into<Cow<'static, str>>, reason: &'static str) -> Self {
        let mut error = Self::configuration(reason);
        error.inner.argument = Some(setting.into());
        error
    }

    /// An argument cannot be sent as it is.
    #[doc(hidden)]
    #[must_use]
    pub fn invalid_argument(argument: &'static str, reason: &'static str) -> Self {
        let mut error = Self::with_reason(ErrorKind::InvalidArgument, reason);
        error.inner.argument = Some(argument.into());
        error
    }

    /// An answer is not what the interface describes. `place` is where, such as `stages[2].start_at`, made of declared names.
    #[doc(hidden)]
    #[must_use]
    pub fn decode(meta: &ResponseMetadata, place: String, reason: &'static str) -> Self {
        let mut error = Self::with_reason(ErrorKind::Decode, reason).answered(meta.clone());
        error.inner.json_path = (!place.is_empty()).then_some(place);
        error.inner.body = meta.raw().cloned();
        error
    }

    /// What is to be read is not as described.
    #[doc(hidden)]
    #[must_use]
    pub fn unreadable(failure: DecodeFailure) -> Self {
        Self::with_reason(ErrorKind::Decode, failure.reason).at(failure.place)
    }

    /// The call was cancelled by its caller.
    #[doc(hidden)]
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled)
    }

    /// The client was closed before or during the call.
    #[doc(hidden)]
    #[must_use]
    pub fn closed() -> Self {
        Self::with_reason(ErrorKind::Closed, "the client was closed")
    }

    /// A defect in this library.
    #[doc(hidden)]
    #[must_use]
    pub fn internal(reason: &'static str) -> Self {
        Self::with_reason(ErrorKind::Internal, reason)
    }

    /// Says which argument it was, by the name that the caller knows it by.
    #[doc(hidden)]
    #[must_use]
    pub fn of_argument(mut self, argument: &'static str) -> Self {
        self.inner.argument = Some(argument.into());
        self
    }

    /// Says which operation it was.
    #[doc(hidden)]
    #[must_use]
    pub fn in_operation(mut self, meta: &OperationMeta) -> Self {
        self.inner.operation = Some(meta.id);
        self.inner.http_method = Some(meta.http_method);
        self.inner.path_template = Some(meta.path);
        self
    }

    /// Says what was answered.
    #[must_use]
    pub(crate) fn answered(mut self, meta: ResponseMetadata) -> Self {
        self.inner.operation = meta.operation;
        self.inner.http_method = meta.http_method;
        self.inner.path_template = meta.path_template;
        self.inner.status = Some(meta.status);
        self.inner.request_id = meta.request_id;
        self.inner.attempts = meta.attempts;
        self.inner.headers = Some(meta.headers);
        self
    }

    /// Keeps what the service said; `details` are the fixed sentences that may be shown of it.
    #[must_use]
    pub(crate) fn problem_details(mut self, problem: Option<ProblemDetails>, details: &'static [&'static str]) -> Self {
        let said = problem.as_ref().and_then(|problem| problem.detail.as_deref());
        self.inner.detail = said.and_then(|said| details.iter().copied().find(|detail| *detail == said));
        self.inner.problem = problem;
        self
    }

    #[must_use]
    pub(crate) fn wait(mut self, retry_after: Option<Duration>) -> Self {
        self.inner.retry_after = retry_after;
        self
    }

    #[must_use]
    /// Where a body is not as described; empty for the body as a whole.
    pub(crate) fn at(mut self, place: String) -> Self {
        self.inner.json_path = (!place.is_empty()).then_some(place);
        self
    }

    pub(crate) fn tried(mut self, attempts: u32) -> Self {
        self.inner.attempts = attempts;
        self
    }

    /// Says what the call may have done; what is known already is not taken back.
    #[must_use]
    pub(crate) fn effect(mut self, effect: Effect) -> Self {
        self.inner.effect = self.inner.effect.max(effect);
        self
    }

    /// Says what was answered last, where this is no answer itself.
    #[must_use]
    pub(crate) fn after_status(mut self, status: Option<u16>) -> Self {
        self.inner.status = self.inner.status.or(status);
        self
    }

    /// Keeps what could not be decoded.
    #[must_use]
    pub(crate) fn with_body(mut self, body: Bytes) -> Self {
        self.inner.body = Some(body);
        self
    }

    /// Names the record that was made.
    #[must_use]
    pub(crate) fn of_record(mut self, id: Option<String>) -> Self {
        self.inner.record_id = id.or(self.inner.record_id);
        self
    }

    /// Keeps the cause. It is reachable by `source()` and shown nowhere by us.
    #[doc(hidden)]
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<BoxError>) -> Self {
        self.inner.source = Some(source.into());
        self
    }

    /// A certificate was refused.
    #[must_use]
    pub(crate) fn certificate() -> Self {
        Self::with_reason(ErrorKind::Transport, CERTIFICATE_REASON)
    }
}
