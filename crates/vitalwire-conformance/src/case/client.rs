//! How the client of a case is made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Service;

/// Settings of the client. What is not given is the client's own default, except that both tokens are set, and that waits before
/// a retry are scaled down.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Client {
    /// Where both base URLs lead.
    pub port: Port,
    /// A service without base URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without: Option<Service>,
    /// Text after the health service's base URL. Paths of requests begin with it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub base_path: String,
    /// Text after the care service's base URL. Paths of requests begin with it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub care_base_path: String,
    /// The health service's token.
    pub token: Token,
    /// The care service's token.
    pub care_token: Token,
    /// How arrays are written in a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array_style: Option<ArrayStyle>,
    /// Whether arguments are checked against documented limits before they are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_checks: Option<bool>,
    /// Whether a list item that cannot be decoded is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict_lists: Option<bool>,
    /// The largest answer that is taken, after unpacking, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_response_bytes: Option<u64>,
    /// How many requests may be on their way at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_connections: Option<u32>,
    /// What the deadlines are multiplied by that are not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline_scale: Option<Factor>,
    /// Whether packed answers are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gzip: Option<bool>,
    /// What is appended to the user agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// Whether the judge's authority is given as trusted.
    pub ca: bool,
    /// The proxy that is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy: Option<Proxy>,
}

/// A factor; those that JSON cannot write are texts.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Factor {
    /// As JSON writes it.
    Number(f64),
    /// As a text.
    Word(Word),
}

impl Factor {
    /// The number.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Number(value) => value,
            Self::Word(Word::NaN) => f64::NAN,
            Self::Word(Word::Infinity) => f64::INFINITY,
        }
    }
}

/// What JSON has no number for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum Word {
    /// Not a number.
    NaN,
    /// Without end.
    Infinity,
}

/// A door of the judge, on a loopback address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Port {
    /// Plain HTTP.
    #[default]
    Plain,
    /// Nobody listens: connections are refused.
    Closed,
    /// Connections are never accepted.
    Full,
    /// HTTPS with a certificate of the judge's authority.
    Tls,
    /// HTTPS with a certificate nobody signed.
    TlsSelfSigned,
    /// HTTPS with a certificate of the judge's authority that ended.
    TlsExpired,
    /// HTTPS with a certificate of the judge's authority for another host.
    TlsWrongHost,
    /// HTTPS of the outdated version 1.1.
    TlsOutdated,
}

/// A CONNECT proxy of the judge, on a loopback address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Proxy {
    /// Makes the connections that it is asked for.
    Opens,
    /// Makes none: it answers 407, as one does that wants to know who asks.
    Denies,
    /// Makes none: it answers 502, as one does that cannot reach the service.
    Fails,
}

/// What a token begins with that a provider gives late.
pub const LATE: &str = "late:";

/// Where a token comes from.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Token {
    /// The case's usual token: `health-token` or `care-token`.
    #[default]
    Usual,
    /// This one.
    Text(String),
    /// None at all.
    Absent,
    /// A provider that gives these one after the other, the last one for ever; one that begins with `late:` after two seconds, without that.
    Provider(Vec<String>),
    /// A provider that fails.
    ProviderFails,
}

/// How an array is written in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArrayStyle {
    /// `types=a&types=b`.
    Repeated,
    /// `types=a,b`.
    Comma,
}
