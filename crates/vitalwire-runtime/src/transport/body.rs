//! Reads a response body. The limit applies to the decompressed size, so neither a long body nor a compressed one exhausts memory.

use std::panic::resume_unwind;

use bytes::{Bytes, BytesMut};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::task;
use tokio_util::task::AbortOnDropHandle;

use super::content_coding::{self, ContentCoding};
use super::time_slice::TimeSlice;
use super::unreadable_body::UnreadableBody;

/// Maximum capacity reserved before the first byte arrives, in bytes. The `Content-Length` header is not trusted beyond it.
const MAX_RESERVE: u64 = 1 << 20;

/// Reads the body, up to `limit` bytes after decompression. Dropping the future closes the connection.
pub(super) async fn read(mut response: reqwest::Response, coding: ContentCoding, limit: u64) -> Result<Bytes, UnreadableBody> {
    // Reject an oversized body before reading it. The length of a compressed body says nothing about its decompressed size.
    let announced = response.content_length().filter(|_| coding == ContentCoding::Identity);
    if announced.is_some_and(|length| length > limit) {
        return Err(UnreadableBody::TooLarge);
    }
    let Some(first) = next(&mut response).await? else { return Ok(Bytes::new()) };
    match coding {
        ContentCoding::Identity if length(&first) > limit => Err(UnreadableBody::TooLarge),
        ContentCoding::Identity => {
            // Most bodies arrive in one chunk, which needs no copy and no task.
            let second = next(&mut response).now_or_never().transpose()?;
            if let Some(None) = second {
                return Ok(first);
            }
            in_task(Box::pin(read_rest(first, second.flatten(), response, announced.unwrap_or_default(), limit))).await
        }
        ContentCoding::Gzip => {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            in_task(Box::pin(content_coding::decompress(first, response, limit))).await
        }
        ContentCoding::Unknown => Err(UnreadableBody::UnknownCoding),
    }
}

/// Reads a body in a task of its own, unless a task polls this future. The task runs on the thread that drives the connection. Outside of a
/// task, each chunk would wake the thread that waits in `block_on`.
///
/// The future is boxed, so that it does not enlarge the futures of small calls.
async fn in_task(mut reading: BoxFuture<'static, Result<Bytes, UnreadableBody>>) -> Result<Bytes, UnreadableBody> {
    if task::try_id().is_some() {
        return reading.await;
    }
    // The whole body may have arrived already.
    if let Some(read) = reading.as_mut().now_or_never() {
        return read;
    }
    match AbortOnDropHandle::new(tokio::spawn(reading)).await {
        Ok(read) => read,
        Err(ended) => match ended.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(ended) => Err(UnreadableBody::EndedRuntime(ended)),
        },
    }
}

/// Reads the chunks after the first one. `second` is the second one, if it has arrived.
async fn read_rest(
    first: Bytes,
    second: Option<Bytes>,
    mut response: reqwest::Response,
    announced: u64,
    limit: u64,
) -> Result<Bytes, UnreadableBody> {
    let second = match second {
        Some(second) => second,
        None => match next(&mut response).await? {
            Some(second) => second,
            None => return Ok(first),
        },
    };
    let reserve = usize::try_from(announced.min(MAX_RESERVE)).unwrap_or_default();
    let mut whole = BytesMut::with_capacity(reserve.max(first.len() + second.len()));
    whole.extend_from_slice(&first);
    let (mut chunk, mut time_slice) = (second, TimeSlice::start());
    loop {
        if length(&whole) + length(&chunk) > limit {
            return Err(UnreadableBody::TooLarge);
        }
        whole.extend_from_slice(&chunk);
        time_slice.yield_if_over().await;
        match next(&mut response).await? {
            Some(following) => chunk = following,
            None => return Ok(whole.freeze()),
        }
    }
}

async fn next(response: &mut reqwest::Response) -> Result<Option<Bytes>, UnreadableBody> {
    response.chunk().await.map_err(UnreadableBody::Connection)
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
