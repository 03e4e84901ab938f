//! Reports to attempt listeners.

use serde_json::{Value, json};

use crate::judge::support::TestJudge;

async fn verdict_on(expected_attempts: Option<Value>, posted: Option<Value>) -> Vec<String> {
    let mut case = json!({
        "call": {"redirect": {"url": "?state=a"}},
        "outcome": {"value": 1},
        "canaries": ["jane@example.org"],
    });
    let plan = expected_attempts.is_some();
    if let Some(expected_attempts) = expected_attempts {
        case["reported_attempts"] = expected_attempts;
    }
    let judge = TestJudge::open(case).await;
    assert_eq!(judge.planned_case().await["client"].get("on_attempt"), plan.then_some(&true.into()));
    let mut body = json!({"outcome": {"value": 1}, "texts": []});
    if let Some(posted) = posted {
        body["reported_attempts"] = posted;
    }
    assert_eq!(judge.control_request("POST", "outcome/run/area.topic.case", &body.to_string()).await.0, 204);
    judge.verdict(None)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_attempt_is_compared_with_the_expected_one() {
    let expected = json!([
        {"operation": "get_sleep", "attempt": 1, "status": 503, "error": "service", "next_delay_ms": [0, 250], "request_id": "req-1"},
        {"operation": "get_sleep", "attempt": 2, "status": 200},
    ]);
    let posted = |changes: Value| {
        let same = json!({"operation": "get_sleep", "http_method": "GET", "path_template": "/v3/queries/sleeps/{sleep_id}"});
        let mut first = json!({"attempt": 1, "status": 503, "error": "service", "next_delay_ms": 2, "request_id": "req-1"});
        let mut second = json!({"attempt": 2, "status": 200});
        for attempt in [&mut first, &mut second] {
            attempt.as_object_mut().unwrap().extend(same.as_object().unwrap().clone());
        }
        first.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        first.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        Some(json!([first, second]))
    };
    assert_eq!(verdict_on(Some(expected.clone()), posted(json!({}))).await, Vec::<String>::new());
    // C reports the kind as a number.
    assert_eq!(verdict_on(Some(expected.clone()), posted(json!({"error": null, "code": 1302}))).await, Vec::<String>::new());
    for (changes, difference) in [
        (json!({"error": null, "code": 1301}), "/error: expected \"service\", got \"rate_limited\""),
        (json!({"status": null}), "/status: expected 503, but it is absent"),
        (json!({"request_id": "req-2"}), "/request_id: expected \"req-1\", got \"req-2\""),
        (
            json!({"path_template": "/v3/queries/sleeps/1"}),
            "/path_template: expected \"/v3/queries/sleeps/{sleep_id}\", got \"/v3/queries/sleeps/1\"",
        ),
        (json!({"next_delay_ms": null}), "the delay before the next attempt is missing"),
        (json!({"next_delay_ms": 9}), "the delay before the next attempt is 9 ms, but must be 0 to 2 ms"),
    ] {
        assert_eq!(verdict_on(Some(expected.clone()), posted(changes)).await, [format!("attempt 0: {difference}")]);
    }
    let mut more = expected.clone();
    more[1]["next_delay_ms"] = json!([0, 250]);
    assert_eq!(verdict_on(Some(more), posted(json!({}))).await, ["attempt 1: the delay before the next attempt is missing"]);
    let once = json!([expected[0]]);
    assert_eq!(verdict_on(Some(once), posted(json!({}))).await, ["expected 1 attempts, got 2"]);
    assert_eq!(verdict_on(Some(expected), None).await, ["the posted report has no list of attempts"]);
    assert_eq!(verdict_on(None, Some(json!([]))).await, ["attempts were reported, but the case has no attempt listener"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_with_a_canary_fails() {
    let posted = json!([{"operation": "get_sleep", "request_id": "jane@example.org"}]);
    let found = verdict_on(Some(json!([{"operation": "get_sleep", "attempt": 1}])), Some(posted)).await;
    assert!(found.contains(&"an attempt shows a canary".to_owned()), "{found:?}");
    assert!(!found.iter().any(|text| text.contains("jane")), "{found:?}");
}
