//! Access to the fields of an object and the items of a list that are being decoded: through serde, or on the fast path.

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess};

use super::lists;
use super::name_lookup::{FieldKey, FieldKeySeed, NameLookup};
use super::raw_text::{self, ItemText, RawTextSeed};
use super::strict_value::ItemSeed;
use super::{Decode, LenientValue, StrictValue};

/// The fields of an object, in sequence. All of them must be read.
pub trait ObjectAccess<'de> {
    /// Error of reading.
    type Error: Error;

    /// Reads the next name, and finds it in `lookup`.
    fn next_key<F: Fn(&str) -> Option<usize>>(&mut self, lookup: &mut NameLookup<F>) -> Result<Option<FieldKey<'de>>, Self::Error>;

    /// Decodes the value of an optional field.
    fn lenient<T: Decode>(&mut self) -> Result<LenientValue<T>, Self::Error>;

    /// Decodes the value of an optional list field.
    fn list<T: Decode>(&mut self) -> Result<LenientValue<Vec<T>>, Self::Error>;

    /// Decodes the value of a required field.
    fn strict<T: Decode>(&mut self) -> Result<T, Self::Error>;

    /// Decodes the value of a required list field. `null` is an empty list.
    fn strict_list<T: Decode>(&mut self) -> Result<Vec<T>, Self::Error>;

    /// Appends the JSON text of the value.
    fn append_text(&mut self, to: &mut String) -> Result<(), Self::Error>;

    /// Reads all fields, as compact JSON text.
    fn into_text(self) -> Result<Box<str>, Self::Error>;
}

/// The items of a list, in sequence. All of them must be read.
pub trait ListAccess<'de> {
    /// Error of reading.
    type Error: Error;

    /// Decodes the next item, which must be valid.
    fn next_strict<T: Decode>(&mut self, seed: ItemSeed<T>) -> Result<Option<T>, Self::Error>;

    /// Decodes the next item, which may be of the wrong type.
    fn next_lenient<T: Decode>(&mut self) -> Result<Option<LenientValue<T>>, Self::Error>;

    /// Reads the next item as JSON text.
    fn next_text(&mut self) -> Result<Option<String>, Self::Error>;

    /// Skips the remaining items.
    fn skip_rest(&mut self) -> Result<(), Self::Error>;

    /// Reads all items, as compact JSON text.
    fn into_text(self) -> Result<Box<str>, Self::Error>;
}

/// The fields of an object of a serde deserializer.
pub(super) struct SerdeObject<A>(pub(super) A);

/// The items of a list of a serde deserializer.
pub(super) struct SerdeList<A>(pub(super) A);

impl<'de, A: MapAccess<'de>> ObjectAccess<'de> for SerdeObject<A> {
    type Error = A::Error;

    #[inline]
    fn next_key<F: Fn(&str) -> Option<usize>>(&mut self, lookup: &mut NameLookup<F>) -> Result<Option<FieldKey<'de>>, A::Error> {
        self.0.next_key_seed(FieldKeySeed(lookup))
    }

    #[inline]
    fn lenient<T: Decode>(&mut self) -> Result<LenientValue<T>, A::Error> {
        self.0.next_value()
    }

    fn list<T: Decode>(&mut self) -> Result<LenientValue<Vec<T>>, A::Error> {
        lists::decode_list(&mut self.0)
    }

    #[inline]
    fn strict<T: Decode>(&mut self) -> Result<T, A::Error> {
        self.0.next_value().map(|StrictValue(value)| value)
    }

    fn strict_list<T: Decode>(&mut self) -> Result<Vec<T>, A::Error> {
        self.0.next_value().and_then(lists::required_items)
    }

    #[inline]
    fn append_text(&mut self, to: &mut String) -> Result<(), A::Error> {
        self.0.next_value_seed(RawTextSeed(to))
    }

    fn into_text(self) -> Result<Box<str>, A::Error> {
        raw_text::object_text(self.0)
    }
}

impl<'de, A: SeqAccess<'de>> ListAccess<'de> for SerdeList<A> {
    type Error = A::Error;

    #[inline]
    fn next_strict<T: Decode>(&mut self, seed: ItemSeed<T>) -> Result<Option<T>, A::Error> {
        self.0.next_element_seed(seed)
    }

    #[inline]
    fn next_lenient<T: Decode>(&mut self) -> Result<Option<LenientValue<T>>, A::Error> {
        self.0.next_element()
    }

    fn next_text(&mut self) -> Result<Option<String>, A::Error> {
        self.0.next_element_seed(ItemText)
    }

    fn skip_rest(&mut self) -> Result<(), A::Error> {
        while self.0.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn into_text(self) -> Result<Box<str>, A::Error> {
        raw_text::array_text(self.0)
    }
}
