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
mod tests {
    use super::*;

    /// Literal copy of the table: status, kind, whether it is transient, whether the client retries.
    #[test]
    fn every_status_maps_to_a_kind_and_retry_advice() {
        for (status, name, transient, retried) in [
            (201, "unexpected_status", false, false),
            (302, "unexpected_status", false, false),
            (400, "invalid_request", false, false),
            (401, "authentication", false, false),
            (403, "permission", false, false),
            (404, "not_found", false, false),
            (405, "unexpected_status", false, false),
            (408, "timeout", true, true),
            (409, "unexpected_status", false, false),
            (413, "too_large", false, false),
            (422, "invalid_request", false, false),
            (429, "rate_limited", true, true),
            (500, "service", true, false),
            (501, "service", false, false),
            (502, "service", true, true),
            (503, "service", true, true),
            (504, "service", true, true),
            (505, "service", false, false),
            (599, "service", false, false),
            (600, "unexpected_status", false, false),
        ] {
            let (kind, advice) = classify_status(status);
            assert_eq!((kind.as_str(), advice.is_transient(), advice == RetryAdvice::ByClient), (name, transient, retried), "{status}");
        }
    }

    #[test]
    fn an_error_is_transient_if_its_status_is() {
        for status in 100..=999 {
            let (kind, advice) = classify_status(status);
            let error = crate::error::Error::new(kind).with_last_status(Some(status));
            assert_eq!(error.is_transient(), advice.is_transient(), "{status}");
        }
    }
}
