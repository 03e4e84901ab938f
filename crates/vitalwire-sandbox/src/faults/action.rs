//! [`Action`]: the effect of a fault, with its settings parsed once.

use std::time::Duration;

use http::StatusCode;

use super::catalogue::{Entry, Kind, Setting, Takes};
use super::wire::End;

/// Effect of a fault, with its settings.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// No effect besides the delay that every fault may have.
    Delay,
    Status(Status),
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
        end: End,
    },
    WrongLength {
        by: i64,
        end: End,
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
pub(crate) struct Status {
    pub(crate) status: StatusCode,
    pub(crate) body: ErrorBody,
    pub(crate) detail: Option<String>,
    /// `Retry-After` in seconds.
    pub(crate) retry_after: Option<i64>,
    /// `Retry-After` as a date, in seconds from now.
    pub(crate) retry_after_date: Option<i64>,
}

/// Body of an error response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorBody {
    Problem,
    Html,
    Empty,
}

/// Change of a real JSON response.
#[derive(Clone, Debug)]
pub(crate) enum Rewrite {
    UnknownValues { member: Option<String> },
    UnknownMembers,
    Nulls { lists: bool, optional: bool },
    MissingOffsets,
}

impl Action {
    /// Creates the action of a kind from settings that were already validated.
    pub(super) fn new(entry: &'static Entry, given: &[(&'static Setting, String)]) -> Self {
        let settings = Settings { entry, given };
        let percent = || settings.number("percent");
        let end = || if settings.word("then") == "hang" { End::Hang } else { End::Close };
        match entry.kind {
            Kind::Delay => Self::Delay,
            Kind::Status => Self::Status(Status {
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
            Kind::Slow => Self::Slow { size: settings.number("bytes"), pause: Duration::from_millis(settings.number("pause_ms")) },
            Kind::ResetBefore => Self::ResetBefore,
            Kind::ResetAfter => Self::ResetAfter,
            Kind::ResetMidBody => Self::ResetMidBody { percent: percent() },
            Kind::Truncate => Self::Truncate { percent: percent(), end: end() },
            Kind::WrongLength => Self::WrongLength { by: settings.integer("by").unwrap_or_default(), end: end() },
            Kind::MalformedJson => Self::MalformedJson { percent: percent() },
            Kind::Html => Self::Html,
            Kind::UnknownValues => Self::Rewrite(Rewrite::UnknownValues { member: settings.text("member").map(str::to_owned) }),
            Kind::UnknownMembers => Self::Rewrite(Rewrite::UnknownMembers),
            Kind::Nulls => {
                let what = settings.word("what");
                Self::Rewrite(Rewrite::Nulls { lists: what != "members", optional: what != "lists" })
            }
            Kind::MissingOffsets => Self::Rewrite(Rewrite::MissingOffsets),
            Kind::Gzip => Self::Gzip { megabytes: settings.number("megabytes"), cut: settings.word("stream") == "cut" },
            Kind::BigBody => Self::BigBody { megabytes: settings.number("megabytes") },
        }
    }

    /// Whether the action needs the sandbox's own socket.
    pub(super) fn needs_connection(&self) -> bool {
        matches!(self, Self::ResetBefore | Self::ResetAfter | Self::ResetMidBody { .. } | Self::Truncate { .. } | Self::WrongLength { .. })
    }
}

/// Settings by name: the given value or the default.
struct Settings<'a> {
    entry: &'static Entry,
    given: &'a [(&'static Setting, String)],
}

impl Settings<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(setting, _)| setting.name == name).map(|(_, value)| value.as_str())
    }

    fn takes(&self, name: &str) -> Option<Takes> {
        self.entry.settings.iter().find(|setting| setting.name == name).map(|setting| setting.takes)
    }

    fn integer(&self, name: &str) -> Option<i64> {
        let default = match self.takes(name) {
            Some(Takes::Integer { default, .. }) => default,
            _ => None,
        };
        self.text(name).and_then(|text| text.parse().ok()).or(default)
    }

    /// Returns a non-negative number that has a default.
    fn number<T: TryFrom<i64> + Default>(&self, name: &str) -> T {
        self.integer(name).and_then(|number| T::try_from(number).ok()).unwrap_or_default()
    }

    fn word(&self, name: &str) -> &str {
        let default = match self.takes(name) {
            Some(Takes::Word([first, ..])) => first,
            _ => "",
        };
        self.text(name).unwrap_or(default)
    }
}
