//! Faults below HTTP: bytes written past the server, and connections ended in other ways than in order.

use std::net::SocketAddr;
use std::time::Duration;

use axum::response::Response;
use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};

use crate::requests::LogEntry;

/// Longest time a connection is kept open without a word.
const LONGEST: Duration = Duration::from_secs(120);
/// For the caller to read what was sent before the reset overtakes it.
const HEAD_START: Duration = Duration::from_millis(30);
/// For the caller to close in turn: data that arrives after our end would turn it into a reset.
const FAREWELL: Duration = Duration::from_secs(1);

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// In order, with FIN.
    Close,
    /// With RST.
    Reset,
    /// When the caller closes it, after two minutes at the latest.
    Hang,
}

/// The last that is written to a connection.
#[derive(Debug)]
pub(crate) struct Raw {
    bytes: Bytes,
    end: End,
    /// Entered into the log before the other side learns of the end.
    entry: LogEntry,
}

impl Raw {
    /// `body` of the bytes are the answer's body.
    pub(crate) fn new(bytes: impl Into<Bytes>, body: usize, end: End, mut entry: LogEntry) -> Self {
        entry.add(body);
        Self { bytes: bytes.into(), end, entry }
    }

    /// Writes it and ends the connection. Its own errors are ignored: this is what goes wrong on purpose.
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
                    // Without a linger, closing is a reset.
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

/// Reads until the other side ends.
async fn swallow(stream: &mut TcpStream) {
    let mut buffer = [0; 1024];
    while stream.read(&mut buffer).await.is_ok_and(|count| count > 0) {}
}

/// The connection of a request, for what cannot be said in HTTP.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    raw: mpsc::Sender<Raw>,
    /// Our own end's address.
    pub(crate) local: Option<SocketAddr>,
    /// Changes, or loses its sender, when the server ends.
    pub(crate) stop: watch::Receiver<()>,
}

impl Connection {
    /// A handle, and where the connection learns that it is to be taken from the server.
    pub(crate) fn new(local: Option<SocketAddr>, stop: watch::Receiver<()>) -> (Self, mpsc::Receiver<Raw>) {
        let (raw, taken) = mpsc::channel(1);
        (Self { raw, local, stop }, taken)
    }

    /// Takes the connection from the server, which drops the request: this never returns.
    pub(crate) async fn take(&self, raw: Raw) -> Response {
        // A connection that is gone drops this future too.
        let _ = self.raw.send(raw).await;
        std::future::pending().await
    }
}
