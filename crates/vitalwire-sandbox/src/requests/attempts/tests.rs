use super::*;
use crate::tokens::Keys;

fn call(method: &str, target: &str, headers: &[(&str, &str)]) -> CallIdentity {
    let request =
        headers.iter().fold(http::Request::builder().method(method).uri(target), |request, (name, value)| request.header(*name, *value));
    CallIdentity::new(&request.body(()).unwrap())
}

#[test]
fn only_failed_attempts_count() {
    let attempts = AttemptCounter::default();
    let get = call("GET", "/v3/userinfo", &[]);
    assert_eq!(attempts.attempt_number(&get), 1);
    attempts.record_outcome(&get, 1, false);
    assert_eq!(attempts.attempt_number(&get), 1);
    attempts.record_outcome(&get, 1, true);
    assert_eq!(attempts.attempt_number(&get), 2);
    // Different calls do not count as retries.
    for other in [
        call("DELETE", "/v3/userinfo", &[]),
        call("GET", "/v3/userinfo?a", &[]),
        call("GET", "/v3/userinfo", &[("content-length", "1")]),
        call("GET", "/v3/userinfo", &[("x-sandbox-fault", "html")]),
    ] {
        assert_eq!(attempts.attempt_number(&other), 1);
    }
    attempts.record_outcome(&get, 2, true);
    assert_eq!(attempts.attempt_number(&get), 3);
    attempts.record_outcome(&get, 3, false);
    assert_eq!(attempts.attempt_number(&get), 1);
}

#[test]
fn a_fresh_token_of_the_same_user_is_the_same_call() {
    let claims = |user: &str, at| format!("Bearer {}", tokens::sign(&Keys::new(1).signing_key, &crate::Claims::new(1, user, at)));
    let attempts = AttemptCounter::default();
    let (first, later, other) = (claims("a", 1), claims("a", 2), claims("b", 1));
    attempts.record_outcome(&call("GET", "/x", &[("authorization", &first)]), 1, true);
    assert_eq!(attempts.attempt_number(&call("GET", "/x", &[("authorization", &later)])), 2);
    assert_eq!(attempts.attempt_number(&call("GET", "/x", &[("authorization", &other)])), 1);
}

#[test]
fn requests_with_the_same_name_are_one_call() {
    let attempts = AttemptCounter::default();
    let named = |target: &str| call("GET", target, &[("x-sandbox-call", "one")]);
    attempts.record_outcome(&named("/a"), 1, false);
    assert_eq!(attempts.attempt_number(&named("/b")), 2);
}

#[test]
fn the_number_of_failed_calls_is_limited() {
    let attempts = AttemptCounter::default();
    for number in 0..=MAX_CALLS {
        attempts.record_outcome(&call("GET", &format!("/{number}"), &[]), 1, true);
    }
    assert_eq!(attempts.failed().len(), 1);
}
