//! Signals: Ctrl-C, and SIGTERM and SIGHUP on Unix.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use vitalwire::client::CancelToken;

use crate::failure::{ErrorStyle, Failure, Interruption, Signal, print_message, set_sent};
use crate::{output, progress};

/// Time for a command that calls a service to end. An upload in flight gets 2 seconds for its response, and data read so far is written.
pub(super) const GRACE: Duration = Duration::from_secs(4);
/// Time after a signal before a message about the shutdown is printed.
const MESSAGE_DELAY: Duration = Duration::from_millis(300);

/// Maximum time to write the last message on an immediate exit.
const LAST_MESSAGE_TIMEOUT: Duration = Duration::from_millis(500);

/// The cancel token of a command, and the hints for its last message.
#[derive(Clone, Default)]
pub(crate) struct Cancellation {
    pub(crate) token: CancelToken,
    pub(crate) effects: EffectHints,
}

/// Hints that name the effects of a command so far, or the command that continues it. Printed if the output cannot contain them.
#[derive(Clone, Default)]
pub(crate) struct EffectHints(Arc<Mutex<Hints>>);

#[derive(Default)]
struct Hints {
    /// Whether a request was sent and has ended.
    sent: bool,
    /// Hint for a request in flight that may have taken effect.
    pending: Option<String>,
    completed: Option<String>,
}

impl EffectHints {
    /// Sets the hint for the next request.
    pub(crate) fn set_pending(&self, hint: String) {
        self.hints().pending = Some(hint);
    }

    /// Sets the hint for completed work.
    pub(crate) fn set_completed(&self, hint: String) {
        self.hints().completed = Some(hint);
    }

    /// Removes the hint for completed work.
    pub(crate) fn clear_completed(&self) {
        self.hints().completed = None;
    }

    /// Keeps the hint of a request that may have taken effect and whose outcome is unknown.
    pub(crate) fn keep_pending(&self) {
        let mut hints = self.hints();
        hints.completed = hints.pending.clone();
    }

    /// Records that a request was sent and has ended.
    pub(crate) fn set_sent(&self) {
        set_sent();
        self.hints().sent = true;
    }

    fn sent(&self) -> bool {
        self.hints().sent
    }

    pub(crate) fn completed(&self) -> Option<String> {
        self.hints().completed.clone()
    }

    /// Returns the hint for an immediate exit.
    fn latest(&self) -> Option<String> {
        let hints = self.hints();
        hints.completed.clone().or_else(|| hints.pending.clone())
    }

    fn hints(&self) -> MutexGuard<'_, Hints> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Signal listeners, active from creation.
pub(crate) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    /// `None` if hang-ups are ignored, such as under `nohup`.
    #[cfg(unix)]
    hang_up: Option<tokio::signal::unix::Signal>,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn new() -> Result<Self, Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).map_err(|error| Failure::Local("signal handlers cannot be installed", Some(error)));
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
        clear_progress(signal);
        signal
    }

    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> Signal {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without signals, only the end of stdin or of the process ends the command.
            std::future::pending::<()>().await;
        }
        clear_progress(Signal::Interrupt);
        Signal::Interrupt
    }
}

/// Moves the message about a signal to a line of its own.
fn clear_progress(signal: Signal) {
    if signal == Signal::Interrupt { progress::interrupt() } else { progress::hide() }
}

/// Whether the parent process set hang-ups to be ignored.
#[cfg(target_os = "linux")]
fn ignores_hang_up() -> bool {
    // `man 5 proc`: a hexadecimal mask whose lowest bit is signal 1.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 == 1)
}

/// Assumes so if neither stdout nor stderr is a terminal: finding out needs unsafe code on these systems.
#[cfg(all(unix, not(target_os = "linux")))]
fn ignores_hang_up() -> bool {
    use std::io::IsTerminal;
    !std::io::stdout().is_terminal() && !std::io::stderr().is_terminal()
}

/// Runs the work. A signal cancels its calls, and the message describes the outcome of the work. Work that takes longer than `grace`, or
/// that a second signal interrupts, is aborted; `state` is then the message.
pub(crate) async fn run_interruptible<W>(
    style: ErrorStyle,
    grace: Duration,
    state: &'static str,
    work: impl FnOnce(Cancellation) -> W,
) -> Result<(), Failure>
where
    W: Future<Output = Result<(), Failure>>,
{
    let mut signals = Signals::new()?;
    let cancellation = Cancellation::default();
    let mut work = pin!(work(cancellation.clone()));
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let effects = cancellation.effects.clone();
    // Use a separate task: this one may be blocked while writing.
    tokio::spawn(async move {
        let signal = signals.next().await;
        // The receiver was dropped if the work has just ended.
        let _ = sender.send(signal);
        tokio::select! {
            () = wait_for_end(grace) => {}
            _ = signals.next() => {}
        }
        progress::hide();
        output::remove_temporary();
        #[cfg(feature = "tables")]
        super::cohort::end_audit();
        let failure = Failure::Interrupted(Interruption::without_outcome(signal, state, effects.latest()));
        let code = failure.exit_code();
        // Limit the wait: stderr may have no reader.
        let _ = tokio::time::timeout(LAST_MESSAGE_TIMEOUT, tokio::task::spawn_blocking(move || failure.print(style))).await;
        std::process::exit(code.into());
    });
    tokio::select! {
        outcome = &mut work => outcome,
        Ok(signal) = receiver => {
            cancellation.token.cancel();
            let outcome = work.await;
            let effects = cancellation.effects;
            Err(Failure::Interrupted(Interruption::new(signal, outcome, effects.completed(), effects.sent())))
        }
    }
}

async fn wait_for_end(grace: Duration) {
    tokio::time::sleep(MESSAGE_DELAY.min(grace)).await;
    if grace > MESSAGE_DELAY {
        print_message("ending; a second signal ends it at once");
        tokio::time::sleep(grace - MESSAGE_DELAY).await;
    }
}
