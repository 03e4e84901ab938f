//! A server on a thread of its own that answers every request with one body: hyper, nothing around it.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Response, body::Incoming};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// A runtime on this thread.
///
/// # Errors
/// Where the system gives no event queue.
pub fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")
}

/// Answers every request on loopback until the program ends; `tls` makes it https.
///
/// # Errors
/// Where no socket or thread can be had.
pub fn start(body: Vec<u8>, tls: Option<Arc<rustls::ServerConfig>>) -> Result<SocketAddr> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let body = Bytes::from(body);
    let runtime = runtime()?;
    std::thread::Builder::new().name("server".to_owned()).spawn(move || {
        runtime.block_on(async move {
            let Ok(listener) = TcpListener::from_std(listener) else { return };
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                tokio::spawn(connection(stream, body.clone(), tls.clone()));
            }
        });
    })?;
    Ok(address)
}

async fn connection(stream: tokio::net::TcpStream, body: Bytes, tls: Option<Arc<rustls::ServerConfig>>) -> Result<()> {
    let answer = service_fn(move |_: hyper::Request<Incoming>| {
        let mut response = Response::new(Full::new(body.clone()));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        async move { Ok::<_, Infallible>(response) }
    });
    match tls {
        None => http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await,
        Some(config) => {
            let stream = TlsAcceptor::from(config).accept(stream).await?;
            http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await
        }
    }
    .map_err(|error| anyhow!(error))
}
