//! Values that nobody declared, kept as they are, within the body's budget.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::budget::charge;

/// Any value.
pub(crate) struct Unknown(pub(crate) Value);

struct UnknownVisitor;

/// What a member of an object takes besides its name and value.
const MEMBER: usize = 64;

pub(super) fn array<'de, A: SeqAccess<'de>>(mut items: A) -> Result<Value, A::Error> {
    let mut values = Vec::new();
    while let Some(Unknown(value)) = items.next_element()? {
        values.push(value);
    }
    Ok(Value::Array(values))
}

pub(super) fn object<'de, A: MapAccess<'de>>(mut members: A) -> Result<Value, A::Error> {
    let mut values = Map::new();
    while let Some((name, Unknown(value))) = members.next_entry::<String, Unknown>()? {
        charge(MEMBER)?;
        values.insert(name, value);
    }
    Ok(Value::Object(values))
}

impl<'de> Visitor<'de> for UnknownVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Value, A::Error> {
        array(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Value, A::Error> {
        object(members)
    }
}

impl<'de> Deserialize<'de> for Unknown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        charge(size_of::<Value>())?;
        deserializer.deserialize_any(UnknownVisitor).map(Self)
    }
}
