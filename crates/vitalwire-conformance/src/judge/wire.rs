//! A connection of one of the judge's doors.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

/// A connection, plain or not.
pub(super) trait Wire: AsyncRead + AsyncWrite + Unpin + Send {
    /// The connection below.
    fn tcp(&self) -> &TcpStream;

    /// Ends the connection by a reset once it is dropped.
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

/// Waits, and says whether the other side closed the connection meanwhile.
pub(super) async fn closed_within(wire: &mut impl Wire, wait: Duration) -> bool {
    let mut byte = [0];
    // A client that speaks before it was answered is none of ours: it is treated as one that left.
    tokio::time::timeout(wait, wire.read(&mut byte)).await.is_ok()
}
