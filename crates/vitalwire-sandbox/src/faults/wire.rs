//! Faults below HTTP: raw bytes written past the server, and connections that do not end in order.

use std::net::SocketAddr;
use std::time::Duration;

use axum::response::Response;
use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};

use crate::requests::LogEntry;

/// Maximum time that a silent connection is kept open.
const LONGEST: Duration = Duration::from_secs(120);
/// Delay before a reset, for the client to read the data already sent.
const HEAD_START: Duration = Duration::from_millis(30);
/// Time for the client to close its side. Data that arrives after our close would turn it into a reset.
const FAREWELL: Duration = Duration::from_secs(1);

/// End of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Orderly, with FIN.
    Close,
    /// With RST.
    Reset,
    /// Closed by the client, or after two minutes.
    Hang,
}

/// Last bytes of a connection and how it ends.
#[derive(Debug)]
pub(crate) struct Raw {
    bytes: Bytes,
    end: End,
    /// Logged before the client sees the end of the connection.
    entry: LogEntry,
}

impl Raw {
    /// Creates the last bytes of a connection. `body` of them belong to the response body.
    pub(crate) fn new(bytes: impl Into<Bytes>, body: usize, end: End, mut entry: LogEntry) -> Self {
        entry.add(body);
        Self { bytes: bytes.into(), end, entry }
    }

    /// Writes the bytes and ends the connection. I/O errors are ignored because the connection breaks anyway.
    pub(crate) async fn play(self, mut stream: TcpStream, mut stop: watch::Receiver<()>) {
        let Self { bytes, end, mut entry } = self;
        let all = async {
            if stream.write_all(&bytes).await.is_err() {
                return;
            }
            if end != End::Hang {
                entry.done();
            }
            match end {
                End::Close => {
                    drop(entry);
                    let _ = stream.shutdown().await;
                    let _ = tokio::time::timeout(FAREWELL, swallow(&mut stream)).await;
                }
                End::Reset => {
                    if !bytes.is_empty() {
                        tokio::time::sleep(HEAD_START).await;
                    }
                    // Closing with a linger of zero sends RST.
                    let _ = stream.set_zero_linger();
                    drop(entry);
                }
                End::Hang => swallow(&mut stream).await,
            }
        };
        tokio::select! {
            _ = tokio::time::timeout(LONGEST, all) => {}
            _ = stop.changed() => {}
        }
    }
}

/// Reads until the client closes the connection.
async fn swallow(stream: &mut TcpStream) {
    let mut buffer = [0; 1024];
    while stream.read(&mut buffer).await.is_ok_and(|count| count > 0) {}
}

/// Connection of a request, for faults below HTTP.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    raw: mpsc::Sender<Raw>,
    /// Local address.
    pub(crate) local: Option<SocketAddr>,
    /// Changes, or loses its sender, when the server stops.
    pub(crate) stop: watch::Receiver<()>,
}

impl Connection {
    /// Creates a handle, and the receiver that tells the server to give up the connection.
    pub(crate) fn new(local: Option<SocketAddr>, stop: watch::Receiver<()>) -> (Self, mpsc::Receiver<Raw>) {
        let (raw, taken) = mpsc::channel(1);
        (Self { raw, local, stop }, taken)
    }

    /// Takes the connection from the server, which drops the request. Never returns.
    pub(crate) async fn take(&self, raw: Raw) -> Response {
        // If the connection is gone, this future is dropped too.
        let _ = self.raw.send(raw).await;
        std::future::pending().await
    }
}
