//! Where calls leave what is known of their answers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vitalwire::client::ResponseMeta;

use crate::skipped::vitalwire_skipped_items;

/// Shared with the options of calls.
#[derive(Clone, Default)]
pub(crate) struct Place(Arc<Mutex<Option<Known>>>);

/// What stays of an answer.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) status: u16,
    pub(crate) attempts: u32,
    pub(crate) elapsed_ms: u64,
    pub(crate) request_id: Option<String>,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) skipped: vitalwire_skipped_items,
}

impl Place {
    /// A call begins, of which nothing is known yet.
    pub(crate) fn clear(&self) {
        *self.lock() = None;
    }

    /// Leaves what is known of an answer.
    pub(crate) fn leave(&self, meta: &ResponseMeta) {
        *self.lock() = Some(Known {
            status: meta.status,
            attempts: meta.attempts,
            elapsed_ms: u64::try_from(meta.elapsed.as_millis()).unwrap_or(u64::MAX),
            request_id: meta.request_id.clone(),
            body: meta.raw().map(|body| body.to_vec()),
            skipped: vitalwire_skipped_items(meta.skipped().cloned().unwrap_or_default()),
        });
    }

    /// What is there.
    pub(crate) fn known(&self) -> Option<Known> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
