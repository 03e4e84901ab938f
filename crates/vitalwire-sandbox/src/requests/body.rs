//! A body that counts its bytes and knows whether it was read to its end.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::entry::LogEntry;

pub(crate) struct Counted {
    inner: Body,
    /// What is left of a length that was promised: after that nobody asks for more.
    left: Option<u64>,
    entry: LogEntry,
}

impl Counted {
    pub(crate) fn new(inner: Body, length: Option<u64>, entry: LogEntry) -> Self {
        let left = length.or_else(|| inner.size_hint().exact());
        Self { inner, left, entry }
    }
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        match &frame {
            Some(Ok(frame)) => {
                let length = frame.data_ref().map_or(0, Bytes::len);
                self.entry.add(length);
                self.left = self.left.map(|left| left.saturating_sub(length as u64));
            }
            None => self.entry.done(),
            Some(Err(_)) => {}
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if self.left == Some(0) || self.inner.is_end_stream() {
            self.entry.done();
        }
    }
}
