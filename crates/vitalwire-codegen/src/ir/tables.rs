//! Tables: which rows and columns are read from which answers.
//!
//! A declaration (`x-vitalwire-tables` at the schema of a record) names the list whose items are the rows and the members above it
//! that are repeated in each row. Everything else, names, types, units and what may be missing, is the schemas' own.

use serde::{Deserialize, Serialize};

use super::{Basis, Docs, Operation, Param, Type};

/// A table.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Table {
    /// Name, snake case.
    pub name: String,
    /// Documentation.
    pub docs: Docs,
    /// Columns, in order.
    pub columns: Vec<Column>,
    /// The operations whose answers hold it.
    pub sources: Vec<Source>,
}

/// A column.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Column {
    /// Name.
    pub name: String,
    /// What its cells are.
    pub kind: Kind,
    /// Whether a cell may be missing.
    pub nullable: bool,
    /// Whether it is a known name of a map of numbers.
    pub in_map: bool,
    /// Documentation and unit.
    pub docs: Docs,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Kind {
    /// Double.
    Number,
    /// 64-bit integer.
    Integer,
    /// True or false.
    Boolean,
    /// Text.
    Text,
    /// Calendar date.
    Date,
    /// Instant, UTC.
    Instant,
    /// Date and time of day at the user's offset.
    LocalTime,
    /// List of texts.
    TextList,
}

/// An operation whose answer holds a table.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Source {
    /// `operationId`.
    pub operation: String,
    /// Whether the answer is a list of what `node` reads.
    pub list: bool,
    /// What numbers refer to, where the table says it.
    pub basis: Option<Basis>,
    /// For a call over a range: the column of what an item is known by.
    pub key: Option<usize>,
    /// How the answer is read.
    pub node: Node,
}

impl Source {
    /// The parameter that asks for the rows, `include_` and the name of the member that holds them, with that name; `None` where
    /// they come unasked.
    pub fn asked_by<'a>(&'a self, operation: &'a Operation) -> Option<(&'a Param, &'a str)> {
        let holds = |slot: &&Slot| matches!(slot.read, Read::Rows(_) | Read::Samples(_));
        let member = self.node.members.iter().find(holds)?.wire.as_str();
        let asks = |param: &&Param| {
            param.member.ty == Type::Boolean && !param.member.required && param.member.wire.strip_prefix("include_") == Some(member)
        };
        operation.params.iter().find(asks).map(|param| (param, member))
    }
}

/// How an object is read.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Node {
    /// The schema's name.
    pub model: String,
    /// Members that are read; others are passed over.
    pub members: Vec<Slot>,
    /// Whether the object is a row.
    pub row: bool,
    /// The column of offsets from the record's start and the column of the instants they give.
    pub at: Option<(usize, usize)>,
    /// Columns of instants, each with the column of its local times.
    pub local: Vec<(usize, usize)>,
}

/// A member that is read.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Slot {
    /// Name on the wire.
    pub wire: String,
    /// Whether it must be there.
    pub required: bool,
    /// How it is read.
    pub read: Read,
}

/// How a member is read.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[expect(missing_docs, reason = "said at each variant")]
pub enum Read {
    /// A value: into a column, or only to know it.
    Cell { kind: Kind, column: Option<usize>, role: Role },
    /// An object of numbers, a column for each name of an open set from `first` on.
    Numbers { first: usize, keys: String },
    /// An object within the same record.
    Object(Node),
    /// A list of objects, rows or what holds rows.
    Rows(Node),
    /// An object of parallel series, a row for each place in them.
    Samples(Node),
    /// One such series.
    Series { column: usize },
    /// An object of such series.
    SeriesMap { first: usize, keys: String },
    /// Nothing of it: it must be there, that is all.
    Unread,
}

/// What a value is needed for besides its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Role {
    /// Nothing.
    Plain,
    /// Offset of local time from UTC, in minutes.
    TimeOffset,
    /// The instant that offsets of samples count from.
    Start,
}
