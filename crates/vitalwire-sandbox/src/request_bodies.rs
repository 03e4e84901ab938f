//! Reads request bodies as a whole, within a size limit and a memory budget for all bodies.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Body as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const MAX_BODY_BYTES: usize = 11 * 1_048_576;
/// Maximum total size of bodies in memory, in bytes: five bodies of the maximum size. Decoding a body takes twice its size in addition.
const MAX_TOTAL_BYTES: usize = 64 * 1_048_576;
/// Size up to which bodies need no budget. Their number is limited by the number of connections.
const SMALL_BODY_BYTES: usize = 64 * 1_024;
/// Maximum bytes of a rejected body that are read and discarded, so that the client can read the error.
const MAX_DRAINED_BYTES: usize = 64 * 1_048_576;

/// Reason why a body is rejected.
#[derive(Debug)]
pub(crate) enum BodyError {
    TooLarge,
    Aborted,
    TooSlow,
    /// The memory budget was exhausted for too long.
    BudgetExhausted,
}

/// Memory budget of bodies in bytes. A body holds its share until its last copy is dropped.
pub(crate) struct BodyBudget(Arc<Semaphore>);

impl Default for BodyBudget {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_TOTAL_BYTES)))
    }
}

impl BodyBudget {
    /// Reads a whole body within `timeout`, of which up to a third may be spent waiting for the memory budget.
    /// A body that waits is not read, so its sender waits too.
    pub(crate) async fn read(&self, mut body: Body, timeout: Duration) -> Result<Bytes, BodyError> {
        let declared = body.size_hint().exact().map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        let permit = match declared {
            Some(length) if length > SMALL_BODY_BYTES && length <= MAX_BODY_BYTES => match self.reserve(length, timeout / 3).await {
                Some(permit) => Some(permit),
                None => return reject_and_drain(body, timeout).await,
            },
            _ => None,
        };
        let all = read_frames(&mut body, declared, permit, || self.reserve(MAX_BODY_BYTES, timeout / 3));
        match tokio::time::timeout(timeout, all).await {
            Err(_) => Err(BodyError::TooSlow),
            Ok(Err(BodyError::BudgetExhausted)) => reject_and_drain(body, timeout).await,
            Ok(read) => read,
        }
    }

    async fn reserve(&self, bytes: usize, timeout: Duration) -> Option<OwnedSemaphorePermit> {
        let permit = Arc::clone(&self.0).acquire_many_owned(u32::try_from(bytes).ok()?);
        tokio::time::timeout(timeout, permit).await.ok()?.ok()
    }
}

/// Reads a body to its end, or until it must be rejected. A body of unknown length requests budget with `reserve_more` once it
/// exceeds [`SMALL_BODY_BYTES`].
async fn read_frames(
    body: &mut Body,
    declared: Option<usize>,
    mut permit: Option<OwnedSemaphorePermit>,
    reserve_more: impl AsyncFnOnce() -> Option<OwnedSemaphorePermit>,
) -> Result<Bytes, BodyError> {
    let mut reserve_more = Some(reserve_more);
    let mut buffer = BytesMut::with_capacity(declared.filter(|length| *length <= MAX_BODY_BYTES).unwrap_or_default());
    let mut seen = 0;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| BodyError::Aborted)?.into_data() else { continue };
        seen += data.len();
        if seen > MAX_BODY_BYTES || declared.is_some_and(|length| length > MAX_BODY_BYTES) {
            (buffer, permit) = (BytesMut::new(), None);
        } else {
            if let Some(reserve_more) = reserve_more.take_if(|_| seen > SMALL_BODY_BYTES && declared.is_none()) {
                permit = Some(reserve_more().await.ok_or(BodyError::BudgetExhausted)?);
            }
            buffer.extend_from_slice(&data);
        }
        if seen > MAX_DRAINED_BYTES {
            break;
        }
    }
    if seen > MAX_BODY_BYTES {
        return Err(BodyError::TooLarge);
    }
    let Some(mut permit) = permit else { return Ok(buffer.freeze()) };
    // Releases the budget reserved beyond the actual length.
    drop(permit.split(permit.num_permits().saturating_sub(seen)));
    Ok(Bytes::from_owner(BudgetedBody { bytes: buffer.freeze(), _permit: permit }))
}

/// Reads and discards a body that got no budget.
async fn reject_and_drain(mut body: Body, timeout: Duration) -> Result<Bytes, BodyError> {
    let all = async {
        let mut seen = 0;
        while let Some(Ok(frame)) = body.frame().await {
            seen += frame.data_ref().map_or(0, Bytes::len);
            if seen > MAX_DRAINED_BYTES {
                break;
            }
        }
    };
    // The outcome does not matter: the body is rejected anyway.
    let _ = tokio::time::timeout(timeout, all).await;
    Err(BodyError::BudgetExhausted)
}

struct BudgetedBody {
    bytes: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for BudgetedBody {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests;
