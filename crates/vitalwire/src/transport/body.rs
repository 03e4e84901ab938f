//! Reading a body with a limit on its inflated size, so that neither a long nor a compressed one can fill the memory.

use bytes::{Bytes, BytesMut};

/// Room made before the first byte is there, at most: a header may promise anything.
const MAX_RESERVE: u64 = 1 << 20;

/// Why a body could not be read.
pub(super) enum Unread {
    TooLarge,
    Broken(reqwest::Error),
}

/// Reads the body up to `limit` bytes, inflated.
pub(super) async fn read(response: &mut reqwest::Response, limit: u64) -> Result<Bytes, Unread> {
    // Known only when nothing is inflated; then there is no need to start.
    let announced = response.content_length();
    if announced.is_some_and(|length| length > limit) {
        return Err(Unread::TooLarge);
    }
    let Some(first) = next(response).await? else { return Ok(Bytes::new()) };
    if length(&first) > limit {
        return Err(Unread::TooLarge);
    }
    // Most bodies come in one piece: no copy then.
    let Some(second) = next(response).await? else { return Ok(first) };
    let reserve = announced.unwrap_or_default().min(MAX_RESERVE);
    let mut whole = BytesMut::with_capacity(usize::try_from(reserve).unwrap_or_default().max(first.len() + second.len()));
    whole.extend_from_slice(&first);
    let mut chunk = second;
    loop {
        if length(&whole) + length(&chunk) > limit {
            return Err(Unread::TooLarge);
        }
        whole.extend_from_slice(&chunk);
        match next(response).await? {
            Some(following) => chunk = following,
            None => return Ok(whole.freeze()),
        }
    }
}

async fn next(response: &mut reqwest::Response) -> Result<Option<Bytes>, Unread> {
    response.chunk().await.map_err(Unread::Broken)
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
