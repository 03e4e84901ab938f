//! The queue of a client: limits concurrent attempts, and pauses all of them while the service has asked it to wait.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

use super::attempt::deadline;
use super::deadlines::CallClock;
use crate::error::{Error, ErrorKind};
use crate::operation::ServiceMeta;

/// The reason if the deadline of a call passed in the queue.
const QUEUED: &str = "the call's total deadline passed while it was queued for a connection: max_connections calls were on their way";
/// The reason if a service asks to wait for longer than a call may take.
const ASKED: &str = "the service asked this client to wait for longer than the call may take";

/// The queue of a client.
pub(crate) struct Queue {
    /// Attempts that may be on their way beside those that are.
    free: Semaphore,
    /// Until when a service wants to see none.
    pauses: Vec<Mutex<Option<Instant>>>,
}

/// A turn, which ends when it is dropped.
pub(super) struct Turn<'a> {
    _permit: SemaphorePermit<'a>,
    /// Whether it had to be waited for.
    pub(super) waited: bool,
}

impl Queue {
    /// For a number of attempts at a time, to a number of services.
    pub(crate) fn new(connections: usize, services: usize) -> Self {
        Self { free: Semaphore::new(connections), pauses: std::iter::repeat_with(Mutex::default).take(services).collect() }
    }

    /// Waits for a turn, until the end of the call.
    pub(super) async fn turn(&self, service: &ServiceMeta, clock: &CallClock) -> Result<Turn<'_>, Error> {
        let mut waited = false;
        loop {
            if let Some(left) = self.pause(service) {
                if left >= clock.left() {
                    return Err(Error::with_reason(ErrorKind::RateLimited, ASKED).wait(Some(left)));
                }
                tokio::time::sleep(left).await;
                clock.check().map_err(deadline)?;
                waited = true;
            }
            let permit = match self.free.try_acquire() {
                Ok(permit) => permit,
                Err(_) => {
                    waited = true;
                    match clock.within_total(self.free.acquire()).await {
                        // What holds the thread may let a turn be seen too late.
                        Ok(Ok(permit)) if clock.check().is_ok() => permit,
                        Ok(Ok(_)) | Err(_) => return Err(Error::with_reason(ErrorKind::Timeout, QUEUED)),
                        Ok(Err(_)) => return Err(Error::internal("the queue of a client was closed")),
                    }
                }
            };
            // A pause may have begun meanwhile.
            if self.pause(service).is_none() {
                return Ok(Turn { _permit: permit, waited });
            }
        }
    }

    /// Lets nothing go to a service for a while. A longer pause stays.
    pub(super) fn hold(&self, service: &ServiceMeta, time: Duration) {
        let Some(until) = Instant::now().checked_add(time) else { return };
        let Some(pause) = self.pauses.get(service.index) else { return };
        let mut pause = pause.lock().unwrap_or_else(PoisonError::into_inner);
        *pause = (*pause).max(Some(until));
    }

    /// What is left of a pause.
    fn pause(&self, service: &ServiceMeta) -> Option<Duration> {
        let until = *self.pauses.get(service.index)?.lock().unwrap_or_else(PoisonError::into_inner);
        until.map(|until| until.saturating_duration_since(Instant::now())).filter(|left| !left.is_zero())
    }
}
