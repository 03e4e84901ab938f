//! Connection slots.
//!
//! If all slots are taken, a new connection gets the slot of the longest idle one. Clients with unused or silent connections therefore
//! cannot keep others out. A connection in the middle of a request or a response is never closed for another.

mod answer;
mod stream;

use std::collections::BTreeMap;
use std::future::pending;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, oneshot};

pub(crate) use self::answer::Answer;
pub(crate) use self::stream::Watched;

/// Delay before an idle connection closes, in case a request has arrived but was not read yet.
const GRACE: Duration = Duration::from_millis(1);
/// Minimum idle time, so that clients connecting in bursts do not evict each other before their first or next request.
const LEAST: Duration = Duration::from_millis(100);

/// Free slots and idle connections.
pub(crate) struct Connections {
    free: Arc<Semaphore>,
    idle: Mutex<Idle>,
    /// Notified when a connection becomes idle.
    idled: Notify,
}

#[derive(Default)]
struct Idle {
    /// Counter of idle periods. Its value orders `longest_first`.
    begun: u64,
    longest_first: BTreeMap<u64, Arc<Activity>>,
}

impl Connections {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { free: Arc::new(Semaphore::new(most)), idle: Mutex::default(), idled: Notify::new() })
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a slot, first come, first served. Evicts the longest idle connection if none is free.
    pub(crate) async fn place(self: &Arc<Self>) -> Option<Place> {
        let mut free = pin!(Arc::clone(&self.free).acquire_owned());
        loop {
            let refused = async {
                let Some(refusal) = self.ask() else { return self.idled.notified().await };
                if refusal.await.is_err() {
                    // No refusal: the connection is closing.
                    pending().await
                }
            };
            tokio::select! {
                // Polled first: no connection is evicted while a slot is free.
                biased;
                free = &mut free => return Some(Place::new(Arc::clone(self), free.ok()?)),
                () = refused => {}
            }
        }
    }

    /// Evicts the longest idle connection to release its file descriptor. Waits at most `patience`.
    pub(crate) async fn make_room(&self, patience: Duration) {
        match self.ask() {
            Some(refusal) => drop(tokio::time::timeout(patience, refusal).await),
            None => tokio::time::sleep(patience).await,
        }
    }

    /// Asks the longest idle connection to close. The receiver gets a message if the connection refuses.
    fn ask(&self) -> Option<oneshot::Receiver<()>> {
        let mut idle = self.idle();
        let (_, activity) = idle.longest_first.pop_first()?;
        let more = !idle.longest_first.is_empty();
        drop(idle);
        if more {
            // Another waiter may have missed the notification for the remaining idle connections.
            self.idled.notify_one();
        }
        let (refuse, refusal) = oneshot::channel();
        if let Some(earlier) = activity.refuse().replace(refuse) {
            let _ = earlier.send(());
        }
        activity.asked.notify_one();
        Some(refusal)
    }
}

/// Slot of a connection. Dropping it frees the slot.
pub(crate) struct Place {
    activity: Arc<Activity>,
    _taken: OwnedSemaphorePermit,
}

impl Place {
    /// A new connection starts idle, until its first byte arrives.
    fn new(connections: Arc<Connections>, taken: OwnedSemaphorePermit) -> Self {
        let activity = Activity { connections, doing: Mutex::new(Doing::Answered), asked: Notify::new(), refuse: Mutex::default() };
        let activity = Arc::new(activity);
        activity.flushed();
        Self { activity, _taken: taken }
    }

    pub(crate) fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }

    /// Waits until this connection is asked to close. The caller must keep reading from it meanwhile.
    pub(crate) async fn asked(&self) {
        self.activity.asked.notified().await;
        let idle = match *self.activity.doing() {
            Doing::Idle(_, begun) => begun.elapsed(),
            Doing::Busy | Doing::Answered => LEAST,
        };
        tokio::time::sleep(GRACE.max(LEAST.saturating_sub(idle))).await;
    }

    /// Whether the connection closes as asked. It refuses if a request has arrived meanwhile.
    pub(crate) fn leaves(&self) -> bool {
        let refuse = self.activity.refuse().take();
        // A connection that became idle again is back in the list.
        let leaves = match *self.activity.doing() {
            Doing::Idle(since, _) => !self.activity.connections.idle().longest_first.contains_key(&since),
            Doing::Busy | Doing::Answered => false,
        };
        if let Some(refuse) = refuse.filter(|_| !leaves) {
            // Fails if the waiter has got another slot meanwhile.
            let _ = refuse.send(());
        }
        leaves
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.activity.busy();
    }
}

/// State of a connection, updated by its stream and its response bodies.
pub(crate) struct Activity {
    connections: Arc<Connections>,
    /// Changed only by the connection's own task.
    doing: Mutex<Doing>,
    asked: Notify,
    refuse: Mutex<Option<oneshot::Sender<()>>>,
}

#[derive(Clone, Copy)]
enum Doing {
    /// Between two requests, or before the first: number and start of the idle period.
    Idle(u64, Instant),
    /// Handling a request, from its first byte to the last part of the response body.
    Busy,
    /// The response is complete but not yet flushed to the socket.
    Answered,
}

impl Activity {
    fn doing(&self) -> MutexGuard<'_, Doing> {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refuse(&self) -> MutexGuard<'_, Option<oneshot::Sender<()>>> {
        self.refuse.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the connection as busy: bytes arrived or a request began.
    pub(crate) fn busy(&self) {
        if let Doing::Idle(since, _) = std::mem::replace(&mut *self.doing(), Doing::Busy) {
            self.connections.idle().longest_first.remove(&since);
        }
    }

    /// Marks the response as completely handed to the stream.
    fn answered(&self) {
        *self.doing() = Doing::Answered;
    }

    /// Marks the connection as idle if a complete response was flushed.
    fn flushed(self: &Arc<Self>) {
        let mut doing = self.doing();
        if !matches!(*doing, Doing::Answered) {
            return;
        }
        let mut idle = self.connections.idle();
        idle.begun += 1;
        let since = idle.begun;
        idle.longest_first.insert(since, Arc::clone(self));
        drop(idle);
        *doing = Doing::Idle(since, Instant::now());
        drop(doing);
        self.connections.idled.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(20);

    async fn place(connections: &Arc<Connections>, patience: Duration) -> Option<Place> {
        tokio::time::timeout(patience, connections.place()).await.ok().flatten()
    }

    /// Plays the task of a connection.
    async fn leave_when_asked(place: Place) {
        loop {
            place.asked().await;
            if place.leaves() {
                return;
            }
        }
    }

    #[tokio::test]
    async fn the_longest_idle_leaves_and_the_busy_stay() {
        let connections = Connections::new(3);
        let (first, second, third) =
            (connections.place().await.unwrap(), connections.place().await.unwrap(), connections.place().await.unwrap());
        first.activity().busy();
        third.activity().busy();
        third.activity().answered();
        third.activity().flushed();
        let (second, third) = (tokio::spawn(leave_when_asked(second)), tokio::spawn(leave_when_asked(third)));
        let fourth = place(&connections, LONG).await.unwrap();
        second.await.unwrap();
        assert!(!third.is_finished());
        fourth.activity().busy();
        let fifth = place(&connections, LONG).await.unwrap();
        third.await.unwrap();
        fifth.activity().busy();
        // All are busy: the next connection waits until one becomes idle or closes.
        assert!(place(&connections, SHORT).await.is_none());
        let waiting = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.place().await.unwrap() }
        });
        tokio::time::sleep(SHORT).await;
        assert!(!waiting.is_finished());
        first.activity().answered();
        first.activity().flushed();
        leave_when_asked(first).await;
        waiting.await.unwrap().activity().busy();
        drop(fourth);
        assert!(place(&connections, LONG).await.is_some());
    }

    #[tokio::test]
    async fn who_gets_work_while_being_asked_refuses_and_another_is_asked() {
        let connections = Connections::new(2);
        let (first, second) = (connections.place().await.unwrap(), connections.place().await.unwrap());
        let newcomer = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.place().await.is_some() }
        });
        first.asked().await;
        first.activity().busy();
        assert!(!first.leaves());
        leave_when_asked(second).await;
        assert!(tokio::time::timeout(LONG, newcomer).await.unwrap().unwrap());
        assert!(!first.leaves(), "it is busy");
    }

    #[tokio::test]
    async fn who_has_just_come_has_time_to_speak() {
        let connections = Connections::new(1);
        let (begun, first) = (Instant::now(), connections.place().await.unwrap());
        let newcomer = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.place().await.is_some() }
        });
        leave_when_asked(first).await;
        assert!(begun.elapsed() >= LEAST, "{:?}", begun.elapsed());
        assert!(newcomer.await.unwrap());
    }

    #[tokio::test]
    async fn nobody_is_asked_without_need() {
        let connections = Connections::new(2);
        let first = connections.place().await.unwrap();
        let _second = connections.place().await.unwrap();
        assert!(tokio::time::timeout(SHORT, first.asked()).await.is_err());
        drop(first);
        assert_eq!(connections.idle().longest_first.len(), 1);
    }
}
