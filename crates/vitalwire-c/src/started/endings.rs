//! Calls that have ended, in their order, and who runs their completions: a thread of the library, or the program in its own loop.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::mem::{self, MaybeUninit};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vitalwire::Error;
use vitalwire::blocking::{Started, aside};
use vitalwire::per_process::PerProcess;

use super::bell::{Bell, vitalwire_descriptor};
use super::going::Going;
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{attempt, catch, present};

/// Gives a descriptor that becomes readable when calls of the client have ended: for `poll`, `select`, `epoll` and their like, which must
/// neither read nor close it. From now on their completions run in vitalwire_client_dispatch. It is the same each time, and lives as long
/// as the client; a child of fork() asks for one of its own.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_descriptor(
    client: Option<&vitalwire_client>,
    out: Option<&mut MaybeUninit<vitalwire_descriptor>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let client = present(client, "client")?;
        let out = present(out, "out")?;
        out.write(client.endings.here().descriptor().map_err(|_| Error::internal("no descriptor can be made"))?);
        Ok(())
    })
}

/// Runs the completions of the client's calls that have ended by now, on this thread; waits for nothing. Returns how many calls had ended,
/// those without a completion too. It may be used without the descriptor, once in each round of a loop, and in a completion. Only
/// completions of one thread are in turn: two that dispatch run two at a time.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_dispatch(client: Option<&vitalwire_client>) -> usize {
    let Some(client) = client else { return 0 };
    catch(|| client.endings.here().dispatch()).unwrap_or(0)
}

/// Those of a client, in each process that uses it.
#[derive(Clone, Default)]
pub(crate) struct Endings(Arc<PerProcess<Arc<Ended>>>);

impl Endings {
    /// This process's.
    pub(super) fn here(&self) -> Arc<Ended> {
        let Ok(here) = self.0.get(|| Ok::<_, Infallible>(Arc::default()));
        Arc::clone(here)
    }
}

/// Calls that have ended, and whose completions are yet to run.
#[derive(Default)]
pub(super) struct Ended(Mutex<State>);

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
    pub(super) fn push(self: &Arc<Self>, call: Arc<Going>, started: Started) {
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

    fn dispatch(&self) -> usize {
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

    fn descriptor(&self) -> io::Result<vitalwire_descriptor> {
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
