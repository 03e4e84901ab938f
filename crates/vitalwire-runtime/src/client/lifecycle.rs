//! Connections of a client in each process, until it is closed.

use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Client;
use crate::error::Error;
use crate::operation::Interface;
use crate::per_process::PerProcess;
use crate::transport::{CancelToken, ClientState};

/// How [`Client::close`](super::Client::close) treats calls in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CloseMode {
    /// Lets calls in flight complete, with their retries and polls, and then closes their connections.
    #[default]
    Drain,
    /// Aborts calls in flight with [`ErrorKind::Closed`](crate::error::ErrorKind::Closed) and closes their connections. The error has
    /// the details of the call so far, like that of a cancelled call.
    Abort,
}

/// Creates the connections, queue and token cache, once in each process.
type CreateState = Box<dyn Fn() -> Result<ClientState, Error> + Send + Sync>;

/// State of one process.
struct ProcessState {
    state: Mutex<Option<Arc<ClientState>>>,
    /// Aborts the calls in flight.
    close_token: CancelToken,
}

/// Lifecycle of a client, shared by its clones.
pub(super) struct Lifecycle {
    create: CreateState,
    /// One entry per process: a forked child would otherwise read its parent's responses, and wait for tasks that do not exist in the
    /// child.
    processes: PerProcess<ProcessState>,
    closed: AtomicBool,
}

impl Lifecycle {
    /// Creates the state of this process at once, so that invalid settings are reported.
    pub(super) fn new(create: CreateState) -> Result<Self, Error> {
        let lifecycle = Self { create, processes: PerProcess::new(), closed: AtomicBool::new(false) };
        lifecycle.state()?;
        Ok(lifecycle)
    }

    /// Returns the state of this process.
    fn state(&self) -> Result<Arc<ClientState>, Error> {
        if self.is_closed() {
            return Err(Error::closed());
        }
        let process = self.processes.get(|| {
            let state = (self.create)()?;
            Ok::<_, Error>(ProcessState { close_token: state.close_token.clone(), state: Mutex::new(Some(Arc::new(state))) })
        })?;
        let mut state = lock(&process.state);
        // Pairs with the fence in `close`: this function or `close` sees the other's store.
        fence(Ordering::SeqCst);
        if self.is_closed() {
            *state = None;
        }
        state.clone().ok_or_else(Error::closed)
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    fn close(&self, mode: CloseMode) {
        self.closed.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let Some(process) = self.processes.existing() else { return };
        if mode == CloseMode::Abort {
            process.close_token.cancel();
        }
        let state = lock(&process.state).take();
        // Drop outside of the lock: a user's token provider may run any code in its destructor.
        drop(state);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Client {
    pub(super) fn with_state(
        interface: &'static Interface,
        create: impl Fn() -> Result<ClientState, Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        Ok(Self { lifecycle: Arc::new(Lifecycle::new(Box::new(create))?), kept_state: None, interface })
    }

    /// Closes the client and all its clones. New calls fail with [`ErrorKind::Closed`](crate::error::ErrorKind::Closed). `mode` decides
    /// about the calls in flight. Idle connections are closed.
    ///
    /// Closing again has no effect, except that [`CloseMode::Abort`] also aborts calls that an earlier [`CloseMode::Drain`] allowed to
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
    pub(crate) fn state(&self) -> Result<Arc<ClientState>, Error> {
        match &self.kept_state {
            Some(state) => Ok(Arc::clone(state)),
            None => self.lifecycle.state(),
        }
    }

    /// Returns a client for a task of several calls. Until it is dropped, [`CloseMode::Drain`] does not close its connections.
    ///
    /// # Errors
    /// `closed` if the client is already closed.
    #[doc(hidden)]
    pub fn keep_open(&self) -> Result<Self, Error> {
        Ok(Self { kept_state: Some(self.state()?), ..self.clone() })
    }
}
