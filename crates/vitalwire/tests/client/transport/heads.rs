//! Tests of malformed and too large response heads. Conformance cases cover them for other languages.

use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Reply, Server, json};

use crate::transport::{client, get, request_of_class, upload};

const MALFORMED: &[&[u8]] = &[
    b"HTTP/1.1 OK\r\n\r\n{}",
    b"HTTP/9.9 200 OK\r\n\r\n{}",
    b"SSH-2.0-CANARY\r\n",
    b"HTTP/1.1 200 OK\r\nCANARY\r\n\r\n{}",
    b"HTTP/1.1 200 OK\r\ncontent-length: CANARY\r\n\r\n{}",
    b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
    b"\xff\xfe\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09",
];

#[tokio::test]
async fn a_malformed_response_head_is_a_decode_error() {
    for head in MALFORMED {
        let server = Server::always(Reply::SendAndClose(head.to_vec()));
        let client = client(&server);
        let error = get(&client).await.unwrap_err();
        assert_eq!(error.to_string(), "decode: the response head is malformed, GET (raw)");
        assert_eq!((error.kind(), error.status(), error.is_transient()), (ErrorKind::Decode, None, false));
        assert!(!error.may_have_taken_effect() && !format!("{error:?}").contains("CANARY"), "{error:?}");
        let error = upload(&client, "{}").await.unwrap_err();
        assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::Decode, 1, true));
        assert_eq!(server.count(), 2);
    }
}

/// A head over the limit of the HTTP library is incomplete. A head that is only over our own limit is complete.
#[tokio::test]
async fn a_response_head_over_the_limit_is_too_large() {
    for (headers, bytes) in [(1_usize, 257 << 10), (1, 600 << 10), (400, 257 << 10), (20_000, 255 << 10)] {
        let value = "0".repeat((bytes / headers).saturating_sub(5).max(1));
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n{}\r\n{{}}", format!("a: {value}\r\n").repeat(headers));
        let server = Server::always(Reply::SendAndClose(head.into_bytes()));
        let client = client(&server);
        for class in crate::transport::CLASSES {
            let error = request_of_class(&client, class).await.unwrap_err();
            let text = error.to_string();
            assert!(text.starts_with("too_large: the response head is larger than 256 KiB"), "{headers} {bytes}: {text}");
            assert_eq!((error.kind(), error.attempts(), error.is_transient()), (ErrorKind::TooLarge, 1, false));
        }
    }
}

#[tokio::test]
async fn a_truncated_response_head_is_a_transport_error() {
    for part in [&b""[..], b"HTT", b"HTTP/1.1 200 OK\r\ncontent-"] {
        let server = Server::in_order([Reply::SendAndClose(part.to_vec()), json(200, "{}")]);
        get(&client(&server)).await.unwrap();
        let server = Server::always(Reply::SendAndClose(part.to_vec()));
        let error = upload(&client(&server), "{}").await.unwrap_err();
        assert!(error.to_string().contains("the connection broke before the response") && error.may_have_taken_effect(), "{error}");
    }
}
