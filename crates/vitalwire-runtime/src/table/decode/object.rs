//! Decoding of objects, lists of objects, and objects of numbers.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::cell::{CellSeed, NumberSeed};
use super::drain::{drain_list, drain_object};
use super::{Reader, Taken};
use crate::table::ColumnKind;
use crate::table::plan::Node;
use crate::value::decode::{Mode, Order, check_at, mode};

/// Reason for skipping a number whose name is taken by another column.
pub(super) const TAKEN: &str = "expected another name";

/// Finds the index of a name.
pub(super) type Lookup = fn(&str) -> Option<usize>;

/// Defines a seed whose visitor reads an object or a list, and handles all other types in the same way.
macro_rules! seed {
    ($name:ident, object, |$seed:ident, $members:ident| $take:expr) => {
        crate::table::decode::object::seed!($name, "expected an object",
            fn visit_map<A: MapAccess>(self, members) {
                match crate::value::decode::object(members)? {
                    crate::value::decode::Object::Members($members) => {
                        let $seed = self;
                        $take.map(Taken::from)
                    }
                    crate::value::decode::Object::Number(_) => self.other(Taken::No, "expected an object"),
                }
            }
            fn visit_seq<A: SeqAccess>(self, items) {
                drain_list(items)?;
                self.other(Taken::No, "expected an object")
            }
        );
    };
    ($name:ident, list, |$seed:ident, $items:ident| $take:expr) => {
        crate::table::decode::object::seed!($name, "expected a list",
            fn visit_seq<A: SeqAccess>(self, $items) {
                let $seed = self;
                $take
            }
            fn visit_map<A: MapAccess>(self, members) {
                drain_object(members)?;
                self.other(Taken::No, "expected a list")
            }
        );
    };
    ($name:ident, $expected:literal, $(fn $visit:ident<A: $bound:ident>($own:ident, $access:ident) $take:block)*) => {
        impl<'de> DeserializeSeed<'de> for $name<'_> {
            type Value = Taken;

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Taken, D::Error> {
                if !crate::value::decode::mode().as_text() {
                    return deserializer.deserialize_any(self);
                }
                match crate::value::decode::container_first(deserializer, self)? {
                    Ok(taken) => Ok(taken),
                    Err(seed) => seed.other(Taken::No, $expected),
                }
            }
        }

        impl<'de> Visitor<'de> for $name<'_> {
            type Value = Taken;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_bool<E: Error>(self, _: bool) -> Result<Taken, E> {
                self.other(Taken::No, $expected)
            }

            fn visit_i64<E: Error>(self, _: i64) -> Result<Taken, E> {
                self.other(Taken::No, $expected)
            }

            fn visit_u64<E: Error>(self, _: u64) -> Result<Taken, E> {
                self.other(Taken::No, $expected)
            }

            fn visit_f64<E: Error>(self, _: f64) -> Result<Taken, E> {
                self.other(Taken::No, $expected)
            }

            fn visit_str<E: Error>(self, _: &str) -> Result<Taken, E> {
                self.other(Taken::No, $expected)
            }

            fn visit_unit<E: Error>(self) -> Result<Taken, E> {
                self.other(Taken::Null, $expected)
            }

            $(fn $visit<A: $bound<'de>>($own, $access: A) -> Result<Taken, A::Error> $take)*
        }
    };
}
pub(super) use seed;

/// Decodes an object according to its node.
pub(super) struct ObjectSeed<'a> {
    pub(super) reader: &'a mut Reader,
    pub(super) node: &'static Node,
    /// Whether any other type is an error.
    pub(super) strict: bool,
}

impl ObjectSeed<'_> {
    fn again(&mut self) -> ObjectSeed<'_> {
        ObjectSeed { reader: self.reader, ..*self }
    }

    fn other<E: Error>(&self, taken: Taken, expected: &'static str) -> Result<Taken, E> {
        if self.strict { Err(E::custom(expected)) } else { Ok(taken) }
    }
}

seed!(ObjectSeed, object, |seed, members| seed.reader.record(seed.node, members));

/// Decodes a list of objects and skips those that cannot be decoded. `null` is read as an empty list.
pub(super) struct RowsSeed<'a> {
    pub(super) reader: &'a mut Reader,
    pub(super) node: &'static Node,
    /// Name of the list.
    pub(super) list: &'static str,
    /// Whether anything other than a list or `null` is an error.
    pub(super) strict: bool,
}

impl RowsSeed<'_> {
    fn other<E: Error>(&self, taken: Taken, expected: &'static str) -> Result<Taken, E> {
        if self.strict && taken != Taken::Null { Err(E::custom(expected)) } else { Ok(taken) }
    }

    fn items<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<Taken, A::Error> {
        if mode() != Mode::Quick {
            return self.reader.decodable(self.node, self.list, items);
        }
        // The first pass fails at an item that cannot be decoded.
        let mut seed = ObjectSeed { reader: self.reader, node: self.node, strict: true };
        for at in 0.. {
            check_at(at)?;
            if items.next_element_seed(seed.again())?.is_none() {
                break;
            }
        }
        Ok(Taken::Yes)
    }
}

seed!(RowsSeed, list, |seed, items| seed.items(items));

/// Decodes an object of numbers.
pub(super) struct NumbersSeed<'a> {
    pub(super) reader: &'a mut Reader,
    pub(super) name: &'static str,
    pub(super) first: usize,
    pub(super) order: Order<Lookup>,
    pub(super) strict: bool,
}

impl NumbersSeed<'_> {
    fn other<E: Error>(&self, taken: Taken, expected: &'static str) -> Result<Taken, E> {
        if self.strict { Err(E::custom(expected)) } else { Ok(taken) }
    }

    fn numbers<'de, A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let row = self.reader.table.rows;
        while let Some(column) = members.next_key_seed(ColumnSeed { reader: self.reader, first: self.first, order: &mut self.order })? {
            let Some((column, cells)) = column.and_then(|column| Some((column, self.reader.cells(column)?))) else {
                members.next_value::<IgnoredAny>()?;
                self.reader.skip_member(self.name, TAKEN);
                continue;
            };
            let seed = NumberSeed(CellSeed { cells, row, kind: ColumnKind::Number, strict: false });
            if members.next_value_seed(seed)? == Taken::No {
                self.reader.skip(column);
            }
        }
        Ok(())
    }
}

seed!(NumbersSeed, object, |seed, members| seed.numbers(members));

/// Finds the column of a name, declared or not.
pub(super) struct ColumnSeed<'a> {
    pub(super) reader: &'a mut Reader,
    pub(super) first: usize,
    pub(super) order: &'a mut Order<Lookup>,
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
        match self.order.find(name) {
            Some(index) => Ok(Some(self.first + index)),
            None => self.reader.unknown(name),
        }
    }
}

impl<'de> Visitor<'de> for ColumnSeed<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
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
pub(super) struct MemberSeed<'a>(pub(super) &'a mut Order<Lookup>);

impl<'de> DeserializeSeed<'de> for MemberSeed<'_> {
    type Value = Option<usize>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for MemberSeed<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
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
