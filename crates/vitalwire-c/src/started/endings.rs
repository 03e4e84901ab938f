//! Queue of calls that have ended. Completions run on a library thread, or on the program's thread in `vitalwire_client_dispatch`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vitalwire::blocking::{self, Started, aside};
use vitalwire::per_process::PerProcess;

use super::bell::{Bell, vitalwire_descriptor};
use super::going::Going;

/// The queues of a client: one for each process that uses it.
#[derive(Clone, Default)]
pub(crate) struct Endings(Arc<PerProcess<Arc<Ended>>>);

impl Endings {
    /// Returns the queue of this process.
    pub(crate) fn here(&self) -> Arc<Ended> {
        let Ok(here) = self.0.get(|| Ok::<_, Infallible>(Arc::default()));
        Arc::clone(here)
    }
}

/// Calls that have ended and whose completions have not run.
#[derive(Default)]
pub(crate) struct Ended(Mutex<State>);

#[derive(Default)]
struct State {
    calls: VecDeque<Arc<Going>>,
    run_by: RunBy,
}

/// The side that runs completions.
enum RunBy {
    /// A thread of the library. `waiting` keeps the library's threads alive until the completions have run.
    Library { running: bool, waiting: VecDeque<Started> },
    /// The program, with a descriptor if it asked for one.
    Program(Option<Announced>),
    /// Neither: the program dispatched, and has freed the client.
    Nobody,
}

/// A descriptor and its notification state.
struct Announced {
    bell: Bell,
    said: Said,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    /// A notification is scheduled.
    Soon,
    Rung,
}

impl Default for RunBy {
    fn default() -> Self {
        Self::Library { running: false, waiting: VecDeque::new() }
    }
}

impl Ended {
    /// Queues a call that has ended.
    pub(crate) async fn push(self: &Arc<Self>, call: Arc<Going>, started: Started) {
        let mut started = Some(started);
        if self.keep(call, &mut started) {
            // Calls that end at about the same time share one notification, because each one wakes the program.
            blocking::after_others().await;
            self.lock().announce();
        }
    }

    /// Queues a call for the side that runs its completion. Returns whether the program must be notified.
    fn keep(self: &Arc<Self>, call: Arc<Going>, started: &mut Option<Started>) -> bool {
        let mut state = self.lock();
        // Under the lock: a waiter that wakes up finds the call in the queue.
        call.tell();
        let State { calls, run_by } = &mut *state;
        match run_by {
            RunBy::Nobody => {
                drop(state);
                call.forget();
                false
            }
            RunBy::Program(announced) => {
                calls.push_back(call);
                announced.as_mut().is_some_and(Announced::soon)
            }
            RunBy::Library { running, waiting } if call.has_completion() => {
                calls.push_back(call);
                waiting.extend(started.take());
                if !*running {
                    let here = Arc::clone(self);
                    // If no thread can be started, the next call that ends runs both completions.
                    *running = aside(move || here.run()).is_ok();
                }
                false
            }
            RunBy::Library { .. } => false,
        }
    }

    /// Runs completions on a library thread until the queue is empty or the program takes over.
    fn run(&self) {
        loop {
            let mut state = self.lock();
            let State { calls, run_by: RunBy::Library { running, waiting } } = &mut *state else { return };
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
        let left = state.take_over();
        if let RunBy::Program(Some(announced)) = &mut state.run_by {
            announced.take_back();
        }
        let calls = mem::take(&mut state.calls);
        drop(state);
        drop(left);
        for call in &calls {
            call.complete();
        }
        calls.len()
    }

    pub(crate) fn descriptor(&self) -> io::Result<vitalwire_descriptor> {
        let mut state = self.lock();
        let left = state.take_over();
        let RunBy::Program(announced) = &mut state.run_by else { return Err(io::ErrorKind::Other.into()) };
        let descriptor = match announced {
            Some(announced) => announced.bell.descriptor(),
            None => {
                let new = Announced { bell: Bell::new()?, said: Said::Soon };
                let descriptor = announced.insert(new).bell.descriptor();
                state.announce();
                descriptor
            }
        };
        drop(state);
        drop(left);
        Ok(descriptor)
    }

    /// Closes the queue of a freed client. Completions for dispatch never run; those of library threads continue.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        if matches!(state.run_by, RunBy::Library { .. }) {
            return;
        }
        let (left, calls) = (mem::replace(&mut state.run_by, RunBy::Nobody), mem::take(&mut state.calls));
        drop(state);
        // Both run destructors of the caller, which must not run under the lock.
        drop(left);
        for call in calls {
            call.forget();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Notifies the program, unless the calls were dispatched in the meantime.
    fn announce(&mut self) {
        let State { calls, run_by: RunBy::Program(Some(announced)) } = self else { return };
        announced.said = if calls.is_empty() {
            Said::Nothing
        } else {
            announced.bell.ring();
            Said::Rung
        };
    }

    /// Hands completions over to the program. Returns the guards that kept library threads alive.
    fn take_over(&mut self) -> VecDeque<Started> {
        match &mut self.run_by {
            RunBy::Program(_) | RunBy::Nobody => VecDeque::new(),
            RunBy::Library { waiting, .. } => {
                let waiting = mem::take(waiting);
                self.run_by = RunBy::Program(None);
                waiting
            }
        }
    }
}

impl Announced {
    /// Schedules a notification. Returns false if one is scheduled or was sent.
    fn soon(&mut self) -> bool {
        let silent = self.said == Said::Nothing;
        if silent {
            self.said = Said::Soon;
        }
        silent
    }

    /// Withdraws the notification, because the queue is about to be emptied.
    fn take_back(&mut self) {
        if self.said == Said::Rung {
            self.bell.quiet();
            self.said = Said::Nothing;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use vitalwire::blocking::Starting;
    use vitalwire::client::CancelToken;

    use super::*;

    /// Adds a call that ends at once.
    fn end(endings: &Arc<Ended>) {
        let token = CancelToken::new();
        let starting = Starting::new(&token).expect("it may start");
        let (going, endings) = (Arc::new(Going::new("name", token, None)), Arc::clone(endings));
        starting.start(async {}, |(), started| async move { endings.push(going, started).await });
    }

    fn said(endings: &Ended) -> Said {
        match &endings.lock().run_by {
            RunBy::Program(Some(announced)) => announced.said,
            _ => panic!("it has no descriptor"),
        }
    }

    /// Waits until `calls` calls have ended and the notification was sent.
    fn wait(endings: &Ended, calls: usize) {
        let limit = Instant::now() + Duration::from_secs(20);
        while endings.lock().calls.len() < calls || said(endings) != Said::Rung {
            assert!(Instant::now() < limit, "nothing was announced in time");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn several_ends_are_announced_once_and_dispatched_together() {
        let endings = Arc::new(Ended::default());
        endings.descriptor().expect("a descriptor");
        assert!(said(&endings) == Said::Nothing);
        for _ in 0..2 {
            for _ in 0..3 {
                end(&endings);
            }
            wait(&endings, 3);
            assert_eq!((endings.dispatch(), endings.dispatch()), (3, 0));
            assert!(said(&endings) == Said::Nothing);
        }
    }

    #[test]
    fn calls_that_had_ended_are_announced_as_soon_as_there_is_a_descriptor() {
        let endings = Arc::new(Ended::default());
        assert_eq!(endings.dispatch(), 0, "the program runs completions from here on");
        end(&endings);
        let limit = Instant::now() + Duration::from_secs(20);
        while endings.lock().calls.is_empty() && Instant::now() < limit {
            thread::sleep(Duration::from_millis(1));
        }
        endings.descriptor().expect("a descriptor");
        assert!(said(&endings) == Said::Rung);
        assert_eq!(endings.dispatch(), 1);
    }
}
