//! Tests of empty, truncated, too large and compressed bodies and of gzip bombs.

use std::io::Write;

use flate2::write::GzEncoder;
use flate2::{Compress, Compression, FlushCompress};
use vitalwire::client::CallOptions;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Reply, Server, json, response, response_bytes};

use crate::transport::{builder, client, get, upload};

const GZIP: (&str, &str) = ("content-encoding", "gzip");
const ID: (&str, &str) = ("x-request-id", "req-1");

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn empty_and_large_bodies_are_received() {
    let large: Vec<u8> = (0..3_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let server = Server::in_order([json(200, ""), response(204, &[], b""), response(200, &[], &large)]);
    let client = client(&server);
    assert!(get(&client).await.unwrap().body.is_empty());
    assert_eq!(get(&client).await.unwrap().status(), 204);
    assert!(get(&client).await.unwrap().body == large);
    assert_eq!(server.connections(), 1, "all calls share a connection");
}

#[tokio::test]
async fn a_truncated_body_is_a_transport_error_with_status_and_request_id() {
    let part = response_bytes(200, &[ID, ("content-length", "100")], b"[1,2");
    let chunked = b"HTTP/1.1 200 OK\r\nx-request-id: req-1\r\ntransfer-encoding: chunked\r\n\r\n4\r\n[1,2\r\n".to_vec();
    let compressed = gzip(&vec![7; 100_000]);
    let truncated_gzip =
        response_bytes(200, &[ID, GZIP, ("content-length", &compressed.len().to_string())], &compressed[..compressed.len() / 2]);
    for cut in [part, chunked, truncated_gzip] {
        let server = Server::always(Reply::SendAndClose(cut));
        let client = client(&server);
        let error = get(&client).await.unwrap_err();
        assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::Transport, Some(200), 3));
        assert_eq!(error.to_string(), "transport: the response was truncated, status 200, GET (raw), request id req-1, 3 attempts");
        let error = upload(&client, "{}").await.unwrap_err();
        assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::Transport, Some(200), 1));
    }
}

#[tokio::test]
async fn a_call_can_set_its_own_limit() {
    let server = Server::always(response(200, &[], &[b'x'; 1000]));
    let client = builder(&server).max_response_bytes(999).build().unwrap();
    let call = |limit| get(&client).options(CallOptions::new().max_response_bytes(limit));
    assert_eq!(call(1000).await.unwrap().body.len(), 1000);
    for error in [call(999).await.unwrap_err(), call(0).await.unwrap_err(), get(&client).await.unwrap_err()] {
        assert_eq!((error.kind(), error.status()), (ErrorKind::TooLarge, Some(200)));
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_too_large() {
    let server = Server::in_order([response(200, &[], &[b'x'; 1001]), response(200, &[], &[b'x'; 1000]), {
        // Without a length, the size is only known while reading.
        let mut bytes = b"HTTP/1.1 200 OK\r\nx-request-id: req-1\r\n\r\n".to_vec();
        bytes.extend([b'x'; 200_000]);
        Reply::SendAndClose(bytes)
    }]);
    let client = builder(&server).max_response_bytes(1000).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::TooLarge, Some(200), 1));
    assert_eq!(get(&client).await.unwrap().body.len(), 1000);
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.request_id()), (ErrorKind::TooLarge, Some("req-1")));
}

#[tokio::test]
async fn gzip_is_requested_and_decompressed() {
    let body = b"[".iter().chain(b"1,".iter().cycle().take(200_000)).chain(b"1]").copied().collect::<Vec<u8>>();
    let server = Server::always(response(200, &[GZIP], &gzip(&body)));
    assert!(get(&client(&server)).await.unwrap().body == body);
    assert_eq!(server.requests()[0].header("accept-encoding"), Some("gzip"));

    let plain = builder(&server).accept_gzip(false).build().unwrap();
    let _ = get(&plain).await;
    assert_eq!(server.requests()[1].header("accept-encoding"), None);
}

/// `x-gzip` is `gzip` and names of codings are case-insensitive (RFC 9110, 8.4.1). A gzip file is a series of members (RFC 1952, 2.2).
#[tokio::test]
async fn all_names_and_multiple_members_of_gzip_are_read() {
    let members = [gzip(b"[1,"), gzip(b""), gzip(b"2]")].concat();
    for name in ["gzip", "GZIP", "x-gzip", "X-GZip", "identity, gzip"] {
        let server = Server::in_order([
            response(200, &[("content-encoding", name)], &gzip(b"[1,2]")),
            response(200, &[("content-encoding", name)], &members),
            response(422, &[("content-encoding", name)], &gzip(b"{\"status\":422,\"detail\":\"validation failed\"}")),
            response(204, &[("content-encoding", name)], b""),
        ]);
        let client = client(&server);
        let whole = get(&client).await.unwrap();
        assert_eq!(whole.body, b"[1,2]"[..], "{name}");
        assert!(
            ["content-encoding", "content-length"].iter().all(|name| !whole.meta.headers.contains_key(*name)),
            "the headers describe the decompressed body"
        );
        assert_eq!(get(&client).await.unwrap().body, b"[1,2]"[..], "{name}");
        assert_eq!(get(&client).await.unwrap_err().problem().and_then(|problem| problem.status), Some(422), "{name}");
        assert!(get(&client).await.unwrap().body.is_empty(), "{name}");
    }
}

#[tokio::test]
async fn a_content_encoding_that_was_not_requested_is_a_decode_error() {
    for name in ["br", "gzip, gzip", "zstd"] {
        let server = Server::always(response(200, &[("content-encoding", name), ID], &gzip(b"[1]")));
        let error = get(&client(&server)).await.unwrap_err();
        assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::Decode, Some(200), 1), "{name}");
        assert_eq!(error.reason(), Some("the body has a content encoding that was not requested"));
    }
}

#[tokio::test]
async fn an_invalid_gzip_body_is_a_decode_error() {
    // The last eight bytes are the checksum and the length.
    let mut broken = gzip(&vec![7; 100_000]);
    let checksum = broken.len() - 8;
    broken[checksum] ^= 1;
    for body in [b"plain text, not gzip at all".to_vec(), broken] {
        let server = Server::always(response(200, &[GZIP, ID], &body));
        let error = get(&client(&server)).await.unwrap_err();
        assert_eq!((error.kind(), error.status(), error.request_id(), error.attempts()), (ErrorKind::Decode, Some(200), Some("req-1"), 1));
    }
}

/// Returns 1 GiB of zeros in about 1 MB of gzip data, without an end.
fn bomb() -> Vec<u8> {
    let mut piece = Vec::with_capacity(1 << 16);
    Compress::new(Compression::best(), false).compress_vec(&vec![0; 1 << 20], &mut piece, FlushCompress::Full).unwrap();
    let mut bomb = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    bomb.extend(piece.repeat(1024));
    bomb
}

#[tokio::test]
async fn a_gzip_bomb_is_stopped_with_little_memory() {
    let bomb = bomb();
    assert!(bomb.len() < 2 << 20);
    for status in [200, 502] {
        let server = Server::always(response(status, &[GZIP, ID], &bomb));
        let client = builder(&server).max_response_bytes(8 << 20).build().unwrap();
        #[cfg(target_os = "linux")]
        let before = vitalwire_testkit::memory::peak_bytes();
        let error = get(&client).options(CallOptions::new().max_retries(0)).await.unwrap_err();
        assert_eq!((error.status(), error.request_id()), (Some(status), Some("req-1")));
        assert_eq!(error.kind(), if status == 200 { ErrorKind::TooLarge } else { ErrorKind::Service });
        // Parallel tests use about 50 MiB.
        #[cfg(target_os = "linux")]
        assert!(vitalwire_testkit::memory::peak_bytes() - before < 128 << 20, "the bomb was decompressed");
    }
}
