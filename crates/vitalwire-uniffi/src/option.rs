//! Types that settings and call options use.

use std::fmt;

/// Encoding of lists in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum ArrayStyle {
    /// Repeats the parameter: `types=steps&types=floors`.
    Repeated,
    /// Separates the items by commas: `types=steps,floors`.
    Comma,
}

impl From<ArrayStyle> for vitalwire::client::ArrayStyle {
    fn from(style: ArrayStyle) -> Self {
        match style {
            ArrayStyle::Repeated => Self::Repeated,
            ArrayStyle::Comma => Self::Comma,
        }
    }
}

/// A name and a value: a header or a query parameter.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct NameAndValue {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Omits the name and value from debug output.
impl fmt::Debug for NameAndValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NameAndValue(..)")
    }
}
