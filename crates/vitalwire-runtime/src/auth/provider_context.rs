//! The token providers that run in a context: a call that a provider makes must not wait for the very token that it is to give.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

thread_local! {
    /// The providers that this thread runs, the outermost first.
    static CURRENT: RefCell<Vec<Round>> = const { RefCell::new(Vec::new()) };
}

/// One run of a cache's provider. What it started may go on after its end, and may then wait for tokens like any other call.
#[derive(Clone, Debug)]
struct Round {
    cache: CacheId,
    running: Weak<()>,
}

/// Tells the token caches of a process apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CacheId(u64);

impl CacheId {
    /// Creates the id of a new cache.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Whether this thread runs the cache's provider: waiting for its token here would never end.
    pub(super) fn is_providing(self) -> bool {
        CURRENT.with_borrow(|current| current.iter().any(|round| round.cache == self && round.running.strong_count() > 0))
    }

    /// Runs the cache's provider.
    pub(super) async fn providing<F: Future>(self, provider: F) -> F::Output {
        let running = Arc::new(());
        let round = Round { cache: self, running: Arc::downgrade(&running) };
        let context = CURRENT.with_borrow(|current| current.iter().cloned().chain([round]).collect());
        let answer = ProviderContext(context).carry(provider).await;
        drop(running);
        answer
    }
}

/// The token providers that run in a context.
///
/// It is a fact of the thread that polls a provider. What a provider starts on other threads or tasks has it only if it is carried there;
/// then a call that would wait for the provider's own token is a configuration error at once, otherwise it waits until its deadline.
#[derive(Clone, Debug, Default)]
pub struct ProviderContext(Vec<Round>);

impl ProviderContext {
    /// Returns the context of this thread. `None` outside of all providers.
    #[must_use]
    pub fn current() -> Option<Self> {
        let current = CURRENT.with_borrow(Clone::clone);
        (!current.is_empty()).then_some(Self(current))
    }

    /// Runs a function in this context.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let _previous = Previous(CURRENT.replace(self.0.clone()));
        work()
    }

    /// Runs a future in this context, whichever threads poll it.
    pub async fn carry<F: Future>(self, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|context| self.run(|| future.as_mut().poll(context))).await
    }

    /// Makes this the context of the thread, for a foreign scheduler that runs a provider on it. Returns the previous context, which the
    /// scheduler enters when the provider leaves the thread.
    #[must_use]
    pub fn enter(&self) -> Self {
        Self(CURRENT.replace(self.0.clone()))
    }
}

/// The context before, which holds again at the end.
struct Previous(Vec<Round>);

impl Drop for Previous {
    fn drop(&mut self) {
        CURRENT.set(std::mem::take(&mut self.0));
    }
}
