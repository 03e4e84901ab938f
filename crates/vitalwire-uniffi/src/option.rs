//! Types of single settings and options.

use std::fmt;

/// How a list travels in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum ArrayStyle {
    /// `types=steps&types=floors`
    Repeated,
    /// `types=steps,floors`
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

/// A name and its value: a header, or a pair of the query.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct NameAndValue {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Shows neither.
impl fmt::Debug for NameAndValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NameAndValue(..)")
    }
}
