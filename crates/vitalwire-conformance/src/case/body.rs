//! Bodies of requests and responses.

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
    /// JSON, written without spaces. Sets `content-type: application/json` unless a header overrides it. Use `text` for numbers whose
    /// digits matter (`72.0`, more than 15 digits).
    Json(Value),
    /// A literal text. Sets `content-type: application/json` unless a header overrides it.
    Text(String),
    /// Bytes in base64.
    Base64(String),
    /// A file of `tests/conformance/fixtures`.
    Fixture(String),
    /// A long text.
    Repeat(Repeat),
}

/// `open`, then `times` copies of `item` separated by `between`, then `close`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// Text before the first item.
    #[serde(default)]
    pub open: String,
    /// The repeated text. `{n}` in it becomes the number of the repetition, from 0.
    pub item: String,
    /// Number of repetitions.
    pub times: u32,
    /// Separator of two items.
    #[serde(default)]
    pub between: String,
    /// Text after the last item.
    #[serde(default)]
    pub close: String,
}

/// Compression of the body. Sets `content-encoding`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Compressed with gzip.
    Gzip,
    /// Declared as gzip but not compressed.
    FalseGzip,
}
