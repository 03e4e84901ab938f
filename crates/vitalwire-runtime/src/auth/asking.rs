//! Whose tokens are being asked for here: a call that a provider makes must not wait for the very token that it is to give.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// The caches whose providers this thread runs, the outermost first.
    static HERE: RefCell<Vec<CacheId>> = const { RefCell::new(Vec::new()) };
}

/// Tells the token caches of a process apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CacheId(u64);

impl CacheId {
    /// That of a new cache.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Whether this thread runs the cache's provider: whoever waits for its token here waits for ever.
    pub(super) fn is_asking_here(self) -> bool {
        HERE.with_borrow(|here| here.contains(&self))
    }

    /// Goes on with what the cache's provider does.
    pub(super) async fn asking<F: Future>(self, provider: F) -> F::Output {
        let mut provider = pin!(provider);
        poll_fn(|context| {
            let inner = HERE.with_borrow(|here| here.iter().copied().chain([self]).collect());
            Asking(inner).run(|| provider.as_mut().poll(context))
        })
        .await
    }
}

/// What a thread is asked for, to be carried to another.
#[derive(Clone, Debug)]
pub(super) struct Asking(Vec<CacheId>);

impl Asking {
    /// What this thread is asked for now.
    #[cfg(feature = "blocking")]
    pub(super) fn here() -> Self {
        Self(HERE.with_borrow(Clone::clone))
    }

    /// Does something for those who ask.
    pub(super) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        let _before = Before(HERE.replace(self.0));
        work()
    }
}

/// What was asked before, which holds again at the end.
struct Before(Vec<CacheId>);

impl Drop for Before {
    fn drop(&mut self) {
        HERE.set(std::mem::take(&mut self.0));
    }
}
