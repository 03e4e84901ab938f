//! Mapping from HTTP status to error kind and retry advice. The body does not influence it.

use super::ErrorKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryAdvice {
    /// Permanent: the same call fails again.
    Never,
    /// A new token may help. The client asks its token provider once.
    WithNewToken,
    /// Transient, but not retried by the client: the caller may send the call later, perhaps after a repair of the service.
    ByCaller,
    /// Transient, and retried by the client if the operation allows it.
    ByClient,
}

impl RetryAdvice {
    pub(crate) fn is_transient(self) -> bool {
        matches!(self, Self::ByCaller | Self::ByClient)
    }
}

/// Returns the kind and the retry advice of a status that is not a success.
pub(crate) fn classify_status(status: u16) -> (ErrorKind, RetryAdvice) {
    match status {
        400 | 422 => (ErrorKind::InvalidRequest, RetryAdvice::Never),
        401 => (ErrorKind::Authentication, RetryAdvice::WithNewToken),
        403 => (ErrorKind::Permission, RetryAdvice::Never),
        404 => (ErrorKind::NotFound, RetryAdvice::Never),
        408 => (ErrorKind::Timeout, RetryAdvice::ByClient),
        413 => (ErrorKind::TooLarge, RetryAdvice::Never),
        429 => (ErrorKind::RateLimited, RetryAdvice::ByClient),
        // A defect of the service, triggered by this request. A retry would trigger it again, and might repeat a partial write.
        500 => (ErrorKind::Service, RetryAdvice::ByCaller),
        502..=504 => (ErrorKind::Service, RetryAdvice::ByClient),
        501 | 505..=599 => (ErrorKind::Service, RetryAdvice::Never),
        _ => (ErrorKind::UnexpectedStatus, RetryAdvice::Never),
    }
}

#[cfg(test)]
mod tests;
