//! Encoding of lists in query strings.

/// Encoding of lists in query strings.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_array_style {
    /// Repeats the key for each item: `types=steps&types=floors`.
    VITALWIRE_ARRAY_STYLE_REPEATED = 0,
    /// Joins the items with commas: `types=steps,floors`.
    VITALWIRE_ARRAY_STYLE_COMMA = 1,
}
