//! Commands that a signal ended.

use std::fmt;

use vitalwire::{Error, ErrorKind};

use super::{Failure, hint};

/// A signal that asks the program to exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    #[cfg(unix)]
    Terminate,
    #[cfg(unix)]
    HangUp,
}

impl Signal {
    /// Returns 128 plus the signal's number, as shells report it.
    pub(super) fn exit_code(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            #[cfg(unix)]
            Self::Terminate => 143,
            #[cfg(unix)]
            Self::HangUp => 129,
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interrupt => "Ctrl-C (SIGINT)",
            #[cfg(unix)]
            Self::Terminate => "SIGTERM",
            #[cfg(unix)]
            Self::HangUp => "SIGHUP",
        })
    }
}

/// The interruption of a command by a signal.
#[derive(Debug)]
pub(crate) struct Interruption {
    pub(super) signal: Signal,
    /// Describes the certain and the possible effects.
    state: String,
    hint: Option<String>,
    /// The failure of the cancelled call.
    pub(super) failure: Option<Box<Failure>>,
}

impl Interruption {
    /// Creates the failure of a command that ended with this outcome after the signal. `effects` describes its earlier effects, and `sent`
    /// states whether it had sent a request before its last call.
    pub(crate) fn new(signal: Signal, outcome: Result<(), Failure>, effects: Option<String>, sent: bool) -> Self {
        match outcome {
            Ok(()) => Self { signal, state: "the command completed".to_owned(), hint: None, failure: None },
            Err(failure) => Self {
                signal,
                state: failure.error().map_or_else(|| failure.text(), |error| call_state(error, sent)),
                hint: failure.command_hint().or(effects).or_else(|| failure.hint()),
                failure: Some(Box::new(failure)),
            },
        }
    }

    /// Creates the failure of a command that is aborted without an outcome.
    pub(crate) fn without_outcome(signal: Signal, state: &str, effects: Option<String>) -> Self {
        Self { signal, state: state.to_owned(), hint: effects, failure: None }
    }

    pub(super) fn text(&self) -> String {
        format!("interrupted by {}; {}", self.signal, self.state)
    }

    pub(super) fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}

/// Describes the effect of a call before its cancellation.
fn call_state(error: &Error, sent: bool) -> String {
    if error.kind() != ErrorKind::Cancelled {
        return error.to_string();
    }
    let reads = hint::operation(error).is_some_and(|operation| operation.http_method == "GET");
    let state = if error.record_id().is_some() {
        "the record was created"
    } else if error.may_have_taken_effect() {
        "the request was sent, and it may have taken effect"
    } else if error.attempts() == 0 && !sent {
        "nothing was sent"
    } else if reads {
        "reading was stopped, nothing was changed"
    } else {
        "nothing was changed"
    };
    state.to_owned()
}
