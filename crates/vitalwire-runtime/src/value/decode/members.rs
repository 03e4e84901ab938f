//! The fields of an object, in sequence. Generated models decode with it.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::key::Order;
use super::lists;
use super::place::{Step, enter, within};
use super::raw::RawInto;
use super::{Decode, Kind, Lenient, NullIsEmpty, Strict, UndeclaredFields};
use crate::value::{Extra, ListMember};

/// Returned by [`Members::next`] for an undeclared name. No model has that many fields.
const UNKNOWN: usize = usize::MAX;

/// The fields of an object that is being decoded, and the undeclared ones found so far.
pub struct Members<A, F> {
    access: A,
    order: Order<F>,
    unknown: UndeclaredFields,
}

impl<'de, A: MapAccess<'de>, F: Fn(&str) -> Option<usize>> Members<A, F> {
    /// Creates the field reader of an object with these declared names.
    #[inline]
    pub fn new(access: A, names: &'static [&'static str], index_of: F) -> Self {
        Self { access, order: Order::new(names, index_of), unknown: UndeclaredFields::default() }
    }

    /// Returns the index of the next field. Undeclared names have an index that no field of the model has.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "it can fail")]
    pub fn next(&mut self) -> Result<Option<usize>, A::Error> {
        self.access.next_key_seed(NameSeed { order: &mut self.order, unknown: &mut self.unknown })
    }

    /// Keeps the undeclared field that [`next`](Self::next) returned.
    pub fn keep(&mut self) -> Result<(), A::Error> {
        let text = self.unknown.text();
        self.access.next_value_seed(RawInto(text)).inspect_err(|_| within(Step::Unknown))?;
        self.unknown.end()
    }

    /// Decodes an optional field. A value of the wrong type goes to `extra`, and a debug event names the field.
    #[inline]
    pub fn optional<T: Decode>(&mut self, slot: &mut Option<T>, name: &'static str) -> Result<(), A::Error> {
        self.unknown.forget(name)?;
        let _inside = (T::KIND == Kind::Container).then(|| enter(Step::Member(name)));
        *slot = match self.access.next_value().inspect_err(|_| within(Step::Member(name)))? {
            Lenient::Fits(value) => Some(value),
            Lenient::Null => None,
            Lenient::Other(text) => {
                self.wrong_type(name, T::EXPECTED, &text)?;
                None
            }
        };
        Ok(())
    }

    /// Decodes an optional list as absent, null or a list. Items that cannot be decoded are skipped. A value that is not a list goes to
    /// `extra`.
    #[inline]
    pub fn list<T: Decode>(&mut self, slot: &mut ListMember<T>, name: &'static str) -> Result<(), A::Error> {
        self.unknown.forget(name)?;
        let _inside = enter(Step::Member(name));
        *slot = match lists::list(&mut self.access).inspect_err(|_| within(Step::Member(name)))? {
            Lenient::Fits(items) => ListMember::List(items),
            Lenient::Null => ListMember::Null,
            Lenient::Other(text) => {
                self.wrong_type(name, <Vec<T> as Decode>::EXPECTED, &text)?;
                ListMember::Absent
            }
        };
        Ok(())
    }

    /// Decodes a required field.
    #[inline]
    pub fn required<T: Decode>(&mut self, slot: &mut Option<T>) -> Result<(), A::Error> {
        let _inside = (T::KIND == Kind::Container).then(|| enter(self.order.last_step()));
        let Strict(value) = self.access.next_value().inspect_err(|_| self.order.within_last())?;
        *slot = Some(value);
        Ok(())
    }

    /// Decodes a required list. `null` is an empty list.
    #[inline]
    pub fn required_list<T: Decode>(&mut self, slot: &mut Option<Vec<T>>) -> Result<(), A::Error> {
        let _inside = enter(self.order.last_step());
        let NullIsEmpty(items) = self.access.next_value().inspect_err(|_| self.order.within_last())?;
        *slot = Some(items);
        Ok(())
    }

    #[cold]
    fn wrong_type(&mut self, name: &'static str, expected: &'static str, text: &str) -> Result<(), A::Error> {
        tracing::debug!(member = name, expected, "kept a field of an unexpected type in `extra`");
        self.unknown.wrong_type(name, text)
    }

    /// Returns the undeclared fields.
    #[inline]
    pub fn finish(self) -> Extra {
        self.unknown.finish()
    }
}

/// Returns the value of a required field, after all fields were read.
#[inline]
pub fn require<T, E: Error>(slot: Option<T>, name: &'static str) -> Result<T, E> {
    slot.ok_or_else(|| E::missing_field(name))
}

struct NameSeed<'a, F> {
    order: &'a mut Order<F>,
    unknown: &'a mut UndeclaredFields,
}

impl<'de, F: Fn(&str) -> Option<usize>> DeserializeSeed<'de> for NameSeed<'_, F> {
    type Value = usize;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, F: Fn(&str) -> Option<usize>> Visitor<'de> for NameSeed<'_, F> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<usize, E> {
        match self.order.find(name) {
            Some(index) => Ok(index),
            None => self.unknown.begin(name).map(|()| UNKNOWN),
        }
    }

    /// Called for names with escapes.
    #[cold]
    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        self.order.find(name).map_or_else(|| self.unknown.begin(name).map(|()| UNKNOWN), Ok)
    }
}
