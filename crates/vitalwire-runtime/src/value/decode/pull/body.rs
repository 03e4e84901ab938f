//! The way from serde's entry point to the pull decoder.
//!
//! A body is decoded as a `T: Deserialize`. If `T` is a type of ours, it requests a newtype of the name [`BODY`], and the deserializer
//! passes the text of the body as the name of an enum variant. No JSON deserializer does that.

use std::marker::PhantomData;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, VariantAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::{Cursor, PullError};

/// Name of the newtype that a type requests if the pull decoder can decode it.
pub(in crate::value::decode) const BODY: &str = "$vitalwire::Body";

/// Decodes a body.
pub(in crate::value::decode) fn pull_body<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, PullError> {
    T::deserialize(Body(text))
}

/// Decodes the body that a visitor of [`BODY`] received.
pub(in crate::value::decode) fn read_body<'t, T, A: EnumAccess<'t>>(
    access: A,
    read: impl FnOnce(&mut Cursor<'t>) -> Result<T, PullError>,
) -> Result<T, A::Error> {
    let (text, _) = access.variant_seed(PhantomData::<&'t str>)?;
    let mut cursor = Cursor::new(text);
    let value = read(&mut cursor).and_then(|value| if cursor.is_at_end() { Ok(value) } else { Err(PullError::Malformed) });
    value.map_err(|error| if error == PullError::Malformed { A::Error::unknown_variant("", &[]) } else { A::Error::custom(error) })
}

/// The text of a body.
struct Body<'t>(&'t str);

impl<'de> Deserializer<'de> for Body<'de> {
    type Error = PullError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, PullError> {
        Err(PullError::Unsupported)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, PullError> {
        if name == BODY { visitor.visit_enum(self) } else { Err(PullError::Unsupported) }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct
        map struct enum identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Body<'de> {
    type Error = PullError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), PullError> {
        seed.deserialize(BorrowedStrDeserializer::new(self.0)).map(|value| (value, self))
    }
}

/// The variant has no content.
impl<'de> VariantAccess<'de> for Body<'de> {
    type Error = PullError;

    fn unit_variant(self) -> Result<(), PullError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, PullError> {
        Err(PullError::Unsupported)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, PullError> {
        Err(PullError::Unsupported)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, PullError> {
        Err(PullError::Unsupported)
    }
}
