//! Response bodies whose bytes are counted for the log.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::entry::LogEntry;

/// Logs a response when its body is complete or dropped.
pub(crate) fn log_response(mut entry: LogEntry, response: Response) -> Response {
    entry.set_status(response.status());
    let (parts, body) = response.into_parts();
    let length = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let length = if entry.is_head() { Some(0) } else { length };
    Response::from_parts(parts, Body::new(LoggedBody::new(body, length, entry)))
}

/// Body that counts its bytes and detects whether it was read to the end.
struct LoggedBody {
    inner: Body,
    /// Remaining bytes of the content length. hyper does not poll the body after them.
    left: Option<u64>,
    entry: LogEntry,
}

impl LoggedBody {
    fn new(inner: Body, length: Option<u64>, entry: LogEntry) -> Self {
        let left = length.or_else(|| inner.size_hint().exact());
        Self { inner, left, entry }
    }
}

impl HttpBody for LoggedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        match &frame {
            Some(Ok(frame)) => {
                let length = frame.data_ref().map_or(0, Bytes::len);
                self.entry.add_bytes(length);
                self.left = self.left.map(|left| left.saturating_sub(length as u64));
            }
            None => self.entry.mark_complete(),
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

impl Drop for LoggedBody {
    fn drop(&mut self) {
        if self.left == Some(0) || self.inner.is_end_stream() {
            self.entry.mark_complete();
        }
    }
}
