//! Tests that requests that may have taken effect are not sent twice.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpSocket;
use vitalwire::client::{CallOptions, Client};
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Reply, Server, json, response_bytes};

use crate::transport::{builder, client, record_attempts, upload};

/// A reserved port without a listener.
fn unused_port() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

#[tokio::test]
async fn an_upload_is_sent_once_if_the_connection_breaks_within_its_body() {
    // Far larger than socket buffers, so that the client is still writing when the server closes the connection.
    let body = vec![b'x'; 16 << 20];
    let server = Server::in_order([Reply::ResetWithinBody(1 << 20), json(201, "{}")]);
    let error = upload(&client(&server), body).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 1));
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!((server.count(), server.connections()), (1, 1));
}

#[tokio::test]
async fn an_upload_is_sent_once_if_its_attempt_times_out() {
    let server = Server::always(Reply::SendAndHang(Vec::new()));
    let options = CallOptions::new().attempt_timeout(Duration::from_millis(100));
    let error = upload(&client(&server), "{}").options(options).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), server.count_at_least(1).await), (ErrorKind::Timeout, 1, 1));
}

#[tokio::test]
async fn an_upload_that_was_not_sent_is_retried() {
    // The server starts after the first attempt has failed.
    let (socket, address) = unused_port();
    let builder = Client::builder().base_url(format!("http://{address}")).token("t").no_proxy();
    let (builder, events) = record_attempts(builder.retry_delay_scale(0.1).max_retries(60));
    let late_server = tokio::spawn(async move {
        while events.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let listener = socket.listen(16).unwrap().into_std().unwrap();
        listener.set_nonblocking(false).unwrap();
        Server::on_listener(listener, |_, _| json(201, "{}"))
    });
    let response = upload(&builder.build().unwrap(), "{\"meal\":1}").await.unwrap();
    let server = late_server.await.unwrap();
    assert!(response.meta.attempts >= 2);
    assert_eq!((response.status(), server.count()), (201, 1));
    assert_eq!(server.requests()[0].body, b"{\"meal\":1}");
}

#[tokio::test]
async fn the_reason_names_a_refused_connection() {
    let (_socket, address) = unused_port();
    let client = Client::builder().base_url(format!("http://{address}")).token("t").no_proxy().retry_delay_scale(0.0).build().unwrap();
    let error = upload(&client, "{}").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 3));
    assert_eq!(error.to_string(), "transport: the connection was refused, POST (raw), 3 attempts");
    assert!(error.is_transient());
}

#[tokio::test]
async fn the_reason_names_an_unknown_host() {
    let client = Client::builder()
        .base_url("https://nothing-here.invalid")
        .token("t")
        .no_proxy()
        .retry_delay_scale(0.0)
        .max_retries(1)
        .build()
        .unwrap();
    let error = upload(&client, "{}").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 2));
    assert_eq!(error.reason(), Some("the host name was not found"));
}

#[tokio::test]
async fn allow_resend_permits_retries_of_uploads() {
    let server = Server::in_order([json(503, "{}"), json(201, "{}")]);
    let response = upload(&builder(&server).build().unwrap(), "{\"a\":1}").options(CallOptions::new().allow_resend(true)).await.unwrap();
    assert_eq!(response.meta.attempts, 2);
    let bodies: Vec<_> = server.requests().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies, [b"{\"a\":1}", b"{\"a\":1}"]);
}

#[tokio::test]
async fn an_upload_does_not_use_a_closed_connection() {
    let server = Server::in_order([Reply::SendAndClose(response_bytes(200, &[], b"{}")), json(201, "{}")]);
    let client = client(&server);
    upload(&client, "{}").await.unwrap();
    server.wait_for_close().expect("the server closes it");
    // The client needs time to notice.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(upload(&client, "{}").await.unwrap().meta.attempts, 1);
    assert_eq!((server.count(), server.connections()), (2, 2));
}
