//! The kit itself: a server that says what is asked of it, byte for byte.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use vitalwire_testkit::{Authority, Reply, Server, answer, json, memory};

fn ask(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A reset ends an answer too.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

const POST: &str = "POST /v3/x?a=b HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer t-1\r\nContent-Length: 5\r\n\r\nhello";

#[test]
fn a_script_sees_the_whole_request_once() {
    let server = Server::with(|request, number| {
        let text = format!("{} {} {number}", request.target(), request.text());
        Reply::SendAndClose(vitalwire_testkit::bytes_of(200, &[("x-y", "z")], text.as_bytes()))
    });
    let answer = ask(&server, POST);
    assert_eq!(answer, "HTTP/1.1 200 Scripted\r\nx-y: z\r\ncontent-length: 22\r\n\r\nPOST /v3/x?a=b hello 0");
    let [seen] = &server.seen()[..] else { panic!("one request") };
    assert_eq!((seen.line(), seen.header("host"), seen.bearer()), ("POST /v3/x?a=b HTTP/1.1", Some("h"), Some("t-1")));
    assert_eq!((seen.body.as_slice(), server.count(), server.connections()), (&b"hello"[..], 1, 1));
}

#[test]
fn requests_in_a_row_are_answered_in_order() {
    let server = Server::in_order([json(200, "[1]"), answer(204, &[], b"")]);
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
fn a_client_that_leaves_is_noticed() {
    let server = Server::always(Reply::SendAndHang(Vec::new()));
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    server.wait_for_blocking(1);
    assert!(server.closed_within(Duration::from_millis(50)).is_none());
    drop(stream);
    assert!(server.closed().is_some());
}

#[test]
fn a_body_that_is_not_read_to_its_end_is_reset() {
    let server = Server::in_order([Reply::ResetWithinBody(2), json(200, "{}")]);
    assert_eq!(ask(&server, POST), "");
    assert_eq!(server.seen()[0].body, b"he");
}

#[test]
fn an_authority_is_pem_and_signs() {
    let authority = Authority::new();
    assert!(authority.pem().starts_with("-----BEGIN CERTIFICATE-----"));
    let _ = authority.server("127.0.0.1");
}

#[cfg(target_os = "linux")]
#[test]
fn a_peak_stays() {
    memory::in_child("child_peak", &[]);
}

#[cfg(target_os = "linux")]
#[test]
fn child_peak() {
    if !memory::is_child() {
        return;
    }
    let before = memory::peak();
    drop(std::hint::black_box(vec![1_u8; 32 << 20]));
    assert!(memory::peak() - before >= 30 << 20);
}
