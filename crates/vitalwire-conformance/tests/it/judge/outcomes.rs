//! What is posted.

use serde_json::{Value, json};
use vitalwire_conformance::ledger::Limits;

use crate::judge::support::Court;

async fn judged(case_outcome: Value, posted: Value) -> Vec<String> {
    let court = Court::over(case(case_outcome)).await;
    assert_eq!(court.post(posted, &[]).await, 204);
    court.verdict(Some(6))
}

fn case(outcome: Value) -> Value {
    json!({
        "call": {"redirect": {"url": "?state=a"}},
        "outcome": outcome,
        "basis": null,
        "canaries": ["jane@example.org"],
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_compared_member_by_member() {
    let expected = json!({"value": {"at": "2025-01-01T00:00:00.123456789Z", "n": 72.0, "list": null}});
    assert_eq!(
        judged(expected.clone(), json!({"value": {"at": "2025-01-01T00:00:00.123456Z", "n": 72, "list": null}})).await,
        Vec::<String>::new()
    );
    assert_eq!(
        judged(expected, json!({"value": {"at": "2025-01-01T00:00:00Z", "n": "72"}})).await,
        [
            "outcome /value/at: expected \"2025-01-01T00:00:00.123456Z\", got \"2025-01-01T00:00:00Z\"",
            "outcome /value/list: expected null, and it is not there",
            "outcome /value/n: expected 72, got \"72\"",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_compared_by_what_the_case_states() {
    let failure = json!({"error": {"kind": "rate_limited", "status": 429, "retry_after_ms": 90_000, "attempts": 3}});
    let posted = |changes: Value| {
        let mut posted = json!({"error": "rate_limited", "code": 1301, "status": 429, "retry_after_ms": 89_400, "attempts": 3, "argument": "not looked at"});
        posted.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        posted
    };
    assert_eq!(judged(failure.clone(), posted(json!({}))).await, Vec::<String>::new());
    for (changes, told) in [
        (json!({"error": "service"}), "outcome /error: expected \"rate_limited\", got \"service\""),
        (json!({"code": 1302}), "outcome /code: expected 1301, got 1302"),
        (json!({"status": 503}), "outcome /status: expected 429, got 503"),
        (json!({"attempts": 2}), "outcome /attempts: expected 3, got 2"),
        (json!({"retry_after_ms": 87_000}), "outcome /retry_after_ms: expected 90000, got 87000"),
        (json!({"problem": {"title": "x"}}), "outcome /problem: not expected, and it is {\"title\":\"x\"}"),
    ] {
        assert_eq!(judged(failure.clone(), posted(changes)).await, [told]);
    }
    assert_eq!(judged(failure, json!({"value": 1})).await[0], "an error was expected");
    assert_eq!(
        judged(json!({"error": {"kind": "odd"}}), json!({"value": 1})).await,
        ["the case cannot be judged: `odd` is no kind of error"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_is_posted_once() {
    let court = Court::over(case(json!({"value": 1}))).await;
    assert_eq!(court.verdict(None), ["no outcome was posted"]);
    assert_eq!(court.post(json!({"value": 1}), &[]).await, 204);
    assert_eq!(court.post(json!({"value": 1}), &[]).await, 409);
    assert_eq!(court.verdict(None), Vec::<String>::new());
    assert_eq!(court.control("POST", "outcome/run/area.topic.other", "{}").await.0, 404);
    assert_eq!(court.control("POST", "outcome/run/area.topic.case", "{").await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_or_a_log_with_a_canary_is_told() {
    let court = Court::over(case(json!({"value": 1}))).await;
    court.post(json!({"value": 1}), &["fine", "of jane@example.org", "by care-token"]).await;
    assert_eq!(court.verdict(None), ["text 1 shows a canary", "text 2 shows a canary"]);
    assert_eq!(court.control("POST", "texts/run", r#"["sent nothing"]"#).await.0, 204);
    assert!(!court.leaks());
    assert_eq!(court.control("POST", "texts/run", r#"["sent health-token"]"#).await.0, 204);
    assert!(court.leaks());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_plan_tells_nothing_of_the_outcome() {
    let court = Court::over(case(json!({"value": "the outcome"}))).await;
    let (_, json) = court.control("GET", "plan/run/json", "").await;
    let (_, lines) = court.control("GET", "plan/run/tsv", "").await;
    assert!(!json.contains("the outcome") && !json.contains("jane"), "{json}");
    assert!(!lines.contains("the outcome") && !lines.contains("jane"), "{lines}");
    assert!(lines.starts_with("case\tarea.topic.case\n/client/base_url\ts\thttp://127.0.0.1:"), "{lines}");
    assert!(lines.contains("\n/call/redirect/url\ts\t?state=a\n"), "{lines}");
    assert_eq!(court.control("GET", "plan/other/json", "").await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_of_an_answer_is_compared_where_the_case_states_it() {
    let mut stated = case(json!({"value": 1}));
    stated["answer"] = json!({"attempts": 2, "request_id": "req-1", "failed_parts": [[1, "not_found"]]});
    let told = async |posted: Value| {
        let court = Court::over(stated.clone()).await;
        assert_eq!(court.post(posted, &[]).await, 204);
        court.verdict(None)
    };
    let right = json!({"value": 1, "attempts": 2, "request_id": "req-1", "failed_parts": [[1, "not_found"]], "basis": "unknown"});
    assert_eq!(told(right).await, Vec::<String>::new());
    assert_eq!(
        told(json!({"value": 1, "attempts": 1, "request_id": "req-2", "failed_parts": []})).await,
        [
            "outcome /attempts: expected 2, got 1",
            "outcome /failed_parts: expected 1 items, and there are 0",
            "outcome /request_id: expected \"req-1\", got \"req-2\"",
        ]
    );
    assert_eq!(told(json!({"value": 1})).await.len(), 3);
    // Nothing of it is looked at where the case is silent.
    assert_eq!(judged(json!({"value": 1}), json!({"value": 1, "attempts": 9, "request_id": "x"})).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_body_that_is_kept_is_the_one_of_an_exchange_and_otherwise_none() {
    let mut stated = case(json!({"value": {}}));
    stated["exchanges"] = json!([{"request": {"method": "GET", "path": "/"}, "reply": {"body": {"text": " {}"}}}]);
    let told = async |answer: Value, posted: Value| {
        let court = Court::over({
            let mut stated = stated.clone();
            stated["answer"] = answer;
            stated
        });
        let court = court.await;
        assert_eq!(court.post(posted, &[]).await, 204);
        court.verdict(None).into_iter().filter(|found| found.starts_with("outcome")).collect::<Vec<_>>()
    };
    let kept = json!({"body_of_exchange": 0});
    assert_eq!(told(kept.clone(), json!({"value": {}, "body": "207b7d"})).await, Vec::<String>::new());
    assert_eq!(told(kept.clone(), json!({"value": {}, "body": "7b7d"})).await, ["outcome /body: expected \"207b7d\", got \"7b7d\""]);
    assert_eq!(told(kept, json!({"value": {}})).await, ["outcome /body: expected \"207b7d\", and it is not there"]);
    assert_eq!(told(json!({}), json!({"value": {}, "body": "207b7d"})).await, ["outcome /body: not expected, and it is \"207b7d\""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_in_a_row_have_an_outcome_each() {
    let row = json!({
        "call": {"in_row": [{"id": "get_user_info"}, {"id": "get_user_info"}]},
        "outcome": {"in_row": [{"value": 1}, {"error": {"kind": "not_found", "status": 404}}]},
    });
    let judged = async |posted: Value| {
        let court = Court::over(row.clone()).await;
        assert_eq!(court.post(posted, &[]).await, 204);
        court.verdict(None)
    };
    let second = json!({"error": "not_found", "code": 1201, "status": 404, "attempts": 1, "request_id": "not looked at"});
    assert_eq!(judged(json!({"in_row": [{"value": 1, "attempts": 1}, second]})).await, Vec::<String>::new());
    assert_eq!(judged(json!({"in_row": [{"value": 2}, second]})).await, ["outcome /in_row/0/value: expected 1, got 2"]);
    assert_eq!(judged(json!({"in_row": [{"value": 1}]})).await, ["outcome /in_row: expected 2 items, and there are 1"]);
    assert_eq!(judged(json!({"value": 1})).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_from_extra_and_what_is_unknown_must_be_as_the_case_lists_it() {
    let mut stated = case(json!({"value": {"status": "reviewed", "unit": "g", "colour": 7}}));
    stated["extra"] = json!(["/value/colour"]);
    stated["unknown"] = json!(["/value/status"]);
    let told = async |value: Value| {
        let court = Court::over(stated.clone()).await;
        assert_eq!(court.post(json!({ "value": value }), &[]).await, 204);
        court.verdict(None)
    };
    let right = json!({"status": {"unknown": "reviewed"}, "unit": "g", "colour": {"extra": 7}});
    assert_eq!(told(right).await, Vec::<String>::new());
    assert_eq!(
        told(json!({"status": "reviewed", "unit": {"unknown": "g"}, "colour": 7})).await,
        [
            "outcome /value/colour: expected {\"extra\":7}, got 7",
            "outcome /value/status: expected {\"unknown\":\"reviewed\"}, got \"reviewed\"",
            "outcome /value/unit: expected \"g\", got {\"unknown\":\"g\"}",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_without_marks_is_compared_without_them() {
    let mut stated = case(json!({"value": {"colour": 7}}));
    stated["extra"] = json!(["/value/colour"]);
    let court = Court::over(stated).await;
    assert_eq!(court.post(json!({"value": {"colour": 7}}), &[]).await, 204);
    assert_eq!(court.verdict_within(Limits { marks: false, ..Limits::default() }), Vec::<String>::new());
    assert_eq!(court.verdict(None), ["outcome /value/colour: expected {\"extra\":7}, got 7"]);
}
