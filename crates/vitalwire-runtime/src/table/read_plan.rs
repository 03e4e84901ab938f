//! Plans for reading responses into tables. They are generated static data.

use std::borrow::Cow;

use super::data_loss::SkipTarget;
use super::{ColumnKind, TableSpec};

/// Name of a list that is the response itself, in counts.
pub(super) const RESPONSE: &str = "response";

/// An operation whose response has the table.
pub struct TableSource {
    /// Id of the operation.
    pub operation: &'static str,
    /// Whether the response is a list whose items `node` reads.
    pub is_list: bool,
    /// Value of the `basis` column in every row, if the table has that column.
    pub basis: Option<&'static str>,
    /// Key column that identifies an item, for calls over a range.
    pub key: Option<usize>,
    /// Plan for the response, or for each of its items.
    pub node: &'static ObjectPlan,
}

/// Plan for reading an object.
pub struct ObjectPlan {
    /// Names of `fields`.
    pub names: &'static [&'static str],
    /// Finds the index of a name in `fields`.
    pub index_of: fn(&str) -> Option<usize>,
    /// Fields that are read, at most 64.
    pub fields: &'static [FieldPlan],
    /// Required fields, as a bit set.
    pub required: u64,
    /// Whether the object is a row. Otherwise its values are repeated in each row below it.
    pub is_row: bool,
    /// Column of offsets from the start of the record in milliseconds, and column of the resulting instants.
    pub sample_times: Option<(usize, usize)>,
    /// Columns of instants, each with its column of local times.
    pub local_times: &'static [(usize, usize)],
}

/// A field to read.
pub struct FieldPlan {
    /// Name of the field.
    pub name: &'static str,
    /// Plan for the value.
    pub read: ValuePlan,
}

/// Plan for reading a field.
pub enum ValuePlan {
    /// A single value, with an optional column.
    Cell { kind: ColumnKind, column: Option<usize>, role: ValueRole },
    /// An object of numbers: one column for each declared name, starting at `first`, and one for each undeclared name.
    Numbers { first: usize, names: &'static [&'static str], index_of: fn(&str) -> Option<usize> },
    /// An object in the same record.
    Object(&'static ObjectPlan),
    /// A list of objects that are rows or contain rows.
    Rows(&'static ObjectPlan),
    /// An object of parallel series, with one row per index.
    Samples(&'static ObjectPlan),
    /// One of the parallel series.
    Series { column: usize },
    /// An object of further parallel series, by name.
    SeriesMap { first: usize, names: &'static [&'static str], index_of: fn(&str) -> Option<usize> },
    /// A required field whose value is ignored.
    #[allow(dead_code, reason = "no table of the present specification needs it")]
    Unread,
}

/// Purpose of a value in addition to its column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ValueRole {
    /// No other purpose.
    Plain,
    /// Offset of local time from UTC, in minutes.
    TimeOffset,
    /// The instant from which the offsets of samples count.
    Start,
}

impl TableSource {
    /// Returns the list or column of the table that contains a path such as `[0].sections[1].results[2]`. Returns `None` if the table
    /// does not read it.
    pub(super) fn find_list(&self, spec: &TableSpec, json_path: &str) -> Option<(Cow<'static, str>, SkipTarget)> {
        let json_path = if self.is_list {
            let (_, rest) = json_path.strip_prefix('[')?.split_once(']')?;
            match rest.strip_prefix('.') {
                Some(rest) => rest,
                None => return rest.is_empty().then_some((RESPONSE.into(), SkipTarget::Item)),
            }
        } else {
            json_path
        };
        let mut node = self.node;
        let mut steps = json_path.split('.').map(|step| step.split('[').next().unwrap_or(step)).peekable();
        while let Some(name) = steps.next() {
            let slot = node.fields.get((node.index_of)(name)?)?;
            match slot.read {
                ValuePlan::Rows(_) if steps.peek().is_none() => return Some((slot.name.into(), SkipTarget::Item)),
                ValuePlan::Cell { kind, column, .. } if kind.is_list() => {
                    let field = column.and_then(|column| spec.fields.get(column));
                    return Some(field.map_or((slot.name.into(), SkipTarget::Field), |field| (field.name.clone(), SkipTarget::Column)));
                }
                ValuePlan::Rows(inner) | ValuePlan::Object(inner) => node = inner,
                ValuePlan::Cell { .. }
                | ValuePlan::Numbers { .. }
                | ValuePlan::Samples(_)
                | ValuePlan::Series { .. }
                | ValuePlan::SeriesMap { .. }
                | ValuePlan::Unread => return None,
            }
        }
        None
    }
}

impl ObjectPlan {
    /// Returns a field of the row objects, for counting rows in a body.
    pub(super) fn first_row_field(&self) -> Option<&'static str> {
        if self.is_row {
            return self.fields.first().map(|slot| slot.name);
        }
        self.fields.iter().find_map(|slot| match slot.read {
            ValuePlan::Object(node) | ValuePlan::Rows(node) => node.first_row_field(),
            ValuePlan::Cell { .. }
            | ValuePlan::Numbers { .. }
            | ValuePlan::Samples(_)
            | ValuePlan::Series { .. }
            | ValuePlan::SeriesMap { .. }
            | ValuePlan::Unread => None,
        })
    }
}
