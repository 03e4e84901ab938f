//! Decoding of a value into a cell.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::ReadOutcome;
use super::ignore_rest::{drain_list, drain_object};
use super::text_list::read_texts;
use crate::table::ColumnKind;
use crate::table::cells::{Cells, Scalar};
use crate::table::times::Time;
use crate::value::decode::{Decode, ObjectOrNumber, mode, object_or_number, visit_container_via_text, visit_number, visit_via_text};
use crate::value::{Date, Timestamp};

/// Decodes a value into a row, replacing its content. If the value does not fit, the cell is missing.
pub(super) struct CellSeed<'a> {
    pub(super) cells: &'a mut Cells,
    pub(super) row: usize,
    pub(super) kind: ColumnKind,
    /// Whether a value that does not fit is an error.
    pub(super) strict: bool,
}

impl CellSeed<'_> {
    #[inline]
    fn put<E: Error>(self, value: Option<Scalar<'_>>) -> Result<ReadOutcome, E> {
        match value {
            Some(value) => self.cells.put(self.row, value).map(|()| ReadOutcome::Stored),
            None => self.handle_wrong_type(ReadOutcome::WrongType),
        }
    }

    /// Reads the value as text first, so that numbers beyond the range of a double and lone surrogates count as wrong types.
    #[cold]
    fn deserialize_from_text<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<ReadOutcome, D::Error> {
        let seed = CellSeed { cells: &mut *self.cells, ..self };
        match visit_via_text(deserializer, seed)? {
            Some(outcome) => Ok(outcome),
            None => self.handle_wrong_type(ReadOutcome::WrongType),
        }
    }

    #[cold]
    fn handle_wrong_type<E: Error>(self, outcome: ReadOutcome) -> Result<ReadOutcome, E> {
        self.cells.truncate(self.row);
        if self.strict { Err(E::custom(self.kind.expected())) } else { Ok(outcome) }
    }
}

pub(in crate::table) fn days_since_1970(date: Date) -> i32 {
    Date::new(1970, 1, 1).unwrap_or_default().days_until(date)
}

impl<'de> DeserializeSeed<'de> for CellSeed<'_> {
    type Value = ReadOutcome;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ReadOutcome, D::Error> {
        if !mode().as_text() {
            return deserializer.deserialize_any(self);
        }
        if self.kind != ColumnKind::TextList {
            return self.deserialize_from_text(deserializer);
        }
        match visit_container_via_text(deserializer, self)? {
            Ok(outcome) => Ok(outcome),
            Err(seed) => seed.handle_wrong_type(ReadOutcome::WrongType),
        }
    }
}

impl<'de> Visitor<'de> for CellSeed<'_> {
    type Value = ReadOutcome;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<ReadOutcome, E> {
        let fits = self.kind == ColumnKind::Boolean;
        self.put(fits.then_some(Scalar::Boolean(value)))
    }

    #[inline]
    fn visit_i64<E: Error>(self, value: i64) -> Result<ReadOutcome, E> {
        let value = match self.kind {
            ColumnKind::Integer => Some(Scalar::Integer(value)),
            ColumnKind::Number => <f64 as Decode>::integer(value).map(Scalar::Number),
            _ => None,
        };
        self.put(value)
    }

    #[inline]
    fn visit_u64<E: Error>(self, value: u64) -> Result<ReadOutcome, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) if self.kind == ColumnKind::Number => self.put(<f64 as Decode>::unsigned(value).map(Scalar::Number)),
            Err(_) => self.handle_wrong_type(ReadOutcome::WrongType),
        }
    }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<ReadOutcome, E> {
        let value = match self.kind {
            ColumnKind::Number => Some(Scalar::Number(value)),
            ColumnKind::Integer => <i64 as Decode>::number(value).map(Scalar::Integer),
            _ => None,
        };
        self.put(value)
    }

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<ReadOutcome, E> {
        match self.kind {
            ColumnKind::Text => self.put(Some(Scalar::Text(text))),
            ColumnKind::Date => {
                let date = text.parse().ok();
                self.put(date.map(|date| Scalar::Date(days_since_1970(date))))
            }
            ColumnKind::Instant => {
                let instant = text.parse::<Timestamp>().ok();
                self.put(instant.map(|instant| Scalar::Time(Time::from_timestamp(instant))))
            }
            _ => self.handle_wrong_type(ReadOutcome::WrongType),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<ReadOutcome, E> {
        self.handle_wrong_type(ReadOutcome::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<ReadOutcome, A::Error> {
        if self.kind != ColumnKind::TextList {
            drain_list(items)?;
            return self.handle_wrong_type(ReadOutcome::WrongType);
        }
        self.cells.make_room(self.row)?;
        read_texts(self.cells, items)?;
        self.cells.end_list()?;
        Ok(ReadOutcome::Stored)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<ReadOutcome, A::Error> {
        match object_or_number(fields)? {
            ObjectOrNumber::Object(fields) => {
                drain_object(fields)?;
                self.handle_wrong_type(ReadOutcome::WrongType)
            }
            ObjectOrNumber::Number(text) => {
                let seed = CellSeed { cells: &mut *self.cells, ..self };
                match visit_number(&text, seed)? {
                    Some(outcome) => Ok(outcome),
                    None => self.handle_wrong_type(ReadOutcome::WrongType),
                }
            }
        }
    }
}

/// Like a lenient [`CellSeed`] for numbers, without checking the kind for each value.
pub(super) struct NumberSeed<'a>(pub(super) CellSeed<'a>);

impl<'de> DeserializeSeed<'de> for NumberSeed<'_> {
    type Value = ReadOutcome;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ReadOutcome, D::Error> {
        if mode().as_text() { self.0.deserialize_from_text(deserializer) } else { deserializer.deserialize_any(self) }
    }
}

impl NumberSeed<'_> {
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every number of a body; measured")]
    fn put<E: Error>(self, value: f64) -> Result<ReadOutcome, E> {
        self.0.cells.put_number(self.0.row, value).map(|()| ReadOutcome::Stored)
    }
}

impl<'de> Visitor<'de> for NumberSeed<'_> {
    type Value = ReadOutcome;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<ReadOutcome, E> {
        self.0.visit_bool(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<ReadOutcome, E> {
        self.0.visit_i64(value)
    }

    #[inline(always)]
    fn visit_u64<E: Error>(self, value: u64) -> Result<ReadOutcome, E> {
        match <f64 as Decode>::unsigned(value) {
            Some(value) => self.put(value),
            None => self.0.handle_wrong_type(ReadOutcome::WrongType),
        }
    }

    #[inline(always)]
    fn visit_f64<E: Error>(self, value: f64) -> Result<ReadOutcome, E> {
        self.put(value)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ReadOutcome, E> {
        self.0.visit_str(text)
    }

    fn visit_unit<E: Error>(self) -> Result<ReadOutcome, E> {
        self.0.visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<ReadOutcome, A::Error> {
        self.0.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<ReadOutcome, A::Error> {
        self.0.visit_map(fields)
    }
}
