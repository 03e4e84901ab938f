//! Queue of calls that have ended. Completions run on a library thread, or on the program's thread in `vitalwire_client_dispatch`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vitalwire::blocking::{self, BackgroundCall};
use vitalwire::per_process::PerProcess;

use super::notifier::{Notifier, vitalwire_descriptor};
use super::pending_call::PendingCall;

/// The queues of a client: one for each process that uses the client.
#[derive(Clone, Default)]
pub(crate) struct CompletionQueues(Arc<PerProcess<Arc<CompletionQueue>>>);

impl CompletionQueues {
    /// Returns the queue of this process.
    pub(crate) fn current(&self) -> Arc<CompletionQueue> {
        let Ok(current) = self.0.get(|| Ok::<_, Infallible>(Arc::default()));
        Arc::clone(current)
    }
}

/// Calls that have ended and whose completions have not run.
#[derive(Default)]
pub(crate) struct CompletionQueue(Mutex<State>);

#[derive(Default)]
struct State {
    calls: VecDeque<Arc<PendingCall>>,
    runner: CompletionRunner,
}

/// The thread that runs completions.
enum CompletionRunner {
    /// On a library thread. `waiting` keeps the library threads alive until the completions have run.
    Library { running: bool, waiting: VecDeque<BackgroundCall> },
    /// In `vitalwire_client_dispatch`. There is a descriptor if the program requested one.
    Program(Option<Announcement>),
    /// Nowhere, because the program used `vitalwire_client_dispatch` and has freed the client.
    Closed,
}

/// A descriptor and its notification state.
struct Announcement {
    notifier: Notifier,
    state: Notification,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Notification {
    None,
    /// A notification is scheduled.
    Scheduled,
    Sent,
}

impl Default for CompletionRunner {
    fn default() -> Self {
        Self::Library { running: false, waiting: VecDeque::new() }
    }
}

impl CompletionQueue {
    /// Queues a call that has ended.
    pub(crate) async fn push(self: &Arc<Self>, call: Arc<PendingCall>, started: BackgroundCall) {
        let mut started = Some(started);
        if self.enqueue(call, &mut started) {
            // Calls that end at about the same time share one notification, because each one wakes the program.
            blocking::yield_to_ready_tasks().await;
            self.lock().send_notification();
        }
    }

    /// Queues a call, and starts a library thread if completions run there. Returns whether the program must be notified.
    fn enqueue(self: &Arc<Self>, call: Arc<PendingCall>, started: &mut Option<BackgroundCall>) -> bool {
        let mut state = self.lock();
        // Under the lock, so that a waiter that wakes up finds the call in the queue.
        call.wake_waiters();
        let State { calls, runner } = &mut *state;
        match runner {
            CompletionRunner::Closed => {
                drop(state);
                call.discard_completion();
                false
            }
            CompletionRunner::Program(announcement) => {
                calls.push_back(call);
                announcement.as_mut().is_some_and(Announcement::schedule)
            }
            CompletionRunner::Library { running, waiting } if call.has_completion() => {
                calls.push_back(call);
                waiting.extend(started.take());
                if !*running {
                    let current = Arc::clone(self);
                    // If no thread can be started, the completion runs together with that of the next call that ends.
                    *running = blocking::spawn_blocking(move || current.run()).is_ok();
                }
                false
            }
            CompletionRunner::Library { .. } => false,
        }
    }

    /// Runs completions on a library thread until the queue is empty or the program takes over.
    fn run(&self) {
        loop {
            let mut state = self.lock();
            let State { calls, runner: CompletionRunner::Library { running, waiting } } = &mut *state else { return };
            let (Some(call), started) = (calls.pop_front(), waiting.pop_front()) else {
                *running = false;
                return;
            };
            drop(state);
            call.complete();
            drop(started);
        }
    }

    pub(crate) fn dispatch(&self) -> usize {
        let mut state = self.lock();
        let guards = state.take_over();
        if let CompletionRunner::Program(Some(announcement)) = &mut state.runner {
            announcement.withdraw();
        }
        let calls = mem::take(&mut state.calls);
        drop(state);
        drop(guards);
        for call in &calls {
            call.complete();
        }
        calls.len()
    }

    pub(crate) fn descriptor(&self) -> io::Result<vitalwire_descriptor> {
        let mut state = self.lock();
        let guards = state.take_over();
        let CompletionRunner::Program(announcement) = &mut state.runner else { return Err(io::ErrorKind::Other.into()) };
        let descriptor = match announcement {
            Some(announcement) => announcement.notifier.descriptor(),
            None => {
                let new = Announcement { notifier: Notifier::new()?, state: Notification::Scheduled };
                let descriptor = announcement.insert(new).notifier.descriptor();
                state.send_notification();
                descriptor
            }
        };
        drop(state);
        drop(guards);
        Ok(descriptor)
    }

    /// Closes the queue of a freed client. Completions for `vitalwire_client_dispatch` never run; completions on library threads continue.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        if matches!(state.runner, CompletionRunner::Library { .. }) {
            return;
        }
        let (guards, calls) = (mem::replace(&mut state.runner, CompletionRunner::Closed), mem::take(&mut state.calls));
        drop(state);
        // Dropping the guards and completions runs destructors of the caller, which must not run under the lock.
        drop(guards);
        for call in calls {
            call.discard_completion();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Notifies the program, unless the calls were dispatched in the meantime.
    fn send_notification(&mut self) {
        let State { calls, runner: CompletionRunner::Program(Some(announcement)) } = self else { return };
        announcement.state = if calls.is_empty() {
            Notification::None
        } else {
            announcement.notifier.notify();
            Notification::Sent
        };
    }

    /// Leaves completions to `vitalwire_client_dispatch`. Returns the guards that kept library threads alive.
    fn take_over(&mut self) -> VecDeque<BackgroundCall> {
        match &mut self.runner {
            CompletionRunner::Program(_) | CompletionRunner::Closed => VecDeque::new(),
            CompletionRunner::Library { waiting, .. } => {
                let waiting = mem::take(waiting);
                self.runner = CompletionRunner::Program(None);
                waiting
            }
        }
    }
}

impl Announcement {
    /// Schedules a notification. Returns false if one is scheduled or was sent.
    fn schedule(&mut self) -> bool {
        let is_idle = self.state == Notification::None;
        if is_idle {
            self.state = Notification::Scheduled;
        }
        is_idle
    }

    /// Withdraws the notification, because the queue is about to be emptied.
    fn withdraw(&mut self) {
        if self.state == Notification::Sent {
            self.notifier.reset();
            self.state = Notification::None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use vitalwire::blocking::RegisteredCall;
    use vitalwire::client::CancelToken;

    use super::*;

    /// Adds a call that ends at once.
    fn end(completions: &Arc<CompletionQueue>) {
        let token = CancelToken::new();
        let starting = RegisteredCall::new(&token).expect("the call may start");
        let (pending, completions) = (Arc::new(PendingCall::new("name", token, None)), Arc::clone(completions));
        starting.start(async {}, |(), started| async move { completions.push(pending, started).await });
    }

    fn notification(completions: &CompletionQueue) -> Notification {
        match &completions.lock().runner {
            CompletionRunner::Program(Some(announcement)) => announcement.state,
            _ => panic!("the queue has no descriptor"),
        }
    }

    /// Waits until `calls` calls have ended and the notification was sent.
    fn wait(completions: &CompletionQueue, calls: usize) {
        let limit = Instant::now() + Duration::from_secs(20);
        while completions.lock().calls.len() < calls || notification(completions) != Notification::Sent {
            assert!(Instant::now() < limit, "no notification in time");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn several_ended_calls_are_announced_once_and_dispatched_together() {
        let completions = Arc::new(CompletionQueue::default());
        completions.descriptor().expect("a descriptor");
        assert!(notification(&completions) == Notification::None);
        for _ in 0..2 {
            for _ in 0..3 {
                end(&completions);
            }
            wait(&completions, 3);
            assert_eq!((completions.dispatch(), completions.dispatch()), (3, 0));
            assert!(notification(&completions) == Notification::None);
        }
    }

    #[test]
    fn earlier_calls_are_announced_when_the_descriptor_is_created() {
        let completions = Arc::new(CompletionQueue::default());
        assert_eq!(completions.dispatch(), 0, "the program runs completions from here on");
        end(&completions);
        let limit = Instant::now() + Duration::from_secs(20);
        while completions.lock().calls.is_empty() && Instant::now() < limit {
            thread::sleep(Duration::from_millis(1));
        }
        completions.descriptor().expect("a descriptor");
        assert!(notification(&completions) == Notification::Sent);
        assert_eq!(completions.dispatch(), 1);
    }
}
