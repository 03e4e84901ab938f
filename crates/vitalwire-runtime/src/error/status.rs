//! The one table of statuses: the kind of an answered error, and whether it may pass. The kind follows the status, whatever the body is.

use super::ErrorKind;

/// Whether the same call may succeed after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// It fails again.
    Lasting,
    /// Another token may do: the client asks its provider for one, once.
    NewToken,
    /// It may pass, perhaps after a repair: the caller may try later, the client does not.
    Later,
    /// It may pass soon: the client tries again where the operation allows it, and the caller may later.
    Soon,
}

impl Outlook {
    /// Whether it may pass by itself.
    pub(crate) fn is_transient(self) -> bool {
        matches!(self, Self::Later | Self::Soon)
    }
}

/// Kind and outlook of a status that is none of the operation's successes.
pub(crate) fn of(status: u16) -> (ErrorKind, Outlook) {
    match status {
        400 | 422 => (ErrorKind::InvalidRequest, Outlook::Lasting),
        401 => (ErrorKind::Authentication, Outlook::NewToken),
        403 => (ErrorKind::Permission, Outlook::Lasting),
        404 => (ErrorKind::NotFound, Outlook::Lasting),
        408 => (ErrorKind::Timeout, Outlook::Soon),
        413 => (ErrorKind::TooLarge, Outlook::Lasting),
        429 => (ErrorKind::RateLimited, Outlook::Soon),
        // A defect of the service, met by this very request: at once it would be met again, and one that wrote half may write twice.
        500 => (ErrorKind::Service, Outlook::Later),
        502..=504 => (ErrorKind::Service, Outlook::Soon),
        501 | 505..=599 => (ErrorKind::Service, Outlook::Lasting),
        _ => (ErrorKind::UnexpectedStatus, Outlook::Lasting),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written out by hand: status, kind, whether it may pass, whether the client tries again.
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
