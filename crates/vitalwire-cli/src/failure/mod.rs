//! Failures of commands, their output and their exit codes.

mod awaited_input;
mod exit;
mod hint;
mod interruption;
mod missing_token;
mod rejection;
mod wording;

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use vitalwire::ErrorKind;

pub(crate) use awaited_input::{running_command, unread_file, while_waiting};
use exit::{ANALYSIS, LOCAL, PARTIAL, USAGE, WITHOUT_DATA, group};
pub(crate) use exit::{exit_code, exit_codes};
pub(crate) use hint::set_sent;
pub(crate) use interruption::{Interruption, Signal};
pub(crate) use missing_token::MissingToken;
use rejection::Rejection;

use crate::render::style::{clean, clean_lines};

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ErrorStyle {
    /// Whether to add a line of JSON.
    pub(crate) json: bool,
    /// Whether to leave out the service's reasons for a rejection.
    pub(crate) no_reasons: bool,
}

#[derive(Debug)]
pub(crate) enum Failure {
    /// A call failed.
    Call(vitalwire::Error),
    /// A call failed, with a hint from the command.
    Hinted(vitalwire::Error, String),
    /// A call failed because of a file: its path, and the hint that replaces the usual one.
    Upload(vitalwire::Error, String, Option<&'static str>),
    /// A file or folder of the command line cannot be read: a description.
    Input(String),
    /// The configuration is invalid: a description.
    Settings(String),
    /// The output could not be written.
    Output(io::Error),
    /// The sandbox did not start.
    Sandbox(vitalwire_sandbox::Error),
    /// The address cannot be listened on.
    Listen(String, io::Error),
    /// Another failure on this machine: a fixed text and its cause.
    Local(&'static str, Option<io::Error>),
    /// The command line is valid but cannot be executed: the reason and the remedy.
    Usage(&'static str, &'static str),
    /// The record was shown, but its analysis failed.
    Analysis,
    /// Some users of a cohort failed: a description and the remedy.
    #[cfg_attr(not(feature = "tables"), allow(dead_code, reason = "cohorts need the feature"))]
    Partial(String, String),
    /// Work on a whole cohort failed: the error kind, a description and the remedy.
    #[cfg_attr(not(feature = "tables"), allow(dead_code, reason = "cohorts need the feature"))]
    Cohort(ErrorKind, String, Option<String>),
    /// Users of a cohort have no recent data: a description.
    #[cfg_attr(not(feature = "tables"), allow(dead_code, reason = "cohorts need the feature"))]
    WithoutData(String),
    /// A signal ended the command.
    Interrupted(Interruption),
    /// A condition on this machine blocks the command: a description and the remedy.
    Blocked(&'static str, &'static str),
    /// A file prevents the command: a description and the remedy.
    File(String, String),
    /// The command took effect but could not show its result: the failure, and a hint that finds the result.
    ResultLost(Box<Self>, String),
}

/// The failure for a table format if the response has no table.
pub(crate) const NO_TABLE: Failure = Failure::Usage(
    "the response has no table; csv, parquet and arrow are for stats, sleep, and lists and records of nutrition and labs",
    "use --format json for the whole response",
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

/// Returns the result of a command that also printed output. If the output pipe was closed early, the command still returns this result.
pub(crate) fn result_after(output: Result<(), Failure>, result: Result<(), Failure>) -> Result<(), Failure> {
    match output {
        Err(failure) if !failure.is_broken_pipe() => Err(failure),
        _ => result,
    }
}

impl Failure {
    /// Prints the failure on stderr, as JSON too if requested, and returns the exit code.
    pub(crate) fn report(&self, style: ErrorStyle) -> ExitCode {
        if self.is_broken_pipe() {
            return ExitCode::SUCCESS;
        }
        self.print(style);
        ExitCode::from(self.exit_code())
    }

    /// Prints the failure on stderr, as JSON too if requested.
    pub(crate) fn print(&self, style: ErrorStyle) {
        eprint(&self.lines(style));
    }

    /// Adds `effects`, a hint that finds the effects of the command. The error of a call has such a hint already.
    pub(crate) fn with_effects(self, effects: Option<String>) -> Self {
        match (self, effects) {
            (failure @ (Self::Output(_) | Self::Blocked(..) | Self::File(..) | Self::Local(..)), Some(effects)) => {
                Self::ResultLost(Box::new(failure), effects)
            }
            (failure, _) => failure,
        }
    }

    /// Returns the printed lines: the failure, the service's rejections, and the remedy. With JSON, the last line is an object
    /// with the same content.
    fn lines(&self, style: ErrorStyle) -> String {
        let (rejections, more) = if style.no_reasons { Default::default() } else { self.rejections() };
        let text = self.text_for_style(style);
        let mut lines = format!("vitalwire: {text}\n");
        rejections.iter().for_each(|rejection| lines.push_str(&format!("  {rejection}\n")));
        if more > 0 {
            lines.push_str(&format!("  and {more} more\n"));
        }
        if let Some(hint) = self.hint() {
            lines.push_str(&format!("hint: {hint}\n"));
        }
        if style.json {
            lines.push_str(&format!("{}\n", self.json(&text, &rejections)));
        }
        lines
    }

    /// Returns the failure as JSON. It has the fields of a call's error that hold no data, and the service's reasons. The hint may contain
    /// a record's id.
    fn json(&self, text: &str, rejections: &[Rejection]) -> Value {
        let mut object = json!({ "error": self.kind(), "text": text, "hint": self.hint(), "exit_code": self.exit_code() });
        if let (Some(error), Some(fields)) = (self.error(), object.as_object_mut()) {
            let call_fields = json!({
                "code": wording::kind(error).code(),
                "status": error.status(),
                "operation": error.operation(),
                "attempts": error.attempts(),
                "may_have_taken_effect": error.may_have_taken_effect(),
                "is_transient": error.is_transient(),
                "retry_after_ms": error.retry_after().map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
                "errors": rejections.iter().map(Rejection::json).collect::<Vec<_>>(),
            });
            fields.extend(call_fields.as_object().cloned().unwrap_or_default());
        }
        object
    }

    /// Creates the failure of a call with a hint from the command, followed by the usual remedy.
    pub(crate) fn beside_remedy(error: vitalwire::Error, hint: &str) -> Self {
        let remedy = hint::remedy(&error).map(|remedy| format!("; {remedy}"));
        Self::Hinted(error, format!("{hint}{}", remedy.unwrap_or_default()))
    }

    /// Adds a hint before any existing one.
    pub(crate) fn with_hint(self, hint: &str) -> Self {
        match self {
            Self::Call(error) => Self::Hinted(error, hint.to_owned()),
            Self::Hinted(error, more) => Self::Hinted(error, format!("{hint} {more}")),
            other => other,
        }
    }

    /// Whether this is an upload that may have arrived and has no hint yet.
    pub(crate) fn may_have_uploaded(&self) -> bool {
        matches!(self, Self::Call(error) if hint::may_have_uploaded(error))
    }

    pub(crate) fn error(&self) -> Option<&vitalwire::Error> {
        match self {
            Self::Call(error) | Self::Hinted(error, _) | Self::Upload(error, ..) => Some(error),
            Self::Interrupted(interruption) => interruption.failure.as_ref()?.error(),
            _ => None,
        }
    }

    /// Returns the rejections to print, and the number of further ones.
    fn rejections(&self) -> (Vec<Rejection>, usize) {
        self.error().map(rejection::rejections).unwrap_or_default()
    }

    /// Returns the kind of a call's error, or a word for the cause of any other failure.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Call(error) | Self::Hinted(error, _) | Self::Upload(error, ..) => wording::kind(error).as_str(),
            Self::Settings(_) => ErrorKind::Configuration.as_str(),
            Self::Analysis => "analysis",
            Self::Partial(..) => "partial",
            Self::WithoutData(_) => "without_data",
            Self::Cohort(kind, ..) => kind.as_str(),
            Self::Usage(..) => "usage",
            Self::Interrupted(..) => "interrupted",
            Self::Input(_) => ErrorKind::InvalidArgument.as_str(),
            Self::Output(_) | Self::Sandbox(_) | Self::Listen(..) | Self::Local(..) | Self::Blocked(..) | Self::File(..) => "local",
            Self::ResultLost(failure, _) => failure.kind(),
        }
    }

    /// Whether the reader of the output has exited, which is not an error.
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns the text. If the service's reasons are left out, so are the locations that the service stated.
    fn text_for_style(&self, style: ErrorStyle) -> String {
        match self.error().filter(|_| style.no_reasons) {
            Some(error) => wording::without_locations(&self.text(), error),
            None => self.text(),
        }
    }

    fn text(&self) -> String {
        match self {
            // The client's texts contain no data and no token.
            Self::Call(error) | Self::Hinted(error, _) => wording::text(error),
            Self::Upload(error, path, _) => wording::text_for(error, Some(&clean(path))),
            Self::Listen(address, error) => format!("cannot listen on {}: {error}", clean(address)),
            Self::Settings(text) => format!("{}: {text}", ErrorKind::Configuration),
            Self::Input(text) => format!("{}: {}", ErrorKind::InvalidArgument, clean(text)),
            Self::Cohort(kind, text, _) => format!("{kind}: {}", clean(text)),
            Self::Analysis => "the analysis failed".to_owned(),
            Self::Interrupted(interruption) => interruption.text(),
            Self::ResultLost(failure, _) => failure.text(),
            Self::File(text, _) | Self::Partial(text, _) | Self::WithoutData(text) => text.clone(),
            Self::Output(error) => format!("the output cannot be written: {error}"),
            Self::Sandbox(vitalwire_sandbox::Error::NotLoopback(address)) => {
                format!("{address} must be a loopback address, because the keys of a sandbox follow from its seed")
            }
            Self::Sandbox(error) => error.to_string(),
            Self::Local(text, None) | Self::Usage(text, _) | Self::Blocked(text, _) => (*text).to_owned(),
            Self::Local(text, Some(error)) => format!("{text}: {error}"),
        }
    }

    /// Returns the remedy, if one is known.
    fn hint(&self) -> Option<String> {
        match self {
            Self::Upload(_, _, Some(hint)) => Some((*hint).to_owned()),
            Self::Call(error) | Self::Upload(error, ..) => hint::remedy(error),
            Self::Analysis => Some("the printed record states the reason, if the service gave one".to_owned()),
            Self::Hinted(_, hint) | Self::File(_, hint) | Self::Partial(_, hint) | Self::ResultLost(_, hint) => Some(hint.clone()),
            Self::Cohort(_, _, hint) => hint.clone(),
            Self::Interrupted(interruption) => interruption.hint(),
            Self::Usage(_, hint) | Self::Blocked(_, hint) => Some((*hint).to_owned()),
            _ => None,
        }
    }

    fn command_hint(&self) -> Option<String> {
        match self {
            Self::Hinted(_, hint) | Self::File(_, hint) | Self::ResultLost(_, hint) => Some(hint.clone()),
            _ => None,
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Call(error) | Self::Hinted(error, _) | Self::Upload(error, ..) => group(wording::kind(error).code()),
            Self::Input(_) => group(ErrorKind::InvalidArgument.code()),
            Self::Analysis => ANALYSIS,
            Self::Partial(..) => PARTIAL,
            Self::WithoutData(_) => WITHOUT_DATA,
            Self::Cohort(kind, ..) => group(kind.code()),
            Self::Interrupted(interruption) => interruption.signal.exit_code(),
            Self::ResultLost(failure, _) => failure.exit_code(),
            Self::Settings(_) => group(ErrorKind::Configuration.code()),
            Self::Sandbox(
                vitalwire_sandbox::Error::Address(_)
                | vitalwire_sandbox::Error::NotLoopback(_)
                | vitalwire_sandbox::Error::Clock(_)
                | vitalwire_sandbox::Error::Webhook(..),
            )
            | Self::Usage(..) => USAGE,
            Self::Output(_) | Self::Sandbox(_) | Self::Listen(..) | Self::Local(..) | Self::Blocked(..) | Self::File(..) => LOCAL,
        }
    }
}

/// Prints the message of the command-line parser. Help and version are not errors.
pub(crate) fn report_usage(error: &clap::Error) -> ExitCode {
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
pub(crate) fn print_message(text: &str) {
    eprint(&format!("vitalwire: {text}\n"));
}

/// Prints a note on stderr about something the response does not show.
pub(crate) fn note(text: &str) {
    eprint(&format!("vitalwire: note: {text}\n"));
}

/// Writes to stderr. Ignores errors, because they cannot be reported.
fn eprint(text: &str) {
    let text = if io::stderr().is_terminal() { Cow::Owned(clean_lines(text)) } else { Cow::Borrowed(text) };
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_output_pipe_is_no_failure() {
        let closed = Failure::Output(io::ErrorKind::BrokenPipe.into());
        let full = Failure::Output(io::ErrorKind::StorageFull.into());
        assert_eq!(format!("{:?}", closed.report(ErrorStyle::default())), format!("{:?}", ExitCode::SUCCESS));
        assert!(!full.is_broken_pipe());
        assert_eq!(full.exit_code(), 1);
    }
}
