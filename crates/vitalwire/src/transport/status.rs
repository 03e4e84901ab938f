//! The kind of an answered error: it follows the status, whatever the body is.

use super::retry::Again;
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
pub(super) fn again(status: u16) -> Again {
    match status {
        401 => Again::NewToken,
        429 => Again::Refused,
        408 | 502 | 503 | 504 => Again::MayHaveActed,
        400..=499 => Again::Never,
        _ => Again::NeverAndMayHaveActed,
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
            (302, Again::NeverAndMayHaveActed),
            (401, Again::NewToken),
            (404, Again::Never),
            (408, Again::MayHaveActed),
            (413, Again::Never),
            (429, Again::Refused),
            (500, Again::NeverAndMayHaveActed),
            (503, Again::MayHaveActed),
        ] {
            assert_eq!(again(status), expected, "{status}");
        }
    }
}
