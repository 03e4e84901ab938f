//! [`Fault`] and its text form `status; status=503; times=2; operation=get_user_info`, used by the header, the control route and the API.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::action::Action;
use super::catalogue::{COMMON, FAULTS, FaultEntry, FaultKind, Setting, ValueType, join_names};
use crate::spec::{self, OPERATIONS, Operation};
use crate::tokens;
use crate::web::problem::ErrorList;

/// Maximum length of a text setting, in bytes.
const MAX_TEXT: usize = 256;
const DEFAULT_DELAY: Duration = Duration::from_secs(1);

/// A fault, parsed from its text: the kind, then settings, separated by semicolons.
///
/// ```
/// use vitalwire_sandbox::Fault;
/// let fault: Fault = "status; status=429; retry_after=2; times=2; operation=get_user_info".parse()?;
/// let error = "earthquake".parse::<Fault>().unwrap_err();
/// assert!(error.to_string().contains("expected one of: delay, status, slow"));
/// # Ok::<(), vitalwire_sandbox::FaultError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fault {
    pub(crate) kind: &'static FaultEntry,
    pub(crate) action: Action,
    /// Settings in the order in which they were set.
    settings: Vec<(&'static Setting, String)>,
    pub(crate) operation: Option<&'static Operation>,
    pub(crate) user: Option<String>,
    pub(crate) times: Option<RequestCount>,
    pub(crate) delay: Duration,
}

/// Number of requests that a fault applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestCount {
    Number(u64),
    Always,
}

impl RequestCount {
    /// Whether the fault applies to an attempt, counted from 1.
    pub(crate) fn includes(self, attempt: u32) -> bool {
        match self {
            Self::Number(number) => u64::from(attempt) <= number,
            Self::Always => true,
        }
    }
}

impl Fault {
    /// Returns the id of the only user whose requests it applies to, if it has one.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// Parses a kind and its settings. Reports all errors at once.
    pub(crate) fn parse<'a>(kind: &str, settings: impl IntoIterator<Item = (&'a str, String)>) -> Result<Self, FaultError> {
        let Some(entry) = FAULTS.iter().find(|entry| entry.name == kind) else {
            let message = format!("unknown fault; expected one of: {}", join_names(&FAULTS, |entry| entry.name));
            return Err(FaultError(vec![("kind".to_owned(), message)]));
        };
        let action = Action::new(entry, &[]);
        let mut fault = Self { kind: entry, action, settings: Vec::new(), operation: None, user: None, times: None, delay: Duration::ZERO };
        if entry.kind == FaultKind::Delay {
            fault.delay = DEFAULT_DELAY;
        }
        let mut errors = Vec::new();
        for (name, value) in settings {
            if errors.len() >= ErrorList::MAX {
                break;
            }
            let all = entry.settings.iter().chain(&COMMON);
            let outcome = match all.clone().find(|setting| setting.name == name) {
                None => {
                    let known: Vec<&str> = all.map(|setting| setting.name).collect();
                    Err(format!("unknown setting; {kind} has: {}", known.join(", ")))
                }
                Some(setting) if fault.settings.iter().any(|(known, _)| known.name == setting.name) => {
                    Err("must not be set more than once".to_owned())
                }
                Some(setting) => fault.apply_setting(setting, value),
            };
            if let Err(message) = outcome {
                errors.push((name.chars().take(64).collect(), message));
            }
        }
        if !errors.is_empty() {
            return Err(FaultError(errors));
        }
        fault.action = Action::new(entry, &fault.settings);
        Ok(fault)
    }

    fn apply_setting(&mut self, setting: &'static Setting, value: String) -> Result<(), String> {
        check_value(setting, &value)?;
        match setting.name {
            "operation" => {
                let found = spec::find_by_id(&value);
                let known = || format!("unknown operation; expected one of: {}", join_names(OPERATIONS, |operation| operation.id));
                self.set_operation(found.ok_or_else(known)?)?;
            }
            "route" => {
                let found = value.split_once(' ').and_then(|(method, template)| {
                    OPERATIONS.iter().find(|operation| operation.method.as_str() == method && operation.template == template)
                });
                let known = || {
                    let all: Vec<String> = OPERATIONS.iter().map(|known| format!("{} {}", known.method, known.template)).collect();
                    format!("unknown route; expected one of: {}", all.join(", "))
                };
                self.set_operation(found.ok_or_else(known)?)?;
            }
            "user" if tokens::is_user_id(&value) => self.user = Some(value.clone()),
            "user" => return Err("expected 1 to 128 letters, digits, '-', '_' or '.'".to_owned()),
            "times" => {
                self.times = Some(match value.as_str() {
                    "always" => RequestCount::Always,
                    number => match number.parse() {
                        Ok(number @ 1..=1_000_000) => RequestCount::Number(number),
                        _ => return Err("expected a number from 1 to 1000000, or always".to_owned()),
                    },
                });
            }
            "delay_ms" => self.delay = Duration::from_millis(value.parse().unwrap_or_default()),
            _ => {}
        }
        self.settings.push((setting, value));
        Ok(())
    }

    fn set_operation(&mut self, at: &'static Operation) -> Result<(), String> {
        if self.operation.is_some() {
            return Err("expected either operation or route".to_owned());
        }
        self.operation = Some(at);
        Ok(())
    }

    /// Returns the explicit settings with their values.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&'static Setting, &str)> {
        self.settings.iter().map(|(setting, value)| (*setting, value.as_str()))
    }
}

fn check_value(setting: &Setting, value: &str) -> Result<(), String> {
    match setting.value_type {
        ValueType::Integer { min, max, .. } => match value.parse::<i64>() {
            Ok(number) if (min..=max).contains(&number) => Ok(()),
            _ => Err(format!("expected an integer from {min} to {max}")),
        },
        ValueType::Word(words) if words.contains(&value) => Ok(()),
        ValueType::Word(words) => Err(format!("expected one of: {}", words.join(", "))),
        ValueType::Text if value.is_empty() || value.len() > MAX_TEXT || value.contains(|char: char| char == ';' || char.is_control()) => {
            Err(format!("expected 1 to {MAX_TEXT} bytes of text without semicolons"))
        }
        ValueType::Text => Ok(()),
    }
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let mut pieces = text.split(';').map(str::trim);
        let kind = pieces.next().unwrap_or_default();
        let mut settings = Vec::new();
        for piece in pieces.filter(|piece| !piece.is_empty()) {
            match piece.split_once('=') {
                Some((name, value)) => settings.push((name.trim(), value.trim().to_owned())),
                None => settings.push((piece, String::new())),
            }
        }
        Self::parse(kind, settings)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind.name)?;
        self.settings.iter().try_for_each(|(setting, value)| write!(formatter, "; {}={value}", setting.name))
    }
}

/// Reason why a fault is invalid: the settings at fault, with the known names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultError(pub(crate) Vec<(String, String)>);

impl fmt::Display for FaultError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, message)) in self.0.iter().enumerate() {
            let between = if at == 0 { "" } else { "; " };
            write!(formatter, "{between}{name}: {message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FaultError {}

#[cfg(test)]
mod tests;
