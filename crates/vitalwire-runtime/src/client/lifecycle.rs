//! Connections of a client in each process, until it is closed.

use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Client;
use crate::error::Error;
use crate::operation::Interface;
use crate::per_process::PerProcess;
use crate::transport::{CancelToken, Shared};

/// How [`Client::close`](super::Client::close) treats calls in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CloseMode {
    /// Lets calls in flight complete, with their retries and polls, and then closes their connections.
    #[default]
    Finish,
    /// Aborts calls in flight with [`ErrorKind::Closed`](crate::error::ErrorKind::Closed) and closes their connections. The error has
    /// the details of the call so far, like that of a cancelled call.
    Abort,
}

/// Creates the connections, queue and token cache, once in each process.
type MakeShared = Box<dyn Fn() -> Result<Shared, Error> + Send + Sync>;

/// State of one process.
struct ProcessState {
    shared: Mutex<Option<Arc<Shared>>>,
    /// Aborts the calls in flight.
    ended: CancelToken,
}

/// Lifecycle of a client, shared by its clones.
pub(super) struct Lifecycle {
    make: MakeShared,
    /// One entry per process: a forked child would otherwise read its parent's responses, and wait for tasks that do not exist in the
    /// child.
    here: PerProcess<ProcessState>,
    closed: AtomicBool,
}

impl Lifecycle {
    /// Creates the state of this process at once, so that invalid settings are reported.
    pub(super) fn begin(make: MakeShared) -> Result<Self, Error> {
        let lifecycle = Self { make, here: PerProcess::new(), closed: AtomicBool::new(false) };
        lifecycle.shared()?;
        Ok(lifecycle)
    }

    /// Returns the state of this process.
    fn shared(&self) -> Result<Arc<Shared>, Error> {
        if self.is_closed() {
            return Err(Error::closed());
        }
        let here = self.here.get(|| {
            let shared = (self.make)()?;
            Ok::<_, Error>(ProcessState { ended: shared.ended.clone(), shared: Mutex::new(Some(Arc::new(shared))) })
        })?;
        let mut here = lock(&here.shared);
        // Pairs with the fence in `close`: this function or `close` sees the other's store.
        fence(Ordering::SeqCst);
        if self.is_closed() {
            *here = None;
        }
        here.clone().ok_or_else(Error::closed)
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    fn close(&self, mode: CloseMode) {
        self.closed.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let Some(here) = self.here.here() else { return };
        if mode == CloseMode::Abort {
            here.ended.cancel();
        }
        let shared = lock(&here.shared).take();
        // Drop outside of the lock: a user's token provider may run any code in its destructor.
        drop(shared);
    }
}

fn lock<T>(here: &Mutex<T>) -> MutexGuard<'_, T> {
    here.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Client {
    pub(super) fn begin(
        interface: &'static Interface,
        make: impl Fn() -> Result<Shared, Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        Ok(Self { lifecycle: Arc::new(Lifecycle::begin(Box::new(make))?), held: None, interface })
    }

    /// Closes the client and all its clones. New calls fail with [`ErrorKind::Closed`](crate::error::ErrorKind::Closed). `mode` decides
    /// about the calls in flight. Idle connections are closed.
    ///
    /// Closing again has no effect, except that [`CloseMode::Abort`] also aborts calls that an earlier [`CloseMode::Finish`] allowed to
    /// complete.
    pub fn close(&self, mode: CloseMode) {
        self.lifecycle.close(mode);
    }

    /// Whether the client was closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.lifecycle.is_closed()
    }

    /// Returns the state to make a call with.
    pub(crate) fn shared(&self) -> Result<Arc<Shared>, Error> {
        match &self.held {
            Some(shared) => Ok(Arc::clone(shared)),
            None => self.lifecycle.shared(),
        }
    }

    /// Returns a client for a task of several calls. Until it is dropped, [`CloseMode::Finish`] does not close its connections.
    ///
    /// # Errors
    /// `closed` if the client is already closed.
    #[doc(hidden)]
    pub fn held(&self) -> Result<Self, Error> {
        Ok(Self { held: Some(self.shared()?), ..self.clone() })
    }
}
