//! [`Action`]: the effect of a fault, with its settings parsed once.

use std::time::Duration;

use http::StatusCode;

use super::catalogue::{FaultEntry, FaultKind, Setting, ValueType};
use super::wire::ConnectionEnd;

/// Effect of a fault, with its settings.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// No effect besides the delay that every fault may have.
    Delay,
    Status(StatusFault),
    Slow {
        /// Chunk size in bytes.
        size: usize,
        pause: Duration,
    },
    ResetBefore,
    ResetAfter,
    ResetMidBody {
        percent: usize,
    },
    Truncate {
        percent: usize,
        end: ConnectionEnd,
    },
    WrongLength {
        by: i64,
        end: ConnectionEnd,
    },
    MalformedJson {
        percent: usize,
    },
    Html,
    Rewrite(Rewrite),
    Gzip {
        /// Padding spaces in MiB.
        megabytes: u64,
        cut: bool,
    },
    BigBody {
        /// Padding spaces in MiB.
        megabytes: u64,
    },
}

/// A status returned instead of the real response.
#[derive(Clone, Debug)]
pub(crate) struct StatusFault {
    pub(crate) status: StatusCode,
    pub(crate) body: ErrorBody,
    pub(crate) detail: Option<String>,
    /// `Retry-After` in seconds.
    pub(crate) retry_after: Option<i64>,
    /// `Retry-After` as a date, in seconds from now.
    pub(crate) retry_after_date: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorBody {
    Problem,
    Html,
    Empty,
}

/// Change of a real JSON response.
#[derive(Clone, Debug)]
pub(crate) enum Rewrite {
    UnknownValues { field: Option<String> },
    UnknownMembers,
    Nulls { lists: bool, optional: bool },
    MissingOffsets,
}

impl Action {
    /// Creates the action of a kind from settings that were already validated.
    pub(super) fn new(entry: &'static FaultEntry, values: &[(&'static Setting, String)]) -> Self {
        let settings = SettingValues { entry, values };
        let percent = || settings.number("percent");
        let end = || if settings.word("then") == "hang" { ConnectionEnd::Hang } else { ConnectionEnd::Close };
        match entry.kind {
            FaultKind::Delay => Self::Delay,
            FaultKind::Status => Self::Status(StatusFault {
                status: StatusCode::from_u16(settings.number("status")).unwrap_or(StatusCode::SERVICE_UNAVAILABLE),
                body: match settings.word("body") {
                    "html" => ErrorBody::Html,
                    "empty" => ErrorBody::Empty,
                    _ => ErrorBody::Problem,
                },
                detail: settings.text("detail").map(str::to_owned),
                retry_after: settings.integer("retry_after"),
                retry_after_date: settings.integer("retry_after_date"),
            }),
            FaultKind::Slow => Self::Slow { size: settings.number("bytes"), pause: Duration::from_millis(settings.number("pause_ms")) },
            FaultKind::ResetBefore => Self::ResetBefore,
            FaultKind::ResetAfter => Self::ResetAfter,
            FaultKind::ResetMidBody => Self::ResetMidBody { percent: percent() },
            FaultKind::Truncate => Self::Truncate { percent: percent(), end: end() },
            FaultKind::WrongLength => Self::WrongLength { by: settings.integer("by").unwrap_or_default(), end: end() },
            FaultKind::MalformedJson => Self::MalformedJson { percent: percent() },
            FaultKind::Html => Self::Html,
            FaultKind::UnknownValues => Self::Rewrite(Rewrite::UnknownValues { field: settings.text("member").map(str::to_owned) }),
            FaultKind::UnknownMembers => Self::Rewrite(Rewrite::UnknownMembers),
            FaultKind::Nulls => {
                let what = settings.word("what");
                Self::Rewrite(Rewrite::Nulls { lists: what != "members", optional: what != "lists" })
            }
            FaultKind::MissingOffsets => Self::Rewrite(Rewrite::MissingOffsets),
            FaultKind::Gzip => Self::Gzip { megabytes: settings.number("megabytes"), cut: settings.word("stream") == "cut" },
            FaultKind::BigBody => Self::BigBody { megabytes: settings.number("megabytes") },
        }
    }

    /// Whether the action needs the sandbox's own socket.
    pub(super) fn needs_connection(&self) -> bool {
        matches!(self, Self::ResetBefore | Self::ResetAfter | Self::ResetMidBody { .. } | Self::Truncate { .. } | Self::WrongLength { .. })
    }
}

/// Settings of a fault by name. Falls back to the default.
struct SettingValues<'a> {
    entry: &'static FaultEntry,
    values: &'a [(&'static Setting, String)],
}

impl SettingValues<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(setting, _)| setting.name == name).map(|(_, value)| value.as_str())
    }

    fn value_type(&self, name: &str) -> Option<ValueType> {
        self.entry.settings.iter().find(|setting| setting.name == name).map(|setting| setting.value_type)
    }

    fn integer(&self, name: &str) -> Option<i64> {
        let default = match self.value_type(name) {
            Some(ValueType::Integer { default, .. }) => default,
            _ => None,
        };
        self.text(name).and_then(|text| text.parse().ok()).or(default)
    }

    /// Returns a non-negative number that has a default.
    fn number<T: TryFrom<i64> + Default>(&self, name: &str) -> T {
        self.integer(name).and_then(|number| T::try_from(number).ok()).unwrap_or_default()
    }

    fn word(&self, name: &str) -> &str {
        let default = match self.value_type(name) {
            Some(ValueType::Word([first, ..])) => first,
            _ => "",
        };
        self.text(name).unwrap_or(default)
    }
}
