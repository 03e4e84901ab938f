//! The requests that must arrive.

use serde_json::{Value, json};

use crate::judge::support::{Court, ask};

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
async fn the_right_request_is_let_pass() {
    let exchange = json!({
        "request": {"method": "POST", "path": "/v3/a%20b", "query": [["t", "2"], ["s", "x y"], ["t", "1"]], "body": {"n": 72, "t": "é"}},
        "reply": {"body": {"json": {"ok": true}}},
    });
    let court = Court::over(case(json!([exchange]))).await;
    let answer = court.call("POST", "/v3/a%20b?s=x+y&t=2&t=1", &["content-type: application/json"], r#"{"t":"\u00e9","n":72.0}"#).await;
    assert_eq!(answer, (200, r#"{"ok":true}"#.to_owned()));
    court.post(json!({"value": null}), &[]).await;
    assert_eq!(court.verdict(None), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_difference_is_told_and_no_canary() {
    let exchange = json!({
        "request": {"method": "GET", "path": "/v3/a", "query": [["t", "1"], ["t", "2"]], "headers": {"x-a": "1", "x-b": null}, "token": "other"},
        "reply": {"status": 204},
    });
    let court = Court::over(case(json!([exchange]))).await;
    court.call("PUT", "/v3/jane@example.org?t=2&t=1", &["x-b: 2", "api-version: 1"], "{}").await;
    court.post(json!({"value": null}), &[]).await;
    assert_eq!(
        court.verdict(None),
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
async fn too_many_and_too_few_are_told() {
    let court = Court::over(case(json!([reply("/v3/a"), reply("/v3/b"), reply("/v3/c")]))).await;
    court.call("GET", "/v3/a", &[], "").await;
    court.call("GET", "/v3/b", &[], "").await;
    court.post(json!({"value": null}), &[]).await;
    assert_eq!(court.verdict(None), ["exchange 2: GET /v3/c came 0 of 1 times"]);
    court.call("GET", "/v3/c", &[], "").await;
    assert_eq!(court.verdict(None), Vec::<String>::new());
    assert_eq!(court.call("GET", "/v3/d?secret=1", &[], "").await.0, 501);
    assert_eq!(court.verdict(None), ["request 4 was one too many: GET /v3/d"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_order_counts_unless_the_case_says_otherwise() {
    let mut any = case(json!([reply("/v3/a"), reply("/v3/b")]));
    let strict = Court::over(any.clone()).await;
    any["any_order"] = true.into();
    let free = Court::over(any).await;
    for court in [&strict, &free] {
        court.call("GET", "/v3/b", &[], "").await;
        court.call("GET", "/v3/a", &[], "").await;
        court.post(json!({"value": null}), &[]).await;
    }
    assert_eq!(free.verdict(None), Vec::<String>::new());
    assert_eq!(strict.verdict(None).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_past_the_proxy_is_told() {
    let mut proxied = case(json!([reply("/v3/a")]));
    proxied["client"] = json!({"proxy": "opens"});
    let court = Court::over(proxied).await;
    court.call("GET", "/v3/a", &[], "").await;
    court.post(json!({"value": null}), &[]).await;
    assert_eq!(court.verdict(None), ["request 1: came past the proxy"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_comes_too_soon_is_told() {
    // A hundredth of 90 s is 900 ms.
    for (after, least) in [(json!({"retry_ms": 90_000}), 900), (json!({"ms": 850}), 850)] {
        let mut second = reply("/v3/b");
        second["request"]["after"] = after;
        for wait in [0, least] {
            let court = Court::over(case(json!([reply("/v3/a"), second]))).await;
            court.call("GET", "/v3/a", &[], "").await;
            tokio::time::sleep(std::time::Duration::from_millis(wait)).await;
            court.call("GET", "/v3/b", &[], "").await;
            court.post(json!({"value": null}), &[]).await;
            let told = court.verdict(None);
            if wait == 0 {
                assert!(told.len() == 1 && told[0].ends_with(&format!("and must not before {least} ms")), "{told:?}");
            } else {
                assert_eq!(told, Vec::<String>::new());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_counted() {
    for (connections, told) in [(2, Vec::new()), (1, vec!["the requests came on 2 connections, and must on 1"])] {
        let mut counted = case(json!([reply("/v3/a"), reply("/v3/b")]));
        counted["connections"] = connections.into();
        let court = Court::over(counted).await;
        court.call("GET", "/v3/a", &[], "").await;
        court.call("GET", "/v3/b", &[], "").await;
        court.post(json!({"value": null}), &[]).await;
        assert_eq!(court.verdict(None), told);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_query_on_the_wire_is_told_where_it_is_stated() {
    let mut exchange = reply("/v3/a");
    exchange["request"]["query"] = json!([["t", "a,b"]]);
    exchange["request"]["raw_query"] = "t=a%2Cb".into();
    for (query, told) in [("t=a%2Cb", Vec::new()), ("t=a,b", vec!["request 1: query on the wire: expected `t=a%2Cb`, got `t=a,b`"])] {
        let court = Court::over(case(json!([exchange]))).await;
        court.call("GET", &format!("/v3/a?{query}"), &[], "").await;
        court.post(json!({"value": null}), &[]).await;
        assert_eq!(court.verdict(None), told);
    }
}

/// One worker, as where all others are busy: numbers take far longer to be compared than to arrive.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn requests_are_answered_while_a_large_one_is_compared() {
    let body = json!({ "n": vec![1; 400_000] });
    let exchange = json!({"request": {"method": "POST", "path": "/v3/a", "body": body.clone()}, "reply": {"status": 204}});
    let court = Court::over(case(json!([exchange]))).await;
    let url = format!("{}/v3/a", court.planned().await["client"]["base_url"].as_str().unwrap());
    let headers = ["authorization: Bearer health-token", "accept: application/json", "content-type: application/json"];
    let large = tokio::spawn(async move { ask("POST", &url, &headers, &body.to_string()).await.0 });
    let mut answered = 0;
    while !large.is_finished() {
        let status = court.control("POST", "outcome/other/area.topic.case", "{}").await.0;
        assert_eq!(status, if answered == 0 { 204 } else { 409 });
        answered += 1;
    }
    assert_eq!(large.await.unwrap(), 204);
    assert!(answered > 20, "{answered} meanwhile");
}
