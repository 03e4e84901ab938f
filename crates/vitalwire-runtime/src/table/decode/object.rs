//! Decoding of objects, lists of objects, and objects of numbers.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::cell::{CellSeed, NumberSeed};
use super::ignore_rest::{drain_list, drain_object};
use super::{ReadOutcome, TableReader};
use crate::table::ColumnKind;
use crate::table::read_plan::ObjectPlan;
use crate::value::decode::{DecodeMode, NameLookup, check_item, mode};

/// Reason for skipping a number whose name is taken by another column.
pub(super) const NAME_TAKEN: &str = "expected a name that no other column has";

/// Finds the index of a name.
pub(super) type IndexFn = fn(&str) -> Option<usize>;

/// Defines a seed whose visitor reads an object or a list, and handles all other types in the same way.
macro_rules! seed {
    ($name:ident, object, |$seed:ident, $fields:ident| $take:expr) => {
        crate::table::decode::object::seed!($name, "expected an object",
            fn visit_map<A: MapAccess>(self, fields) {
                match crate::value::decode::object_or_number(fields)? {
                    crate::value::decode::ObjectOrNumber::Object($fields) => {
                        let $seed = self;
                        $take.map(ReadOutcome::from)
                    }
                    crate::value::decode::ObjectOrNumber::Number(_) => self.handle_wrong_type(ReadOutcome::WrongType, "expected an object"),
                }
            }
            fn visit_seq<A: SeqAccess>(self, items) {
                drain_list(items)?;
                self.handle_wrong_type(ReadOutcome::WrongType, "expected an object")
            }
        );
    };
    ($name:ident, list, |$seed:ident, $items:ident| $take:expr) => {
        crate::table::decode::object::seed!($name, "expected a list",
            fn visit_seq<A: SeqAccess>(self, $items) {
                let $seed = self;
                $take
            }
            fn visit_map<A: MapAccess>(self, fields) {
                drain_object(fields)?;
                self.handle_wrong_type(ReadOutcome::WrongType, "expected a list")
            }
        );
    };
    ($name:ident, $expected:literal, $(fn $visit:ident<A: $bound:ident>($own:ident, $access:ident) $take:block)*) => {
        impl<'de> DeserializeSeed<'de> for $name<'_> {
            type Value = ReadOutcome;

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ReadOutcome, D::Error> {
                if !crate::value::decode::mode().as_text() {
                    return deserializer.deserialize_any(self);
                }
                match crate::value::decode::visit_container_via_text(deserializer, self)? {
                    Ok(outcome) => Ok(outcome),
                    Err(seed) => seed.handle_wrong_type(ReadOutcome::WrongType, $expected),
                }
            }
        }

        impl<'de> Visitor<'de> for $name<'_> {
            type Value = ReadOutcome;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_bool<E: Error>(self, _: bool) -> Result<ReadOutcome, E> {
                self.handle_wrong_type(ReadOutcome::WrongType, $expected)
            }

            fn visit_i64<E: Error>(self, _: i64) -> Result<ReadOutcome, E> {
                self.handle_wrong_type(ReadOutcome::WrongType, $expected)
            }

            fn visit_u64<E: Error>(self, _: u64) -> Result<ReadOutcome, E> {
                self.handle_wrong_type(ReadOutcome::WrongType, $expected)
            }

            fn visit_f64<E: Error>(self, _: f64) -> Result<ReadOutcome, E> {
                self.handle_wrong_type(ReadOutcome::WrongType, $expected)
            }

            fn visit_str<E: Error>(self, _: &str) -> Result<ReadOutcome, E> {
                self.handle_wrong_type(ReadOutcome::WrongType, $expected)
            }

            fn visit_unit<E: Error>(self) -> Result<ReadOutcome, E> {
                self.handle_wrong_type(ReadOutcome::Null, $expected)
            }

            $(fn $visit<A: $bound<'de>>($own, $access: A) -> Result<ReadOutcome, A::Error> $take)*
        }
    };
}
pub(super) use seed;

/// Decodes an object according to its node.
pub(super) struct ObjectSeed<'a> {
    pub(super) reader: &'a mut TableReader,
    pub(super) node: &'static ObjectPlan,
    /// Whether any other type is an error.
    pub(super) strict: bool,
}

impl ObjectSeed<'_> {
    fn reborrow(&mut self) -> ObjectSeed<'_> {
        ObjectSeed { reader: self.reader, ..*self }
    }

    fn handle_wrong_type<E: Error>(&self, outcome: ReadOutcome, expected: &'static str) -> Result<ReadOutcome, E> {
        if self.strict { Err(E::custom(expected)) } else { Ok(outcome) }
    }
}

seed!(ObjectSeed, object, |seed, fields| seed.reader.read_record(seed.node, fields));

/// Decodes a list of objects and skips those that cannot be decoded. `null` is read as an empty list.
pub(super) struct RowsSeed<'a> {
    pub(super) reader: &'a mut TableReader,
    pub(super) node: &'static ObjectPlan,
    /// Name of the list.
    pub(super) list: &'static str,
    /// Whether anything other than a list or `null` is an error.
    pub(super) strict: bool,
}

impl RowsSeed<'_> {
    fn handle_wrong_type<E: Error>(&self, outcome: ReadOutcome, expected: &'static str) -> Result<ReadOutcome, E> {
        if self.strict && outcome != ReadOutcome::Null { Err(E::custom(expected)) } else { Ok(outcome) }
    }

    fn read_items<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<ReadOutcome, A::Error> {
        if mode() != DecodeMode::Quick {
            return self.reader.read_valid_rows(self.node, self.list, items);
        }
        // The first pass fails at an item that cannot be decoded.
        let mut seed = ObjectSeed { reader: self.reader, node: self.node, strict: true };
        for at in 0.. {
            check_item(at)?;
            if items.next_element_seed(seed.reborrow())?.is_none() {
                break;
            }
        }
        Ok(ReadOutcome::Stored)
    }
}

seed!(RowsSeed, list, |seed, items| seed.read_items(items));

/// Decodes an object of numbers.
pub(super) struct NumbersSeed<'a> {
    pub(super) reader: &'a mut TableReader,
    pub(super) name: &'static str,
    pub(super) first: usize,
    pub(super) lookup: NameLookup<IndexFn>,
    pub(super) strict: bool,
}

impl NumbersSeed<'_> {
    fn handle_wrong_type<E: Error>(&self, outcome: ReadOutcome, expected: &'static str) -> Result<ReadOutcome, E> {
        if self.strict { Err(E::custom(expected)) } else { Ok(outcome) }
    }

    fn read_numbers<'de, A: MapAccess<'de>>(mut self, mut fields: A) -> Result<(), A::Error> {
        let row = self.reader.table.rows;
        while let Some(column) = fields.next_key_seed(ColumnSeed { reader: self.reader, first: self.first, lookup: &mut self.lookup })? {
            let Some((column, cells)) = column.and_then(|column| Some((column, self.reader.cells(column)?))) else {
                fields.next_value::<IgnoredAny>()?;
                self.reader.count_skipped_field(self.name, NAME_TAKEN);
                continue;
            };
            let seed = NumberSeed(CellSeed { cells, row, kind: ColumnKind::Number, strict: false });
            if fields.next_value_seed(seed)? == ReadOutcome::WrongType {
                self.reader.count_wrong_type(column);
            }
        }
        Ok(())
    }
}

seed!(NumbersSeed, object, |seed, fields| seed.read_numbers(fields));

/// Finds the column of a name, declared or not.
pub(super) struct ColumnSeed<'a> {
    pub(super) reader: &'a mut TableReader,
    pub(super) first: usize,
    pub(super) lookup: &'a mut NameLookup<IndexFn>,
}

impl<'de> DeserializeSeed<'de> for ColumnSeed<'_> {
    type Value = Option<usize>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl ColumnSeed<'_> {
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every number of a body; measured")]
    fn find<E: Error>(self, name: &str) -> Result<Option<usize>, E> {
        match self.lookup.find(name) {
            Some(index) => Ok(Some(self.first + index)),
            None => self.reader.undeclared_column(name),
        }
    }
}

impl<'de> Visitor<'de> for ColumnSeed<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        self.find(name)
    }

    /// A name that contains escapes.
    #[cold]
    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        self.find(name)
    }
}

/// Finds the index of a field in its node.
pub(super) struct FieldSeed<'a>(pub(super) &'a mut NameLookup<IndexFn>);

impl<'de> DeserializeSeed<'de> for FieldSeed<'_> {
    type Value = Option<usize>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for FieldSeed<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(self.0.find(name))
    }

    /// A name that contains escapes.
    #[cold]
    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.find(name))
    }
}
