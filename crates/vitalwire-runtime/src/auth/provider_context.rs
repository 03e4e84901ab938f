//! Reentrancy detection for token providers: a provider must not wait for the token that it is about to provide.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

thread_local! {
    /// Runs of providers on this thread, the outermost first.
    static CURRENT: RefCell<Vec<ProviderRun>> = const { RefCell::new(Vec::new()) };
}

/// One run of a provider. Work that the provider started may outlive the run, and may then wait for tokens like any other call.
#[derive(Clone, Debug)]
struct ProviderRun {
    cache: CacheId,
    running: Weak<()>,
}

/// Identifies a token cache within the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CacheId(u64);

impl CacheId {
    /// Creates the id of a new cache.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Whether this thread runs the provider of the cache, so that waiting for its token would never end.
    pub(super) fn is_providing(self) -> bool {
        CURRENT.with_borrow(|current| current.iter().any(|run| run.cache == self && run.running.strong_count() > 0))
    }

    /// Runs the provider of the cache.
    pub(super) async fn providing<F: Future>(self, provider: F) -> F::Output {
        let running = Arc::new(());
        let run = ProviderRun { cache: self, running: Arc::downgrade(&running) };
        let context = CURRENT.with_borrow(|current| current.iter().cloned().chain([run]).collect());
        let output = ProviderContext(context).run_async(provider).await;
        drop(running);
        output
    }
}

/// The token providers that are running in the current context. It detects a provider that waits for its own token.
///
/// The context belongs to the thread that polls the provider. If the provider starts work on other threads or tasks, pass the context on
/// with [`run`](Self::run) or [`run_async`](Self::run_async). A call that needs the provider's own token then fails at once with a
/// configuration error. Without the context, such a call waits until its timeout.
#[derive(Clone, Debug, Default)]
pub struct ProviderContext(Vec<ProviderRun>);

impl ProviderContext {
    /// Returns the context of this thread. Returns `None` outside of all providers.
    #[must_use]
    pub fn current() -> Option<Self> {
        let current = CURRENT.with_borrow(Clone::clone);
        (!current.is_empty()).then_some(Self(current))
    }

    /// Runs a function in this context.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let _previous = RestoreContext(CURRENT.replace(self.0.clone()));
        work()
    }

    /// Runs a future in this context, whichever threads poll it.
    pub async fn run_async<F: Future>(self, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|context| self.run(|| future.as_mut().poll(context))).await
    }

    /// Makes this the context of the thread and returns the previous one. For schedulers of other languages: enter the previous context
    /// when the provider leaves the thread.
    #[must_use]
    pub fn enter(&self) -> Self {
        Self(CURRENT.replace(self.0.clone()))
    }
}

/// Restores the previous context on drop.
struct RestoreContext(Vec<ProviderRun>);

impl Drop for RestoreContext {
    fn drop(&mut self) {
        CURRENT.set(std::mem::take(&mut self.0));
    }
}
