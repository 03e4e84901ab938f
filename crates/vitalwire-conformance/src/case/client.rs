//! Client settings of conformance cases.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Service;

/// Settings of the client. Omitted settings have the client's defaults, with two exceptions: both tokens are set, and retry delays are
/// scaled down.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Client {
    /// The port of both base URLs.
    pub port: Port,
    /// A service without a base URL.
    pub without: Option<Service>,
    /// Suffix of the health service's base URL. Paths of requests begin with it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub base_path: String,
    /// Suffix of the care service's base URL. Paths of requests begin with it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub care_base_path: String,
    /// The health service's token.
    pub token: Token,
    /// The care service's token.
    pub care_token: Token,
    /// Serialization of arrays in a query.
    pub array_style: Option<ArrayStyle>,
    /// Whether arguments are checked against documented limits before a request is sent.
    pub client_side_validation: Option<bool>,
    /// Whether a list item that cannot be decoded is an error.
    pub strict_lists: Option<bool>,
    /// Maximum size of a response after decompression, in bytes.
    pub max_response_bytes: Option<u64>,
    /// Maximum number of requests in flight.
    pub max_connections: Option<u32>,
    /// Multiplier for timeouts that are not set.
    pub timeout_scale: Option<Factor>,
    /// Whether compressed responses are requested.
    pub accept_gzip: Option<bool>,
    /// Text appended to the user agent.
    pub user_agent: Option<String>,
    /// Whether the client trusts the judge's certificate authority.
    pub ca: bool,
    /// The proxy setting.
    pub proxy: Option<Proxy>,
}

/// A multiplier. Numbers that JSON cannot represent are texts.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Factor {
    /// A JSON number.
    Number(f64),
    /// A text.
    Word(NonFinite),
}

impl Factor {
    /// Returns the number.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Number(value) => value,
            Self::Word(NonFinite::NaN) => f64::NAN,
            Self::Word(NonFinite::Infinity) => f64::INFINITY,
        }
    }
}

/// A number that JSON cannot represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum NonFinite {
    /// Not a number.
    NaN,
    /// Positive infinity.
    Infinity,
}

/// A port of the judge, on a loopback address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Port {
    /// Plain HTTP.
    #[default]
    Plain,
    /// No listener: connections are refused.
    Closed,
    /// A full backlog: connections are never accepted.
    Full,
    /// HTTPS with a certificate of the judge's authority.
    Tls,
    /// HTTPS with a self-signed certificate.
    TlsSelfSigned,
    /// HTTPS with an expired certificate of the judge's authority.
    TlsExpired,
    /// HTTPS with a certificate of the judge's authority for another host.
    TlsWrongHost,
    /// HTTPS with the outdated TLS 1.1.
    TlsOutdated,
}

/// A CONNECT proxy of the judge, on a loopback address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Proxy {
    /// Opens the requested connections.
    Opens,
    /// Rejects connections with status 407, like a proxy that requires authentication.
    Denies,
    /// Rejects connections with status 502, like a proxy that cannot reach the service.
    Fails,
}

/// Prefix of a token that a provider returns late.
pub const LATE: &str = "late:";

/// The source of a token.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Token {
    /// The case's default token: `health-token` or `care-token`.
    #[default]
    Usual,
    /// A fixed token.
    Text(String),
    /// No token.
    Absent,
    /// A provider that returns these in sequence, then the last one forever. A token with the prefix `late:` comes after two seconds,
    /// without the prefix.
    Provider(Vec<String>),
    /// A provider that fails.
    ProviderFails,
}

/// Serialization of an array in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArrayStyle {
    /// `types=a&types=b`.
    Repeated,
    /// `types=a,b`.
    Comma,
}
