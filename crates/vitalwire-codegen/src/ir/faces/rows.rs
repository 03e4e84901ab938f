//! Languages, and the row of a setting or an option of a call.

use serde::{Deserialize, Serialize};

/// A language that users write in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Face {
    /// `vitalwire`.
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
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Rust, Self::Python, Self::Swift, Self::Kotlin, Self::C];

    /// Its name, as `x-vitalwire-faces` has it.
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

/// All but Rust.
pub(super) const WRAPPERS: &[Face] = &[Face::Python, Face::Swift, Face::Kotlin, Face::C];
/// The two that share a wrapper, which is why they have the same.
pub(crate) const APPS: &[Face] = &[Face::Swift, Face::Kotlin];

/// How a language has what the engine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Has {
    /// Written from its row.
    Generated,
    /// Written by hand; how it is given there.
    ByHand(&'static str),
    /// Not yet; why.
    NotYet(&'static str),
    /// Never; why.
    Never(&'static str),
}

/// The languages that do not have a row by its template, and how they have it.
pub(super) type Elsewhere = &'static [(&'static [Face], Has)];

pub(super) fn has(elsewhere: Elsewhere, face: Face) -> Has {
    elsewhere.iter().find(|(faces, _)| faces.contains(&face)).map_or(Has::Generated, |(_, has)| *has)
}

/// What a setting or an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A text.
    Text,
    /// A text that is never shown.
    Secret,
    /// The URL of a proxy.
    Proxy,
    /// A time, above 0; milliseconds where a language has no type for it.
    Duration,
    /// 32 bits, from 0 on.
    Count,
    /// As large as memory.
    Size,
    /// A number of bytes.
    Bytes,
    /// True or false.
    Flag,
    /// Nothing: to say it is enough.
    Switch,
    /// A number.
    Factor,
    /// Repeated keys or one value with commas.
    Style,
    /// Certificates as PEM.
    Pem,
    /// The path of a file or folder.
    Path,
    /// Several of these settings in one type of Rust.
    Policy,
    /// What is asked for tokens.
    Provider,
    /// What is told of each attempt.
    Hook,
    /// Mock responses.
    MockResponses,
    /// A header's name and value.
    Header,
    /// A name and a value of the query.
    Query,
    /// What ends the call.
    Cancel,
}

impl Takes {
    /// The name and the type of the engine's argument; none of a switch.
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

/// A setting of a client, or an option of a call.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// As the engine's function is called.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// Whether each service has one of its own; texts have the service's name in place of `{service}`.
    pub of_service: bool,
    /// First sentence of the documentation, without its full stop.
    pub about: &'static str,
    /// Further sentences.
    pub more: &'static str,
    /// Default value, as texts state it.
    pub default: Option<&'static str>,
    /// Whether it is never shown.
    pub secret: bool,
    /// Whether it is for this workspace's own tests: no public API has it.
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

    /// How a language has it.
    #[must_use]
    pub fn has(&self, face: Face) -> Has {
        has(self.elsewhere, face)
    }

    /// Its name where an option is a keyword: of what may be several, the plural.
    #[must_use]
    pub fn keyword(&self) -> &'static str {
        match self.takes {
            Takes::Header => "headers",
            Takes::Cancel => "cancel",
            _ => self.name,
        }
    }

    /// Whether it is off where it is not given.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.default == Some("false")
    }

    /// The text of the documentation: the default comes last.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_with("")
    }

    /// The text with further sentences of one language before the default.
    #[must_use]
    pub fn text_with(&self, further: &str) -> String {
        let (about, default) = (format!("{}.", self.about), self.default.map(|default| format!("Defaults to {default}.")));
        let sentences = [about.as_str(), self.more, further, default.as_deref().unwrap_or_default()];
        sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
    }
}
