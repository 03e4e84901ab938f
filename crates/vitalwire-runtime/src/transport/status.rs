//! Retry decisions for error statuses.

use super::retry::RetryDecision;
use crate::error::status::{self, RetryAdvice};

/// Whether a status is a success, including statuses that the interface does not declare.
pub(super) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// Returns the retry decision for a status, from the table in `error::status`.
pub(super) fn again(status: u16) -> RetryDecision {
    match (status::classify_status(status).1, status) {
        (RetryAdvice::WithNewToken, _) => RetryDecision::NewToken,
        (RetryAdvice::ByClient, 429) => RetryDecision::Refused,
        (RetryAdvice::ByClient, _) => RetryDecision::MayHaveActed,
        (RetryAdvice::ByCaller | RetryAdvice::Never, 400..=499) => RetryDecision::Never,
        (RetryAdvice::ByCaller | RetryAdvice::Never, _) => RetryDecision::NeverAndMayHaveActed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_its_decision() {
        for (status, expected) in [
            (302, RetryDecision::NeverAndMayHaveActed),
            (401, RetryDecision::NewToken),
            (404, RetryDecision::Never),
            (408, RetryDecision::MayHaveActed),
            (413, RetryDecision::Never),
            (429, RetryDecision::Refused),
            (500, RetryDecision::NeverAndMayHaveActed),
            (502, RetryDecision::MayHaveActed),
            (503, RetryDecision::MayHaveActed),
            (504, RetryDecision::MayHaveActed),
            (599, RetryDecision::NeverAndMayHaveActed),
        ] {
            assert_eq!(again(status), expected, "{status}");
        }
    }
}
