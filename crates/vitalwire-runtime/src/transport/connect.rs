//! The connect timeout of each call. The HTTP library has one per client only. A layer around its connector reads the timeout of the call
//! from a task-local variable.

use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio_util::task::AbortOnDropHandle;
use tower_layer::Layer;
use tower_service::Service;

use crate::error::BoxError;

tokio::task_local! {
    static CONNECT: Duration;
}

pub(super) fn with_connect_timeout<F: Future>(limit: Duration, future: F) -> impl Future<Output = F::Output> {
    CONNECT.scope(limit, future)
}

/// Limits the time to connect: name resolution, TCP, proxy and TLS together.
///
/// The HTTP library clones its connector several times per request, and cloning this one is expensive. It is therefore shared, and cloned
/// only to make a connection.
pub(crate) struct ConnectLimit<S> {
    connector: Arc<S>,
    /// Timeout for connections that the pool makes outside of any call.
    fallback: Duration,
}

impl<S> Clone for ConnectLimit<S> {
    fn clone(&self) -> Self {
        Self { connector: Arc::clone(&self.connector), fallback: self.fallback }
    }
}

impl ConnectLimit<()> {
    /// Returns the layer that adds the limit to a connector.
    pub(crate) fn layer(fallback: Duration) -> ConnectLimitLayer {
        ConnectLimitLayer { fallback }
    }
}

/// Layer that adds a [`ConnectLimit`] to a connector.
#[derive(Clone)]
pub(crate) struct ConnectLimitLayer {
    fallback: Duration,
}

impl<S> Layer<S> for ConnectLimitLayer {
    type Service = ConnectLimit<S>;

    fn layer(&self, connector: S) -> ConnectLimit<S> {
        ConnectLimit { connector: Arc::new(connector), fallback: self.fallback }
    }
}

impl<S, R> Service<R> for ConnectLimit<S>
where
    S: Service<R, Error = BoxError> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Response: Send + 'static,
    R: Send + 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, BoxError>> + Send>>;

    /// Always ready: the clone that makes the connection polls the connector itself.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, destination: R) -> Self::Future {
        let limit = CONNECT.try_with(|limit| *limit).unwrap_or(self.fallback);
        let mut connector = S::clone(&self.connector);
        Box::pin(async move {
            let connecting = async move {
                poll_fn(|context| connector.poll_ready(context)).await?;
                connector.call(destination).await
            };
            // A task runs on a thread of the runtime. The thread that polls the call may be one of the program, where a TLS handshake could
            // raise SIGPIPE.
            let connecting = AbortOnDropHandle::new(tokio::spawn(connecting));
            match tokio::time::timeout(limit, connecting).await {
                Ok(Ok(connected)) => connected,
                Ok(Err(ended)) => match ended.try_into_panic() {
                    Ok(panic) => resume_unwind(panic),
                    Err(ended) => Err(ended.into()),
                },
                Err(_) => Err(Box::new(ConnectTimedOut) as BoxError),
            }
        })
    }
}

/// Error of a connection that exceeded its timeout.
#[derive(Debug)]
pub(super) struct ConnectTimedOut;

impl fmt::Display for ConnectTimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connect deadline passed")
    }
}

impl std::error::Error for ConnectTimedOut {}
