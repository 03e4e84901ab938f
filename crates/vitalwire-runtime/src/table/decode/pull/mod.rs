//! The fast decoder of tables. It reads rows straight from the text of a body, without serde.
//!
//! Names of fields are predicted from earlier rows and compared in place. The rules are those of the general decoder, `super`. A body that
//! breaks one of them is read again by the general decoder, which reports the error or skips the item.

mod names;
mod series;

use super::object::NAME_TAKEN;
use super::record::ParentValues;
use super::{ReadOutcome, TableReader};
use crate::table::ColumnKind;
use crate::table::cells::{Cells, Scalar};
use crate::table::read_plan::{ObjectPlan, ValuePlan, ValueRole};
use crate::table::selection::ColumnSelection;
use crate::table::times::Time;
use crate::value::decode::check_item;
use crate::value::decode::{Cursor, PullError, PullResult as Result, Token};
use crate::value::{Date, Timestamp};
use names::{Name, Names};

/// Reads the rows of a body. After an error, the table is incomplete.
pub(super) fn read_rows(
    text: &str,
    reader: &mut TableReader,
    node: &'static ObjectPlan,
    list: bool,
    selection: Option<&ColumnSelection<'_>>,
) -> Result<()> {
    let mut pull = Pull { cursor: Cursor::new(text), reader, selection };
    let mut plan = Plan::new(node);
    if list {
        pull.list(&mut plan, true)?
    } else {
        pull.object(&mut plan, true)?
    };
    if pull.cursor.is_at_end() { Ok(()) } else { Err(PullError::Malformed) }
}

/// The plan of an object, with the names of its fields in the order of the rows so far.
struct Plan {
    node: &'static ObjectPlan,
    names: Names<()>,
    /// One for each field.
    fields: Vec<Field>,
}

/// State of a field that is kept from row to row.
enum Field {
    /// Nothing.
    Single,
    /// Objects.
    Objects(Plan),
    /// An object of numbers or series; the use of an undeclared name is its column.
    Columns(Names<Option<usize>>),
}

impl Plan {
    fn new(node: &'static ObjectPlan) -> Self {
        let field = |read: &ValuePlan| match read {
            ValuePlan::Object(inner) | ValuePlan::Rows(inner) | ValuePlan::Samples(inner) => Field::Objects(Self::new(inner)),
            ValuePlan::Numbers { names, index_of, .. } | ValuePlan::SeriesMap { names, index_of, .. } => {
                Field::Columns(Names::new(names.len(), *index_of))
            }
            _ => Field::Single,
        };
        Self {
            node,
            names: Names::new(node.names.len(), node.index_of),
            fields: node.fields.iter().map(|slot| field(&slot.read)).collect(),
        }
    }
}

/// Decoder of a body.
struct Pull<'t, 'r> {
    cursor: Cursor<'t>,
    reader: &'r mut TableReader,
    /// Columns to read; all if there is none.
    selection: Option<&'r ColumnSelection<'r>>,
}

impl Pull<'_, '_> {
    /// Reads a list of objects. `null` is an empty list.
    fn list(&mut self, plan: &mut Plan, strict: bool) -> Result<ReadOutcome> {
        match self.cursor.token()? {
            Token::List => {}
            Token::Null => return self.cursor.word(Token::Null).map(|()| ReadOutcome::Null),
            _ => return self.other(strict),
        }
        let mut more = self.cursor.begin(b'[', b']')?;
        for at in 0.. {
            check_item::<PullError>(at)?;
            if !more {
                break;
            }
            self.object(plan, true)?;
            more = self.cursor.has_next(b']')?;
        }
        Ok(ReadOutcome::Stored)
    }

    fn object(&mut self, plan: &mut Plan, strict: bool) -> Result<ReadOutcome> {
        match self.cursor.token()? {
            Token::Object => self.fields(plan).map(|()| ReadOutcome::Stored),
            Token::Null if !strict => self.cursor.word(Token::Null).map(|()| ReadOutcome::Null),
            _ => self.other(strict),
        }
    }

    /// Skips a value of an unexpected type.
    #[cold]
    fn other(&mut self, strict: bool) -> Result<ReadOutcome> {
        self.cursor.skip()?;
        if strict { Err(PullError::Invalid) } else { Ok(ReadOutcome::WrongType) }
    }

    /// Reads the fields of an object.
    fn fields(&mut self, plan: &mut Plan) -> Result<()> {
        let node = plan.node;
        let start = self.reader.table.rows;
        let (mut seen, mut place) = (0_u64, 0);
        let mut parent = ParentValues::default();
        let mut more = self.cursor.begin(b'{', b'}')?;
        while more {
            match plan.names.read(&mut self.cursor, &mut place, |_| Ok(()))? {
                Name::Declared(index) => {
                    let (Some(slot), Some(field)) = (node.fields.get(index), plan.fields.get_mut(index)) else {
                        return Err(PullError::Invalid);
                    };
                    let bit = 1 << index;
                    if seen & bit != 0 {
                        self.reader.clear_field(slot, start);
                    }
                    seen |= bit;
                    let strict = node.required & bit != 0;
                    let outcome = match (&slot.read, field) {
                        (ValuePlan::Cell { column, role, .. }, _)
                            if !strict && self.selection.is_some_and(|selection| !selection.needs_value(*column, *role)) =>
                        {
                            self.cursor.skip().map(|()| ReadOutcome::Stored)?
                        }
                        (ValuePlan::Cell { kind, column, role }, _) => {
                            self.single((*kind, *column, *role), node.is_row, strict, &mut parent)?
                        }
                        (ValuePlan::Numbers { first, .. }, Field::Columns(names)) => self.numbers(names, slot.name, *first, strict)?,
                        (ValuePlan::Object(_), Field::Objects(plan)) => self.object(plan, strict)?,
                        (ValuePlan::Rows(_), Field::Objects(plan)) => self.list(plan, strict)?,
                        (ValuePlan::Samples(_), Field::Objects(plan)) => self.samples(plan, strict)?,
                        _ => self.cursor.skip().map(|()| ReadOutcome::Stored)?,
                    };
                    if outcome == ReadOutcome::WrongType {
                        self.reader.count_skipped_value(slot);
                    }
                }
                Name::Unknown(()) => self.cursor.skip()?,
            }
            more = self.cursor.has_next(b'}')?;
        }
        if node.required & !seen != 0 {
            return Err(PullError::Invalid);
        }
        if node.is_row {
            self.reader.table.rows += 1;
        }
        self.reader.repeat_parent_values::<PullError>(start, &parent)?;
        self.reader.compute_times(node, start, &parent)
    }

    /// Reads a single value into its column. If the object is not a row, keeps the value for the rows below it.
    #[inline]
    fn single(
        &mut self,
        (kind, column, role): (ColumnKind, Option<usize>, ValueRole),
        is_row: bool,
        strict: bool,
        parent: &mut ParentValues,
    ) -> Result<ReadOutcome> {
        let row = self.reader.table.rows;
        let mut own = None;
        let (cells, row) = match column.filter(|_| is_row) {
            Some(column) => match self.reader.table.columns.get_mut(column) {
                Some(column) => (&mut column.cells, row),
                None => return Err(PullError::Invalid),
            },
            None => (own.insert(Cells::new(kind)), 0),
        };
        let outcome = cell(&mut self.cursor, cells, row, kind, strict)?;
        parent.set_role(role, cells, row);
        if let (Some(column), Some(own)) = (column, own) {
            parent.set_cell(column, own);
        }
        Ok(outcome)
    }

    /// Reads an object of numbers.
    fn numbers(&mut self, names: &mut Names<Option<usize>>, name: &'static str, first: usize, strict: bool) -> Result<ReadOutcome> {
        match self.cursor.token()? {
            Token::Object => {}
            Token::Null if !strict => return self.cursor.word(Token::Null).map(|()| ReadOutcome::Null),
            _ => return self.other(strict),
        }
        let row = self.reader.table.rows;
        let mut place = 0;
        let mut more = self.cursor.begin(b'{', b'}')?;
        while more {
            let column = match names.read(&mut self.cursor, &mut place, |name| undeclared(self.reader, self.selection, name))? {
                Name::Declared(index) => self.declared(first + index),
                Name::Unknown(column) => column,
            };
            match column.and_then(|column| Some((column, self.reader.table.columns.get_mut(column)?))) {
                Some((_, column)) if matches!(self.cursor.peek(), b'0'..=b'9' | b'-') => {
                    let value = self.cursor.double()?;
                    column.cells.put_number::<PullError>(row, value)?;
                }
                Some((column, cells)) => {
                    if cell(&mut self.cursor, &mut cells.cells, row, ColumnKind::Number, false)? == ReadOutcome::WrongType {
                        self.reader.count_wrong_type(column);
                    }
                }
                None => {
                    self.cursor.skip()?;
                    if self.selection.is_none() {
                        self.reader.count_skipped_field(name, NAME_TAKEN);
                    }
                }
            }
            more = self.cursor.has_next(b'}')?;
        }
        Ok(ReadOutcome::Stored)
    }

    /// Returns a column of the specification, if it is selected.
    #[inline]
    fn declared(&self, column: usize) -> Option<usize> {
        self.selection.is_none_or(|selection| selection.is_needed(column)).then_some(column)
    }
}

/// Returns the column of an undeclared number, if it is selected.
fn undeclared(reader: &mut TableReader, selection: Option<&ColumnSelection<'_>>, name: &str) -> Result<Option<usize>> {
    if selection.is_none_or(|selection| selection.contains(name)) { reader.undeclared_column(name) } else { Ok(None) }
}

/// Reads a value into a row, replacing its content. If the value does not fit, the cell is missing.
#[inline]
fn cell(cursor: &mut Cursor<'_>, cells: &mut Cells, row: usize, kind: ColumnKind, strict: bool) -> Result<ReadOutcome> {
    let token = cursor.token()?;
    let value = match (kind, token) {
        (ColumnKind::Number, Token::Number) => Some(Scalar::Number(cursor.double()?)),
        (ColumnKind::Integer, Token::Number) => cursor.integer()?.map(Scalar::Integer),
        (ColumnKind::Boolean, Token::True | Token::False) => {
            cursor.word(token)?;
            Some(Scalar::Boolean(token == Token::True))
        }
        (ColumnKind::Text, Token::String) => {
            let text = cursor.string()?;
            return cells.put::<PullError>(row, Scalar::Text(&text)).map(|()| ReadOutcome::Stored);
        }
        (ColumnKind::Date, Token::String) => {
            cursor.string()?.parse::<Date>().ok().map(|date| Scalar::Date(super::cell::days_since_1970(date)))
        }
        (ColumnKind::Instant, Token::String) => {
            Timestamp::parse_unix(&cursor.string()?).map(|(seconds, nanoseconds)| Scalar::Time(Time::from_unix(seconds, nanoseconds)))
        }
        (ColumnKind::TextList, Token::List) => {
            cells.make_room::<PullError>(row)?;
            let mut more = cursor.begin(b'[', b']')?;
            while more {
                cells.push_item::<PullError>(&cursor.string()?)?;
                more = cursor.has_next(b']')?;
            }
            return cells.end_list::<PullError>().map(|()| ReadOutcome::Stored);
        }
        (_, Token::Null) => {
            cursor.word(token)?;
            cells.truncate(row);
            return if strict { Err(PullError::Invalid) } else { Ok(ReadOutcome::Null) };
        }
        _ => {
            cursor.skip()?;
            None
        }
    };
    match value {
        Some(value) => cells.put::<PullError>(row, value).map(|()| ReadOutcome::Stored),
        None => {
            cells.truncate(row);
            if strict { Err(PullError::Invalid) } else { Ok(ReadOutcome::WrongType) }
        }
    }
}
