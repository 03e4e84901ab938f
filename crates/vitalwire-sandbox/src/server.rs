//! The socket: accepting, limits per connection, and an orderly end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// Connections at a time; more wait to be accepted.
const CONNECTIONS: usize = 256;
/// For all headers of a request, and for the next request on an idle connection.
const HEADER_PATIENCE: Duration = Duration::from_secs(20);
/// Bytes of the request line and all headers together.
const HEADER_BYTES: usize = 64 * 1024;
/// For requests under way when the end is asked for.
const END_PATIENCE: Duration = Duration::from_secs(3);
/// Between attempts to accept while the system is out of something.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until `end` changes or its sender is gone.
pub(crate) async fn serve(listener: TcpListener, router: Router, mut end: watch::Receiver<()>) {
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut tasks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = end.changed() => break,
            Some(_) = tasks.join_next(), if !tasks.is_empty() => continue,
            accepted = accept(&listener, &slots) => accepted,
        };
        let Some((stream, slot)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEADER_PATIENCE).max_buf_size(HEADER_BYTES);
        let service = TowerToHyperService::new(router.clone());
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tasks.spawn(async move {
            // What ends a connection early is the caller's affair: there is nobody to tell.
            let _ = connection.await;
            drop(slot);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(END_PATIENCE, graceful.shutdown()).await;
    tasks.shutdown().await;
}

type Slot = tokio::sync::OwnedSemaphorePermit;

async fn accept(listener: &TcpListener, slots: &Arc<Semaphore>) -> Option<(TcpStream, Slot)> {
    let slot = Arc::clone(slots).acquire_owned().await.ok()?;
    let (stream, _) = listener.accept().await.ok()?;
    // Answers are written in one piece: waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    Some((stream, slot))
}

/// The base URL of a socket. A socket on all addresses is reached by its loopback address.
pub(crate) fn base_url(mut address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        let ip = match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        };
        address.set_ip(ip);
    }
    format!("http://{address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_name_a_reachable_address() {
        let url = |text: &str| base_url(text.parse().unwrap());
        assert_eq!(url("127.0.0.1:80"), "http://127.0.0.1:80");
        assert_eq!(url("0.0.0.0:81"), "http://127.0.0.1:81");
        assert_eq!(url("[::]:82"), "http://[::1]:82");
    }
}
