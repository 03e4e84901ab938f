//! Problem details (RFC 9457), with the list of validation errors that some services add.
//!
//! The engine defines them, because errors contain them. A specification that declares them must declare these fields.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::value::decode::{Decode, FieldReader, Kind, ObjectAccess, deserialize_by_decode};
use crate::value::{Extra, Json, ListMember, Presence};

/// Description of a failure by the service, in the format of RFC 9457. See [`Error::problem`](super::Error::problem).
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct ProblemDetails {
    /// URI that identifies the type of problem.
    pub type_: Option<String>,
    /// Short text about the type of problem.
    pub title: Option<String>,
    /// HTTP status.
    pub status: Option<i64>,
    /// Text about this occurrence of the problem.
    pub detail: Option<String>,
    /// URI that identifies this occurrence of the problem.
    pub instance: Option<String>,
    /// Validation errors of the request.
    pub errors: ListMember<ProblemItem>,
    /// Fields that this version does not know, and known fields of an unexpected type.
    pub extra: Extra,
}

/// A validation error: one invalid value of a request.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct ProblemItem {
    /// Location of the value, such as `body.field`, `body.items[3].x`, `path.name` or `query.name`.
    pub location: Option<String>,
    /// Text about the validation error.
    pub message: Option<String>,
    /// The invalid value, of any type. May be health data.
    pub value: Option<Json>,
    /// Fields that this version does not know, and known fields of an unexpected type.
    pub extra: Extra,
}

impl ProblemDetails {
    /// Names of the declared fields.
    pub const MEMBERS: &'static [&'static str] = &["type", "title", "status", "detail", "instance", "errors"];
}

impl ProblemItem {
    /// Names of the declared fields.
    pub const MEMBERS: &'static [&'static str] = &["location", "message", "value"];
}

impl Decode for ProblemDetails {
    const EXPECTED: &'static str = "expected an object";
    const KIND: Kind = Kind::Container;

    fn object<'de, A: ObjectAccess<'de>>(fields: A) -> Result<Result<Self, Box<str>>, A::Error> {
        let mut fields = FieldReader::new(fields, Self::MEMBERS, |name| Self::MEMBERS.iter().position(|member| *member == name));
        let mut texts = [const { None }; 5];
        let [type_, title, _, detail, instance] = &mut texts;
        let mut status = None;
        let mut errors = ListMember::Absent;
        while let Some(key) = fields.next()? {
            match key {
                0 => fields.optional(type_, "type")?,
                1 => fields.optional(title, "title")?,
                2 => fields.optional(&mut status, "status")?,
                3 => fields.optional(detail, "detail")?,
                4 => fields.optional(instance, "instance")?,
                5 => fields.list(&mut errors, "errors")?,
                _ => fields.keep_undeclared()?,
            }
        }
        let [type_, title, _, detail, instance] = texts;
        Ok(Ok(Self { type_, title, status, detail, instance, errors, extra: fields.finish() }))
    }
}

impl Decode for ProblemItem {
    const EXPECTED: &'static str = "expected an object";
    const KIND: Kind = Kind::Container;

    fn object<'de, A: ObjectAccess<'de>>(fields: A) -> Result<Result<Self, Box<str>>, A::Error> {
        let mut fields = FieldReader::new(fields, Self::MEMBERS, |name| Self::MEMBERS.iter().position(|member| *member == name));
        let (mut location, mut message, mut value) = (None, None, None);
        while let Some(key) = fields.next()? {
            match key {
                0 => fields.optional(&mut location, "location")?,
                1 => fields.optional(&mut message, "message")?,
                2 => fields.optional(&mut value, "value")?,
                _ => fields.keep_undeclared()?,
            }
        }
        Ok(Ok(Self { location, message, value, extra: fields.finish() }))
    }
}

deserialize_by_decode!(ProblemDetails);
deserialize_by_decode!(ProblemItem);

/// Writes the fields that were present, unknown ones included.
impl Serialize for ProblemDetails {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        write_field(&mut object, "type", self.type_.as_ref())?;
        write_field(&mut object, "title", self.title.as_ref())?;
        write_field(&mut object, "status", self.status.as_ref())?;
        write_field(&mut object, "detail", self.detail.as_ref())?;
        write_field(&mut object, "instance", self.instance.as_ref())?;
        write_field(&mut object, "errors", Some(&self.errors).filter(|errors| !errors.is_absent()))?;
        self.extra.write(&mut object)?;
        object.end()
    }
}

/// Writes the fields that were present, unknown ones included.
impl Serialize for ProblemItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        write_field(&mut object, "location", self.location.as_ref())?;
        write_field(&mut object, "message", self.message.as_ref())?;
        write_field(&mut object, "value", self.value.as_ref())?;
        self.extra.write(&mut object)?;
        object.end()
    }
}

fn write_field<M: SerializeMap>(object: &mut M, name: &str, value: Option<&impl Serialize>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| object.serialize_entry(name, value))
}

/// Redacted: shows which fields are present, no values.
impl fmt::Debug for ProblemDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProblemDetails")
            .field("type", &Presence(self.type_.is_some()))
            .field("title", &Presence(self.title.is_some()))
            .field("status", &Presence(self.status.is_some()))
            .field("detail", &Presence(self.detail.is_some()))
            .field("instance", &Presence(self.instance.is_some()))
            .field("errors", &self.errors)
            .field("extra", &self.extra)
            .finish()
    }
}

/// Redacted: shows which fields are present, no values.
impl fmt::Debug for ProblemItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProblemItem")
            .field("location", &Presence(self.location.is_some()))
            .field("message", &Presence(self.message.is_some()))
            .field("value", &Presence(self.value.is_some()))
            .field("extra", &self.extra)
            .finish()
    }
}
