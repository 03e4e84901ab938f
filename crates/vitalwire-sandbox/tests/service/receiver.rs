//! A receiver of webhooks on a socket: answers as told, and keeps what came.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> String {
        let line = self.head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:"))).unwrap_or_else(|| panic!("{name}"));
        line.split_once(':').unwrap().1.trim().to_owned()
    }

    /// The body, once its signature holds.
    pub(crate) fn verified(&self, key: &str) -> Value {
        assert!(self.head.starts_with("POST "), "{}", self.head);
        assert_eq!(self.header("content-type"), "application/json");
        assert_eq!(self.header("x-body-signature"), hmac_hex(key.as_bytes(), &self.body));
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// HMAC-SHA256 as RFC 2104 writes it, for keys of at most 64 bytes.
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
    status: Arc<Mutex<u16>>,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Receiver {
    pub(crate) async fn start(status: u16) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap(), status)
    }

    pub(crate) fn on(listener: TcpListener, status: u16) -> Self {
        let url = format!("http://{}/hook?a=b", listener.local_addr().unwrap());
        let (status, received) = (Arc::new(Mutex::new(status)), Arc::new(Mutex::new(Vec::new())));
        let (its_status, its_received) = (Arc::clone(&status), Arc::clone(&received));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let status = *its_status.lock().unwrap();
                tokio::spawn(take(stream, status, Arc::clone(&its_received)));
            }
        });
        Self { url, status, received }
    }

    pub(crate) fn answer(&self, status: u16) {
        *self.status.lock().unwrap() = status;
    }

    pub(crate) fn count(&self) -> usize {
        self.received.lock().unwrap().len()
    }

    /// Waits until that many came, and gives all.
    pub(crate) async fn wait(&self, count: usize) -> Vec<Received> {
        for _ in 0..1_000 {
            if self.count() >= count {
                return self.received.lock().unwrap().clone();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{} of {count} came", self.count());
    }
}

async fn take(mut stream: TcpStream, status: u16, received: Arc<Mutex<Vec<Received>>>) {
    let mut bytes = Vec::new();
    let (head, length) = loop {
        let mut buffer = [0; 4_096];
        let count = stream.read(&mut buffer).await.unwrap();
        assert!(count > 0, "the head breaks off");
        bytes.extend_from_slice(&buffer[..count]);
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:").map(|text| text.trim().to_owned()));
            bytes.drain(..end + 4);
            break (head, length.unwrap().parse::<usize>().unwrap());
        }
    };
    let have = bytes.len();
    bytes.resize(length, 0);
    stream.read_exact(&mut bytes[have..]).await.unwrap();
    received.lock().unwrap().push(Received { head, body: bytes });
    let more = if status == 302 { "location: http://127.0.0.1:9/\r\n" } else { "" };
    let _ = stream.write_all(format!("HTTP/1.1 {status} X\r\n{more}content-length: 0\r\n\r\n").as_bytes()).await;
}
