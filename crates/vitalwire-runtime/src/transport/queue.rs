//! The request queue of a client. It limits concurrent attempts, and holds them back during a pause of the service.

use tokio::sync::{Semaphore, SemaphorePermit};

use super::deadlines::CallClock;
use super::pause::{Pass, ServicePause};
use crate::error::{Error, ErrorKind};
use crate::operation::ServiceMeta;

/// Error reason if the deadline of a call passed in the queue.
const QUEUED: &str = "the call's total deadline passed while it was queued for a connection: max_connections calls were on their way";

/// Limits the concurrent attempts of a client.
pub(crate) struct Queue {
    /// One permit per attempt that may be in flight.
    free: Semaphore,
    /// The pause of each service, in the order of the interface's services.
    pauses: Vec<ServicePause>,
}

/// Permission to send an attempt. Dropping it admits the next attempt.
pub(super) struct Turn<'a> {
    _permit: SemaphorePermit<'a>,
    /// The pass of the service's pause.
    pub(super) pass: Pass<'a>,
    /// Whether the call had to wait.
    pub(super) waited: bool,
}

impl Queue {
    /// Creates a queue that admits `connections` concurrent attempts, with a pause for each service.
    pub(crate) fn new(connections: usize, services: usize) -> Self {
        Self { free: Semaphore::new(connections), pauses: std::iter::repeat_with(ServicePause::new).take(services).collect() }
    }

    /// Waits for a turn, at most until the deadline of the call.
    pub(super) async fn turn(&self, service: &ServiceMeta, clock: &CallClock) -> Result<Turn<'_>, Error> {
        let pause = self.pauses.get(service.index).ok_or_else(|| Error::internal("a service without a pause"))?;
        let mut waited = false;
        loop {
            let pass = match pause.try_pass() {
                Some(pass) => pass,
                None => {
                    waited = true;
                    // Boxed to keep the future of a call small: few calls wait here.
                    Box::pin(pause.pass(clock)).await?
                }
            };
            let permit = match self.free.try_acquire() {
                Ok(permit) => permit,
                Err(_) => {
                    waited = true;
                    match clock.within_total(self.free.acquire()).await {
                        // A blocked thread may notice its permit only after the deadline.
                        Ok(Ok(permit)) if clock.check().is_ok() => permit,
                        Ok(Ok(_)) | Err(_) => return Err(Error::with_reason(ErrorKind::Timeout, QUEUED)),
                        Ok(Err(_)) => return Err(Error::internal("the queue of a client was closed")),
                    }
                }
            };
            // A pause may have begun while this call waited for its permit.
            if pass.is_current() {
                return Ok(Turn { _permit: permit, pass, waited });
            }
        }
    }
}
