//! Retry decisions for error statuses.

use super::retry::RetryDecision;
use crate::error::status::{self, RetryAdvice};

/// Whether a status is a success, including statuses that the interface does not declare.
pub(super) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// Returns the retry decision for a status, from the table in `error::status`.
pub(super) fn retry_decision(status: u16) -> RetryDecision {
    match (status::classify_status(status).1, status) {
        (RetryAdvice::WithNewToken, _) => RetryDecision::NewToken,
        (RetryAdvice::ByClient, 429) => RetryDecision::Rejected,
        (RetryAdvice::ByClient, _) => RetryDecision::MayHaveTakenEffect,
        (RetryAdvice::ByCaller | RetryAdvice::Never, 400..=499) => RetryDecision::Permanent,
        (RetryAdvice::ByCaller | RetryAdvice::Never, _) => RetryDecision::PermanentMayHaveTakenEffect,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_has_its_retry_decision() {
        for (status, expected) in [
            (302, RetryDecision::PermanentMayHaveTakenEffect),
            (401, RetryDecision::NewToken),
            (404, RetryDecision::Permanent),
            (408, RetryDecision::MayHaveTakenEffect),
            (413, RetryDecision::Permanent),
            (429, RetryDecision::Rejected),
            (500, RetryDecision::PermanentMayHaveTakenEffect),
            (502, RetryDecision::MayHaveTakenEffect),
            (503, RetryDecision::MayHaveTakenEffect),
            (504, RetryDecision::MayHaveTakenEffect),
            (599, RetryDecision::PermanentMayHaveTakenEffect),
        ] {
            assert_eq!(retry_decision(status), expected, "{status}");
        }
    }
}
