//! Rate limit of a client's requests: spacing, slots and adaptation.
//!
//! **Spacing.** Requests are sent at even intervals. A response with status 429 or 503 halves the rate, at most once a second. Each other
//! response raises it by 2% of the limit, up to the limit.
//!
//! **Slots.** Spacing alone does not limit the requests that arrive at the service in a second, because delays of the network and of a busy
//! machine move requests closer together. A limit of N requests per second therefore has N slots, rounded down, but at least one:
//!
//! | event | slot |
//! |---|---|
//! | an attempt is sent | takes a slot |
//! | its response head arrives | the request has arrived: the slot is released after one period |
//! | [`MAX_ARRIVAL_TIME`] passes without a response head | the same, because the request counts as arrived |
//! | the attempt fails, or its future is dropped | no change, because the request may still arrive |
//!
//! A period is one second, or 1/N seconds if N is below 1. Two requests that use the same slot arrive at least one period apart, so at most
//! N requests arrive in any period. The exception is a request that arrives later than [`MAX_ARRIVAL_TIME`] after it was sent.
//!
//! **Queue.** Calls wait in order. A call whose future is not polled does not hold up the calls behind it, see [`MAX_POLL_DELAY`].

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::deadlines::CallClock;
use crate::error::{Error, ErrorKind};

/// Error reason if a call would have to wait longer than its deadline.
const DEADLINE_BEFORE_REQUEST: &str = "the call's total deadline ends before the rate limit allows its request";

/// Factor on the time between requests. Delays vary, so requests at exactly the limit would often wait for a slot.
const SPACING_FACTOR: f64 = 1.02;

/// Minimum rate, as a fraction of the limit.
const MIN_FRACTION: f64 = 0.02;

/// Time after which a request is assumed to have arrived at the service.
const MAX_ARRIVAL_TIME: Duration = Duration::from_millis(250);

/// Time after which a call that does not use its turn loses its place in the queue. Its future is not polled, or the machine is busy.
const MAX_POLL_DELAY: Duration = Duration::from_millis(50);

/// Maximum delay of a request that later requests make up for, so that timers that fire late do not reduce the rate.
const MAX_CATCH_UP: Duration = Duration::from_millis(50);

/// Rate limit that adapts to the status of responses.
pub(crate) struct RequestRate {
    /// Maximum number of requests per second.
    limit: f64,
    /// Maximum number of requests that arrive in a period.
    slots: usize,
    period: Duration,
    state: Mutex<State>,
    /// Wakes the first call in the queue if a slot will be released earlier than expected.
    slot_changed: Notify,
}

struct State {
    /// Current number of requests per second.
    rate: f64,
    /// Earliest time of the next request. `None` before the first request.
    next: Option<Instant>,
    /// Time at which a response last halved the rate.
    reduced: Option<Instant>,
    /// Slots that are not released yet.
    taken: BTreeSet<TakenSlot>,
    /// Calls that wait, in order.
    queue: VecDeque<WaitingCall>,
    last_id: u64,
}

/// A slot that a request has taken. Ordered by release.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TakenSlot {
    released: Instant,
    id: u64,
}

struct WaitingCall {
    id: u64,
    /// Time at which its timer fires.
    wake: Instant,
}

/// The outcome of a call's turn.
enum Turn {
    Send(TakenSlot),
    Wait { wake: Instant, first: bool },
}

/// A place in the queue. Dropping it gives up the place.
struct Place<'a> {
    rate: &'a RequestRate,
    id: u64,
}

/// The slot of an attempt.
pub(super) struct RateSlot<'a> {
    rate: &'a RequestRate,
    taken: TakenSlot,
    /// Whether the call had to wait.
    pub(super) waited: bool,
}

impl RequestRate {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the builder limits the rate to 0.001 to 1,000,000")]
    pub(crate) fn new(limit: f64) -> Self {
        let (taken, queue) = (BTreeSet::new(), VecDeque::new());
        Self {
            limit,
            slots: (limit as usize).max(1),
            period: Duration::from_secs_f64((1.0 / limit).max(1.0)),
            state: Mutex::new(State { rate: limit, next: None, reduced: None, taken, queue, last_id: 0 }),
            slot_changed: Notify::new(),
        }
    }

    /// Waits until the rate allows a request. Fails as soon as it is known that the call's deadline is earlier.
    pub(super) async fn wait(&self, clock: &CallClock) -> Result<RateSlot<'_>, Error> {
        let place = self.enter();
        let mut waited = false;
        loop {
            clock.check()?;
            match self.turn(place.id, clock)? {
                Turn::Send(taken) => return Ok(RateSlot { rate: self, taken, waited }),
                Turn::Wait { wake, first: true } => {
                    // In either case, look again.
                    let _ = timeout_at(wake, self.slot_changed.notified()).await;
                }
                Turn::Wait { wake, first: false } => sleep_until(wake).await,
            }
            waited = true;
        }
    }

    fn enter(&self) -> Place<'_> {
        let mut state = self.state();
        let id = state.next_id();
        state.queue.push_back(WaitingCall { id, wake: Instant::now() });
        Place { rate: self, id }
    }

    /// Takes a slot for a call, or decides how long it waits.
    fn turn(&self, id: u64, clock: &CallClock) -> Result<Turn, Error> {
        let now = Instant::now();
        let mut state = self.state();
        let state = &mut *state;
        while state.taken.first().is_some_and(|slot| slot.released <= now) {
            state.taken.pop_first();
        }
        let (position, planned) = state.position(id, now);
        let spacing = Duration::from_secs_f64(SPACING_FACTOR / state.rate);
        // Calls in front may be polled later in the same tick of the timer. Leave room for them.
        let in_front = spacing.saturating_mul(u32::try_from(position).unwrap_or(u32::MAX));
        let next = state.next.unwrap_or(now);
        if state.taken.len().saturating_add(position) < self.slots && next.checked_add(in_front).is_some_and(|start| start <= now) {
            let start = planned.max(next).max(now.checked_sub(MAX_CATCH_UP).unwrap_or(now)).min(now);
            state.next = start.checked_add(spacing);
            let taken = TakenSlot { released: now + MAX_ARRIVAL_TIME + self.period, id };
            state.taken.insert(taken);
            return Ok(Turn::Send(taken));
        }
        let spaced = next.max(now);
        let slot = state.taken.first().filter(|_| state.taken.len() >= self.slots).map(|slot| slot.released);
        // A response may release the slot earlier.
        let earliest = slot.and_then(|slot| slot.checked_sub(MAX_ARRIVAL_TIME)).map_or(spaced, |slot| slot.max(spaced));
        if earliest.saturating_duration_since(now).saturating_add(in_front) >= clock.remaining() {
            return Err(Error::with_reason(ErrorKind::Timeout, DEADLINE_BEFORE_REQUEST));
        }
        // Only the first call is woken if the slot is released earlier. The others look again in time.
        let wake = match slot {
            Some(slot) if position == 0 => slot.max(spaced),
            _ => earliest.checked_add(in_front).unwrap_or(earliest),
        };
        if let Some(call) = state.queue.get_mut(position) {
            call.wake = wake;
        }
        Ok(Turn::Wait { wake: clock.earlier_of(wake), first: position == 0 })
    }

    /// Adjusts the rate to the status of a response.
    pub(super) fn record_status(&self, status: u16) {
        let mut state = self.state();
        if !matches!(status, 429 | 503) {
            state.rate = (state.rate + 0.02 * self.limit).min(self.limit);
        } else if state.reduced.is_none_or(|reduced| reduced.elapsed() >= Duration::from_secs(1)) {
            state.rate = (state.rate / 2.0).max(self.limit * MIN_FRACTION);
            state.reduced = Some(Instant::now());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next_id(&mut self) -> u64 {
        self.last_id = self.last_id.wrapping_add(1);
        self.last_id
    }

    /// Returns the position of a call in the queue, and the time at which its timer was to fire. Calls in front that did not use their
    /// turn lose their place. If such a call returns, it is the first again.
    fn position(&mut self, id: u64, now: Instant) -> (usize, Instant) {
        let is_late = |call: &WaitingCall| call.id != id && now.saturating_duration_since(call.wake) > MAX_POLL_DELAY;
        while self.queue.front().is_some_and(is_late) {
            self.queue.pop_front();
        }
        match self.queue.iter().enumerate().find(|(_, call)| call.id == id) {
            Some((position, call)) => (position, call.wake),
            None => {
                self.queue.push_front(WaitingCall { id, wake: now });
                (0, now)
            }
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.rate.state().queue.retain(|call| call.id != self.id);
    }
}

impl RateSlot<'_> {
    /// Records that the request has arrived at the service, because its response head has.
    pub(super) fn record_arrival(&mut self) {
        let released = Instant::now() + self.rate.period;
        if released < self.taken.released {
            let mut state = self.rate.state();
            // A slot that was released already belongs to another request.
            if state.taken.remove(&self.taken) {
                self.taken.released = released;
                state.taken.insert(self.taken);
                drop(state);
                self.rate.slot_changed.notify_one();
            }
        }
    }
}

#[cfg(test)]
mod tests;
