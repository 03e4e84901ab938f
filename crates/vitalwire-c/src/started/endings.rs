//! Calls that have ended, in their order, and who runs their completions: a thread of the library, or the program in its own loop.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vitalwire::blocking::{self, Started, aside};
use vitalwire::per_process::PerProcess;

use super::bell::{Bell, vitalwire_descriptor};
use super::going::Going;

/// Those of a client, in each process that uses it.
#[derive(Clone, Default)]
pub(crate) struct Endings(Arc<PerProcess<Arc<Ended>>>);

impl Endings {
    /// This process's.
    pub(crate) fn here(&self) -> Arc<Ended> {
        let Ok(here) = self.0.get(|| Ok::<_, Infallible>(Arc::default()));
        Arc::clone(here)
    }
}

/// Calls that have ended, and whose completions are yet to run.
#[derive(Default)]
pub(crate) struct Ended(Mutex<State>);

#[derive(Default)]
struct State {
    calls: VecDeque<Arc<Going>>,
    run_by: RunBy,
}

/// Who runs completions.
enum RunBy {
    /// A thread of the library, where there are any. The threads stay until that is done.
    Library { running: bool, waiting: VecDeque<Started> },
    /// The program; with a descriptor, if it asked for one.
    Program(Option<Announced>),
    /// Nobody any more: the program was to, and has freed the client.
    Nobody,
}

/// A descriptor, and whether it says that calls have ended.
struct Announced {
    bell: Bell,
    said: Said,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    /// It is about to be rung.
    Soon,
    Rung,
}

impl Default for RunBy {
    fn default() -> Self {
        Self::Library { running: false, waiting: VecDeque::new() }
    }
}

impl Ended {
    /// A call has ended.
    pub(crate) async fn push(self: &Arc<Self>, call: Arc<Going>, started: Started) {
        let mut started = Some(started);
        if self.keep(call, &mut started) {
            // Others that end meanwhile are announced with it: each ring wakes the program.
            blocking::after_others().await;
            self.lock().announce();
        }
    }

    /// Keeps a call for who runs its completion; whether the program is to be told of it.
    fn keep(self: &Arc<Self>, call: Arc<Going>, started: &mut Option<Started>) -> bool {
        let mut state = self.lock();
        // Under the lock: who waited for it finds it here, and who finds it here does not wait.
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
                    // Where there is no thread for it, the next one that ends has both run.
                    *running = aside(move || here.run()).is_ok();
                }
                false
            }
            RunBy::Library { .. } => false,
        }
    }

    /// Runs completions on a thread of the library, as long as it is its turn.
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

    /// The client is freed: what waits for a dispatch, or would later, is never run. What the library runs goes on.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        if matches!(state.run_by, RunBy::Library { .. }) {
            return;
        }
        let (left, calls) = (mem::replace(&mut state.run_by, RunBy::Nobody), mem::take(&mut state.calls));
        drop(state);
        // Both end what is the caller's own: not under the lock.
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
    /// Rings, unless the calls were dispatched meanwhile.
    fn announce(&mut self) {
        let State { calls, run_by: RunBy::Program(Some(announced)) } = self else { return };
        announced.said = if calls.is_empty() {
            Said::Nothing
        } else {
            announced.bell.ring();
            Said::Rung
        };
    }

    /// The program runs completions from here on. Nobody waits for those any more that the library was to run.
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
    /// A call has ended; whether that is to be announced.
    fn soon(&mut self) -> bool {
        let silent = self.said == Said::Nothing;
        if silent {
            self.said = Said::Soon;
        }
        silent
    }

    /// There is nothing to dispatch.
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

    /// A call that ends at once.
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

    /// Waits until as many calls have ended, and that was announced.
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
