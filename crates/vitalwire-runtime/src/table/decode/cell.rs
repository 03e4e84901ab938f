//! Decoding of a value into a cell.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::Taken;
use super::drain::{drain_list, drain_object};
use super::text_list::read_texts;
use crate::table::ColumnKind;
use crate::table::cells::{Cells, Scalar};
use crate::table::times::Time;
use crate::value::decode::{Decode, Object, mode, object, text_first, visit_number};
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
    fn put<E: Error>(self, value: Option<Scalar<'_>>) -> Result<Taken, E> {
        match value {
            Some(value) => self.cells.put(self.row, value).map(|()| Taken::Yes),
            None => self.other(Taken::No),
        }
    }

    /// Reads the value as text first, so that numbers beyond the range of a double and lone surrogates count as wrong types.
    #[cold]
    fn by_text<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Taken, D::Error> {
        let seed = CellSeed { cells: &mut *self.cells, ..self };
        match text_first(deserializer, seed)? {
            Some(taken) => Ok(taken),
            None => self.other(Taken::No),
        }
    }

    #[cold]
    fn other<E: Error>(self, taken: Taken) -> Result<Taken, E> {
        self.cells.truncate(self.row);
        if self.strict { Err(E::custom(self.kind.expected())) } else { Ok(taken) }
    }
}

/// Returns the days since 1970-01-01.
fn days(date: Date) -> i32 {
    Date::new(1970, 1, 1).unwrap_or_default().days_until(date)
}

impl<'de> DeserializeSeed<'de> for CellSeed<'_> {
    type Value = Taken;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Taken, D::Error> {
        if mode().as_text() && self.kind != ColumnKind::TextList {
            return self.by_text(deserializer);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for CellSeed<'_> {
    type Value = Taken;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Taken, E> {
        let fits = self.kind == ColumnKind::Boolean;
        self.put(fits.then_some(Scalar::Boolean(value)))
    }

    #[inline]
    fn visit_i64<E: Error>(self, value: i64) -> Result<Taken, E> {
        let value = match self.kind {
            ColumnKind::Integer => Some(Scalar::Integer(value)),
            ColumnKind::Number => <f64 as Decode>::integer(value).map(Scalar::Number),
            _ => None,
        };
        self.put(value)
    }

    #[inline]
    fn visit_u64<E: Error>(self, value: u64) -> Result<Taken, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) if self.kind == ColumnKind::Number => self.put(<f64 as Decode>::unsigned(value).map(Scalar::Number)),
            Err(_) => self.other(Taken::No),
        }
    }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<Taken, E> {
        let value = match self.kind {
            ColumnKind::Number => Some(Scalar::Number(value)),
            ColumnKind::Integer => <i64 as Decode>::number(value).map(Scalar::Integer),
            _ => None,
        };
        self.put(value)
    }

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<Taken, E> {
        match self.kind {
            ColumnKind::Text => self.put(Some(Scalar::Text(text))),
            ColumnKind::Date => {
                let date = text.parse().ok();
                self.put(date.map(|date| Scalar::Date(days(date))))
            }
            ColumnKind::Instant => {
                let instant = text.parse::<Timestamp>().ok();
                self.put(instant.map(|instant| Scalar::Time(Time::of(instant))))
            }
            _ => self.other(Taken::No),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Taken, E> {
        self.other(Taken::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Taken, A::Error> {
        if self.kind != ColumnKind::TextList {
            drain_list(items)?;
            return self.other(Taken::No);
        }
        self.cells.make_room(self.row)?;
        read_texts(self.cells, items)?;
        self.cells.end_list()?;
        Ok(Taken::Yes)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Taken, A::Error> {
        match object(members)? {
            Object::Members(members) => {
                drain_object(members)?;
                self.other(Taken::No)
            }
            Object::Number(text) => {
                let seed = CellSeed { cells: &mut *self.cells, ..self };
                match visit_number(&text, seed)? {
                    Some(taken) => Ok(taken),
                    None => self.other(Taken::No),
                }
            }
        }
    }
}

/// Like a lenient [`CellSeed`] for numbers, without checking the kind for each value.
pub(super) struct NumberSeed<'a>(pub(super) CellSeed<'a>);

impl<'de> DeserializeSeed<'de> for NumberSeed<'_> {
    type Value = Taken;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Taken, D::Error> {
        if mode().as_text() { self.0.by_text(deserializer) } else { deserializer.deserialize_any(self) }
    }
}

impl NumberSeed<'_> {
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every number of a body; measured")]
    fn put<E: Error>(self, value: f64) -> Result<Taken, E> {
        self.0.cells.put_number(self.0.row, value).map(|()| Taken::Yes)
    }
}

impl<'de> Visitor<'de> for NumberSeed<'_> {
    type Value = Taken;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Taken, E> {
        self.0.visit_bool(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Taken, E> {
        self.0.visit_i64(value)
    }

    #[inline(always)]
    fn visit_u64<E: Error>(self, value: u64) -> Result<Taken, E> {
        match <f64 as Decode>::unsigned(value) {
            Some(value) => self.put(value),
            None => self.0.other(Taken::No),
        }
    }

    #[inline(always)]
    fn visit_f64<E: Error>(self, value: f64) -> Result<Taken, E> {
        self.put(value)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Taken, E> {
        self.0.visit_str(text)
    }

    fn visit_unit<E: Error>(self) -> Result<Taken, E> {
        self.0.visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Taken, A::Error> {
        self.0.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Taken, A::Error> {
        self.0.visit_map(members)
    }
}
