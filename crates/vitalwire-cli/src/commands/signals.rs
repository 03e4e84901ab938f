//! Ctrl-C, and SIGTERM and SIGHUP on Unix.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use vitalwire::client::CancelToken;

use crate::failure::{ErrorStyle, Failure, Interruption, Signal, say};
use crate::{output, progress};

/// How long a command that calls a service may take to end: an upload is still answered for 2 s, and what was read is written.
pub(super) const GRACE: Duration = Duration::from_secs(4);
/// A command that ends within this time says nothing about its ending.
const QUIET: Duration = Duration::from_millis(300);

/// How long an end at once waits for its message to be written.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The cancel token of a command, and the hints for its last message.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    pub(crate) token: CancelToken,
    pub(crate) done: Done,
}

/// Hints that find or continue what a command has done so far. Printed where its output cannot say so.
#[derive(Clone, Default)]
pub(crate) struct Done(Arc<Mutex<Hints>>);

#[derive(Default)]
struct Hints {
    /// Hint for a request that was begun and may have taken effect.
    begun: Option<String>,
    done: Option<String>,
}

impl Done {
    /// Notes what is about to be done.
    pub(crate) fn begin(&self, hint: String) {
        self.hints().begun = Some(hint);
    }

    /// Notes what was done.
    pub(crate) fn set(&self, hint: String) {
        self.hints().done = Some(hint);
    }

    /// Notes that what was about to be done may have been done, without more that is known of it.
    pub(crate) fn keep_begun(&self) {
        let mut hints = self.hints();
        hints.done = hints.begun.clone();
    }

    pub(crate) fn get(&self) -> Option<String> {
        self.hints().done.clone()
    }

    /// The same for an end that knows no more than that.
    fn get_at_once(&self) -> Option<String> {
        let hints = self.hints();
        hints.done.clone().or_else(|| hints.begun.clone())
    }

    fn hints(&self) -> MutexGuard<'_, Hints> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Signals that are listened for, from the moment this is made.
pub(crate) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    /// `None` if hang-ups are ignored, as below `nohup`.
    #[cfg(unix)]
    hang_up: Option<tokio::signal::unix::Signal>,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn new() -> Result<Self, Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).map_err(|error| Failure::Local("signals cannot be listened for", Some(error)));
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: if ignores_hang_up() { None } else { Some(listen(SignalKind::hangup())?) },
        })
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "it can fail on unix")]
    pub(crate) fn new() -> Result<Self, Failure> {
        Ok(Self {})
    }

    /// Resolves at the next of them.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> Signal {
        let hang_up = async {
            match &mut self.hang_up {
                Some(hang_up) => hang_up.recv().await,
                None => std::future::pending().await,
            }
        };
        let signal = tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
            _ = hang_up => Signal::HangUp,
        };
        clear(signal);
        signal
    }

    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> Signal {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without signals only the end of stdin, or of the process, ends it.
            std::future::pending::<()>().await;
        }
        clear(Signal::Interrupt);
        Signal::Interrupt
    }
}

/// Makes room for what is said of a signal.
fn clear(signal: Signal) {
    if signal == Signal::Interrupt { progress::interrupt() } else { progress::hide() }
}

/// Whether whoever started the program has it ignore hang-ups.
#[cfg(target_os = "linux")]
fn ignores_hang_up() -> bool {
    // `man 5 proc`: a mask in hexadecimal digits, whose lowest bit is signal 1.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 == 1)
}

/// Elsewhere nothing tells without unsafe code. A program without a terminal is left as it was started.
#[cfg(all(unix, not(target_os = "linux")))]
fn ignores_hang_up() -> bool {
    use std::io::IsTerminal;
    !std::io::stdout().is_terminal() && !std::io::stderr().is_terminal()
}

/// Does the work. A signal cancels its calls; what the work then returns says what was done. Work that goes on longer than `grace`, and any at a
/// second signal, is ended without that: `state` is what is said of it.
pub(crate) async fn unless_interrupted<W>(
    style: ErrorStyle,
    grace: Duration,
    state: &'static str,
    work: impl FnOnce(Stop) -> W,
) -> Result<(), Failure>
where
    W: Future<Output = Result<(), Failure>>,
{
    let mut signals = Signals::new()?;
    let stop = Stop::default();
    let mut work = pin!(work(stop.clone()));
    let (tell, told) = tokio::sync::oneshot::channel();
    let done = stop.done.clone();
    // A task of its own: this one may be writing, and writing blocks.
    tokio::spawn(async move {
        let signal = signals.next().await;
        // Nobody listens if the work has just ended.
        let _ = tell.send(signal);
        tokio::select! {
            () = wait(grace) => {}
            _ = signals.next() => {}
        }
        progress::hide();
        output::abandon();
        let failure = Failure::Interrupted(Interruption::at_once(signal, state, done.get_at_once()));
        let code = failure.exit_code();
        // Nobody may read stderr either.
        let _ = tokio::time::timeout(LAST_WORDS, tokio::task::spawn_blocking(move || failure.print(style))).await;
        std::process::exit(code.into());
    });
    tokio::select! {
        outcome = &mut work => outcome,
        Ok(signal) = told => {
            stop.token.cancel();
            let outcome = work.await;
            Err(Failure::Interrupted(Interruption::new(signal, outcome, stop.done.get())))
        }
    }
}

async fn wait(grace: Duration) {
    tokio::time::sleep(QUIET.min(grace)).await;
    if grace > QUIET {
        say("ending; a second signal ends it at once");
        tokio::time::sleep(grace - QUIET).await;
    }
}
