//! What is sent as a body.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The bytes of a body.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Body {
    /// No bytes.
    #[default]
    Empty,
    /// JSON, written without spaces; `content-type: application/json` unless a header says otherwise. Numbers whose digits matter
    /// (`72.0`, more than 15 digits) are written as `text`.
    Json(Value),
    /// A text as it is; `content-type: application/json` unless a header says otherwise.
    Text(String),
    /// Bytes, in base64.
    Base64(String),
    /// A file of `tests/conformance/fixtures`.
    Fixture(String),
    /// A long text.
    Repeat(Repeat),
}

/// `open`, then `item` `times` times with `between` between them, then `close`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// The start.
    #[serde(default)]
    pub open: String,
    /// What is repeated. `{n}` in it becomes the number of the repetition, from 0.
    pub item: String,
    /// How often.
    pub times: u32,
    /// What stands between two items.
    #[serde(default)]
    pub between: String,
    /// The end.
    #[serde(default)]
    pub close: String,
}

/// How the body's bytes are packed; sets `content-encoding`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Packed by gzip.
    Gzip,
    /// Says gzip, and is not.
    FalseGzip,
}
