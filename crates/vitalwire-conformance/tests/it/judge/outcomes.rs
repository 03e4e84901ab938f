//! Posted outcomes.

use serde_json::{Value, json};
use vitalwire_conformance::ledger::Limits;

use crate::judge::support::TestJudge;

async fn verdict_on(case_outcome: Value, posted: Value) -> Vec<String> {
    let judge = TestJudge::open(case(case_outcome)).await;
    assert_eq!(judge.post(posted, &[]).await, 204);
    judge.verdict(Some(6))
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
async fn values_are_compared_field_by_field() {
    let expected = json!({"value": {"at": "2025-01-01T00:00:00.123456789Z", "n": 72.0, "list": null}});
    assert_eq!(
        verdict_on(expected.clone(), json!({"value": {"at": "2025-01-01T00:00:00.123456Z", "n": 72, "list": null}})).await,
        Vec::<String>::new()
    );
    assert_eq!(
        verdict_on(expected, json!({"value": {"at": "2025-01-01T00:00:00Z", "n": "72"}})).await,
        [
            "outcome /value/at: expected \"2025-01-01T00:00:00.123456Z\", got \"2025-01-01T00:00:00Z\"",
            "outcome /value/list: expected null, but it is absent",
            "outcome /value/n: expected 72, got \"72\"",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fields_of_an_error_are_compared_if_the_case_states_them() {
    let failure = json!({"error": {"kind": "rate_limited", "status": 429, "retry_after_ms": 90_000, "attempts": 3}});
    let posted = |changes: Value| {
        let mut posted = json!({"error": "rate_limited", "code": 1301, "status": 429, "retry_after_ms": 89_400, "attempts": 3, "argument": "not compared"});
        posted.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        posted
    };
    assert_eq!(verdict_on(failure.clone(), posted(json!({}))).await, Vec::<String>::new());
    for (changes, expected) in [
        (json!({"error": "service"}), "outcome /error: expected \"rate_limited\", got \"service\""),
        (json!({"code": 1302}), "outcome /code: expected 1301, got 1302"),
        (json!({"status": 503}), "outcome /status: expected 429, got 503"),
        (json!({"attempts": 2}), "outcome /attempts: expected 3, got 2"),
        (json!({"retry_after_ms": 87_000}), "outcome /retry_after_ms: expected 90000, got 87000"),
        (json!({"problem": {"title": "x"}}), "outcome /problem: unexpected, got {\"title\":\"x\"}"),
    ] {
        assert_eq!(verdict_on(failure.clone(), posted(changes)).await, [expected]);
    }
    assert_eq!(verdict_on(failure, json!({"value": 1})).await[0], "an error was expected");
    assert_eq!(
        verdict_on(json!({"error": {"kind": "odd"}}), json!({"value": 1})).await,
        ["the case cannot be judged: unknown error kind `odd`"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_is_posted_once() {
    let judge = TestJudge::open(case(json!({"value": 1}))).await;
    assert_eq!(judge.verdict(None), ["no outcome was posted"]);
    assert_eq!(judge.post(json!({"value": 1}), &[]).await, 204);
    assert_eq!(judge.post(json!({"value": 1}), &[]).await, 409);
    assert_eq!(judge.verdict(None), Vec::<String>::new());
    assert_eq!(judge.control_request("POST", "outcome/run/area.topic.other", "{}").await.0, 404);
    assert_eq!(judge.control_request("POST", "outcome/run/area.topic.case", "{").await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_or_log_with_a_canary_fails() {
    let judge = TestJudge::open(case(json!({"value": 1}))).await;
    judge.post(json!({"value": 1}), &["fine", "of jane@example.org", "by care-token"]).await;
    assert_eq!(judge.verdict(None), ["text 1 shows a canary", "text 2 shows a canary"]);
    assert_eq!(judge.control_request("POST", "texts/run", r#"["sent nothing"]"#).await.0, 204);
    assert!(!judge.leaks());
    assert_eq!(judge.control_request("POST", "texts/run", r#"["sent health-token"]"#).await.0, 204);
    assert!(judge.leaks());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_plan_does_not_contain_the_outcome() {
    let judge = TestJudge::open(case(json!({"value": "the outcome"}))).await;
    let (_, json) = judge.control_request("GET", "plan/run/json", "").await;
    let (_, lines) = judge.control_request("GET", "plan/run/tsv", "").await;
    assert!(!json.contains("the outcome") && !json.contains("jane"), "{json}");
    assert!(!lines.contains("the outcome") && !lines.contains("jane"), "{lines}");
    assert!(lines.starts_with("case\tarea.topic.case\n/client/base_url\ts\thttp://127.0.0.1:"), "{lines}");
    assert!(lines.contains("\n/call/redirect/url\ts\t?state=a\n"), "{lines}");
    assert_eq!(judge.control_request("GET", "plan/other/json", "").await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn response_metadata_is_compared_if_the_case_states_it() {
    let mut stated = case(json!({"value": 1}));
    stated["response_metadata"] = json!({"attempts": 2, "request_id": "req-1", "failed_parts": [[1, "not_found"]]});
    let posted_verdict = async |posted: Value| {
        let judge = TestJudge::open(stated.clone()).await;
        assert_eq!(judge.post(posted, &[]).await, 204);
        judge.verdict(None)
    };
    let matching = json!({"value": 1, "attempts": 2, "request_id": "req-1", "failed_parts": [[1, "not_found"]], "basis": "unknown"});
    assert_eq!(posted_verdict(matching).await, Vec::<String>::new());
    assert_eq!(
        posted_verdict(json!({"value": 1, "attempts": 1, "request_id": "req-2", "failed_parts": []})).await,
        [
            "outcome /attempts: expected 2, got 1",
            "outcome /failed_parts: expected 1 items, got 0",
            "outcome /request_id: expected \"req-1\", got \"req-2\"",
        ]
    );
    assert_eq!(posted_verdict(json!({"value": 1})).await.len(), 3);
    // Metadata that the case does not state is not compared.
    assert_eq!(verdict_on(json!({"value": 1}), json!({"value": 1, "attempts": 9, "request_id": "x"})).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_body_must_equal_the_body_of_the_stated_exchange() {
    let mut stated = case(json!({"value": {}}));
    stated["exchanges"] = json!([{"request": {"method": "GET", "path": "/"}, "reply": {"body": {"text": " {}"}}}]);
    let posted_verdict = async |metadata: Value, posted: Value| {
        let judge = TestJudge::open({
            let mut stated = stated.clone();
            stated["response_metadata"] = metadata;
            stated
        });
        let judge = judge.await;
        assert_eq!(judge.post(posted, &[]).await, 204);
        judge.verdict(None).into_iter().filter(|found| found.starts_with("outcome")).collect::<Vec<_>>()
    };
    let kept = json!({"body_of_exchange": 0});
    assert_eq!(posted_verdict(kept.clone(), json!({"value": {}, "body": "207b7d"})).await, Vec::<String>::new());
    assert_eq!(
        posted_verdict(kept.clone(), json!({"value": {}, "body": "7b7d"})).await,
        ["outcome /body: expected \"207b7d\", got \"7b7d\""]
    );
    assert_eq!(posted_verdict(kept, json!({"value": {}})).await, ["outcome /body: expected \"207b7d\", but it is absent"]);
    assert_eq!(posted_verdict(json!({}), json!({"value": {}, "body": "207b7d"})).await, ["outcome /body: unexpected, got \"207b7d\""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_call_of_a_sequence_has_an_outcome() {
    let sequence = json!({
        "call": {"in_row": [{"id": "get_user_info"}, {"id": "get_user_info"}]},
        "outcome": {"in_row": [{"value": 1}, {"error": {"kind": "not_found", "status": 404}}]},
    });
    let verdict_on = async |posted: Value| {
        let judge = TestJudge::open(sequence.clone()).await;
        assert_eq!(judge.post(posted, &[]).await, 204);
        judge.verdict(None)
    };
    let second = json!({"error": "not_found", "code": 1201, "status": 404, "attempts": 1, "request_id": "not compared"});
    assert_eq!(verdict_on(json!({"in_row": [{"value": 1, "attempts": 1}, second]})).await, Vec::<String>::new());
    assert_eq!(verdict_on(json!({"in_row": [{"value": 2}, second]})).await, ["outcome /in_row/0/value: expected 1, got 2"]);
    assert_eq!(verdict_on(json!({"in_row": [{"value": 1}]})).await, ["outcome /in_row: expected 2 items, got 1"]);
    assert_eq!(verdict_on(json!({"value": 1})).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn extra_fields_and_unknown_values_must_be_listed_by_the_case() {
    let mut case_with_marks = case(json!({"value": {"status": "reviewed", "unit": "g", "colour": 7}}));
    case_with_marks["extra"] = json!(["/value/colour"]);
    case_with_marks["unknown"] = json!(["/value/status"]);
    let posted_verdict = async |value: Value| {
        let judge = TestJudge::open(case_with_marks.clone()).await;
        assert_eq!(judge.post(json!({ "value": value }), &[]).await, 204);
        judge.verdict(None)
    };
    let matching = json!({"status": {"unknown": "reviewed"}, "unit": "g", "colour": {"extra": 7}});
    assert_eq!(posted_verdict(matching).await, Vec::<String>::new());
    assert_eq!(
        posted_verdict(json!({"status": "reviewed", "unit": {"unknown": "g"}, "colour": 7})).await,
        [
            "outcome /value/colour: expected {\"extra\":7}, got 7",
            "outcome /value/status: expected {\"unknown\":\"reviewed\"}, got \"reviewed\"",
            "outcome /value/unit: expected \"g\", got {\"unknown\":\"g\"}",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_outcome_of_a_runner_without_marks_is_compared_without_marks() {
    let mut stated = case(json!({"value": {"colour": 7}}));
    stated["extra"] = json!(["/value/colour"]);
    let judge = TestJudge::open(stated).await;
    assert_eq!(judge.post(json!({"value": {"colour": 7}}), &[]).await, 204);
    assert_eq!(judge.verdict_with_limits(Limits { marks: false, ..Limits::default() }), Vec::<String>::new());
    assert_eq!(judge.verdict(None), ["outcome /value/colour: expected {\"extra\":7}, got 7"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_and_the_user_of_a_sync_are_canaries() {
    let case = json!({
        "call": {"sync": [{"kinds": ["daily"], "secret": "the-secret-of-jane"}]},
        "outcome": {"sync": [{"error": {"kind": "configuration"}}]},
    });
    let judge = TestJudge::open(case).await;
    let outcome = json!({"sync": [{"parts": [], "error": {"error": "configuration", "code": 1001, "attempts": 0}}]});
    assert_eq!(judge.post(outcome, &["of Wren Aldous", "a text", "the-secret-of-jane"]).await, 204);
    assert_eq!(judge.verdict(None), ["text 0 shows a canary", "text 2 shows a canary"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_content_keys_of_a_sync_are_compared_by_their_first_appearance() {
    let part = |changes: Value| {
        json!([{"parts": [{
            "days": ["2025-11-17", "2025-11-21"], "kinds": ["daily"], "progress": [5, 5], "left_out": 0, "changes": changes,
        }]}])
    };
    let change = |before: &str, after: &str| json!({"type": "changed", "kind": "daily", "before": before, "after": after});
    let case = json!({
        "call": {"sync": [{"kinds": ["daily"]}]},
        "outcome": {"sync": part(json!([change("key 1", "key 2"), change("key 3", "key 1")]))},
    });
    for (last, verdict) in
        [("0123456789ab", None), ("ba9876543210", Some("outcome /sync/0/parts/0/changes/1/after: expected \"key 1\", got \"key 2\""))]
    {
        let judge = TestJudge::open(case.clone()).await;
        let changes = json!([change("0123456789ab", "ba9876543210"), change("fedcba987654", last)]);
        assert_eq!(judge.post(json!({"sync": part(changes)}), &[]).await, 204);
        assert_eq!(judge.verdict(None), Vec::from_iter(verdict));
    }
}
