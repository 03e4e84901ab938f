//! Descriptions of tables, from the specification.

use std::borrow::Cow;
use std::fmt;

use super::read_plan::TableSource;
use crate::error::Error;
use crate::value::decode::Decode;
use crate::value::{Date, Timestamp};

/// Description of a table.
///
/// Descriptions are compared by identity.
pub struct TableSpec {
    #[doc(hidden)]
    pub name: &'static str,
    #[doc(hidden)]
    pub doc: &'static str,
    #[doc(hidden)]
    pub sources: &'static [TableSource],
    #[doc(hidden)]
    pub fields: &'static [Field],
    /// Columns of number maps: the index of the first, and their number.
    #[doc(hidden)]
    pub numbers: &'static [(usize, usize)],
    /// Columns from which another one is derived, each with that column.
    #[doc(hidden)]
    pub derived: &'static [(usize, usize)],
    /// All field names in the specifications, sorted.
    #[doc(hidden)]
    pub field_names: &'static [&'static str],
}

impl PartialEq for TableSpec {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for TableSpec {}

impl TableSpec {
    /// Name, in snake case.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Description of the rows.
    #[must_use]
    pub fn doc(&self) -> &'static str {
        self.doc
    }

    /// Returns the ids of the operations whose responses have the table.
    pub fn operations(&self) -> impl Iterator<Item = &'static str> {
        self.sources.iter().map(|source| source.operation)
    }

    /// Columns in order.
    #[must_use]
    pub fn fields(&self) -> &'static [Field] {
        self.fields
    }

    /// Returns the key column for a call over a range. It identifies rows that two consecutive parts share. Several rows may have the
    /// same key.
    #[must_use]
    pub fn key(&self, operation: &str) -> Option<&'static Field> {
        let source = self.sources.iter().find(|source| source.operation == operation)?;
        self.fields.get(source.key?)
    }

    /// Returns the columns for declared names of a number map. A record uses few of them.
    pub fn numbers(&self) -> impl Iterator<Item = &'static Field> {
        self.numbers.iter().flat_map(|(first, count)| self.fields.iter().skip(*first).take(*count))
    }
}

impl fmt::Debug for TableSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableSpec").field("name", &self.name).field("fields", &self.fields.len()).finish_non_exhaustive()
    }
}

/// The description of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name.
    pub name: Cow<'static, str>,
    /// Kind of values.
    pub kind: ColumnKind,
    /// Unit of the numbers, if known.
    pub unit: Option<&'static str>,
    /// Whether a value may be missing.
    pub nullable: bool,
    /// Documentation.
    pub doc: &'static str,
}

impl Field {
    /// Whether the numbers are durations: the name says so, and the unit is one of time. Variabilities of the heart rate are not durations,
    /// although they are stated in milliseconds.
    #[must_use]
    pub fn is_duration(&self) -> bool {
        let is_named = self.name.contains("duration") || self.name.contains("latency");
        is_named && self.unit.is_some_and(|unit| matches!(unit, "ms" | "s" | "min" | "h"))
    }
}

/// Kind of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Doubles.
    Number,
    /// 64-bit integers.
    Integer,
    /// True or false.
    Boolean,
    /// Texts.
    Text,
    /// Calendar dates.
    Date,
    /// Instants.
    Instant,
    /// Dates and times on the user's clock.
    LocalTime,
    /// Lists of texts.
    TextList,
}

impl ColumnKind {
    /// Returns the rule that a value of another type breaks, worded as for models.
    pub(super) const fn expected(self) -> &'static str {
        match self {
            Self::Number => <f64 as Decode>::EXPECTED,
            Self::Integer => <i64 as Decode>::EXPECTED,
            Self::Boolean => <bool as Decode>::EXPECTED,
            Self::Text => <String as Decode>::EXPECTED,
            Self::Date => <Date as Decode>::EXPECTED,
            Self::Instant | Self::LocalTime => <Timestamp as Decode>::EXPECTED,
            Self::TextList => <Vec<String> as Decode>::EXPECTED,
        }
    }

    /// Whether a value has items.
    #[inline]
    pub(super) fn is_list(self) -> bool {
        match self {
            Self::TextList => true,
            Self::Number | Self::Integer | Self::Boolean | Self::Text | Self::Date | Self::Instant | Self::LocalTime => false,
        }
    }
}

const NO_TABLE: &str = "no table has this name";

/// Error: no table has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTable;

impl fmt::Display for UnknownTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NO_TABLE)
    }
}

impl std::error::Error for UnknownTable {}

/// Allows `?` on table names in functions that return [`Error`].
impl From<UnknownTable> for Error {
    fn from(_: UnknownTable) -> Self {
        Self::invalid_argument("table", NO_TABLE)
    }
}
