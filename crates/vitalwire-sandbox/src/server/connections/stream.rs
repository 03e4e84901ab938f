//! Stream that reports the activity of its connection, and has a write timeout, so that a stalled client cannot hold its connection forever.
//!
//! Does not use `tokio-io-timeout`: its streams must be pinned, so a fault that takes over the connection could not get the socket back.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::ConnectionActivity;

/// A stream that updates the activity of its connection. Fails with `TimedOut` if a pending write makes no progress within the timeout.
pub(crate) struct ConnectionStream<S> {
    stream: S,
    activity: Arc<ConnectionActivity>,
    timeout: Duration,
    /// Set while a write is pending.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<S> ConnectionStream<S> {
    pub(crate) fn new(stream: S, activity: Arc<ConnectionActivity>, timeout: Duration) -> Self {
        Self { stream, activity, timeout, deadline: None }
    }

    pub(crate) fn into_inner(self) -> S {
        self.stream
    }

    fn apply_timeout<T>(&mut self, context: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.deadline = None;
            return outcome;
        }
        let timeout = self.timeout;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ConnectionStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.activity.mark_received();
        }
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ConnectionStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.apply_timeout(context, outcome)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, context: &mut Context<'_>, pieces: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.apply_timeout(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when hyper's buffers are empty.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        if matches!(outcome, Poll::Ready(Ok(()))) {
            self.activity.mark_flushed();
        }
        self.apply_timeout(context, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.apply_timeout(context, outcome)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::super::Connections;
    use super::*;

    #[tokio::test]
    async fn only_a_stalled_reader_times_out() {
        let (mut reader, stream) = tokio::io::duplex(8);
        let slot = Connections::new(1).acquire().await.unwrap();
        let mut stream = ConnectionStream::new(stream, Arc::clone(slot.activity()), Duration::from_millis(200));
        let slow = tokio::spawn(async move {
            let mut piece = [0; 8];
            for _ in 0..6 {
                tokio::time::sleep(Duration::from_millis(60)).await;
                reader.read_exact(&mut piece).await.unwrap();
            }
            reader
        });
        // Takes longer than the timeout in total.
        stream.write_all(&[7; 56]).await.unwrap();
        let _reader = slow.await.unwrap();
        let begun = std::time::Instant::now();
        let error = tokio::time::timeout(Duration::from_secs(20), stream.write_all(&[7; 56])).await.unwrap().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() >= Duration::from_millis(200));
    }
}
