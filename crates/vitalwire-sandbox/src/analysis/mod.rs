//! Mock analysis of uploads. File types are detected by content and files are decoded. The result depends only on the content.
//!
//! Decoding runs on separate threads, a few at a time. A panic of a decoder is reported as an error in the file.

pub(crate) mod description;
pub(crate) mod dish;
pub(crate) mod document;
pub(crate) mod mime;
pub(crate) mod picture;

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

/// Origin of a nutrition record's contents. Stored under these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum AnalysisMode {
    /// Seeded, not uploaded.
    Seeded,
    /// Takes half the duration and returns the usual portion.
    Fast,
    /// Estimates the portion.
    Precise,
}

/// Slots for decoding pictures. With the limits of [`picture`], memory is limited to twice 200 MiB.
pub(crate) static PICTURES: Semaphore = Semaphore::const_new(2);
/// Slots for reading documents, separate so that slow documents do not delay pictures.
pub(crate) static DOCUMENTS: Semaphore = Semaphore::const_new(2);

/// Runs a decoder on a blocking thread when a slot is free. Returns `None` if it panicked.
pub(crate) async fn run_blocking<T: Send + 'static>(slots: &'static Semaphore, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    // Moved into the thread, so that the slot stays taken while the decoder runs, even if the caller is dropped.
    let slot = slots.acquire().await;
    let task = tokio::task::spawn_blocking(move || {
        let _slot = slot;
        work()
    });
    task.await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_returns_none_and_frees_the_slot() {
        for _ in 0..5 {
            assert_eq!(
                run_blocking(&DOCUMENTS, || if DOCUMENTS.available_permits() < 2 {
                    panic!("synthetic")
                })
                .await,
                None
            );
        }
        assert_eq!(run_blocking(&DOCUMENTS, || 7).await, Some(7));
    }
}
