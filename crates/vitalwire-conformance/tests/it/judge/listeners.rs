//! The judge's listeners: refused connections and responses that are cut.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::judge::support::{TIMEOUT, TestJudge};

fn case(port: &str, fault: Value) -> Value {
    json!({
        "client": {"port": port},
        "call": {"operation": {"id": "get_sleep", "arguments": {"sleep_id": "s"}, "options": {"cancel_after_ms": 50}}},
        "exchanges": [{"request": {"method": "GET", "path": "/v3/a"}, "reply": {"body": {"text": "0123456789"}, "fault": fault}}],
        "outcome": {"error": {"kind": "cancelled"}},
    })
}

/// Returns the address that the plan gives to the client.
async fn address(judge: &TestJudge) -> SocketAddr {
    let url = judge.planned_case().await["client"]["base_url"].as_str().unwrap().to_owned();
    url.split("//").nth(1).unwrap().split('/').next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_port_refuses_connections() {
    let judge = TestJudge::open(case("closed", json!({}))).await;
    let error = TcpStream::connect_timeout(&address(&judge).await, TIMEOUT).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_port_accepts_no_connection() {
    let judge = TestJudge::open(case("full", json!({}))).await;
    let error = TcpStream::connect_timeout(&address(&judge).await, Duration::from_millis(300)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
}

/// The first record of the server is a handshake of version 3.2, which is TLS 1.1.
#[tokio::test(flavor = "multi_thread")]
async fn an_outdated_port_uses_an_old_tls_version() {
    let judge = TestJudge::open(case("tls_outdated", json!({}))).await;
    let mut stream = TcpStream::connect(address(&judge).await).unwrap();
    stream.write_all(&[22, 3, 1, 0, 1, 0]).unwrap();
    let mut head = [0; 11];
    stream.read_exact(&mut head).unwrap();
    assert_eq!((head[0], &head[1..3], head[5], &head[9..11]), (22, &[3, 2][..], 2, &[3, 2][..]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_is_cut_where_the_case_says() {
    let judge = TestJudge::open(case("plain", json!({"cut": {"after": 4, "end": "close"}}))).await;
    assert_eq!(judge.call("GET", "/v3/a", &[], "").await, (200, "0123".to_owned()));
    let judge = TestJudge::open(case("plain", json!({"cut": {"end": "close"}}))).await;
    assert_eq!(judge.call("GET", "/v3/a", &[], "").await, (0, String::new()));
    let judge = TestJudge::open(case("plain", json!({"slow": {"bytes": 1, "every_ms": 60}}))).await;
    // Ten bytes, each after 60 ms.
    assert_eq!(judge.call("GET", "/v3/a", &[], "").await, (200, "0123456789".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_must_close_its_connection() {
    let hang = json!({"cut": {"after": 2, "end": "hang"}});
    let cancelled = json!({
        "error": "cancelled", "code": 1601, "attempts": 1, "is_transient": false, "path_template": "/v3/queries/sleeps/{sleep_id}"
    });
    let request = |address: SocketAddr, path: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nauthorization: Bearer health-token\r\naccept: */*\r\n\r\n").as_bytes()).unwrap();
        stream.read_exact(&mut [0; 20]).unwrap();
        stream
    };
    for (is_closed, expected) in [(true, Vec::new()), (false, vec!["the connection of a cancelled call stayed open"])] {
        let judge = TestJudge::open(case("plain", hang.clone())).await;
        let stream = request(address(&judge).await, "/run/area.topic.case/h/v3/a");
        let open_stream = (!is_closed).then_some(stream);
        judge.post(cancelled.clone(), &[]).await;
        // The judge notices the end of a connection asynchronously.
        let end = Instant::now() + TIMEOUT;
        while judge.verdict(None) != expected && Instant::now() < end {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // The verdict must not change later.
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(judge.verdict(None), expected);
        drop(open_stream);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejecting_proxy_makes_no_connection() {
    for (proxy, status) in [("denies", "HTTP/1.1 407 "), ("fails", "HTTP/1.1 502 ")] {
        let mut case_with_proxy = case("tls", json!({}));
        case_with_proxy["client"]["proxy"] = proxy.into();
        let judge = TestJudge::open(case_with_proxy).await;
        let url = judge.planned_case().await["client"]["proxy"].as_str().unwrap().to_owned();
        let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let target = address(&judge).await;
        stream.write_all(format!("CONNECT {target} HTTP/1.1\r\nhost: {target}\r\n\r\n").as_bytes()).unwrap();
        let mut response = [0; 13];
        stream.read_exact(&mut response).unwrap();
        assert_eq!(std::str::from_utf8(&response).unwrap(), status);
    }
}
