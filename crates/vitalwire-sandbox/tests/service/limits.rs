//! Limits of connections and requests, malformed requests and aborted bodies.

use http::{HeaderMap, HeaderName, Method};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use vitalwire_sandbox::Sandbox;

use super::socket;
use super::support::{Service, ServiceResponse, TIMEOUT};

/// Sends bytes and reads the response. Responses of the service are checked by the specification.
pub(crate) async fn exchange_checked(service: &Service, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    // The server may reject the request and close the connection early.
    let _ = stream.write_all(bytes).await;
    // Half-close the connection only for incomplete requests, because the server treats a half-closed connection as gone.
    if !bytes.windows(b"connection: close".len()).any(|window| window == b"connection: close") {
        let _ = stream.shutdown().await;
    }
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    let response = String::from_utf8(response).unwrap();
    // Responses without the header are hyper's own to malformed HTTP.
    if response.contains("x-synthetic-data: true") {
        let line = bytes.split(|byte| *byte == b'\r').next().unwrap();
        let mut words = std::str::from_utf8(line).unwrap().split(' ');
        let method: Method = words.next().unwrap().parse().unwrap();
        let path = words.next().unwrap().split('?').next().unwrap();
        service.check(&method, path, &parse_response(&response));
    }
    response
}

/// Parses a response on a connection that was closed after it.
fn parse_response(text: &str) -> ServiceResponse {
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap();
        headers.append(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
    }
    ServiceResponse { status, headers, text: body.to_owned() }
}

#[tokio::test]
async fn malformed_requests_are_rejected_and_the_service_continues() {
    let service = Service::new().await;
    let long = format!("GET /v3/userinfo HTTP/1.1\r\nhost: localhost\r\nx-long: {}\r\n\r\n", "a".repeat(200_000));
    let many = format!("GET /v3/userinfo HTTP/1.1\r\nhost: localhost\r\n{}\r\n", "a: b\r\n".repeat(1_000));
    let uri = format!("GET /v3/{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "a".repeat(200_000));
    for request in [
        &b"\0\0\0\0"[..],
        b"GET\r\n\r\n",
        b"POST /v3/lab_reports HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        b"POST /v3/lab_reports HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        long.as_bytes(),
        many.as_bytes(),
        uri.as_bytes(),
    ] {
        let response = exchange_checked(&service, request).await;
        assert!(response.is_empty() || response.starts_with("HTTP/1.1 4"), "{response}");
    }
    service.get("/userinfo").await.ok();
}

#[tokio::test]
async fn unusual_targets_are_answered_4xx() {
    let service = Service::new().await;
    for target in ["*", "http://elsewhere.test/v3/userinfo", "//", "/v3/../etc", "/v3/%2e%2e/x", "/consent/%FF", "/consent/.."] {
        let response =
            exchange_checked(&service, format!("GET {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").as_bytes()).await;
        assert!(response.starts_with("HTTP/1.1 4"), "{target}: {response}");
    }
    let options = exchange_checked(&service, b"OPTIONS * HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
    assert!(options.starts_with("HTTP/1.1 4"), "{options}");
}

#[tokio::test]
async fn a_rejected_upload_is_read_to_its_end() {
    // A client that sends its whole body first still reads the response.
    let service = Service::new().await;
    let body = "x".repeat(3_000_000);
    let request =
        format!("POST /v3/lab_reports HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let response = exchange_checked(&service, request.as_bytes()).await;
    assert!(response.starts_with("HTTP/1.1 401"), "{response}");
    assert!(response.contains("x-request-id: "));
}

#[tokio::test]
async fn an_aborted_body_changes_nothing() {
    let service = Service::new().await;
    let head = format!("authorization: Bearer {}", service.sandbox.token());
    let request = format!("POST /v3/lab_reports HTTP/1.1\r\nhost: localhost\r\n{head}\r\ncontent-length: 100\r\n\r\n{{\"body\":");
    exchange_checked(&service, request.as_bytes()).await;
    assert_eq!(service.get("/lab_reports").await.ok().as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn concurrent_callers_get_their_own_responses() {
    let service = std::sync::Arc::new(Service::new().await);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..64 {
        let service = std::sync::Arc::clone(&service);
        tasks.spawn(async move {
            let info = service.get_as(number % 4, "/userinfo").await;
            (number % 4, info.headers["x-request-id"].to_str().unwrap().to_owned(), info.ok())
        });
    }
    let mut ids = std::collections::HashSet::new();
    while let Some(done) = tasks.join_next().await {
        let (at, id, info) = done.unwrap();
        assert_eq!(info["application_user_id"], service.sandbox.people()[at].user_id);
        ids.insert(id);
    }
    assert_eq!(ids.len(), 64);
}

/// Starts a sandbox with short timeouts.
async fn service_with_short_timeouts() -> Service {
    let (headers, body) = (Duration::from_millis(300), Duration::from_millis(600));
    Service::with_builder(Sandbox::builder().patience(headers, body)).await
}

#[tokio::test]
async fn slow_headers_and_idle_connections_are_closed() {
    let service = service_with_short_timeouts().await;
    for sent in ["", "GET /v3/userinfo HTTP/1.1\r\nhost: localhost\r\nx-slow: ", "GET /v3/userinfo HTTP/1.1\r\nhost: localhost\r\n\r\n"] {
        let begin = Instant::now();
        let response = socket::exchange(&service, sent.as_bytes()).await;
        let elapsed = begin.elapsed();
        assert!((Duration::from_millis(250)..TIMEOUT).contains(&elapsed), "{elapsed:?} after {sent:?}");
        // The third request is complete: it gets a response, and then its connection is closed as idle.
        assert_eq!(response.bytes.starts_with(b"HTTP/1.1 401"), sent.ends_with("\r\n\r\n"), "{sent:?}");
    }
    // Sending byte by byte does not extend the timeout.
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    let begin = Instant::now();
    for byte in b"GET /v3/userinfo HTTP/1.1\r\nhost: localhost\r\nx-slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".iter().cycle() {
        if stream.write_all(&[*byte]).await.is_err() || begin.elapsed() > TIMEOUT {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(begin.elapsed() < TIMEOUT / 2, "{:?}", begin.elapsed());
    service.get("/userinfo").await.ok();
}

#[tokio::test]
async fn a_slow_body_is_answered_408_and_the_connection_closed() {
    let service = service_with_short_timeouts().await;
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    stream.write_all(b"POST /v3/lab_reports HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{\"body\":").await.unwrap();
    let begin = Instant::now();
    let response = socket::read_to_end(&mut stream).await;
    assert!((Duration::from_millis(500)..TIMEOUT).contains(&begin.elapsed()), "{:?}", begin.elapsed());
    assert_eq!((response.status(), response.header("connection").as_deref()), (408, Some("close")));
    assert_eq!(response.json()["detail"], "the body took too long");
    assert_eq!(service.sandbox.app().requests().after(0)[0].status, Some(408));
}

/// Opens a connection that is idle after one request.
async fn idle_connection(service: &Service) -> TcpStream {
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    stream.write_all(b"GET /v3/userinfo HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut response = Vec::new();
    // The end of a problem body.
    while !response.ends_with(b"}") {
        response.push(stream.read_u8().await.unwrap());
    }
    stream
}

/// Whether the server has closed the connection.
async fn is_closed(stream: &mut TcpStream) -> bool {
    match tokio::time::timeout(Duration::from_millis(20), stream.read(&mut [0; 1])).await {
        Ok(Ok(count)) => count == 0,
        Ok(Err(_)) => true,
        Err(_) => false,
    }
}

#[tokio::test]
async fn idle_connections_do_not_block_new_ones() {
    let service = Service::new().await;
    let mut idle = Vec::new();
    for _ in 0..256 {
        idle.push(idle_connection(&service).await);
    }
    // Idle connections time out only after 20 s.
    let begun = Instant::now();
    let mut next = idle_connection(&service).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    // Only the longest idle connection was closed.
    assert!(is_closed(&mut idle[0]).await);
    for stream in &mut idle[1..8] {
        assert!(!is_closed(stream).await);
    }
    assert!(!is_closed(&mut next).await);
    drop((idle, next));

    // Connections without a request are idle from the start.
    let mut silent = Vec::new();
    for _ in 0..600 {
        silent.push(TcpStream::connect(service.sandbox.address()).await.unwrap());
    }
    let begun = Instant::now();
    idle_connection(&service).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn busy_connections_are_never_evicted() {
    let service = Service::with_builder(Sandbox::builder().connections(3)).await;
    let connect = async |bytes: &[u8]| {
        let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream
    };
    let request = socket::request(&service, "GET /v3/userinfo", &[], "");
    // Three busy connections: one sends headers, one sends a body, and one reads a response.
    let (first, rest) = request.split_at(30);
    let mut headers = connect(first).await;
    let mut body = connect(&socket::request(&service, "POST /v3/lab_reports", &[("content-length", "5")], "")).await;
    let mut response =
        connect(&socket::request(&service, "GET /v3/userinfo", &[("x-sandbox-fault", "slow; bytes=1; pause_ms=5")], "")).await;
    response.read_u8().await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let mut fourth = connect(&request).await;
    let mut byte = [0; 1];
    assert!(tokio::time::timeout(Duration::from_millis(300), fourth.read(&mut byte)).await.is_err(), "it must wait");
    // All three requests complete. None of their connections was closed for the waiting one.
    headers.write_all(rest).await.unwrap();
    body.write_all(b"12345").await.unwrap();
    for stream in [&mut headers, &mut body, &mut response, &mut fourth] {
        let response = socket::read_to_end(stream).await;
        assert!(!response.reset && response.bytes.ends_with(b"}"), "{}", String::from_utf8_lossy(&response.bytes));
    }
}

#[tokio::test]
async fn targets_and_headers_have_limits() {
    let service = Service::new().await;
    let bearer = format!("Bearer {}", service.sandbox.token());
    let ask = async |target: &str, headers: &[(&str, &str)]| {
        let mut all = vec![("authorization", bearer.as_str())];
        all.extend_from_slice(headers);
        socket::exchange(&service, &socket::request(&service, &format!("GET {target}"), &all, "")).await.status()
    };
    // Within the limits: 32 KiB in a header, 30 KiB in a target, 90 headers.
    assert_eq!(ask("/v3/userinfo", &[("x-long", &"a".repeat(32_768))]).await, 200);
    assert_eq!(ask(&format!("/v3/userinfo?{}", "a".repeat(30_000)), &[]).await, 200);
    assert_eq!(ask("/v3/userinfo", &[("x-many", "a"); 90]).await, 200);
    // Far beyond 64 KiB, because one read may exceed it, and beyond 100 headers.
    assert_eq!(ask("/v3/userinfo", &[("x-long", &"a".repeat(200_000))]).await, 431);
    assert!(matches!(ask(&format!("/v3/userinfo?{}", "a".repeat(200_000)), &[]).await, 414 | 431));
    assert_eq!(ask("/v3/userinfo", &[("x-many", "a"); 110]).await, 431);
}

#[tokio::test]
async fn bodies_have_limits() {
    let service = Service::new().await;
    let bearer = format!("Bearer {}", service.sandbox.token());
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    // 11 MiB reach the service, which rejects the contents. One byte more is rejected by the gateway.
    for (size, status, kind) in [(11 * 1_048_576, 400, "application/problem+json"), (11 * 1_048_576 + 1, 413, "text/html")] {
        let response = socket::exchange(&service, &socket::request(&service, "POST /v3/lab_reports", &headers, &"x".repeat(size))).await;
        assert_eq!((response.status(), response.header("content-type").as_deref()), (status, Some(kind)), "{size}");
    }
}

#[tokio::test]
async fn large_bodies_wait_for_memory_and_then_get_503() {
    let patience = Duration::from_secs(6);
    let service = Service::with_builder(Sandbox::builder().patience(patience, patience)).await;
    let bearer = format!("Bearer {}", service.sandbox.token());
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let upload = socket::request(&service, "POST /v3/lab_reports", &headers, &"x".repeat(11 * 1_048_576));
    // Five of the largest bodies, without their last byte, use up the memory budget.
    let mut senders = Vec::new();
    for _ in 0..5 {
        let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
        stream.write_all(&upload[..upload.len() - 1]).await.unwrap();
        senders.push(stream);
    }
    let begun = Instant::now();
    let refused = socket::exchange(&service, &upload);
    let small = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        service.get("/userinfo").await.ok();
        begun.elapsed()
    };
    let (refused, small) = tokio::join!(refused, small);
    assert_eq!((refused.status(), refused.header("retry-after").as_deref()), (503, Some("1")));
    assert_eq!(refused.json()["detail"], "too many large bodies at the same time; retry later");
    assert!(begun.elapsed() >= Duration::from_secs(2), "it waits: {:?}", begun.elapsed());
    assert!(small < Duration::from_secs(1), "small bodies need no budget: {small:?}");
    // The five bodies complete and release their budget. They are rejected, because they are not JSON.
    for mut stream in senders {
        stream.write_all(b"x").await.unwrap();
        assert_eq!(socket::read_to_end(&mut stream).await.status(), 400);
    }
    assert_eq!(socket::exchange(&service, &upload).await.status(), 400);
}

#[tokio::test]
async fn a_long_state_is_rejected() {
    let service = Service::new().await;
    let path = |length: usize| format!("/providers/garmin/integration/init_url?state={}", "a".repeat(length));
    service.get(&path(2_048)).await.ok();
    assert_eq!(service.get(&path(2_049)).await.problem(422), ["query.state"]);
}

/// Clients that send a part of a head and then nothing do not keep others waiting.
#[tokio::test(flavor = "multi_thread")]
async fn half_sent_heads_delay_no_other_request() {
    let service = Service::with_builder(Sandbox::builder().connections(16)).await;
    let mut half_open = Vec::new();
    for _ in 0..60 {
        let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
        stream.write_all(b"GET /v3/userinfo HTTP/1.1\r\nhost: loc").await.unwrap();
        half_open.push(stream);
    }
    let begun = Instant::now();
    service.get("/userinfo").await.ok();
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
}

/// A head may arrive in two pieces while others wait for a slot.
#[tokio::test(flavor = "multi_thread")]
async fn a_head_in_two_pieces_is_answered() {
    let service = Service::with_builder(Sandbox::builder().connections(2)).await;
    let head = format!(
        "GET /v3/userinfo HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\nconnection: close\r\n\r\n",
        service.sandbox.token()
    );
    let (first, rest) = head.as_bytes().split_at(20);
    for _ in 0..5 {
        let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
        let idle = TcpStream::connect(service.sandbox.address()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(150)).await;
        stream.write_all(first).await.unwrap();
        let newcomer = TcpStream::connect(service.sandbox.address()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
        stream.write_all(rest).await.unwrap();
        let mut response = String::new();
        tokio::time::timeout(TIMEOUT, stream.read_to_string(&mut response)).await.unwrap().unwrap();
        assert!(response.starts_with("HTTP/1.1 200"), "{response}");
        drop((idle, newcomer));
    }
}
