//! Languages, and the row type for client settings and call options.

use serde::{Deserialize, Serialize};

/// A language with a public API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Face {
    /// The client crate, `vitalwire`.
    Rust,
    /// The Python package.
    Python,
    /// The Swift package.
    Swift,
    /// The Kotlin package.
    Kotlin,
    /// The C library.
    C,
}

impl Face {
    /// All languages, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Rust, Self::Python, Self::Swift, Self::Kotlin, Self::C];

    /// Returns the name used in `x-vitalwire-faces`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Python => "python",
            Self::Swift => "swift",
            Self::Kotlin => "kotlin",
            Self::C => "c",
        }
    }
}

/// All languages but Rust.
pub(super) const WRAPPERS: &[Face] = &[Face::Python, Face::Swift, Face::Kotlin, Face::C];
/// Swift and Kotlin. They share a wrapper, so they always have the same API.
pub(crate) const APPS: &[Face] = &[Face::Swift, Face::Kotlin];

/// Availability of an engine feature in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Has {
    /// Generated from its row.
    Generated,
    /// Written by hand. The text names its form in that language.
    ByHand(&'static str),
    /// Not available yet. The text states the reason.
    NotYet(&'static str),
    /// Never available. The text states the reason.
    Never(&'static str),
}

/// Exceptions of a row: languages that do not generate it, and how they have it instead.
pub(super) type Elsewhere = &'static [(&'static [Face], Has)];

pub(super) fn has(elsewhere: Elsewhere, face: Face) -> Has {
    elsewhere.iter().find(|(faces, _)| faces.contains(&face)).map_or(Has::Generated, |(_, has)| *has)
}

/// Type of the value of a setting or option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Text.
    Text,
    /// Text that is never shown.
    Secret,
    /// URL of a proxy.
    Proxy,
    /// Duration above 0. In milliseconds if the language has no duration type.
    Duration,
    /// Unsigned 32-bit integer.
    Count,
    /// Unsigned integer of pointer size.
    Size,
    /// Number of bytes.
    Bytes,
    /// True or false.
    Flag,
    /// No value; naming the setting turns it on.
    Switch,
    /// Floating-point factor.
    Factor,
    /// Array style of a query: repeated keys, or one value with commas.
    Style,
    /// Certificates in PEM format.
    Pem,
    /// Path of a file or folder.
    Path,
    /// Retry policy, a Rust type that combines several settings.
    Policy,
    /// Token provider.
    Provider,
    /// Callback that is called after each attempt.
    Hook,
    /// Mock responses.
    MockResponses,
    /// Name and value of a header.
    Header,
    /// Name and value of a query parameter.
    Query,
    /// Token that cancels the call.
    Cancel,
}

impl Takes {
    /// Returns the names and types of the engine function's arguments. Empty for a switch.
    #[must_use]
    pub fn rust(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Text => &[("text", "impl Into<String>")],
            Self::Proxy => &[("url", "impl Into<String>")],
            Self::Secret => &[("token", "&str")],
            Self::Duration => &[("duration", "Duration")],
            Self::Count => &[("count", "u32")],
            Self::Size => &[("count", "usize")],
            Self::Bytes => &[("bytes", "u64")],
            Self::Flag => &[("yes", "bool")],
            Self::Switch => &[],
            Self::Factor => &[("factor", "f64")],
            Self::Style => &[("style", "ArrayStyle")],
            Self::Pem => &[("pem", "impl Into<Vec<u8>>")],
            Self::Path => &[("path", "impl Into<PathBuf>")],
            Self::Policy => &[("policy", "RetryPolicy")],
            Self::Provider => &[("provider", "impl TokenProvider")],
            Self::Hook => &[("hook", "impl Fn(&AttemptEvent) + Send + Sync + 'static")],
            Self::MockResponses => &[("responses", "&MockResponses")],
            Self::Header => &[("name", "&str"), ("value", "&str")],
            Self::Query => &[("name", "impl Into<String>"), ("value", "impl Into<String>")],
            Self::Cancel => &[("token", "&CancelToken")],
        }
    }
}

/// A client setting or a call option.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Name of the engine's function.
    pub name: &'static str,
    /// Type of the value.
    pub takes: Takes,
    /// Whether each service has its own. Texts then contain `{service}` for the service's name.
    pub of_service: bool,
    /// First sentence of the documentation, without its full stop.
    pub about: &'static str,
    /// Further sentences of the documentation.
    pub more: &'static str,
    /// Default value as shown in documentation.
    pub default: Option<&'static str>,
    /// Whether the value is never shown.
    pub secret: bool,
    /// Whether it exists for this workspace's tests only, and in no public API.
    pub hidden: bool,
    elsewhere: Elsewhere,
}

impl Setting {
    pub(super) const fn new(name: &'static str, takes: Takes, about: &'static str) -> Self {
        let secret = matches!(takes, Takes::Secret | Takes::Proxy | Takes::Header | Takes::Query);
        Self { name, takes, of_service: false, about, more: "", default: None, secret, hidden: false, elsewhere: &[] }
    }

    pub(super) const fn of_service(self) -> Self {
        Self { of_service: true, secret: true, ..self }
    }

    pub(super) const fn more(self, more: &'static str) -> Self {
        Self { more, ..self }
    }

    pub(super) const fn default(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    pub(super) const fn hidden(self) -> Self {
        Self { hidden: true, ..self }
    }

    pub(super) const fn elsewhere(self, elsewhere: Elsewhere) -> Self {
        Self { elsewhere, ..self }
    }

    /// Returns the availability in a language.
    #[must_use]
    pub fn has(&self, face: Face) -> Has {
        has(self.elsewhere, face)
    }

    /// Returns the name as a keyword argument. Plural if several values can be passed.
    #[must_use]
    pub fn keyword(&self) -> &'static str {
        match self.takes {
            Takes::Header => "headers",
            Takes::Cancel => "cancel",
            _ => self.name,
        }
    }

    /// Whether it is a flag that defaults to false.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.default == Some("false")
    }

    /// Returns the documentation, with the default last.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_with("")
    }

    /// Returns the documentation with additional sentences before the default.
    #[must_use]
    pub fn text_with(&self, further: &str) -> String {
        let (about, default) = (format!("{}.", self.about), self.default.map(|default| format!("Defaults to {default}.")));
        let sentences = [about.as_str(), self.more, further, default.as_deref().unwrap_or_default()];
        sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
    }
}
