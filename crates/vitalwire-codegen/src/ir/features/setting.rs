//! Languages, and the row type for client settings and call options.

use serde::{Deserialize, Serialize};

/// A language with a public API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
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

impl Language {
    /// All languages, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Rust, Self::Python, Self::Swift, Self::Kotlin, Self::C];

    /// Returns the name used in `x-vitalwire-languages`.
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
pub(super) const WRAPPERS: &[Language] = &[Language::Python, Language::Swift, Language::Kotlin, Language::C];
/// Swift and Kotlin. They share a wrapper, so they always have the same API.
pub(crate) const MOBILE: &[Language] = &[Language::Swift, Language::Kotlin];

/// Availability of an engine feature in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    /// Generated from its row.
    Generated,
    /// Written by hand. The text names its form in that language.
    HandWritten(&'static str),
    /// Never available. The text states the reason.
    Unsupported(&'static str),
}

/// Exceptions of a row: languages that do not generate it, and how they have it instead.
pub(super) type Exceptions = &'static [(&'static [Language], Availability)];

pub(super) fn availability(exceptions: Exceptions, language: Language) -> Availability {
    exceptions
        .iter()
        .find(|(languages, _)| languages.contains(&language))
        .map_or(Availability::Generated, |(_, availability)| *availability)
}

/// Type of the value of a setting or option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
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
    /// Certificates in PEM format. With a private key if the value is secret.
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

impl ValueType {
    /// Returns the names and types of the engine function's arguments. Empty for a switch.
    #[must_use]
    pub fn rust_parameters(self) -> &'static [(&'static str, &'static str)] {
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
            Self::Hook => &[("hook", "impl Fn(&Attempt) + Send + Sync + 'static")],
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
    pub value_type: ValueType,
    /// Whether each service has its own. Texts then contain `{service}` for the service's name.
    pub per_service: bool,
    /// First sentence of the documentation, without its full stop.
    pub summary: &'static str,
    /// Further sentences of the documentation.
    pub details: &'static str,
    /// Default value as shown in documentation.
    pub default: Option<&'static str>,
    /// Whether the value is never shown.
    pub secret: bool,
    /// Whether the setting is only for this workspace's tests, and not in a public API.
    pub hidden: bool,
    exceptions: Exceptions,
}

impl Setting {
    pub(super) const fn new(name: &'static str, value_type: ValueType, summary: &'static str) -> Self {
        let secret = matches!(value_type, ValueType::Secret | ValueType::Proxy | ValueType::Header | ValueType::Query);
        Self { name, value_type, per_service: false, summary, details: "", default: None, secret, hidden: false, exceptions: &[] }
    }

    pub(super) const fn per_service(self) -> Self {
        Self { per_service: true, secret: true, ..self }
    }

    pub(super) const fn secret(self) -> Self {
        Self { secret: true, ..self }
    }

    pub(super) const fn details(self, details: &'static str) -> Self {
        Self { details, ..self }
    }

    pub(super) const fn default(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    pub(super) const fn hidden(self) -> Self {
        Self { hidden: true, ..self }
    }

    pub(super) const fn except(self, exceptions: Exceptions) -> Self {
        Self { exceptions, ..self }
    }

    /// Returns the availability in a language.
    #[must_use]
    pub fn availability(&self, language: Language) -> Availability {
        availability(self.exceptions, language)
    }

    /// Returns the name as a keyword argument. Plural if several values can be passed.
    #[must_use]
    pub fn keyword(&self) -> &'static str {
        match self.value_type {
            ValueType::Header => "headers",
            ValueType::Cancel => "cancel",
            _ => self.name,
        }
    }

    /// Whether several values can be set.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        match self.value_type {
            ValueType::Header | ValueType::Query => true,
            ValueType::Pem | ValueType::Path => !self.secret,
            _ => false,
        }
    }

    /// Whether a language without overloads has the setting as a flag that defaults to false.
    #[must_use]
    pub fn is_opt_in(&self) -> bool {
        self.value_type == ValueType::Switch || self.value_type == ValueType::Flag && self.is_off_by_default()
    }

    /// Whether the setting is a flag that defaults to false.
    #[must_use]
    pub fn is_off_by_default(&self) -> bool {
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
        let (summary, default) = (format!("{}.", self.summary), self.default.map(|default| format!("Defaults to {default}.")));
        let sentences = [summary.as_str(), self.details, further, default.as_deref().unwrap_or_default()];
        sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
    }
}
