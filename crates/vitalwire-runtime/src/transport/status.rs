//! The kind of an answered error: it follows the status, whatever the body is.

use super::retry::RetryDecision;
use crate::error::ErrorKind;

/// Kind of an answer whose status is none of the operation's successes.
pub(super) fn kind(status: u16) -> ErrorKind {
    match status {
        400 | 422 => ErrorKind::InvalidRequest,
        401 => ErrorKind::Authentication,
        403 => ErrorKind::Permission,
        404 => ErrorKind::NotFound,
        408 => ErrorKind::Timeout,
        413 => ErrorKind::TooLarge,
        429 => ErrorKind::RateLimited,
        500..=599 => ErrorKind::Service,
        _ => ErrorKind::UnexpectedStatus,
    }
}

/// Whether a status is a success, be it one that the interface names or not.
pub(super) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// Whether another attempt may help.
pub(super) fn again(status: u16) -> RetryDecision {
    match status {
        401 => RetryDecision::NewToken,
        429 => RetryDecision::Refused,
        408 | 502 | 503 | 504 => RetryDecision::MayHaveActed,
        400..=499 => RetryDecision::Never,
        _ => RetryDecision::NeverAndMayHaveActed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_its_kind() {
        for (status, name) in [
            (201, "unexpected_status"),
            (302, "unexpected_status"),
            (400, "invalid_request"),
            (401, "authentication"),
            (403, "permission"),
            (404, "not_found"),
            (405, "unexpected_status"),
            (408, "timeout"),
            (409, "unexpected_status"),
            (413, "too_large"),
            (422, "invalid_request"),
            (429, "rate_limited"),
            (500, "service"),
            (502, "service"),
            (503, "service"),
            (504, "service"),
            (599, "service"),
            (600, "unexpected_status"),
        ] {
            assert_eq!(kind(status).as_str(), name, "{status}");
        }
        for (status, expected) in [
            (302, RetryDecision::NeverAndMayHaveActed),
            (401, RetryDecision::NewToken),
            (404, RetryDecision::Never),
            (408, RetryDecision::MayHaveActed),
            (413, RetryDecision::Never),
            (429, RetryDecision::Refused),
            (500, RetryDecision::NeverAndMayHaveActed),
            (503, RetryDecision::MayHaveActed),
        ] {
            assert_eq!(again(status), expected, "{status}");
        }
    }
}
