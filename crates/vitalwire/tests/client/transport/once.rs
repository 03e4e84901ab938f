//! Nothing that may have had an effect is sent twice.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpSocket;
use vitalwire::client::{CallOptions, Client};
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Reply, Server, response_bytes, json};

use crate::transport::{builder, client, upload, watched};

/// A port on which nobody listens, and which nobody else gets.
fn held() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

#[tokio::test]
async fn an_upload_is_sent_once_when_it_breaks_within_its_body() {
    // Far more than socket buffers hold, so the client is still writing when the server goes.
    let body = vec![b'x'; 16 << 20];
    let server = Server::in_order([Reply::ResetWithinBody(1 << 20), json(201, "{}")]);
    let error = upload(&client(&server), body).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 1));
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!((server.count(), server.connections()), (1, 1));
}

#[tokio::test]
async fn an_upload_is_sent_once_when_its_attempt_times_out() {
    let server = Server::always(Reply::SendAndHang(Vec::new()));
    let options = CallOptions::new().attempt_timeout(Duration::from_millis(100));
    let error = upload(&client(&server), "{}").options(options).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), server.count_at_least(1).await), (ErrorKind::Timeout, 1, 1));
}

#[tokio::test]
async fn an_upload_that_never_left_is_sent_when_the_service_is_back() {
    // A port that nobody listens on, until the first attempt has failed.
    let (held, address) = held();
    let builder = Client::builder().base_url(format!("http://{address}")).token("t").no_proxy();
    let (builder, events) = watched(builder.retry_delay_scale(0.1).max_retries(60));
    let late = tokio::spawn(async move {
        while events.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let listener = held.listen(16).unwrap().into_std().unwrap();
        listener.set_nonblocking(false).unwrap();
        Server::on_listener(listener, |_, _| json(201, "{}"))
    });
    let answer = upload(&builder.build().unwrap(), "{\"meal\":1}").await.unwrap();
    let server = late.await.unwrap();
    assert!(answer.meta.attempts >= 2);
    assert_eq!((answer.status(), server.count()), (201, 1));
    assert_eq!(server.requests()[0].body, b"{\"meal\":1}");
}

#[tokio::test]
async fn a_refused_connection_is_told_as_such() {
    let (_held, address) = held();
    let client = Client::builder().base_url(format!("http://{address}")).token("t").no_proxy().retry_delay_scale(0.0).build().unwrap();
    let error = upload(&client, "{}").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 3));
    assert_eq!(error.to_string(), "transport: the connection was refused, POST (raw), 3 attempts");
    assert!(error.is_transient());
}

#[tokio::test]
async fn a_name_that_is_not_found_is_told_as_such() {
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
async fn the_caller_may_allow_sending_again() {
    let server = Server::in_order([json(503, "{}"), json(201, "{}")]);
    let answer = upload(&builder(&server).build().unwrap(), "{\"a\":1}").options(CallOptions::new().allow_resend(true)).await.unwrap();
    assert_eq!(answer.meta.attempts, 2);
    let bodies: Vec<_> = server.requests().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies, [b"{\"a\":1}", b"{\"a\":1}"]);
}

#[tokio::test]
async fn an_upload_meets_no_connection_that_the_service_has_closed() {
    let server = Server::in_order([Reply::SendAndClose(response_bytes(200, &[], b"{}")), json(201, "{}")]);
    let client = client(&server);
    upload(&client, "{}").await.unwrap();
    server.wait_for_close().expect("the server closes it");
    // Time for the client to look.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(upload(&client, "{}").await.unwrap().meta.attempts, 1);
    assert_eq!((server.count(), server.connections()), (2, 2));
}
