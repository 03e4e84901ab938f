//! Access at a cursor: the fast path.
//!
//! Names of fields are predicted from earlier rows and compared in place. A body that breaks a rule is read again through serde, which
//! reports the error or skips the item.

use super::access::{FieldAccess, ItemAccess, Leaf, ValueAccess, ValueReader};
use super::names::{Name, Names};
use super::object_state::ObjectState;
use super::record::RecordReader;
use super::{ReadOutcome, TableReader};
use crate::table::ColumnKind;
use crate::table::cells::Cells;
use crate::table::decode::cell::CellReader;
use crate::value::decode::{Cursor, FastPathError, FastPathResult as Result, LenientValue, SeriesBuilder, Token, check_item};

impl ValueAccess for &mut Cursor<'_> {
    type Error = FastPathError;

    #[inline(always)]
    fn read<R: ValueReader>(self, reader: &mut R) -> Result<ReadOutcome> {
        match self.token()? {
            Token::Number => {
                let number = self.number()?;
                reader.leaf(Leaf::Number(number))
            }
            Token::String => reader.leaf(Leaf::Text(&self.string()?)),
            Token::Object => {
                let more = self.begin(b'{', b'}')?;
                reader.object(CursorFields { cursor: self, place: 0, more })
            }
            Token::List => {
                let more = self.begin(b'[', b']')?;
                reader.list(CursorItems { cursor: self, more })
            }
            Token::Null => {
                self.word(Token::Null)?;
                reader.leaf(Leaf::Null)
            }
            token @ (Token::True | Token::False) => {
                self.word(token)?;
                reader.leaf(Leaf::Boolean(token == Token::True))
            }
        }
    }
}

/// The fields of an object.
struct CursorFields<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    /// Place in the names after the previous name.
    place: usize,
    /// Whether there is a further field.
    more: bool,
}

impl CursorFields<'_, '_> {
    /// Consumes the comma or bracket after a value.
    #[inline(always)]
    fn end_value<T>(&mut self, value: T) -> Result<T> {
        self.more = self.cursor.has_next(b'}')?;
        Ok(value)
    }
}

impl FieldAccess for CursorFields<'_, '_> {
    type Error = FastPathError;

    #[inline(always)]
    fn next_name<T: Copy>(&mut self, names: &mut Names<T>, learn: impl FnOnce(&str) -> Result<T>) -> Result<Option<Name<T>>> {
        if !self.more {
            return Ok(None);
        }
        // A local, so that the fields of this struct can stay in registers.
        let mut place = self.place;
        let name = names.read(self.cursor, &mut place, learn)?;
        self.place = place;
        Ok(Some(name))
    }

    #[inline(always)]
    fn read<R: ValueReader>(&mut self, reader: &mut R) -> Result<ReadOutcome> {
        let outcome = self.cursor.read(reader)?;
        self.end_value(outcome)
    }

    #[inline(always)]
    fn read_number(&mut self, cells: &mut Cells, row: usize) -> Result<ReadOutcome> {
        if !matches!(self.cursor.peek(), b'0'..=b'9' | b'-') {
            let outcome = read_other(self.cursor, cells, row)?;
            return self.end_value(outcome);
        }
        let value = self.cursor.double()?;
        cells.put_number::<FastPathError>(row, value)?;
        self.end_value(ReadOutcome::Stored)
    }

    fn read_series(&mut self) -> Result<LenientValue<Vec<f64>>> {
        let values = series(self.cursor)?;
        self.end_value(values)
    }

    #[inline]
    fn skip(&mut self) -> Result<()> {
        self.cursor.skip()?;
        self.end_value(())
    }

    #[cold]
    fn skip_all(mut self) -> Result<()> {
        while self.more {
            self.cursor.string()?;
            self.cursor.expect(b':')?;
            self.skip()?;
        }
        Ok(())
    }
}

/// The items of a list.
struct CursorItems<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    /// Whether there is a further item.
    more: bool,
}

impl ItemAccess for CursorItems<'_, '_> {
    type Error = FastPathError;

    fn read_texts(mut self, cells: &mut Cells) -> Result<()> {
        while self.more {
            cells.push_item::<FastPathError>(&self.cursor.string()?)?;
            self.more = self.cursor.has_next(b']')?;
        }
        Ok(())
    }

    fn read_rows(mut self, table: &mut TableReader<'_>, state: &mut ObjectState, _: &'static str) -> Result<()> {
        for at in 0.. {
            check_item::<FastPathError>(at)?;
            if !self.more {
                break;
            }
            self.cursor.read(&mut RecordReader { table: &mut *table, state: &mut *state, strict: true })?;
            self.more = self.cursor.has_next(b']')?;
        }
        Ok(())
    }

    #[cold]
    fn skip_all(mut self) -> Result<()> {
        while self.more {
            self.cursor.skip()?;
            self.more = self.cursor.has_next(b']')?;
        }
        Ok(())
    }
}

/// Reads a value that is not a number into a cell for numbers.
#[inline(never)]
fn read_other(cursor: &mut Cursor<'_>, cells: &mut Cells, row: usize) -> Result<ReadOutcome> {
    cursor.read(&mut CellReader { cells, row, kind: ColumnKind::Number, strict: false })
}

/// Reads a series of numbers. `null` is a gap, NaN.
fn series(cursor: &mut Cursor<'_>) -> Result<LenientValue<Vec<f64>>> {
    match cursor.token()? {
        Token::List => {}
        Token::Null => return cursor.word(Token::Null).map(|()| LenientValue::Null),
        _ => return cursor.skip().map(|()| LenientValue::WrongType(Box::default())),
    }
    let start = cursor.position();
    let mut values = SeriesBuilder::new();
    let mut more = cursor.begin(b'[', b']')?;
    while more {
        let value = match cursor.short_double() {
            Some(value) => value,
            None => match cursor.token()? {
                Token::Number => cursor.double()?,
                Token::Null => {
                    cursor.word(Token::Null)?;
                    f64::NAN
                }
                _ => {
                    cursor.rewind(start);
                    return cursor.skip().map(|()| LenientValue::WrongType(Box::default()));
                }
            },
        };
        values.push::<FastPathError>(value)?;
        more = cursor.has_next(b']')?;
    }
    Ok(LenientValue::Valid(values.finish()))
}
