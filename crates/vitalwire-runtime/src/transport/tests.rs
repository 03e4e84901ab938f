//! Tests of typed operations: their declared success statuses and limits. Some use real sockets.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{CallOptions, execute};
use crate::client::Client;
use crate::error::ErrorKind;
use crate::operation::testing::INTERFACE;
use crate::operation::{DeadlineClass, OperationMeta, RetryClass};

static DELETE: OperationMeta = OperationMeta {
    id: "delete_thing",
    group: "things",
    method_name: "delete",
    service: &INTERFACE.services[0],
    http_method: "DELETE",
    path: "/v3/things/{id}",
    authenticated: true,
    retry: RetryClass::Idempotent,
    deadline: DeadlineClass::Short,
    success: &[204],
    max_request_bytes: Some(10),
    array_params: &[],
    interface: &INTERFACE,
};

/// Sends `response` after the first bytes of every connection. Returns the base URL and the number of connections.
fn serve(response: &'static [u8]) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&connections);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            counter.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(response);
        }
    });
    (url, connections)
}

fn request(client: &Client, body: &'static [u8]) -> Box<reqwest::Request> {
    let url = client.state().unwrap().base_url(DELETE.service).unwrap().url_of_path("/v3/things/CANARY");
    Box::new(client.state().unwrap().reqwest().delete(url).body(body).build().unwrap())
}

fn client(url: &str, client_side_validation: bool) -> Client {
    Client::builder(&INTERFACE)
        .base_url(DELETE.service, url)
        .token(DELETE.service, "t")
        .no_proxy()
        .client_side_validation(client_side_validation)
        .build()
        .unwrap()
}

#[tokio::test]
async fn an_undeclared_2xx_status_is_a_success() {
    const HTML: &[u8] = b"HTTP/1.1 200 OK\r\nx-request-id: req-1\r\ncontent-length: 19\r\nconnection: close\r\n\r\n<html>CANARY</html>";
    let (url, connections) = serve(HTML);
    let client = client(&url, true);
    let response = execute(&client.state().unwrap(), &DELETE, request(&client, b""), &CallOptions::new()).await.unwrap();
    assert_eq!((response.status(), response.meta.attempts, DELETE.documented_status(response.status())), (200, 1, 204));
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_request_over_the_size_limit_is_rejected_unless_client_side_validation_is_off() {
    let (url, connections) = serve(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
    let checked = client(&url, true);
    let error = execute(&checked.state().unwrap(), &DELETE, request(&checked, b"12345678901"), &CallOptions::new()).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::TooLarge, None, 0));
    assert_eq!(connections.load(Ordering::SeqCst), 0);
    assert!(execute(&checked.state().unwrap(), &DELETE, request(&checked, b"1234567890"), &CallOptions::new()).await.is_ok());
    let unchecked = client(&url, false);
    assert!(execute(&unchecked.state().unwrap(), &DELETE, request(&unchecked, b"12345678901"), &CallOptions::new()).await.is_ok());
}
