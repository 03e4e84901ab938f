//! Reads a response body. The limit applies to the decompressed size, so neither a long body nor a compressed one exhausts memory.

use bytes::{Bytes, BytesMut};

use super::content_coding::{self, ContentCoding};
use super::time_slice::TimeSlice;
use super::unreadable_body::UnreadableBody;

/// Maximum capacity reserved before the first byte arrives, in bytes. The `Content-Length` header is not trusted beyond it.
const MAX_RESERVE: u64 = 1 << 20;

/// Reads the body, up to `limit` bytes after decompression.
pub(super) async fn read(response: &mut reqwest::Response, coding: ContentCoding, limit: u64) -> Result<Bytes, UnreadableBody> {
    // Reject an oversized body before reading it. The length of a compressed body says nothing about its decompressed size.
    let announced = response.content_length().filter(|_| coding == ContentCoding::Identity);
    if announced.is_some_and(|length| length > limit) {
        return Err(UnreadableBody::TooLarge);
    }
    let Some(first) = next(response).await? else { return Ok(Bytes::new()) };
    match coding {
        ContentCoding::Identity => {}
        ContentCoding::Gzip => return content_coding::decompress(first, response, usize::try_from(limit).unwrap_or(usize::MAX)).await,
        ContentCoding::Unknown => return Err(UnreadableBody::UnknownCoding),
    }
    if length(&first) > limit {
        return Err(UnreadableBody::TooLarge);
    }
    // Most bodies arrive in one chunk, which needs no copy.
    let Some(second) = next(response).await? else { return Ok(first) };
    let reserve = announced.unwrap_or_default().min(MAX_RESERVE);
    let mut whole = BytesMut::with_capacity(usize::try_from(reserve).unwrap_or_default().max(first.len() + second.len()));
    whole.extend_from_slice(&first);
    let (mut chunk, mut time_slice) = (second, TimeSlice::start());
    loop {
        if length(&whole) + length(&chunk) > limit {
            return Err(UnreadableBody::TooLarge);
        }
        whole.extend_from_slice(&chunk);
        time_slice.yield_if_over().await;
        match next(response).await? {
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
