//! Constructors and builder methods of [`Error`]. Texts are `&'static str`, so that they cannot contain values.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use rustls::AlertDescription;

use super::{BoxError, Error, ErrorKind, Inner, ProblemDetails};
use crate::operation::{Effect, OperationMeta, ResponseMetadata};
use crate::value::decode::DecodeFailure;

/// First words of the reasons of an untrusted certificate.
pub(super) const CERTIFICATE_REASON: &str = "the server's certificate is not trusted";

/// Reason of the errors of a proxy that responds with 407.
pub(crate) const PROXY_CREDENTIALS: &str = "the proxy requires valid credentials (status 407); set them in its URL";

/// Reason of the errors of a server that ends the connection because of the client's certificate. Servers send the same alerts if there is
/// none.
const CLIENT_CERTIFICATE: &str = "the server requires a client certificate that it accepts; set client_certificate";

impl Error {
    /// Creates an error of a kind, without details.
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

    /// Creates an error of a kind with a fixed reason.
    #[doc(hidden)]
    #[must_use]
    pub fn with_reason(kind: ErrorKind, reason: &'static str) -> Self {
        let mut error = Self::new(kind);
        error.inner.reason = Some(reason);
        error
    }

    /// Creates a configuration error.
    #[doc(hidden)]
    #[must_use]
    pub fn configuration(reason: &'static str) -> Self {
        Self::with_reason(ErrorKind::Configuration, reason)
    }

    /// Creates the error of an invalid setting. `setting` is its name, such as `base_url`.
    #[doc(hidden)]
    #[must_use]
    pub fn invalid_setting(setting: impl Into<Cow<'static, str>>, reason: &'static str) -> Self {
        let mut error = Self::configuration(reason);
        error.inner.argument = Some(setting.into());
        error
    }

    /// Creates the error of an invalid argument. `reason` continues a sentence about it, such as "must be at least 1".
    #[must_use]
    pub fn invalid_argument(argument: &'static str, reason: &'static str) -> Self {
        let mut error = Self::with_reason(ErrorKind::InvalidArgument, reason);
        error.inner.argument = Some(argument.into());
        error
    }

    /// Creates the error of a response that does not match the specification. `json_path` is a path of declared names, such as
    /// `stages[2].start_at`; empty for the whole body.
    #[doc(hidden)]
    #[must_use]
    pub fn decode(meta: &ResponseMetadata, json_path: String, reason: &'static str) -> Self {
        let mut error = Self::with_reason(ErrorKind::Decode, reason).with_response(meta.clone());
        error.inner.json_path = (!json_path.is_empty()).then_some(json_path);
        error.inner.body = meta.body().cloned();
        error
    }

    /// Creates the error of JSON that cannot be decoded.
    #[doc(hidden)]
    #[must_use]
    pub fn from_decode_failure(failure: DecodeFailure) -> Self {
        Self::with_reason(ErrorKind::Decode, failure.reason).with_json_path(failure.json_path)
    }

    /// Creates the error of a call that its caller cancelled.
    #[doc(hidden)]
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled)
    }

    /// Creates the error of a call whose client was closed before or during the call.
    #[doc(hidden)]
    #[must_use]
    pub fn closed() -> Self {
        Self::with_reason(ErrorKind::Closed, "the client was closed")
    }

    /// Creates the error of a defect in this library.
    #[doc(hidden)]
    #[must_use]
    pub fn internal(reason: &'static str) -> Self {
        Self::with_reason(ErrorKind::Internal, reason)
    }

    /// Replaces the name of the argument with the caller's name for it.
    #[must_use]
    pub fn with_argument(mut self, argument: &'static str) -> Self {
        self.inner.argument = Some(argument.into());
        self
    }

    /// Adds the operation.
    #[doc(hidden)]
    #[must_use]
    pub fn with_operation(mut self, meta: &OperationMeta) -> Self {
        self.inner.operation = Some(meta.id);
        self.inner.http_method = Some(meta.http_method);
        self.inner.path_template = Some(meta.path);
        self
    }

    #[must_use]
    pub(crate) fn with_response(mut self, meta: ResponseMetadata) -> Self {
        self.inner.operation = meta.operation;
        self.inner.http_method = meta.http_method;
        self.inner.path_template = meta.path_template;
        self.inner.status = Some(meta.status);
        self.inner.request_id = meta.request_id;
        self.inner.attempts = meta.attempts;
        self.inner.headers = Some(meta.headers);
        self
    }

    /// Adds the problem details. `details` lists the fixed sentences that may be shown; any other detail may quote input.
    #[must_use]
    pub(crate) fn with_problem(mut self, problem: Option<ProblemDetails>, details: &'static [&'static str]) -> Self {
        let received = problem.as_ref().and_then(|problem| problem.detail.as_deref());
        self.inner.detail = received.and_then(|received| details.iter().copied().find(|detail| *detail == received));
        self.inner.problem = problem;
        self
    }

    /// Adds the delay that the service requests before the next attempt.
    #[must_use]
    pub(crate) fn with_retry_after(mut self, retry_after: Option<Duration>) -> Self {
        self.inner.retry_after = retry_after;
        self
    }

    /// Adds the path of the value that cannot be decoded. Empty for the whole body.
    #[must_use]
    pub(crate) fn with_json_path(mut self, json_path: String) -> Self {
        self.inner.json_path = (!json_path.is_empty()).then_some(json_path);
        self
    }

    #[must_use]
    pub(crate) fn with_attempts(mut self, attempts: u32) -> Self {
        self.inner.attempts = attempts;
        self
    }

    /// Adds the effect that the call may have had. Never lowers an effect that is already set.
    #[must_use]
    pub(crate) fn with_effect(mut self, effect: Effect) -> Self {
        self.inner.effect = self.inner.effect.max(effect);
        self
    }

    /// Adds the last status received, unless the error already has one.
    #[must_use]
    pub(crate) fn with_last_status(mut self, status: Option<u16>) -> Self {
        self.inner.status = self.inner.status.or(status);
        self
    }

    /// Adds the body that cannot be decoded.
    #[must_use]
    pub(crate) fn with_body(mut self, body: Bytes) -> Self {
        self.inner.body = Some(body);
        self
    }

    /// Adds the id of the record that the call created.
    #[must_use]
    pub(crate) fn with_record_id(mut self, id: Option<String>) -> Self {
        self.inner.record_id = id.or(self.inner.record_id);
        self
    }

    /// Adds the cause. It is available as `source()`, but never part of this library's texts.
    #[doc(hidden)]
    #[must_use]
    pub fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.inner.source = Some(source.into());
        self
    }

    #[must_use]
    pub(crate) fn untrusted_certificate(cause: &rustls::Error) -> Self {
        use rustls::CertificateError as Cause;

        let rustls::Error::InvalidCertificate(cause) = cause else { return Self::with_reason(ErrorKind::Transport, CERTIFICATE_REASON) };
        let reason = match cause {
            Cause::Expired | Cause::ExpiredContext { .. } => {
                "the server's certificate is not trusted: it has expired; check this machine's clock"
            }
            Cause::NotValidYet | Cause::NotValidYetContext { .. } => {
                "the server's certificate is not trusted: it is not valid yet; check this machine's clock"
            }
            Cause::NotValidForName | Cause::NotValidForNameContext { .. } => {
                "the server's certificate is not trusted: it is for another host name; check the URL"
            }
            // An issuer that has the name of a trusted one, but another key.
            Cause::UnknownIssuer | Cause::BadSignature => {
                "the server's certificate is not trusted: its issuer is unknown; set a CA certificate to trust it"
            }
            Cause::ApplicationVerificationFailure => "the server's certificate is not trusted: its key is not one of pinned_keys",
            Cause::Revoked => "the server's certificate is not trusted: it was revoked",
            _ => CERTIFICATE_REASON,
        };
        Self::with_reason(ErrorKind::Transport, reason)
    }

    /// Creates the error of a server's alert, if it is about the client's certificate.
    pub(crate) fn from_alert(alert: AlertDescription) -> Option<Self> {
        use AlertDescription as Alert;

        let is_about_certificate = matches!(
            alert,
            Alert::CertificateRequired
                | Alert::BadCertificate
                | Alert::UnsupportedCertificate
                | Alert::CertificateRevoked
                | Alert::CertificateExpired
                | Alert::CertificateUnknown
                | Alert::UnknownCA
                | Alert::DecryptError
                | Alert::AccessDenied
        );
        is_about_certificate.then(|| Self::with_reason(ErrorKind::Transport, CLIENT_CERTIFICATE))
    }

    /// Whether a connection failure is permanent: a retry fails until settings or certificates change.
    pub(super) fn has_permanent_reason(&self) -> bool {
        let permanent = [PROXY_CREDENTIALS, CLIENT_CERTIFICATE];
        self.inner.reason.is_some_and(|reason| permanent.contains(&reason) || reason.starts_with(CERTIFICATE_REASON))
    }
}
