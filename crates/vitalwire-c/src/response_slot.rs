//! Slot that receives the metadata of the last response.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vitalwire::client::ResponseMetadata;

use crate::skipped::vitalwire_skipped_items;

/// A slot, shared with the options of calls.
#[derive(Clone, Default)]
pub(crate) struct ResponseSlot(Arc<Mutex<Option<StoredMetadata>>>);

/// Metadata of a response.
#[derive(Clone)]
pub(crate) struct StoredMetadata {
    pub(crate) status: u16,
    pub(crate) attempts: u32,
    pub(crate) elapsed_ms: u64,
    pub(crate) request_id: Option<String>,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) skipped: vitalwire_skipped_items,
}

impl ResponseSlot {
    /// Empties the slot when a call begins.
    pub(crate) fn clear(&self) {
        *self.lock() = None;
    }

    pub(crate) fn store(&self, metadata: &ResponseMetadata) {
        *self.lock() = Some(StoredMetadata {
            status: metadata.status,
            attempts: metadata.attempts,
            elapsed_ms: u64::try_from(metadata.elapsed.as_millis()).unwrap_or(u64::MAX),
            request_id: metadata.request_id.clone(),
            body: metadata.body().map(|body| body.to_vec()),
            skipped: vitalwire_skipped_items(metadata.skipped().cloned().unwrap_or_default()),
        });
    }

    /// Returns a copy of the stored metadata.
    pub(crate) fn get(&self) -> Option<StoredMetadata> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<StoredMetadata>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
