//! A bare hyper server on its own thread that answers from memory.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Response, StatusCode, body::Incoming};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// Creates a runtime on this thread.
///
/// # Errors
/// Fails if the system cannot create an event queue.
pub fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")
}

/// Answers every request on loopback with `body` until the program ends. With `tls`, serves https.
///
/// # Errors
/// Fails if no socket or thread can be created.
pub fn start(body: Vec<u8>, tls: Option<Arc<rustls::ServerConfig>>) -> Result<SocketAddr> {
    let body = Bytes::from(body);
    start_with(Arc::new(move |_| Some(body.clone())), tls)
}

/// Returns the body for a path, if there is one.
pub type Bodies = Arc<dyn Fn(&str) -> Option<Bytes> + Send + Sync>;

/// Answers each request on loopback with the body of its path until the program ends. Other paths get a 404.
///
/// # Errors
/// Fails if no socket or thread can be created.
pub fn start_with(bodies: Bodies, tls: Option<Arc<rustls::ServerConfig>>) -> Result<SocketAddr> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = runtime()?;
    std::thread::Builder::new().name("server".to_owned()).spawn(move || {
        runtime.block_on(async move {
            let Ok(listener) = TcpListener::from_std(listener) else { return };
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                tokio::spawn(connection(stream, Arc::clone(&bodies), tls.clone()));
            }
        });
    })?;
    Ok(address)
}

async fn connection(stream: tokio::net::TcpStream, bodies: Bodies, tls: Option<Arc<rustls::ServerConfig>>) -> Result<()> {
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let body = bodies(request.uri().path());
        let status = if body.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
        let mut response = Response::new(Full::new(body.unwrap_or_default()));
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        async move { Ok::<_, Infallible>(response) }
    });
    match tls {
        None => http1::Builder::new().serve_connection(TokioIo::new(stream), service).await,
        Some(config) => {
            let stream = TlsAcceptor::from(config).accept(stream).await?;
            http1::Builder::new().serve_connection(TokioIo::new(stream), service).await
        }
    }
    .map_err(|error| anyhow!(error))
}
