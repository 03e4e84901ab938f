//! Connection slots.
//!
//! If all slots are taken, a new connection gets the slot of the longest idle one. Clients with unused or silent connections therefore
//! cannot block others, and neither can clients that send only a part of a request's head. After the head, a connection is not evicted
//! before the response is complete.

mod stream;

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use http_body_util::BodyExt;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, oneshot};

pub(crate) use self::stream::ConnectionStream;

/// Delay before an idle connection closes, in case a request has arrived but was not read yet.
const CLOSE_DELAY: Duration = Duration::from_millis(1);
/// Minimum idle time, so that clients connecting in bursts do not evict each other before their first or next request.
const MIN_IDLE: Duration = Duration::from_millis(100);

/// The same after the first byte of a request's head. Clients send a head at once.
const MIN_RECEIVING: Duration = Duration::from_secs(1);

/// Free slots and idle connections.
pub(crate) struct Connections {
    free: Arc<Semaphore>,
    idle: Mutex<IdleConnections>,
    /// Notified when a connection becomes idle.
    idled: Notify,
}

#[derive(Default)]
struct IdleConnections {
    /// Counter of idle periods. Its value orders `longest_first`.
    begun: u64,
    longest_first: BTreeMap<u64, Arc<ConnectionActivity>>,
}

impl Connections {
    pub(crate) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { free: Arc::new(Semaphore::new(max)), idle: Mutex::default(), idled: Notify::new() })
    }

    fn idle(&self) -> MutexGuard<'_, IdleConnections> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a slot, first come, first served. Evicts the longest idle connection if none is free.
    pub(crate) async fn acquire(self: &Arc<Self>) -> Option<ConnectionSlot> {
        let mut free = pin!(Arc::clone(&self.free).acquire_owned());
        loop {
            let no_slot = async {
                let Some(declined) = self.request_close() else { return self.idled.notified().await };
                if declined.await.is_err() {
                    // The connection is closing. If an earlier waiter gets its slot and that one's connection declines, request another.
                    self.idled.notified().await;
                }
            };
            tokio::select! {
                // Polled first: no connection is evicted while a slot is free.
                biased;
                free = &mut free => return Some(ConnectionSlot::new(Arc::clone(self), free.ok()?)),
                () = no_slot => {}
            }
        }
    }

    /// Evicts the longest idle connection to release its file descriptor. Waits at most `timeout`.
    pub(crate) async fn evict_idle(&self, timeout: Duration) {
        match self.request_close() {
            Some(declined) => drop(tokio::time::timeout(timeout, declined).await),
            None => tokio::time::sleep(timeout).await,
        }
    }

    /// Requests that the longest idle connection closes. The receiver gets a message if the connection declines.
    fn request_close(&self) -> Option<oneshot::Receiver<()>> {
        let mut idle = self.idle();
        let (_, activity) = idle.longest_first.pop_first()?;
        let more = !idle.longest_first.is_empty();
        drop(idle);
        if more {
            // Another waiter may have missed the notification for the remaining idle connections.
            self.idled.notify_one();
        }
        let (decline, declined) = oneshot::channel();
        if let Some(earlier) = activity.decline().replace(decline) {
            let _ = earlier.send(());
        }
        activity.close_request.notify_one();
        Some(declined)
    }
}

/// Slot of a connection. Dropping it frees the slot.
pub(crate) struct ConnectionSlot {
    activity: Arc<ConnectionActivity>,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionSlot {
    /// A new connection starts idle, until its first byte arrives.
    fn new(connections: Arc<Connections>, permit: OwnedSemaphorePermit) -> Self {
        let activity = ConnectionActivity {
            connections,
            state: Mutex::new(ConnectionState::Responded),
            close_request: Notify::new(),
            decline: Mutex::default(),
        };
        let activity = Arc::new(activity);
        activity.mark_flushed();
        Self { activity, _permit: permit }
    }

    pub(crate) fn activity(&self) -> &Arc<ConnectionActivity> {
        &self.activity
    }

    /// Waits for a request to close this connection. The caller must keep reading from it meanwhile.
    pub(crate) async fn close_requested(&self) {
        self.activity.close_request.notified().await;
        let left = match *self.activity.state() {
            ConnectionState::Idle { begun, is_receiving, .. } => {
                (if is_receiving { MIN_RECEIVING } else { MIN_IDLE }).saturating_sub(begun.elapsed())
            }
            ConnectionState::Busy | ConnectionState::Responded => Duration::ZERO,
        };
        tokio::time::sleep(CLOSE_DELAY.max(left)).await;
    }

    /// Confirms or declines the request to close. Returns false if an HTTP request has arrived meanwhile.
    pub(crate) fn confirm_close(&self) -> bool {
        let decline = self.activity.decline().take();
        // A connection that became idle again is back in the list.
        let closes = match *self.activity.state() {
            ConnectionState::Idle { number, .. } => !self.activity.connections.idle().longest_first.contains_key(&number),
            ConnectionState::Busy | ConnectionState::Responded => false,
        };
        if let Some(decline) = decline.filter(|_| !closes) {
            // Fails if the waiter has got another slot meanwhile.
            let _ = decline.send(());
        }
        closes
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.activity.mark_busy();
    }
}

/// State of a connection, updated by its stream and its response bodies.
pub(crate) struct ConnectionActivity {
    connections: Arc<Connections>,
    /// Changed only by the connection's own task.
    state: Mutex<ConnectionState>,
    close_request: Notify,
    decline: Mutex<Option<oneshot::Sender<()>>>,
}

#[derive(Clone, Copy)]
enum ConnectionState {
    /// Without a complete request head since the last response. The idle period starts again with the first byte of a head.
    Idle { number: u64, begun: Instant, is_receiving: bool },
    /// Handling a request, from its complete head to the last part of the response body.
    Busy,
    /// The response is complete but not yet flushed to the socket.
    Responded,
}

impl ConnectionActivity {
    fn state(&self) -> MutexGuard<'_, ConnectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn decline(&self) -> MutexGuard<'_, Option<oneshot::Sender<()>>> {
        self.decline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the connection as busy: the head of a request has arrived.
    pub(crate) fn mark_busy(&self) {
        if let ConnectionState::Idle { number, .. } = std::mem::replace(&mut *self.state(), ConnectionState::Busy) {
            self.connections.idle().longest_first.remove(&number);
        }
    }

    /// Starts the idle period of a connection again at the first byte of a head, so that it is not evicted before the others.
    fn mark_received(self: &Arc<Self>) {
        let mut state = self.state();
        if let ConnectionState::Idle { number, is_receiving: false, .. } = *state {
            self.connections.idle().longest_first.remove(&number);
            self.begin_idle(&mut state, true);
        }
    }

    /// Returns a response body that marks its response as responded when it was sent or dropped.
    pub(crate) fn track_body(self: Arc<Self>, body: Body) -> Body {
        let guard = ResponseGuard(self);
        // Errors pass unchanged: the closure only keeps the guard as long as the body.
        Body::new(body.map_err(move |error| {
            let _guard = &guard;
            error
        }))
    }

    /// Marks the response as completely handed to the stream.
    fn mark_responded(&self) {
        *self.state() = ConnectionState::Responded;
    }

    /// Marks the connection as idle if a complete response was flushed.
    fn mark_flushed(self: &Arc<Self>) {
        let mut state = self.state();
        if !matches!(*state, ConnectionState::Responded) {
            return;
        }
        self.begin_idle(&mut state, false);
    }

    fn begin_idle(self: &Arc<Self>, state: &mut ConnectionState, is_receiving: bool) {
        let mut idle = self.connections.idle();
        idle.begun += 1;
        let number = idle.begun;
        idle.longest_first.insert(number, Arc::clone(self));
        drop(idle);
        *state = ConnectionState::Idle { number, begun: Instant::now(), is_receiving };
        self.connections.idled.notify_one();
    }
}

/// Marks a response as responded when it is dropped.
struct ResponseGuard(Arc<ConnectionActivity>);

impl Drop for ResponseGuard {
    fn drop(&mut self) {
        self.0.mark_responded();
    }
}

#[cfg(test)]
mod tests;
