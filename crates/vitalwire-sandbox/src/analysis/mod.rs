//! What is done with uploaded contents: files are recognised by their bytes and really decoded, and a stand-in for the service's analysis
//! chooses a result that follows from the contents alone. Decoding runs beside the requests, a few at a time, and a decoder's panic is a
//! finding about the file.

pub(crate) mod dish;
pub(crate) mod document;
pub(crate) mod mime;
pub(crate) mod picture;
pub(crate) mod wording;

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

/// How the contents of a nutrition record were made. Stored under these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Mode {
    /// No upload: a meal the person ate anyway.
    Seeded,
    /// Half the duration, and the usual portion.
    Fast,
    /// An estimated portion.
    Precise,
}

/// Pictures that are decoded at the same time. With the limits of [`picture`] this bounds the memory: two times 200 MiB.
pub(crate) static PICTURES: Semaphore = Semaphore::const_new(2);
/// Documents that are read at the same time. Slots of their own: one may take long, which must not hold up the pictures.
pub(crate) static DOCUMENTS: Semaphore = Semaphore::const_new(2);

/// Runs a decoder on its own thread, once there is a slot for it; `None` if it panicked.
pub(crate) async fn beside<T: Send + 'static>(slots: &'static Semaphore, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    // Moved into the thread: a caller who goes away does not free the slot of a decoder that still runs.
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
    async fn a_panic_is_no_more_than_a_missing_result() {
        for _ in 0..5 {
            assert_eq!(
                beside(&DOCUMENTS, || if DOCUMENTS.available_permits() < 2 {
                    panic!("synthetic")
                })
                .await,
                None
            );
        }
        assert_eq!(beside(&DOCUMENTS, || 7).await, Some(7));
    }
}
