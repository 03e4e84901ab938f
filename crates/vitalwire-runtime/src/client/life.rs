//! What a client has in each process, until it is closed.

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
    /// Aborts calls in flight with [`ErrorKind::Closed`](crate::error::ErrorKind::Closed) and closes their connections. The error describes
    /// the progress of the call, as a cancelled one does.
    Abort,
}

/// How a client's connections, queue and tokens are made, again in each process that uses them.
type Make = Box<dyn Fn() -> Result<Shared, Error> + Send + Sync>;

/// What one process has.
struct Here {
    shared: Mutex<Option<Arc<Shared>>>,
    /// Ends the calls on their way.
    ended: CancelToken,
}

/// The life of a client, which all its clones share.
pub(super) struct Life {
    make: Make,
    /// With its parent's, a forked child would read its parent's answers, and wait for tasks that it does not have. Empty once it is closed.
    here: PerProcess<Here>,
    closed: AtomicBool,
}

impl Life {
    /// Makes what this process needs at once, so that a mistake in the settings shows.
    pub(super) fn begin(make: Make) -> Result<Self, Error> {
        let life = Self { make, here: PerProcess::new(), closed: AtomicBool::new(false) };
        life.shared()?;
        Ok(life)
    }

    /// What this process has.
    fn shared(&self) -> Result<Arc<Shared>, Error> {
        if self.is_closed() {
            return Err(Error::closed());
        }
        let here = self.here.get(|| {
            let shared = (self.make)()?;
            Ok::<_, Error>(Here { ended: shared.ended.clone(), shared: Mutex::new(Some(Arc::new(shared))) })
        })?;
        let mut here = lock(&here.shared);
        // Of this and of who closes it meanwhile, at least one sees what the other has done.
        fence(Ordering::SeqCst);
        if self.is_closed() {
            *here = None;
        }
        here.clone().ok_or_else(Error::closed)
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    fn close(&self, closing: CloseMode) {
        self.closed.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let Some(here) = self.here.here() else { return };
        if closing == CloseMode::Abort {
            here.ended.cancel();
        }
        let shared = lock(&here.shared).take();
        // A provider of tokens may be the caller's own and do anything when it is dropped: not under the lock.
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
        Ok(Self { life: Arc::new(Life::begin(Box::new(make))?), held: None, interface })
    }

    /// Closes the client and all its clones: later calls end with [`ErrorKind::Closed`](crate::error::ErrorKind::Closed), calls on their way
    /// as `closing` says, and connections that nobody uses are closed. Doing it again does nothing more,
    /// except that [`CloseMode::Abort`] also ends calls that an earlier [`CloseMode::Finish`] let go on.
    pub fn close(&self, closing: CloseMode) {
        self.life.close(closing);
    }

    /// Whether the client was closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.life.is_closed()
    }

    /// What a call is made with.
    pub(crate) fn shared(&self) -> Result<Arc<Shared>, Error> {
        match &self.held {
            Some(shared) => Ok(Arc::clone(shared)),
            None => self.life.shared(),
        }
    }

    /// The same client for work of several calls: as long as this is there, [`CloseMode::Finish`] leaves it what it has.
    ///
    /// # Errors
    /// A client that is closed already.
    #[doc(hidden)]
    pub fn held(&self) -> Result<Self, Error> {
        Ok(Self { held: Some(self.shared()?), ..self.clone() })
    }
}
