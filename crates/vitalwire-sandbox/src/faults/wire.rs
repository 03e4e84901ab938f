//! Faults below HTTP: raw bytes that bypass the server, and connections that end abnormally.

use std::net::SocketAddr;
use std::time::Duration;

use axum::response::Response;
use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};

use crate::requests::LogEntry;

/// Maximum time that a silent connection is kept open.
const MAX_HANG: Duration = Duration::from_secs(120);
/// Delay before a reset, for the client to read the data already sent.
const RESET_DELAY: Duration = Duration::from_millis(30);
/// Time for the client to close its side. Data that arrives after our close would turn it into a reset.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectionEnd {
    /// Closed with FIN.
    Close,
    /// Closed with RST.
    Reset,
    /// Closed by the client, or after two minutes.
    Hang,
}

/// Last bytes of a connection and how it ends.
#[derive(Debug)]
pub(crate) struct RawResponse {
    bytes: Bytes,
    end: ConnectionEnd,
    /// Logged before the client sees the end of the connection.
    entry: LogEntry,
}

impl RawResponse {
    /// Creates the last bytes of a connection. `body` of them belong to the response body.
    pub(crate) fn new(bytes: impl Into<Bytes>, body: usize, end: ConnectionEnd, mut entry: LogEntry) -> Self {
        entry.add_bytes(body);
        Self { bytes: bytes.into(), end, entry }
    }

    /// Writes the bytes and ends the connection. I/O errors are ignored because the connection breaks anyway.
    pub(crate) async fn send(self, mut stream: TcpStream, mut stop: watch::Receiver<()>) {
        let Self { bytes, end, mut entry } = self;
        let all = async {
            if stream.write_all(&bytes).await.is_err() {
                return;
            }
            if end != ConnectionEnd::Hang {
                entry.mark_complete();
            }
            match end {
                ConnectionEnd::Close => {
                    drop(entry);
                    let _ = stream.shutdown().await;
                    let _ = tokio::time::timeout(CLOSE_TIMEOUT, drain(&mut stream)).await;
                }
                ConnectionEnd::Reset => {
                    if !bytes.is_empty() {
                        tokio::time::sleep(RESET_DELAY).await;
                    }
                    // Closing with a linger of zero sends RST.
                    let _ = stream.set_zero_linger();
                    drop(entry);
                }
                ConnectionEnd::Hang => drain(&mut stream).await,
            }
        };
        tokio::select! {
            _ = tokio::time::timeout(MAX_HANG, all) => {}
            _ = stop.changed() => {}
        }
    }
}

/// Reads until the client closes the connection.
async fn drain(stream: &mut TcpStream) {
    let mut buffer = [0; 1024];
    while stream.read(&mut buffer).await.is_ok_and(|count| count > 0) {}
}

/// Connection of a request, for faults below HTTP.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionHandle {
    raw: mpsc::Sender<RawResponse>,
    pub(crate) local: Option<SocketAddr>,
    /// Changes, or loses its sender, when the server stops.
    pub(crate) stop: watch::Receiver<()>,
}

impl ConnectionHandle {
    /// Creates a handle, and the receiver of the response with which the server gives up the connection.
    pub(crate) fn new(local: Option<SocketAddr>, stop: watch::Receiver<()>) -> (Self, mpsc::Receiver<RawResponse>) {
        let (raw, receiver) = mpsc::channel(1);
        (Self { raw, local, stop }, receiver)
    }

    /// Takes over the connection from the server, which drops the request. Never returns.
    pub(crate) async fn take_over(&self, raw: RawResponse) -> Response {
        // If the connection is gone, this future is dropped too.
        let _ = self.raw.send(raw).await;
        std::future::pending().await
    }
}
