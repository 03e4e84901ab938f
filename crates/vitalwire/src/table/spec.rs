//! What a table is, as far as the specification says it.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::TableId;
use super::plan::Source;

/// What a table is.
pub struct TableSpec {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) sources: &'static [Source],
    pub(crate) fields: &'static [Field],
    /// The columns of maps of numbers: the first, and how many.
    pub(crate) numbers: &'static [(usize, usize)],
}

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
#[non_exhaustive]
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

impl TableId {
    /// Its name, snake case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.spec().name
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
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

impl FromStr for TableId {
    type Err = UnknownTable;

    fn from_str(name: &str) -> Result<Self, UnknownTable> {
        Self::ALL.iter().copied().find(|id| id.as_str() == name).ok_or(UnknownTable)
    }
}
