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
