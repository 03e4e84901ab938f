//! HTTP server: accept loop, limits per connection and graceful shutdown.

mod connections;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use self::connections::{ConnectionSlot, ConnectionStream, Connections};
use crate::app::Limits;
use crate::faults::ConnectionHandle;

/// Maximum size of the request line and all headers, in bytes.
const MAX_HEADER_BYTES: usize = 64 * 1024;
/// Maximum time for requests in flight at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);
/// Timeout for a client that does not read its response.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);
/// Delay before the next accept after the system ran out of a resource.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);
/// Maximum number of accepted connections that wait for a slot.
const MAX_WAITING: usize = 64;

/// Serves until `end` changes or its sender is dropped.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: Limits, mut end: watch::Receiver<()>) {
    let connections = Connections::new(limits.connections);
    let waiting_slots = Arc::new(Semaphore::new(MAX_WAITING));
    let mut tasks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = end.changed() => break,
            Some(_) = tasks.join_next(), if !tasks.is_empty() => continue,
            accepted = accept(&listener, &waiting_slots) => accepted,
        };
        let Some((stream, waiting_slot)) = accepted else {
            // Most likely the process has reached its limit of open files.
            connections.evict_idle(ACCEPT_RETRY_DELAY).await;
            continue;
        };
        let (connections, router, mut ended) = (Arc::clone(&connections), router.clone(), end.clone());
        tasks.spawn(async move {
            let slot = tokio::select! {
                _ = ended.changed() => return,
                slot = connections.acquire() => slot,
            };
            drop(waiting_slot);
            if let Some(slot) = slot {
                serve_connection(stream, router, limits.headers, &slot, ended).await;
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, async { while tasks.join_next().await.is_some() {} }).await;
    tasks.shutdown().await;
}

/// Serves one connection until it closes, the server stops, a fault takes it over, or its slot is needed while it is idle.
async fn serve_connection(stream: TcpStream, router: Router, timeout: Duration, slot: &ConnectionSlot, mut end: watch::Receiver<()>) {
    let (handle, mut raw_responses) = ConnectionHandle::new(stream.local_addr().ok(), end.clone());
    let router = TowerToHyperService::new(router);
    let service = service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(handle.clone());
        let activity = Arc::clone(slot.activity());
        activity.mark_busy();
        let response = router.call(request);
        async move { response.await.map(|response| response.map(|body| activity.track_body(body))) }
    });
    let stream = ConnectionStream::new(stream, Arc::clone(slot.activity()), WRITE_TIMEOUT);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(timeout).max_buf_size(MAX_HEADER_BYTES);
    let mut connection = builder.serve_connection(TokioIo::new(stream), service);
    let mut ending = false;
    let raw = loop {
        tokio::select! {
            biased;
            // Errors of a connection concern only its client.
            _ = &mut connection => return,
            Some(raw) = raw_responses.recv() => break raw,
            _ = end.changed(), if !ending => {
                ending = true;
                std::pin::Pin::new(&mut connection).graceful_shutdown();
            }
            () = slot.close_requested() => {
                if slot.confirm_close() {
                    return;
                }
            }
        }
    };
    let stream = connection.into_parts().io.into_inner().into_inner();
    raw.send(stream, end).await;
}

async fn accept(listener: &TcpListener, waiting_slots: &Arc<Semaphore>) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let waiting_slot = Arc::clone(waiting_slots).acquire_owned().await.ok()?;
    let (stream, _) = listener.accept().await.ok()?;
    // Responses are written in one piece, so Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    Some((stream, waiting_slot))
}

/// Returns the base URL of a socket, with the loopback address if it listens on all addresses.
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
