//! What a table is, as far as the specification says it.

use std::borrow::Cow;
use std::fmt;

use super::plan::Source;

/// What a table is.
///
/// Two are the same where they are one and the same.
pub struct TableSpec {
    #[doc(hidden)]
    pub name: &'static str,
    #[doc(hidden)]
    pub doc: &'static str,
    #[doc(hidden)]
    pub sources: &'static [Source],
    #[doc(hidden)]
    pub fields: &'static [Field],
    /// The columns of maps of numbers: the first, and how many.
    #[doc(hidden)]
    pub numbers: &'static [(usize, usize)],
    /// Every member name that the specifications declare, sorted.
    #[doc(hidden)]
    pub members: &'static [&'static str],
}

impl PartialEq for TableSpec {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for TableSpec {}

impl TableSpec {
    /// Its name, snake case.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What its rows are.
    #[must_use]
    pub fn doc(&self) -> &'static str {
        self.doc
    }

    /// The ids of the operations whose answers hold it.
    pub fn operations(&self) -> impl Iterator<Item = &'static str> {
        self.sources.iter().map(|source| source.operation)
    }

    /// Its columns, in order.
    #[must_use]
    pub fn fields(&self) -> &'static [Field] {
        self.fields
    }

    /// The column by which rows that two neighbouring parts of a range both have are known, for a call over a range; several rows
    /// may have one value of it.
    #[must_use]
    pub fn key(&self, operation: &str) -> Option<&'static Field> {
        let source = self.sources.iter().find(|source| source.operation == operation)?;
        self.fields.get(source.key?)
    }

    /// Those of its columns that are the known names of a map of numbers. A record may have any of them, and has few.
    pub fn numbers(&self) -> impl Iterator<Item = &'static Field> {
        self.numbers.iter().flat_map(|(first, count)| self.fields.iter().skip(*first).take(*count))
    }
}

impl fmt::Debug for TableSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableSpec").field("name", &self.name).field("fields", &self.fields.len()).finish_non_exhaustive()
    }
}

/// What a column is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name.
    pub name: Cow<'static, str>,
    /// Kind of its values.
    pub kind: ColumnKind,
    /// Unit of its numbers, where one is known.
    pub unit: Option<&'static str>,
    /// Whether a value may be missing.
    pub nullable: bool,
    /// Documentation.
    pub doc: &'static str,
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
    /// Dates with times of day on the user's clock.
    LocalTime,
    /// Lists of texts.
    TextList,
}

/// A name that is no table's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTable;

impl fmt::Display for UnknownTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no table has this name")
    }
}

impl std::error::Error for UnknownTable {}
