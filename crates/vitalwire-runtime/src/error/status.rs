//! Mapping from HTTP status to error kind and retry behaviour. The body does not influence it.

use super::ErrorKind;

/// Retry behaviour of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// Permanent: the same call fails again.
    Lasting,
    /// A new token may help. The client asks its token provider once.
    NewToken,
    /// Transient, but not retried by the client: the caller may send the call later, perhaps after a repair of the service.
    Later,
    /// Transient, and retried by the client if the operation allows it.
    Soon,
}

impl Outlook {
    /// Whether the failure is transient.
    pub(crate) fn is_transient(self) -> bool {
        matches!(self, Self::Later | Self::Soon)
    }
}

/// Returns the kind and the retry behaviour of a status that is not a success.
pub(crate) fn of(status: u16) -> (ErrorKind, Outlook) {
    match status {
        400 | 422 => (ErrorKind::InvalidRequest, Outlook::Lasting),
        401 => (ErrorKind::Authentication, Outlook::NewToken),
        403 => (ErrorKind::Permission, Outlook::Lasting),
        404 => (ErrorKind::NotFound, Outlook::Lasting),
        408 => (ErrorKind::Timeout, Outlook::Soon),
        413 => (ErrorKind::TooLarge, Outlook::Lasting),
        429 => (ErrorKind::RateLimited, Outlook::Soon),
        // A defect of the service, triggered by this request. A retry would trigger it again, and might repeat a partial write.
        500 => (ErrorKind::Service, Outlook::Later),
        502..=504 => (ErrorKind::Service, Outlook::Soon),
        501 | 505..=599 => (ErrorKind::Service, Outlook::Lasting),
        _ => (ErrorKind::UnexpectedStatus, Outlook::Lasting),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Literal copy of the table: status, kind, whether it is transient, whether the client retries.
    #[test]
    fn every_status_has_its_row() {
        for (status, name, transient, again) in [
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
            let (kind, outlook) = of(status);
            assert_eq!((kind.as_str(), outlook.is_transient(), outlook == Outlook::Soon), (name, transient, again), "{status}");
        }
    }

    #[test]
    fn an_error_says_what_the_table_says() {
        for status in 100..=999 {
            let (kind, outlook) = of(status);
            let error = crate::error::Error::new(kind).after_status(Some(status));
            assert_eq!(error.is_transient(), outlook.is_transient(), "{status}");
        }
    }
}
