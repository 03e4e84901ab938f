//! What hooks were told of attempts.

use serde_json::{Value, json};

use crate::judge::support::Court;

async fn judged(told: Option<Value>, posted: Option<Value>) -> Vec<String> {
    let mut case = json!({
        "call": {"redirect": {"url": "?state=a"}},
        "outcome": {"value": 1},
        "canaries": ["jane@example.org"],
    });
    let plan = told.is_some();
    if let Some(told) = told {
        case["told"] = told;
    }
    let court = Court::over(case).await;
    assert_eq!(court.planned().await["client"].get("on_attempt"), plan.then_some(&true.into()));
    let mut body = json!({"outcome": {"value": 1}, "texts": []});
    if let Some(posted) = posted {
        body["told"] = posted;
    }
    assert_eq!(court.control("POST", "outcome/run/area.topic.case", &body.to_string()).await.0, 204);
    court.verdict(None)
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_are_compared_one_by_one() {
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
    assert_eq!(judged(Some(expected.clone()), posted(json!({}))).await, Vec::<String>::new());
    // The kind by its number, as C is told it.
    assert_eq!(judged(Some(expected.clone()), posted(json!({"error": null, "code": 1302}))).await, Vec::<String>::new());
    for (changes, told) in [
        (json!({"error": null, "code": 1301}), "/error: expected \"service\", got \"rate_limited\""),
        (json!({"status": null}), "/status: expected 503, and it is not there"),
        (json!({"request_id": "req-2"}), "/request_id: expected \"req-1\", got \"req-2\""),
        (
            json!({"path_template": "/v3/queries/sleeps/1"}),
            "/path_template: expected \"/v3/queries/sleeps/{sleep_id}\", got \"/v3/queries/sleeps/1\"",
        ),
        (json!({"next_delay_ms": null}), "no next attempt was told"),
        (json!({"next_delay_ms": 9}), "the wait before the next attempt was told as 9 ms, and must be 0 to 2 ms"),
    ] {
        assert_eq!(judged(Some(expected.clone()), posted(changes)).await, [format!("attempt 0: {told}")]);
    }
    let mut more = expected.clone();
    more[1]["next_delay_ms"] = json!([0, 250]);
    assert_eq!(judged(Some(more), posted(json!({}))).await, ["attempt 1: no next attempt was told"]);
    let once = json!([expected[0]]);
    assert_eq!(judged(Some(once), posted(json!({}))).await, ["2 attempts were told, and 1 must be"]);
    assert_eq!(judged(Some(expected), None).await, ["the post has no list of attempts"]);
    assert_eq!(judged(None, Some(json!([]))).await, ["attempts were told, and nothing asked for them"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_with_a_canary_is_told() {
    let posted = json!([{"operation": "get_sleep", "request_id": "jane@example.org"}]);
    let found = judged(Some(json!([{"operation": "get_sleep", "attempt": 1}])), Some(posted)).await;
    assert!(found.contains(&"an attempt shows a canary".to_owned()), "{found:?}");
    assert!(!found.iter().any(|text| text.contains("jane")), "{found:?}");
}
