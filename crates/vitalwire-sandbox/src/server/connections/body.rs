//! Response body that reports when it was sent or dropped.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::ConnectionActivity;

/// A response body that updates the activity of its connection.
pub(crate) struct ActivityBody {
    body: Body,
    activity: Arc<ConnectionActivity>,
}

impl ActivityBody {
    pub(crate) fn new(body: Body, activity: Arc<ConnectionActivity>) -> Self {
        Self { body, activity }
    }
}

impl HttpBody for ActivityBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for ActivityBody {
    fn drop(&mut self) {
        self.activity.mark_responded();
    }
}
