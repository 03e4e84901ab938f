//! Reads request bodies as a whole, within a size limit and a memory budget for all bodies.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Body as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum body size.
const MAX_BODY_BYTES: usize = 11 * 1_048_576;
/// Maximum size of all bodies in memory: five of the largest. Decoding a body needs about twice its size in addition.
const MAX_TOTAL_BYTES: usize = 64 * 1_048_576;
/// Size up to which bodies need no budget. Their number is limited by the number of connections.
const SMALL: usize = 64 * 1_024;
/// Maximum bytes of a rejected body that are read and discarded, so that the client can read the error.
const DRAINED: usize = 64 * 1_048_576;

/// Reason why a body is rejected.
#[derive(Debug)]
pub(crate) enum Refusal {
    TooLarge,
    BrokenOff,
    TooSlow,
    /// The memory budget was exhausted for too long.
    NoRoom,
}

/// Memory budget of bodies in bytes. A body holds its share until its last copy is dropped.
pub(crate) struct BodyBudget(Arc<Semaphore>);

impl Default for BodyBudget {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_TOTAL_BYTES)))
    }
}

impl BodyBudget {
    /// Reads a whole body within `patience`, of which up to a third may be spent waiting for the memory budget.
    /// A waiting body is not read, so its sender waits too.
    pub(crate) async fn take(&self, mut body: Body, patience: Duration) -> Result<Bytes, Refusal> {
        let stated = body.size_hint().exact().map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        let room = match stated {
            Some(length) if length > SMALL && length <= MAX_BODY_BYTES => match self.room(length, patience / 3).await {
                Some(room) => Some(room),
                None => return drained(body, patience).await,
            },
            _ => None,
        };
        let all = read(&mut body, stated, room, || self.room(MAX_BODY_BYTES, patience / 3));
        match tokio::time::timeout(patience, all).await {
            Err(_) => Err(Refusal::TooSlow),
            Ok(Err(Refusal::NoRoom)) => drained(body, patience).await,
            Ok(read) => read,
        }
    }

    async fn room(&self, bytes: usize, patience: Duration) -> Option<OwnedSemaphorePermit> {
        let room = Arc::clone(&self.0).acquire_many_owned(u32::try_from(bytes).ok()?);
        tokio::time::timeout(patience, room).await.ok()?.ok()
    }
}

/// Reads a body to its end, or until it must be rejected. A body of unknown length requests budget with `more` once it exceeds [`SMALL`].
async fn read(
    body: &mut Body,
    stated: Option<usize>,
    mut room: Option<OwnedSemaphorePermit>,
    more: impl AsyncFnOnce() -> Option<OwnedSemaphorePermit>,
) -> Result<Bytes, Refusal> {
    let mut more = Some(more);
    let mut kept = BytesMut::with_capacity(stated.filter(|length| *length <= MAX_BODY_BYTES).unwrap_or_default());
    let mut seen = 0;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Refusal::BrokenOff)?.into_data() else { continue };
        seen += data.len();
        if seen > MAX_BODY_BYTES || stated.is_some_and(|length| length > MAX_BODY_BYTES) {
            (kept, room) = (BytesMut::new(), None);
        } else {
            if let Some(more) = more.take_if(|_| seen > SMALL && stated.is_none()) {
                room = Some(more().await.ok_or(Refusal::NoRoom)?);
            }
            kept.extend_from_slice(&data);
        }
        if seen > DRAINED {
            break;
        }
    }
    if seen > MAX_BODY_BYTES {
        return Err(Refusal::TooLarge);
    }
    let Some(mut room) = room else { return Ok(kept.freeze()) };
    // Releases the budget reserved beyond the actual length.
    drop(room.split(room.num_permits().saturating_sub(seen)));
    Ok(Bytes::from_owner(Held { bytes: kept.freeze(), _room: room }))
}

/// Reads and discards a body that got no budget.
async fn drained(mut body: Body, patience: Duration) -> Result<Bytes, Refusal> {
    let all = async {
        let mut seen = 0;
        while let Some(Ok(frame)) = body.frame().await {
            seen += frame.data_ref().map_or(0, Bytes::len);
            if seen > DRAINED {
                break;
            }
        }
    };
    // The outcome does not matter: the body is rejected anyway.
    let _ = tokio::time::timeout(patience, all).await;
    Err(Refusal::NoRoom)
}

struct Held {
    bytes: Bytes,
    _room: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(300);

    fn whole(length: usize) -> Body {
        Body::from(vec![7; length])
    }

    /// Creates a body without a declared length.
    fn in_pieces(pieces: usize, length: usize) -> Body {
        Body::from_stream(stream::iter((0..pieces).map(move |_| Ok::<_, std::io::Error>(vec![7; length]))))
    }

    #[tokio::test]
    async fn a_body_has_its_room_until_its_last_copy_is_gone() {
        let bodies = BodyBudget::default();
        let free = || bodies.0.available_permits();
        let first = bodies.take(whole(MAX_BODY_BYTES), PATIENCE).await.unwrap();
        let copy = first.slice(5..10);
        assert_eq!((first.len(), MAX_TOTAL_BYTES - free()), (MAX_BODY_BYTES, MAX_BODY_BYTES));
        drop(first);
        assert_eq!(MAX_TOTAL_BYTES - free(), MAX_BODY_BYTES);
        drop(copy);
        assert_eq!(free(), MAX_TOTAL_BYTES);
        let small = bodies.take(whole(SMALL), PATIENCE).await.unwrap();
        assert_eq!((small.len(), free()), (SMALL, MAX_TOTAL_BYTES));
        // A body of unknown length keeps only the budget it needs.
        let pieces = bodies.take(in_pieces(3, 50_000), PATIENCE).await.unwrap();
        assert_eq!((pieces.len(), MAX_TOTAL_BYTES - free()), (150_000, 150_000));
        assert!(matches!(bodies.take(in_pieces(12, 1_048_576), PATIENCE).await, Err(Refusal::TooLarge)));
        assert!(matches!(bodies.take(whole(MAX_BODY_BYTES + 1), PATIENCE).await, Err(Refusal::TooLarge)));
        assert_eq!(MAX_TOTAL_BYTES - free(), 150_000);
    }

    #[tokio::test]
    async fn without_room_the_large_wait_and_the_small_do_not() {
        let bodies = BodyBudget::default();
        let mut held = Vec::new();
        for _ in 0..MAX_TOTAL_BYTES / MAX_BODY_BYTES {
            held.push(bodies.take(whole(MAX_BODY_BYTES), PATIENCE).await.unwrap());
        }
        let begun = std::time::Instant::now();
        assert!(matches!(bodies.take(whole(MAX_BODY_BYTES), PATIENCE).await, Err(Refusal::NoRoom)));
        assert!(begun.elapsed() >= PATIENCE / 3);
        assert!(matches!(bodies.take(in_pieces(2, SMALL), PATIENCE).await, Err(Refusal::NoRoom)));
        assert!(bodies.take(whole(SMALL), PATIENCE).await.is_ok());
        let (waited, ()) = tokio::join!(bodies.take(whole(MAX_BODY_BYTES), Duration::from_secs(60)), async {
            tokio::time::sleep(PATIENCE / 3).await;
            held.clear();
        });
        assert_eq!(waited.unwrap().len(), MAX_BODY_BYTES);
    }
}
