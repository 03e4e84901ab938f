//! Calls that have ended, in their order, and who runs their completions: a thread of the library, or the program in its own loop.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vitalwire::blocking::{Started, aside};
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
    Program(Option<Bell>),
}

impl Default for RunBy {
    fn default() -> Self {
        Self::Library { running: false, waiting: VecDeque::new() }
    }
}

impl Ended {
    /// A call has ended.
    pub(crate) fn push(self: &Arc<Self>, call: Arc<Going>, started: Started) {
        let mut state = self.lock();
        // Under the lock: who waited for it finds it here, and who finds it here does not wait.
        call.tell();
        let State { calls, run_by } = &mut *state;
        match run_by {
            RunBy::Program(bell) => {
                if let (Some(bell), true) = (bell, calls.is_empty()) {
                    bell.ring();
                }
                calls.push_back(call);
            }
            RunBy::Library { running, waiting } if call.has_completion() => {
                calls.push_back(call);
                waiting.push_back(started);
                if !*running {
                    let here = Arc::clone(self);
                    // Where there is no thread for it, the next one that ends has both run.
                    *running = aside(move || here.run()).is_ok();
                }
            }
            RunBy::Library { .. } => {}
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
        if let RunBy::Program(Some(bell)) = &state.run_by {
            bell.quiet();
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
        let State { calls, run_by } = &mut *state;
        let RunBy::Program(bell) = run_by else { return Err(io::ErrorKind::Other.into()) };
        let bell = match bell {
            Some(bell) => bell,
            None => {
                let new = bell.insert(Bell::new()?);
                if !calls.is_empty() {
                    new.ring();
                }
                new
            }
        };
        let descriptor = bell.descriptor();
        drop(state);
        drop(left);
        Ok(descriptor)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The program runs completions from here on. Nobody waits for those any more that the library was to run.
    fn take_over(&mut self) -> VecDeque<Started> {
        match &mut self.run_by {
            RunBy::Program(_) => VecDeque::new(),
            RunBy::Library { waiting, .. } => {
                let waiting = mem::take(waiting);
                self.run_by = RunBy::Program(None);
                waiting
            }
        }
    }
}
