//! Access through serde, for bodies that the fast path cannot read.
//!
//! In the second pass over a body, each value is first read as text, so that an invalid one can be skipped.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::access::{FieldAccess, ItemAccess, Leaf, ValueAccess, ValueReader};
use super::cell::CellReader;
use super::names::{Name, Names};
use super::object_state::ObjectState;
use super::record::RecordReader;
use super::valid_items::{read_valid_rows, read_valid_texts};
use super::{ReadOutcome, TableReader};
use crate::table::ColumnKind;
use crate::table::cells::Cells;
use crate::value::decode::{
    DecodeMode, FieldKey, FieldKeySeed, LenientValue, ObjectOrNumber, ParsedNumber, check_item, decode_list, mode, object_or_number,
    parse_number, visit_container_via_text, visit_via_text,
};

/// A value of a serde deserializer.
pub(super) struct SerdeValue<'de, D>(D, PhantomData<&'de ()>);

impl<'de, D: Deserializer<'de>> SerdeValue<'de, D> {
    pub(super) fn new(deserializer: D) -> Self {
        Self(deserializer, PhantomData)
    }
}

impl<'de, D: Deserializer<'de>> ValueAccess for SerdeValue<'de, D> {
    type Error = D::Error;

    fn read<R: ValueReader>(self, reader: &mut R) -> Result<ReadOutcome, D::Error> {
        ValueSeed(reader).deserialize(self.0)
    }
}

/// Passes a value that was already read as text to a reader.
pub(super) fn read_text<R: ValueReader>(text: &str, reader: &mut R) -> Result<ReadOutcome, serde_json::Error> {
    (&mut serde_json::Deserializer::from_str(text)).deserialize_any(ValueSeed(reader))
}

/// Passes a value to a reader.
struct ValueSeed<'a, R>(&'a mut R);

impl<'de, R: ValueReader> DeserializeSeed<'de> for ValueSeed<'_, R> {
    type Value = ReadOutcome;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ReadOutcome, D::Error> {
        if !mode().as_text() {
            return deserializer.deserialize_any(self);
        }
        if self.0.is_container() {
            match visit_container_via_text(deserializer, self)? {
                Ok(outcome) => Ok(outcome),
                Err(seed) => seed.0.leaf(Leaf::Unreadable),
            }
        } else {
            match visit_via_text(deserializer, ValueSeed(&mut *self.0))? {
                Some(outcome) => Ok(outcome),
                None => self.0.leaf(Leaf::Unreadable),
            }
        }
    }
}

impl<'de, R: ValueReader> Visitor<'de> for ValueSeed<'_, R> {
    type Value = ReadOutcome;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<ReadOutcome, E> {
        self.0.leaf(Leaf::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<ReadOutcome, E> {
        self.0.leaf(Leaf::Number(ParsedNumber::Signed(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<ReadOutcome, E> {
        self.0.leaf(Leaf::Number(ParsedNumber::Unsigned(value)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<ReadOutcome, E> {
        self.0.leaf(Leaf::Number(ParsedNumber::Double(value)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ReadOutcome, E> {
        self.0.leaf(Leaf::Text(text))
    }

    fn visit_unit<E: Error>(self) -> Result<ReadOutcome, E> {
        self.0.leaf(Leaf::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<ReadOutcome, A::Error> {
        self.0.list(SerdeItems(items, PhantomData))
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<ReadOutcome, A::Error> {
        match object_or_number(fields)? {
            ObjectOrNumber::Object(fields) => self.0.object(SerdeFields(fields, PhantomData)),
            ObjectOrNumber::Number(text) => self.0.leaf(parse_number(&text).map_or(Leaf::Unreadable, Leaf::Number)),
        }
    }
}

/// The fields of an object.
struct SerdeFields<'de, A>(A, PhantomData<&'de ()>);

impl<'de, A: MapAccess<'de>> FieldAccess for SerdeFields<'de, A> {
    type Error = A::Error;

    fn next_name<T: Copy>(
        &mut self,
        names: &mut Names<T>,
        learn: impl FnOnce(&str) -> Result<T, A::Error>,
    ) -> Result<Option<Name<T>>, A::Error> {
        Ok(match self.0.next_key_seed(FieldKeySeed(names.lookup()))? {
            Some(FieldKey::Known(index)) => Some(Name::Declared(index)),
            Some(FieldKey::Unknown(name)) => Some(Name::Unknown(learn(&name)?)),
            None => None,
        })
    }

    fn read<R: ValueReader>(&mut self, reader: &mut R) -> Result<ReadOutcome, A::Error> {
        self.0.next_value_seed(ValueSeed(reader))
    }

    fn read_number(&mut self, cells: &mut Cells, row: usize) -> Result<ReadOutcome, A::Error> {
        self.read(&mut CellReader { cells, row, kind: ColumnKind::Number, strict: false })
    }

    fn read_series(&mut self) -> Result<LenientValue<Vec<f64>>, A::Error> {
        decode_list(&mut self.0)
    }

    fn skip(&mut self) -> Result<(), A::Error> {
        self.0.next_value::<IgnoredAny>().map(drop)
    }

    fn skip_all(mut self) -> Result<(), A::Error> {
        while self.0.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

/// The items of a list.
struct SerdeItems<'de, A>(A, PhantomData<&'de ()>);

impl<'de, A: SeqAccess<'de>> ItemAccess for SerdeItems<'de, A> {
    type Error = A::Error;

    /// The first pass fails at an item of another type; the second pass skips it.
    fn read_texts(mut self, cells: &mut Cells) -> Result<(), A::Error> {
        if mode() != DecodeMode::Quick {
            return read_valid_texts(self.0, cells);
        }
        while let Some(text) = self.0.next_element::<String>()? {
            cells.push_item(&text)?;
        }
        Ok(())
    }

    /// The first pass fails at an item that cannot be decoded; the second pass skips it.
    fn read_rows(mut self, table: &mut TableReader<'_>, state: &mut ObjectState, list: &'static str) -> Result<(), A::Error> {
        if mode() != DecodeMode::Quick {
            return read_valid_rows(self.0, table, state, list);
        }
        for at in 0.. {
            check_item(at)?;
            let mut reader = RecordReader { table: &mut *table, state: &mut *state, strict: true };
            if self.0.next_element_seed(ValueSeed(&mut reader))?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn skip_all(mut self) -> Result<(), A::Error> {
        while self.0.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
