//! Listeners for the client under test, all on loopback addresses.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, PoisonError};

use anyhow::Context;
use rustls::ServerConfig;
use socket2::{Domain, Socket, Type};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::connection_handler::ConnectionHandler;
use super::http::RequestReader;
use super::reply::ConnectionState;
use super::request_check::ConnectionInfo;
use super::tls::{self, Certificates};
use crate::case::{Port, Proxy};

#[derive(Debug)]
pub(super) struct Listeners {
    plain: SocketAddr,
    closed: SocketAddr,
    full: SocketAddr,
    tls: SocketAddr,
    self_signed: SocketAddr,
    expired: SocketAddr,
    wrong_host: SocketAddr,
    outdated: SocketAddr,
    proxy: SocketAddr,
    rejecting_proxy: SocketAddr,
    failing_proxy: SocketAddr,
    /// Sockets that keep ports reserved.
    _reserved: Vec<Socket>,
}

impl Listeners {
    pub(super) async fn open(handler: &ConnectionHandler, certificates: &Certificates) -> anyhow::Result<Self> {
        let (full, mut sockets) = bind_full().context("binding a port with a full backlog")?;
        let (closed, socket) = bind_closed().context("binding a port without a listener")?;
        sockets.push(socket);
        let secure = async |config: &Arc<ServerConfig>| {
            let (handler, acceptor) = (handler.clone(), TlsAcceptor::from(Arc::clone(config)));
            listen(move |stream| {
                let (handler, acceptor) = (handler.clone(), acceptor.clone());
                async move { handler.serve(acceptor.accept(stream).await?).await }
            })
            .await
        };
        Ok(Self {
            plain: listen({
                let handler = handler.clone();
                move |stream| {
                    let handler = handler.clone();
                    async move { handler.serve(stream).await }
                }
            })
            .await?,
            closed,
            full,
            tls: secure(&certificates.valid).await?,
            self_signed: secure(&certificates.self_signed).await?,
            expired: secure(&certificates.expired).await?,
            wrong_host: secure(&certificates.wrong_host).await?,
            outdated: listen(serve_outdated_tls).await?,
            proxy: listen({
                let handler = handler.clone();
                move |stream| serve_proxy(handler.clone(), stream)
            })
            .await?,
            rejecting_proxy: listen(|stream| {
                serve_rejecting_proxy(stream, b"HTTP/1.1 407 \r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n")
            })
            .await?,
            failing_proxy: listen(|stream| serve_rejecting_proxy(stream, b"HTTP/1.1 502 \r\ncontent-length: 0\r\n\r\n")).await?,
            _reserved: sockets,
        })
    }

    /// Returns scheme, address and port of a case's port.
    pub(super) fn url(&self, port: Port) -> String {
        match port {
            Port::Plain => format!("http://{}", self.plain),
            Port::Closed => format!("http://{}", self.closed),
            Port::Full => format!("http://{}", self.full),
            Port::Tls => format!("https://{}", self.tls),
            Port::TlsSelfSigned => format!("https://{}", self.self_signed),
            Port::TlsExpired => format!("https://{}", self.expired),
            Port::TlsWrongHost => format!("https://{}", self.wrong_host),
            Port::TlsOutdated => format!("https://{}", self.outdated),
        }
    }

    /// Returns a proxy's URL.
    pub(super) fn proxy(&self, proxy: Proxy) -> String {
        let address = match proxy {
            Proxy::Opens => self.proxy,
            Proxy::Denies => self.rejecting_proxy,
            Proxy::Fails => self.failing_proxy,
        };
        format!("http://{address}")
    }
}

async fn listen<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> io::Result<SocketAddr>
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Send small responses at once, not when the kernel batches them.
            let _ = stream.set_nodelay(true);
            // Ignore connection errors: the client's outcome is judged.
            tokio::spawn(serve(stream));
        }
    });
    Ok(address)
}

/// Binds a port without listening. Connections are refused, and no other process gets the port.
fn bind_closed() -> io::Result<(SocketAddr, Socket)> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into())?;
    let address = socket.local_addr()?.as_socket().ok_or_else(|| io::Error::other("no address"))?;
    Ok((address, socket))
}

/// Fills a backlog of minimum length. Further connections are neither accepted nor refused.
fn bind_full() -> io::Result<(SocketAddr, Vec<Socket>)> {
    let listener = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    listener.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into())?;
    listener.listen(0)?;
    let address = listener.local_addr()?.as_socket().ok_or_else(|| io::Error::other("no address"))?;
    let mut sockets = vec![listener];
    for _ in 0..4 {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        // Stays pending once the backlog is full, so the result does not matter.
        let _ = socket.connect(&address.into());
        sockets.push(socket);
    }
    Ok((address, sockets))
}

async fn serve_outdated_tls(mut stream: TcpStream) -> io::Result<()> {
    let mut hello = [0; 4096];
    if stream.read(&mut hello).await? > 0 {
        stream.write_all(&tls::outdated_hello()).await?;
        // Wait for the client's reaction.
        let _ = stream.read(&mut hello).await?;
    }
    Ok(())
}

async fn serve_proxy(handler: ConnectionHandler, mut stream: TcpStream) -> io::Result<()> {
    let mut reader = RequestReader::default();
    let connection_info = ConnectionInfo::new(true);
    while let Some(request) = reader.next(&mut stream).await? {
        if request.method != "CONNECT" {
            if handler.serve_request(&mut stream, &request, connection_info).await? != ConnectionState::Open {
                break;
            }
            continue;
        }
        // Connect only to our own ports.
        let target: SocketAddr = request.target.parse().map_err(|_| io::ErrorKind::InvalidInput)?;
        if !target.ip().is_loopback() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        // Register the address before the port can see the connection.
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        handler.via_proxy.lock().unwrap_or_else(PoisonError::into_inner).insert(socket.local_addr()?);
        let mut target_stream = socket.connect(target).await?;
        stream.write_all(b"HTTP/1.1 200 \r\n\r\n").await?;
        tokio::io::copy_bidirectional(&mut stream, &mut target_stream).await?;
        break;
    }
    Ok(())
}

/// Runs a proxy that rejects every request with `response`.
async fn serve_rejecting_proxy(mut stream: TcpStream, response: &[u8]) -> io::Result<()> {
    let mut reader = RequestReader::default();
    while reader.next(&mut stream).await?.is_some() {
        stream.write_all(response).await?;
    }
    Ok(())
}
