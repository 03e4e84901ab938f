//! Expected and unexpected requests.

use serde_json::{Value, json};

use crate::judge::support::{TestJudge, request_once};

fn case(exchanges: Value) -> Value {
    json!({
        "call": {"operation": {"id": "get_sleep", "arguments": {"sleep_id": "s"}}},
        "exchanges": exchanges,
        "outcome": {"value": null},
        "canaries": ["jane@example.org"],
    })
}

fn reply(path: &str) -> Value {
    json!({"request": {"method": "GET", "path": path}, "reply": {"status": 204}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_matching_request_passes() {
    let exchange = json!({
        "request": {"method": "POST", "path": "/v3/a%20b", "query": [["t", "2"], ["s", "x y"], ["t", "1"]], "body": {"n": 72, "t": "é"}},
        "reply": {"body": {"json": {"ok": true}}},
    });
    let judge = TestJudge::open(case(json!([exchange]))).await;
    let response = judge.call("POST", "/v3/a%20b?s=x+y&t=2&t=1", &["content-type: application/json"], r#"{"t":"\u00e9","n":72.0}"#).await;
    assert_eq!(response, (200, r#"{"ok":true}"#.to_owned()));
    judge.post(json!({"value": null}), &[]).await;
    assert_eq!(judge.verdict(None), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_difference_is_reported_without_canaries() {
    let exchange = json!({
        "request": {"method": "GET", "path": "/v3/a", "query": [["t", "1"], ["t", "2"]], "headers": {"x-a": "1", "x-b": null}, "token": "other"},
        "reply": {"status": 204},
    });
    let judge = TestJudge::open(case(json!([exchange]))).await;
    judge.call("PUT", "/v3/jane@example.org?t=2&t=1", &["x-b: 2", "api-version: 1"], "{}").await;
    judge.post(json!({"value": null}), &[]).await;
    assert_eq!(
        judge.verdict(None),
        [
            "request 1: method: expected `GET`, got `PUT`",
            "request 1: path: expected `/v3/a`, got `/v3/***`",
            "request 1: query: expected `t=1 & t=2`, got `t=2 & t=1`",
            "request 1: authorization: expected `Bearer other`, got `Bearer ***`",
            "request 1: api-version: expected ``, got `1`",
            "request 1: x-a: expected `1`, got `absent`",
            "request 1: x-b: expected `absent`, got `2`",
            "request 1: body: expected none, got 2 bytes",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn unexpected_and_missing_requests_are_reported() {
    let judge = TestJudge::open(case(json!([reply("/v3/a"), reply("/v3/b"), reply("/v3/c")]))).await;
    judge.call("GET", "/v3/a", &[], "").await;
    judge.call("GET", "/v3/b", &[], "").await;
    judge.post(json!({"value": null}), &[]).await;
    assert_eq!(judge.verdict(None), ["exchange 2: GET /v3/c was requested 0 times, expected 1"]);
    judge.call("GET", "/v3/c", &[], "").await;
    assert_eq!(judge.verdict(None), Vec::<String>::new());
    assert_eq!(judge.call("GET", "/v3/d?secret=1", &[], "").await.0, 501);
    assert_eq!(judge.verdict(None), ["request 4 is unexpected: GET /v3/d"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_ordered_unless_the_case_allows_any_order() {
    let mut case = case(json!([reply("/v3/a"), reply("/v3/b")]));
    let ordered = TestJudge::open(case.clone()).await;
    case["any_order"] = true.into();
    let unordered = TestJudge::open(case).await;
    for judge in [&ordered, &unordered] {
        judge.call("GET", "/v3/b", &[], "").await;
        judge.call("GET", "/v3/a", &[], "").await;
        judge.post(json!({"value": null}), &[]).await;
    }
    assert_eq!(unordered.verdict(None), Vec::<String>::new());
    assert_eq!(ordered.verdict(None).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_bypasses_the_proxy_is_reported() {
    let mut proxied = case(json!([reply("/v3/a")]));
    proxied["client"] = json!({"proxy": "opens"});
    let judge = TestJudge::open(proxied).await;
    judge.call("GET", "/v3/a", &[], "").await;
    judge.post(json!({"value": null}), &[]).await;
    assert_eq!(judge.verdict(None), ["request 1: must use the proxy"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_arrives_too_early_is_reported() {
    // Retry delays are scaled by 0.01, so 90 s become 900 ms.
    for (after, min_delay) in [(json!({"retry_ms": 90_000}), 900), (json!({"ms": 850}), 850)] {
        let mut second = reply("/v3/b");
        second["request"]["after"] = after;
        for wait in [0, min_delay] {
            let judge = TestJudge::open(case(json!([reply("/v3/a"), second]))).await;
            judge.call("GET", "/v3/a", &[], "").await;
            tokio::time::sleep(std::time::Duration::from_millis(wait)).await;
            judge.call("GET", "/v3/b", &[], "").await;
            judge.post(json!({"value": null}), &[]).await;
            let reasons = judge.verdict(None);
            if wait == 0 {
                assert!(reasons.len() == 1 && reasons[0].ends_with(&format!("but must wait at least {min_delay} ms")), "{reasons:?}");
            } else {
                assert_eq!(reasons, Vec::<String>::new());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_connections_is_compared() {
    for (connections, expected) in [(2, Vec::new()), (1, vec!["expected 1 connections, got 2"])] {
        let mut counted = case(json!([reply("/v3/a"), reply("/v3/b")]));
        counted["connections"] = connections.into();
        let judge = TestJudge::open(counted).await;
        judge.call("GET", "/v3/a", &[], "").await;
        judge.call("GET", "/v3/b", &[], "").await;
        judge.post(json!({"value": null}), &[]).await;
        assert_eq!(judge.verdict(None), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_raw_query_is_compared_if_the_case_states_it() {
    let mut exchange = reply("/v3/a");
    exchange["request"]["query"] = json!([["t", "a,b"]]);
    exchange["request"]["raw_query"] = "t=a%2Cb".into();
    for (query, expected) in [("t=a%2Cb", Vec::new()), ("t=a,b", vec!["request 1: query on the wire: expected `t=a%2Cb`, got `t=a,b`"])] {
        let judge = TestJudge::open(case(json!([exchange]))).await;
        judge.call("GET", &format!("/v3/a?{query}"), &[], "").await;
        judge.post(json!({"value": null}), &[]).await;
        assert_eq!(judge.verdict(None), expected);
    }
}

/// Uses one worker, as on a busy machine. Comparing numbers takes much longer than receiving them.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn requests_are_served_while_a_large_body_is_compared() {
    let body = json!({ "n": vec![1; 400_000] });
    let exchange = json!({"request": {"method": "POST", "path": "/v3/a", "body": body.clone()}, "reply": {"status": 204}});
    let judge = TestJudge::open(case(json!([exchange]))).await;
    let url = format!("{}/v3/a", judge.planned_case().await["client"]["base_url"].as_str().unwrap());
    let headers = ["authorization: Bearer health-token", "accept: application/json", "content-type: application/json"];
    let large = tokio::spawn(async move { request_once("POST", &url, &headers, &body.to_string()).await.0 });
    let mut served_count = 0;
    while !large.is_finished() {
        let status = judge.control_request("POST", "outcome/other/area.topic.case", "{}").await.0;
        assert_eq!(status, if served_count == 0 { 204 } else { 409 });
        served_count += 1;
    }
    assert_eq!(large.await.unwrap(), 204);
    assert!(served_count > 20, "{served_count} served");
}
