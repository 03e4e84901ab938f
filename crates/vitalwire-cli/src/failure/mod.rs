//! What a command can end with instead of success, how that is printed, and the exit codes.

mod exit;
mod hint;
mod interruption;
mod no_token;
mod refusal;
mod wording;

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use vitalwire::ErrorKind;

use exit::{ANALYSIS, LOCAL, USAGE, group};
pub(crate) use exit::{exit_code, exit_codes};
pub(crate) use interruption::{Interruption, Signal};
pub(crate) use no_token::{NoToken, set_running_command};
use refusal::Refusal;

use crate::render::style::clean;

/// How a failure is printed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ErrorStyle {
    /// Whether the last line is for programs.
    pub(crate) json: bool,
    /// Whether what the service says of what it refuses is left out.
    pub(crate) no_reasons: bool,
}

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A call failed.
    Call(vitalwire::Error),
    /// The same, with what the program knows to say about it.
    Hinted(vitalwire::Error, String),
    /// A call failed because of a file: its path, and what helps if that is not what usually helps.
    Upload(vitalwire::Error, String, Option<&'static str>),
    /// A file or folder of the command line cannot be read: which, and why.
    Input(String),
    /// The configuration is wrong: where, and how.
    Settings(String),
    /// The output could not be written.
    Output(io::Error),
    /// The sandbox did not start.
    Sandbox(vitalwire_sandbox::Error),
    /// Nothing can listen at this address.
    Listen(String, io::Error),
    /// Something else on this machine: a fixed text and its cause.
    Local(&'static str, Option<io::Error>),
    /// The command line is understood and cannot be done: why, and what can.
    Usage(&'static str, &'static str),
    /// The record was shown; its analysis failed.
    Analysis,
    /// A signal ended it.
    Interrupted(Interruption),
    /// Something on this machine is in the way: what, and what helps.
    Refused(&'static str, &'static str),
    /// A file is in the way: which and why, and what helps.
    File(String, String),
    /// The command did what it was to do, and failed to show it: why, and what finds it.
    NotShown(Box<Self>, String),
}

/// A table format for a response without a table.
pub(crate) const NO_TABLE: Failure = Failure::Usage(
    "the response has no table; csv, parquet and arrow are for stats, sleep, and lists and records of nutrition and labs",
    "--format json has the whole response",
);

impl From<vitalwire::Error> for Failure {
    fn from(error: vitalwire::Error) -> Self {
        Self::Call(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<vitalwire_sandbox::Error> for Failure {
    fn from(error: vitalwire_sandbox::Error) -> Self {
        Self::Sandbox(error)
    }
}

impl Failure {
    /// Prints it on stderr, as JSON too if that is requested, and returns the exit code.
    pub(crate) fn report(&self, how: ErrorStyle) -> ExitCode {
        if self.is_broken_pipe() {
            return ExitCode::SUCCESS;
        }
        self.print(how);
        ExitCode::from(self.exit_code())
    }

    /// Prints it on stderr, as JSON too if that is requested.
    pub(crate) fn print(&self, how: ErrorStyle) {
        eprint(&self.lines(how));
    }

    /// The failure of a command that did something before; `done` finds it. The error of a call says so itself.
    pub(crate) fn after(self, done: Option<String>) -> Self {
        match (self, done) {
            (failure @ (Self::Output(_) | Self::Refused(..) | Self::File(..) | Self::Local(..)), Some(done)) => {
                Self::NotShown(Box::new(failure), done)
            }
            (failure, _) => failure,
        }
    }

    /// What is printed of it: what happened, what the service refuses and why, and what helps. Where JSON is asked for its last line is the
    /// same as an object.
    fn lines(&self, how: ErrorStyle) -> String {
        let (refusals, more) = if how.no_reasons { Default::default() } else { self.refusals() };
        let mut lines = format!("vitalwire: {}\n", self.text());
        refusals.iter().for_each(|refusal| lines.push_str(&format!("  {refusal}\n")));
        if more > 0 {
            lines.push_str(&format!("  and {more} more\n"));
        }
        if let Some(hint) = self.hint() {
            lines.push_str(&format!("hint: {hint}\n"));
        }
        if how.json {
            lines.push_str(&format!("{}\n", self.json(&refusals)));
        }
        lines
    }

    /// The same facts for programs. Of a call's error those that hold no data, beside what the service says of what it refuses: the id of a
    /// record is in the hint where it is plain.
    fn json(&self, refusals: &[Refusal]) -> Value {
        let mut told = json!({ "error": self.kind(), "text": self.text(), "hint": self.hint(), "exit_code": self.exit_code() });
        if let (Some(error), Some(members)) = (self.error(), told.as_object_mut()) {
            let facts = json!({
                "code": wording::kind(error).code(),
                "status": error.status(),
                "operation": error.operation(),
                "attempts": error.attempts(),
                "may_have_taken_effect": error.may_have_taken_effect(),
                "is_transient": error.is_transient(),
                "retry_after_ms": error.retry_after().map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
                "errors": refusals.iter().map(Refusal::json).collect::<Vec<_>>(),
            });
            members.extend(facts.as_object().cloned().unwrap_or_default());
        }
        told
    }

    /// The same with another hint, before what is known of the call besides.
    pub(crate) fn hinted(self, hint: &str) -> Self {
        match self {
            Self::Call(error) => Self::Hinted(error, hint.to_owned()),
            Self::Hinted(error, more) => Self::Hinted(error, format!("{hint} {more}")),
            other => other,
        }
    }

    /// Whether it is an upload that may have arrived, and nobody has said yet what to do about it.
    pub(crate) fn may_have_uploaded(&self) -> bool {
        matches!(self, Self::Call(error) if hint::may_have_uploaded(error))
    }

    /// The call's error, where it is one.
    pub(crate) fn error(&self) -> Option<&vitalwire::Error> {
        match self {
            Self::Call(error) | Self::Hinted(error, _) | Self::Upload(error, ..) => Some(error),
            Self::Interrupted(interruption) => interruption.failure.as_ref()?.error(),
            _ => None,
        }
    }

    /// What the service says of what it refuses, and how much more of that there is.
    fn refusals(&self) -> (Vec<Refusal>, usize) {
        self.error().map(refusal::of).unwrap_or_default()
    }

    /// The kind of a call's error, or whose fault anything else is.
    fn kind(&self) -> &'static str {
        match self {
            Self::Call(error) | Self::Hinted(error, _) | Self::Upload(error, ..) => wording::kind(error).as_str(),
            Self::Settings(_) => ErrorKind::Configuration.as_str(),
            Self::Analysis => "analysis",
            Self::Usage(..) => "usage",
            Self::Interrupted(..) => "interrupted",
            Self::Input(_) => ErrorKind::InvalidArgument.as_str(),
            Self::Output(_) | Self::Sandbox(_) | Self::Listen(..) | Self::Local(..) | Self::Refused(..) | Self::File(..) => "local",
            Self::NotShown(failure, _) => failure.kind(),
        }
    }

    /// The reader of the output went away: nothing is wrong.
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    fn text(&self) -> String {
        match self {
            // The client's texts hold no data and no token.
            Self::Call(error) | Self::Hinted(error, _) => wording::text(error),
            Self::Upload(error, path, _) => wording::text_about(error, Some(&clean(path))),
            Self::Listen(address, error) => format!("cannot listen on {}: {error}", clean(address)),
            Self::Settings(text) => format!("{}: {text}", ErrorKind::Configuration),
            Self::Input(text) => format!("{}: {}", ErrorKind::InvalidArgument, clean(text)),
            Self::Analysis => "the analysis failed".to_owned(),
            Self::Interrupted(interruption) => interruption.text(),
            Self::NotShown(failure, _) => failure.text(),
            Self::File(text, _) => text.clone(),
            Self::Output(error) => format!("the output cannot be written: {error}"),
            Self::Sandbox(vitalwire_sandbox::Error::NotLoopback(address)) => {
                format!(
                    "{address} can be reached from other machines; the sandbox listens on loopback only, because its keys follow from the seed"
                )
            }
            Self::Sandbox(error) => error.to_string(),
            Self::Local(text, None) | Self::Usage(text, _) | Self::Refused(text, _) => (*text).to_owned(),
            Self::Local(text, Some(error)) => format!("{text}: {error}"),
        }
    }

    /// What to do about it, where that is known.
    fn hint(&self) -> Option<String> {
        match self {
            Self::Upload(_, _, Some(hint)) => Some((*hint).to_owned()),
            Self::Call(error) | Self::Upload(error, ..) => hint::of(error),
            Self::Analysis => Some("the printed record has the reason, if the service gave one".to_owned()),
            Self::Hinted(_, hint) | Self::File(_, hint) | Self::NotShown(_, hint) => Some(hint.clone()),
            Self::Interrupted(interruption) => interruption.hint(),
            Self::Usage(_, hint) | Self::Refused(_, hint) => Some((*hint).to_owned()),
            _ => None,
        }
    }

    /// The hint that a command gave itself.
    fn own_hint(&self) -> Option<String> {
        match self {
            Self::Hinted(_, hint) | Self::File(_, hint) | Self::NotShown(_, hint) => Some(hint.clone()),
            _ => None,
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Call(error) | Self::Hinted(error, _) | Self::Upload(error, ..) => group(wording::kind(error).code()),
            Self::Input(_) => group(ErrorKind::InvalidArgument.code()),
            Self::Analysis => ANALYSIS,
            Self::Interrupted(interruption) => interruption.signal.exit_code(),
            Self::NotShown(failure, _) => failure.exit_code(),
            Self::Settings(_) => group(ErrorKind::Configuration.code()),
            Self::Sandbox(
                vitalwire_sandbox::Error::Address(_)
                | vitalwire_sandbox::Error::NotLoopback(_)
                | vitalwire_sandbox::Error::Clock(_)
                | vitalwire_sandbox::Error::Webhook(..),
            )
            | Self::Usage(..) => USAGE,
            Self::Output(_) | Self::Sandbox(_) | Self::Listen(..) | Self::Local(..) | Self::Refused(..) | Self::File(..) => LOCAL,
        }
    }
}

/// Prints what the command-line parser has to say: help and version are no errors.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let written = error.print();
    match (error.use_stderr(), written) {
        (true, _) => ExitCode::from(USAGE),
        (false, Err(error)) => Failure::Output(error).report(ErrorStyle::default()),
        (false, Ok(())) => ExitCode::SUCCESS,
    }
}

/// Prints a warning on stderr.
pub(crate) fn warn(text: &str) {
    eprint(&format!("vitalwire: warning: {text}\n"));
}

/// Prints a line on stderr.
pub(crate) fn say(text: &str) {
    eprint(&format!("vitalwire: {text}\n"));
}

/// Says on stderr what the answer does not show.
pub(crate) fn note(text: &str) {
    eprint(&format!("vitalwire: note: {text}\n"));
}

/// Writes to stderr; an error of that cannot be reported.
fn eprint(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_went_away_is_no_failure() {
        let gone = Failure::Output(io::ErrorKind::BrokenPipe.into());
        let full = Failure::Output(io::ErrorKind::StorageFull.into());
        assert_eq!(format!("{:?}", gone.report(ErrorStyle::default())), format!("{:?}", ExitCode::SUCCESS));
        assert!(!full.is_broken_pipe());
        assert_eq!(full.exit_code(), 1);
    }
}
