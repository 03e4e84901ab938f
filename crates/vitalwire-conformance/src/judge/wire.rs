//! A connection to one of the judge's ports.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

/// A connection, with or without TLS.
pub(super) trait Wire: AsyncRead + AsyncWrite + Unpin + Send {
    fn tcp(&self) -> &TcpStream;

    /// Resets the connection when it is dropped.
    fn reset(&self) -> io::Result<()> {
        socket2::SockRef::from(self.tcp()).set_linger(Some(Duration::ZERO))
    }
}

impl Wire for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Wire for TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// Waits. Returns whether the client closed the connection meanwhile.
pub(super) async fn closed_within(wire: &mut impl Wire, wait: Duration) -> bool {
    let mut byte = [0];
    // Clients under test do not pipeline; treat data before the response as a closed connection.
    tokio::time::timeout(wait, wire.read(&mut byte)).await.is_ok()
}
