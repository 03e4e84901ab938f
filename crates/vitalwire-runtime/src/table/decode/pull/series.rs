//! Parallel series, with one row per index.

use std::collections::BTreeMap;

use super::names::{Name, Names};
use super::{Field, Plan, Pull, undeclared};
use crate::table::decode::ReadOutcome;
use crate::table::decode::object::NAME_TAKEN;
use crate::table::decode::samples::{SamplesSeed, first_series, store_series};
use crate::table::read_plan::ValuePlan;
use crate::value::decode::{Cursor, LenientValue, PullError, PullResult as Result, SeriesBuilder, Token};

/// Series of an object, by column.
type Series = BTreeMap<usize, Vec<f64>>;

impl Pull<'_, '_> {
    /// Reads an object of parallel series.
    pub(super) fn samples(&mut self, plan: &mut Plan, strict: bool) -> Result<ReadOutcome> {
        match self.cursor.token()? {
            Token::Object => {}
            Token::Null if !strict => return self.cursor.word(Token::Null).map(|()| ReadOutcome::Null),
            _ => return self.other(strict),
        }
        let (mut own, mut named) = (Series::new(), Series::new());
        let mut place = 0;
        let mut more = self.cursor.begin(b'{', b'}')?;
        while more {
            if let Name::Declared(index) = plan.names.read(&mut self.cursor, &mut place, |_| Ok(()))? {
                let slot = plan.node.fields.get(index).ok_or(PullError::Invalid)?;
                match (&slot.read, plan.fields.get_mut(index)) {
                    (ValuePlan::Series { column }, _) if self.declared(*column).is_some() => {
                        let values = series(&mut self.cursor)?;
                        store_series(self.reader, *column, values, &mut own);
                    }
                    (ValuePlan::SeriesMap { first, .. }, Some(Field::Columns(names))) => {
                        named.clear();
                        self.series_map(names, slot.name, *first, &mut named)?;
                    }
                    _ => self.cursor.skip()?,
                }
            } else {
                self.cursor.skip()?;
            }
            more = self.cursor.has_next(b'}')?;
        }
        if self.selection.is_some() && !own.keys().any(|column| first_series(plan.node) == Some(*column)) {
            // The number of rows is then that of most series, which must all be read.
            return Err(PullError::Invalid);
        }
        SamplesSeed { reader: self.reader, node: plan.node, strict: true }.add::<PullError>(own, named).map(|()| ReadOutcome::Stored)
    }

    /// Reads series by name.
    fn series_map(&mut self, names: &mut Names<Option<usize>>, name: &'static str, first: usize, series: &mut Series) -> Result<()> {
        match self.cursor.token()? {
            Token::Object => {}
            Token::Null => return self.cursor.word(Token::Null),
            _ => {
                self.cursor.skip()?;
                self.reader.count_skipped_field(name, "expected an object");
                return Ok(());
            }
        }
        let mut place = 0;
        let mut more = self.cursor.begin(b'{', b'}')?;
        while more {
            let column = match names.read(&mut self.cursor, &mut place, |name| undeclared(self.reader, self.selection, name))? {
                Name::Declared(index) => self.declared(first + index),
                Name::Unknown(column) => column,
            };
            match column {
                Some(column) => {
                    let values = self::series(&mut self.cursor)?;
                    store_series(self.reader, column, values, series);
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
        Ok(())
    }
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
        values.push::<PullError>(value)?;
        more = cursor.has_next(b']')?;
    }
    Ok(LenientValue::Valid(values.finish()))
}
