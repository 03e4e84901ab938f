//! Tables: the rows and columns that are made from responses.
//!
//! A declaration (`x-vitalwire-tables` at the schema of a record) names the list that holds the rows, and the fields above it that each
//! row repeats. Names, types, units and nullability follow from the schemas.

use serde::{Deserialize, Serialize};

use super::{Basis, Docs, Operation, Param, Type};

/// A table.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Table {
    /// Name in snake case.
    pub name: String,
    /// Documentation.
    pub docs: Docs,
    /// Columns, in order.
    pub columns: Vec<Column>,
    /// Columns from which another one is derived, each with that column: from a number whether it is above 0, from a text its date.
    pub derived: Vec<(usize, usize)>,
    /// Operations from whose responses it is made.
    pub sources: Vec<Source>,
}

/// A column.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Type of its cells.
    pub kind: ColumnKind,
    /// Whether cells may be missing.
    pub nullable: bool,
    /// Whether the column is a known key of a number map.
    pub in_map: bool,
    /// Documentation and unit.
    pub docs: Docs,
}

/// Type of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum ColumnKind {
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
    /// Instant in UTC.
    Instant,
    /// Date and time of day at the user's offset.
    LocalTime,
    /// List of texts.
    TextList,
}

/// An operation from whose response a table is made.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Source {
    /// `operationId`.
    pub operation: String,
    /// Whether the response is a list of the objects that `node` describes.
    pub list: bool,
    /// Amount that the numbers refer to, if the table states it.
    pub basis: Option<Basis>,
    /// Column that identifies an item of a range call, to find duplicates.
    pub key: Option<usize>,
    /// Rules for reading the response.
    pub node: Node,
}

impl Source {
    /// Returns the parameter that requests the rows, `include_` and the name of their field, with the name of that field. `None` if the
    /// rows are always sent.
    pub fn request_parameter<'a>(&'a self, operation: &'a Operation) -> Option<(&'a Param, &'a str)> {
        let holds = |slot: &&Slot| matches!(slot.read, ValuePlan::Rows(_) | ValuePlan::Samples(_));
        let member = self.node.members.iter().find(holds)?.wire.as_str();
        let requests_rows = |param: &&Param| {
            param.member.ty == Type::Boolean && !param.member.required && param.member.wire.strip_prefix("include_") == Some(member)
        };
        operation.params.iter().find(requests_rows).map(|param| (param, member))
    }
}

/// Rules for reading an object into rows.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Node {
    /// Schema name.
    pub model: String,
    /// Fields that are read. All others are ignored.
    pub members: Vec<Slot>,
    /// Whether the object is a row.
    pub row: bool,
    /// Column of offsets from the record's start, and column of the resulting instants.
    pub at: Option<(usize, usize)>,
    /// Columns of instants, each paired with its column of local times.
    pub local: Vec<(usize, usize)>,
}

/// A field that is read.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Slot {
    /// Wire name.
    pub wire: String,
    /// Whether the field is required.
    pub required: bool,
    /// Form in which the field is read.
    pub read: ValuePlan,
}

/// Form in which a field is read.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[expect(missing_docs, reason = "documented at each variant")]
pub enum ValuePlan {
    /// A value, for a column or for its role alone.
    Cell { kind: ColumnKind, column: Option<usize>, role: Role },
    /// A number map. The column `first` and those after it are the names of the open set.
    Numbers { first: usize, keys: String },
    /// An object within the same record.
    Object(Node),
    /// A list of objects that are rows or contain rows.
    Rows(Node),
    /// An object of parallel series, with a row for each index.
    Samples(Node),
    /// One of the parallel series.
    Series { column: usize },
    /// A series map within such an object.
    SeriesMap { first: usize, keys: String },
    /// Checked for presence only.
    Unread,
}

/// Role of a value besides its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Role {
    /// None.
    Plain,
    /// Offset of local time from UTC, in minutes.
    TimeOffset,
    /// Start instant, from which the offsets of samples count.
    Start,
}
