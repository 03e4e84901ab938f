//! How answers are read into tables: static data, generated, walked by the one decoder.

use std::borrow::Cow;

use super::losses::Named;
use super::{ColumnKind, TableSpec};

/// The name of the list that is the response itself, in counts.
pub(super) const RESPONSE: &str = "response";

/// An operation whose answer holds a table.
pub struct Source {
    /// Its id.
    pub operation: &'static str,
    /// Whether the answer is a list of what `node` reads.
    pub list: bool,
    /// What the `basis` column says of every row, where the table has one.
    pub basis: Option<&'static str>,
    /// For a call over a range: the column of what an item is known by.
    pub key: Option<usize>,
    /// How the answer, or each item of it, is read.
    pub node: &'static Node,
}

/// How an object is read.
pub struct Node {
    /// The names of `members`.
    pub names: &'static [&'static str],
    /// The place of a member in `members`.
    pub index_of: fn(&str) -> Option<usize>,
    /// The members that are read, at most 64.
    pub members: &'static [Slot],
    /// Which members must be there, a bit for each.
    pub required: u64,
    /// Whether the object is a row; else its values are repeated in each row below it.
    pub row: bool,
    /// The column of offsets (ms) from the record's start, and the column of the instants they give.
    pub at: Option<(usize, usize)>,
    /// Columns of instants, each with the column of its local times.
    pub local: &'static [(usize, usize)],
}

/// A member that is read.
pub struct Slot {
    /// Its name.
    pub name: &'static str,
    /// How.
    pub read: Read,
}

/// How a member is read.
pub enum Read {
    /// A value, into a column or only to know it.
    Cell { kind: ColumnKind, column: Option<usize>, role: Role },
    /// An object of numbers: a column for each of the known names from `first` on, and one for each unknown name.
    Numbers { first: usize, names: &'static [&'static str], index_of: fn(&str) -> Option<usize> },
    /// An object within the same record.
    Object(&'static Node),
    /// A list of objects: rows, or what holds rows.
    Rows(&'static Node),
    /// An object of parallel series: a row for each place in them.
    Samples(&'static Node),
    /// One of them.
    Series { column: usize },
    /// An object of more of them, by name.
    SeriesMap { first: usize, names: &'static [&'static str], index_of: fn(&str) -> Option<usize> },
    /// Nothing: it must be there, that is all.
    #[allow(dead_code, reason = "no table of the present specification needs it")]
    Unread,
}

/// What a value is needed for besides its column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    Plain,
    /// Offset of local time from UTC, in minutes.
    TimeOffset,
    /// The instant that samples' offsets count from.
    Start,
}

impl Source {
    /// The list that the item at a place is in, such as `[0].sections[1].results[2]`, and what it has in the table; `None` if the table is
    /// not made of it.
    pub(super) fn list_at(&self, spec: &TableSpec, place: &str) -> Option<(Cow<'static, str>, Named)> {
        let place = if self.list {
            let (_, rest) = place.strip_prefix('[')?.split_once(']')?;
            match rest.strip_prefix('.') {
                Some(rest) => rest,
                None => return rest.is_empty().then_some((RESPONSE.into(), Named::Item)),
            }
        } else {
            place
        };
        let mut node = self.node;
        let mut steps = place.split('.').map(|step| step.split('[').next().unwrap_or(step)).peekable();
        while let Some(name) = steps.next() {
            let slot = node.members.get((node.index_of)(name)?)?;
            match slot.read {
                Read::Rows(_) if steps.peek().is_none() => return Some((slot.name.into(), Named::Item)),
                Read::Cell { kind: ColumnKind::TextList, column, .. } => {
                    let field = column.and_then(|column| spec.fields.get(column));
                    return Some(field.map_or((slot.name.into(), Named::Member), |field| (field.name.clone(), Named::Column)));
                }
                Read::Rows(inner) | Read::Object(inner) => node = inner,
                _ => return None,
            }
        }
        None
    }
}

impl Node {
    /// A member of the objects that are rows, to count them by.
    pub(super) fn row_key(&self) -> Option<&'static str> {
        if self.row {
            return self.members.first().map(|slot| slot.name);
        }
        self.members.iter().find_map(|slot| match slot.read {
            Read::Object(node) | Read::Rows(node) => node.row_key(),
            _ => None,
        })
    }
}
