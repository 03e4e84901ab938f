//! Tests of the test utilities.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use vitalwire_testkit::{Authority, Reply, Server, json, memory, response};

fn send(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut received = Vec::new();
    // A reset also ends the response.
    let _ = stream.read_to_end(&mut received);
    String::from_utf8(received).unwrap()
}

const POST: &str = "POST /v3/x?a=b HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer t-1\r\nContent-Length: 5\r\n\r\nhello";

#[test]
fn a_script_receives_the_whole_request_once() {
    let server = Server::with_script(|request, number| {
        let text = format!("{} {} {number}", request.target(), request.text());
        Reply::SendAndClose(vitalwire_testkit::response_bytes(200, &[("x-y", "z")], text.as_bytes()))
    });
    let received = send(&server, POST);
    assert_eq!(received, "HTTP/1.1 200 Scripted\r\nx-y: z\r\ncontent-length: 22\r\n\r\nPOST /v3/x?a=b hello 0");
    let [seen] = &server.requests()[..] else { panic!("one request") };
    assert_eq!((seen.line(), seen.header("host"), seen.bearer()), ("POST /v3/x?a=b HTTP/1.1", Some("h"), Some("t-1")));
    assert_eq!((seen.body.as_slice(), server.count(), server.connections()), (&b"hello"[..], 1, 1));
}

#[test]
fn consecutive_requests_get_the_responses_in_order() {
    let server = Server::in_order([json(200, "[1]"), response(204, &[], b"")]);
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let mut heads = Vec::new();
    for _ in 0..3 {
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let mut part = [0; 1_024];
        let read = stream.read(&mut part).unwrap();
        heads.push(String::from_utf8_lossy(&part[..read]).lines().next().unwrap().to_owned());
    }
    assert_eq!(heads, ["HTTP/1.1 200 Scripted", "HTTP/1.1 204 Scripted", "HTTP/1.1 599 Scripted"]);
    assert_eq!((server.count(), server.connections()), (3, 1));
    server.wait_for_blocking(3);
}

#[test]
fn a_closed_connection_is_noticed() {
    let server = Server::always(Reply::SendAndHang(Vec::new()));
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    server.wait_for_blocking(1);
    assert!(server.wait_for_close_within(Duration::from_millis(50)).is_none());
    drop(stream);
    assert!(server.wait_for_close().is_some());
}

#[test]
fn a_connection_is_reset_within_the_body() {
    let server = Server::in_order([Reply::ResetWithinBody(2), json(200, "{}")]);
    assert_eq!(send(&server, POST), "");
    assert_eq!(server.requests()[0].body, b"he");
}

#[test]
fn an_authority_has_a_pem_certificate_and_signs_servers() {
    let authority = Authority::new();
    assert!(authority.pem().starts_with("-----BEGIN CERTIFICATE-----"));
    let _ = authority.server("127.0.0.1");
}

#[cfg(target_os = "linux")]
#[test]
fn the_peak_remains_after_memory_is_freed() {
    memory::run_in_child("child_frees_memory", &[]);
}

#[cfg(target_os = "linux")]
#[test]
fn child_frees_memory() {
    if !memory::is_child() {
        return;
    }
    let before = memory::peak_bytes();
    drop(std::hint::black_box(vec![1_u8; 32 << 20]));
    assert!(memory::peak_bytes() - before >= 30 << 20);
}
