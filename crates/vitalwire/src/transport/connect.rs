//! The connect deadline of each call. The HTTP library knows one per client only, so a layer around its connector reads the
//! call's own from the task that waits for the connection.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tower_layer::Layer;
use tower_service::Service;

use crate::error::BoxError;

tokio::task_local! {
    static CONNECT: Duration;
}

/// Runs a future whose connections are to be made within `limit`.
pub(super) async fn limited<F: Future>(limit: Duration, future: F) -> F::Output {
    CONNECT.scope(limit, future).await
}

/// Bounds the time of making a connection: name, TCP, proxy and TLS together.
#[derive(Clone)]
pub(crate) struct ConnectLimit<S> {
    connector: S,
    /// For connections that the pool makes on its own, outside any call.
    fallback: Duration,
}

impl ConnectLimit<()> {
    /// The layer that puts the limit around a connector.
    pub(crate) fn layer(fallback: Duration) -> ConnectLimitLayer {
        ConnectLimitLayer { fallback }
    }
}

/// See [`ConnectLimit::layer`].
#[derive(Clone)]
pub(crate) struct ConnectLimitLayer {
    fallback: Duration,
}

impl<S> Layer<S> for ConnectLimitLayer {
    type Service = ConnectLimit<S>;

    fn layer(&self, connector: S) -> ConnectLimit<S> {
        ConnectLimit { connector, fallback: self.fallback }
    }
}

impl<S, R> Service<R> for ConnectLimit<S>
where
    S: Service<R, Error = BoxError>,
    S::Future: Send + 'static,
    S::Response: 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, destination: R) -> Self::Future {
        let limit = CONNECT.try_with(|limit| *limit).unwrap_or(self.fallback);
        let connecting = self.connector.call(destination);
        Box::pin(async move {
            match tokio::time::timeout(limit, connecting).await {
                Ok(connected) => connected,
                Err(_) => Err(Box::new(ConnectTimedOut) as BoxError),
            }
        })
    }
}

/// The connect deadline passed.
#[derive(Debug)]
pub(super) struct ConnectTimedOut;

impl fmt::Display for ConnectTimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connect deadline passed")
    }
}

impl std::error::Error for ConnectTimedOut {}
