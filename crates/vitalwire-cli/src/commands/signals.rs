//! Ctrl-C, and SIGTERM where there is one.

use std::pin::pin;
use std::time::Duration;

use tokio::time::timeout;
use vitalwire::client::CancelToken;

use crate::failure::Failure;
use crate::output;

/// Exit codes of programs that a signal ended: 128 and its number.
const INTERRUPTED: u8 = 130;
#[cfg(unix)]
const TERMINATED: u8 = 143;
/// How long a command that does not come to the end by itself is waited for: it may be writing to somebody who does not read.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long calls have to say what they leave behind.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Signals listened for, from the moment this is made.
pub(crate) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn new() -> Result<Self, Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).map_err(|error| Failure::Local("signals cannot be listened for", Some(error)));
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "it can fail on unix")]
    pub(crate) fn new() -> Result<Self, Failure> {
        Ok(Self {})
    }

    /// Resolves at the first of them, with the exit code that says which.
    #[cfg(unix)]
    pub(crate) async fn wait(mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => INTERRUPTED,
            _ = self.terminate.recv() => TERMINATED,
        }
    }

    #[cfg(not(unix))]
    pub(crate) async fn wait(self) -> u8 {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without signals only the end of stdin, or of the process, ends it.
            std::future::pending::<()>().await;
        }
        INTERRUPTED
    }
}

/// Does the work unless a signal comes first. Then calls that have the token end, and say what they leave behind; anything else is dropped,
/// and with it its connections and half-written files.
pub(crate) async fn unless_interrupted<W>(work: impl FnOnce(CancelToken) -> W) -> Result<(), Failure>
where
    W: Future<Output = Result<(), Failure>>,
{
    let signals = Signals::new()?;
    let stop = CancelToken::new();
    let mut work = pin!(work(stop.clone()));
    let (tell, told) = tokio::sync::oneshot::channel();
    // A task of its own: this one may be writing, and writing blocks.
    tokio::spawn(async move {
        let code = signals.wait().await;
        // Nobody listens where the work has just ended.
        let _ = tell.send(code);
        tokio::time::sleep(PATIENCE).await;
        output::abandon();
        std::process::exit(code.into());
    });
    tokio::select! {
        outcome = &mut work => outcome,
        Ok(code) = told => {
            stop.cancel();
            match timeout(LAST_WORDS, work).await {
                Ok(Ok(())) => Ok(()),
                Ok(Err(failure)) => Err(Failure::Interrupted(code, failure.left_behind())),
                Err(_) => Err(Failure::Interrupted(code, None)),
            }
        }
    }
}
