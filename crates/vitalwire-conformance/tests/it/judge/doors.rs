//! Ports that refuse, and answers that break off.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::judge::support::{Court, PATIENCE};

fn case(port: &str, fault: Value) -> Value {
    json!({
        "client": {"port": port},
        "call": {"operation": {"id": "get_sleep", "arguments": {"sleep_id": "s"}, "options": {"cancel_after_ms": 50}}},
        "exchanges": [{"request": {"method": "GET", "path": "/v3/a"}, "reply": {"body": {"text": "0123456789"}, "fault": fault}}],
        "outcome": {"error": {"kind": "cancelled"}},
    })
}

/// The address a client of the case is sent to.
async fn address(court: &Court) -> SocketAddr {
    let url = court.planned().await["client"]["base_url"].as_str().unwrap().to_owned();
    url.split("//").nth(1).unwrap().split('/').next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_port_refuses() {
    let court = Court::over(case("closed", json!({}))).await;
    let error = TcpStream::connect_timeout(&address(&court).await, PATIENCE).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_port_lets_wait() {
    let court = Court::over(case("full", json!({}))).await;
    let error = TcpStream::connect_timeout(&address(&court).await, Duration::from_millis(300)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
}

/// Its first record is a handshake of version 3.2, which is TLS 1.1.
#[tokio::test(flavor = "multi_thread")]
async fn an_outdated_port_speaks_an_old_version() {
    let court = Court::over(case("tls_outdated", json!({}))).await;
    let mut stream = TcpStream::connect(address(&court).await).unwrap();
    stream.write_all(&[22, 3, 1, 0, 1, 0]).unwrap();
    let mut head = [0; 11];
    stream.read_exact(&mut head).unwrap();
    assert_eq!((head[0], &head[1..3], head[5], &head[9..11]), (22, &[3, 2][..], 2, &[3, 2][..]));
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_break_off_where_the_case_says() {
    let court = Court::over(case("plain", json!({"cut": {"after": 4, "end": "close"}}))).await;
    assert_eq!(court.call("GET", "/v3/a", &[], "").await, (200, "0123".to_owned()));
    let court = Court::over(case("plain", json!({"cut": {"end": "close"}}))).await;
    assert_eq!(court.call("GET", "/v3/a", &[], "").await, (0, String::new()));
    let court = Court::over(case("plain", json!({"slow": {"bytes": 1, "every_ms": 60}}))).await;
    // Ten bytes at a time of 60 ms each.
    assert_eq!(court.call("GET", "/v3/a", &[], "").await, (200, "0123456789".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_must_close_its_connection() {
    let hangs = json!({"cut": {"after": 2, "end": "hang"}});
    let cancelled = json!({
        "error": "cancelled", "code": 1601, "attempts": 1, "is_transient": false, "path_template": "/v3/queries/sleeps/{sleep_id}"
    });
    let request = |address: SocketAddr, path: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nauthorization: Bearer health-token\r\naccept: */*\r\n\r\n").as_bytes()).unwrap();
        stream.read_exact(&mut [0; 20]).unwrap();
        stream
    };
    for (closes, told) in [(true, Vec::new()), (false, vec!["the connection of a cancelled call stayed open"])] {
        let court = Court::over(case("plain", hangs.clone())).await;
        let stream = request(address(&court).await, "/run/area.topic.case/h/v3/a");
        let kept = (!closes).then_some(stream);
        court.post(cancelled.clone(), &[]).await;
        // The judge looks for itself whether the connection is closed, which is no other connection's order.
        let end = Instant::now() + PATIENCE;
        while court.verdict(None) != told && Instant::now() < end {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // What stays open does so for good.
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(court.verdict(None), told);
        drop(kept);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn proxies_that_refuse_make_no_connection() {
    for (proxy, status) in [("denies", "HTTP/1.1 407 "), ("fails", "HTTP/1.1 502 ")] {
        let mut refused = case("tls", json!({}));
        refused["client"]["proxy"] = proxy.into();
        let court = Court::over(refused).await;
        let url = court.planned().await["client"]["proxy"].as_str().unwrap().to_owned();
        let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let target = address(&court).await;
        stream.write_all(format!("CONNECT {target} HTTP/1.1\r\nhost: {target}\r\n\r\n").as_bytes()).unwrap();
        let mut answer = [0; 13];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(std::str::from_utf8(&answer).unwrap(), status);
    }
}
