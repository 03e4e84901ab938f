//! The request queue of a client. It limits concurrent attempts and their rate, and holds them back during a pause of the service.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::deadlines::CallClock;
use super::pause::{PausePermit, RequestedPause, ServicePause};
use super::rate::{RateSlot, RequestRate};
use crate::error::{Error, ErrorKind};
use crate::operation::ServiceMeta;

/// Error reason if the deadline of a call passed in the queue.
const QUEUED: &str = "the call's total deadline passed while it was queued; max_connections attempts were in flight";

/// Limits the concurrent attempts of a client, and their rate.
pub(crate) struct RequestQueue {
    /// One permit per attempt that may be in flight.
    permits: Semaphore,
    /// The pause of each service, in the order of the interface's services.
    pauses: Vec<ServicePause>,
    rate: Option<RequestRate>,
}

/// Permission to send an attempt. Dropping it admits the next attempt.
pub(super) struct QueuePermit<'a> {
    _permit: SemaphorePermit<'a>,
    pub(super) pause_permit: PausePermit<'a>,
    rate_slot: Option<RateSlot<'a>>,
    /// Whether the call had to wait.
    pub(super) waited: bool,
}

impl RequestQueue {
    /// Creates a queue that admits `connections` concurrent attempts, with a pause for each service. `rate` limits the attempts per second.
    pub(crate) fn new(connections: usize, services: usize, rate: Option<f64>) -> Self {
        let pauses = std::iter::repeat_with(ServicePause::new).take(services).collect();
        Self { permits: Semaphore::new(connections), pauses, rate: rate.map(RequestRate::new) }
    }

    /// Adjusts the rate to the status of a response.
    pub(super) fn record_status(&self, status: u16) {
        if let Some(rate) = &self.rate {
            rate.record_status(status);
        }
    }

    /// Waits for a permit, at most until the deadline of the call.
    pub(super) async fn acquire(&self, service: &ServiceMeta, clock: &CallClock) -> Result<QueuePermit<'_>, Error> {
        let pause = self.pauses.get(service.index).ok_or_else(|| Error::internal("the service has no pause state"))?;
        let mut waited = false;
        loop {
            let pause_permit = match pause.try_acquire() {
                Some(permit) => permit,
                None => {
                    waited = true;
                    // Boxed to keep the future of a call small: few calls wait here.
                    Box::pin(pause.acquire(clock)).await?
                }
            };
            let permit = match self.permits.try_acquire() {
                Ok(permit) => permit,
                Err(_) => {
                    waited = true;
                    match clock.within_total(self.permits.acquire()).await {
                        // A blocked thread may notice its permit only after the deadline.
                        Ok(Ok(permit)) if clock.check().is_ok() => permit,
                        Ok(Ok(_)) | Err(_) => return Err(Error::with_reason(ErrorKind::Timeout, QUEUED)),
                        Ok(Err(_)) => return Err(Error::internal("the queue of a client was closed")),
                    }
                }
            };
            let rate_slot = match &self.rate {
                None => None,
                Some(rate) => Some(Box::pin(rate.wait(clock)).await?),
            };
            waited |= rate_slot.as_ref().is_some_and(|slot| slot.waited);
            // A pause may have begun while this call waited for its permit.
            if pause_permit.is_current() {
                return Ok(QueuePermit { _permit: permit, pause_permit, rate_slot, waited });
            }
        }
    }
}

impl QueuePermit<'_> {
    /// Records the arrival of a response head, with the pause that it asks for.
    pub(super) fn record_response(&mut self, pause: Option<Duration>) -> Option<RequestedPause> {
        if let Some(slot) = &mut self.rate_slot {
            slot.record_arrival();
        }
        self.pause_permit.record_response(pause)
    }
}
