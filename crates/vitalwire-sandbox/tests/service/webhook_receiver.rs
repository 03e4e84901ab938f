//! Webhook receiver on a socket. It responds with a configurable status and keeps all requests.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use vitalwire_testkit::{Reply, Request, Server, response_bytes};

#[derive(Clone, Debug)]
pub(crate) struct ReceivedWebhook(Request);

impl Deref for ReceivedWebhook {
    type Target = Request;

    fn deref(&self) -> &Request {
        &self.0
    }
}

impl ReceivedWebhook {
    pub(crate) fn header(&self, name: &str) -> String {
        self.0.header(name).unwrap_or_else(|| panic!("{name}")).to_owned()
    }

    /// Returns the body after verifying its signature.
    pub(crate) fn verify(&self, key: &str) -> Value {
        assert!(self.line().starts_with("POST "), "{}", self.head);
        assert_eq!(self.header("content-type"), "application/json");
        assert_eq!(self.header("x-body-signature"), hmac_hex(key.as_bytes(), &self.body));
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Returns an HMAC-SHA256 by the definition of RFC 2104, for keys of at most 64 bytes.
pub(crate) fn hmac_hex(key: &[u8], message: &[u8]) -> String {
    let pad = |with: u8| {
        let mut block = [with; 64];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(message).finalize();
    let outer = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) struct Receiver {
    pub(crate) url: String,
    status: Arc<AtomicU16>,
    server: Server,
}

impl Receiver {
    pub(crate) async fn start(status: u16) -> Self {
        Self::listen_on(TcpListener::bind("127.0.0.1:0").await.unwrap(), status)
    }

    pub(crate) fn listen_on(listener: TcpListener, status: u16) -> Self {
        let status = Arc::new(AtomicU16::new(status));
        let current = Arc::clone(&status);
        let listener = listener.into_std().unwrap();
        listener.set_nonblocking(false).unwrap();
        let server = Server::on_listener(listener, move |_, _| {
            let status = current.load(Ordering::SeqCst);
            let headers = if status == 302 { &[("location", "http://127.0.0.1:9/")][..] } else { &[] };
            // One connection per request, like most receivers behind a gateway.
            Reply::SendAndClose(response_bytes(status, headers, b""))
        });
        Self { url: format!("{}/hook?a=b", server.url()), status, server }
    }

    pub(crate) fn set_status(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }

    pub(crate) fn count(&self) -> usize {
        self.server.count()
    }

    /// Waits for `count` requests and returns all requests so far.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<ReceivedWebhook> {
        self.server.wait_for(count).await;
        self.server.requests().into_iter().map(ReceivedWebhook).collect()
    }
}
