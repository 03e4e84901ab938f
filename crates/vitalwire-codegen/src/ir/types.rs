//! Types and objects, with their documentation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::faces::Face;

/// What is written as documentation.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Docs {
    /// Description, in the specification's words.
    pub text: String,
    /// Unit, where one is known.
    pub unit: Option<String>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// The specification's example. Nothing is generated from it; it is compared between contracts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<serde_json::Value>,
}

/// The type of a member, parameter or answer.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub enum Type {
    /// Text.
    Text,
    /// True or false.
    Boolean,
    /// 64-bit integer.
    Integer,
    /// Double.
    Number,
    /// Instant.
    Timestamp,
    /// Calendar date.
    Date,
    /// Identifier, a UUID by the interface.
    Id,
    /// Bytes, base64 on the wire.
    Bytes,
    /// Any JSON value.
    Json,
    /// An open set, by name.
    Open(String),
    /// An object, by name.
    Model(String),
    /// A number map, by schema name.
    Numbers(String),
    /// A series map, by schema name.
    Series(String),
    /// A list.
    List(Box<Type>),
}

/// A set of names that may grow.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct OpenSet {
    /// Type name.
    pub name: String,
    /// Documentation.
    pub docs: Docs,
    /// Known values.
    pub values: Vec<OpenValue>,
    /// The languages that have it.
    pub faces: Vec<Face>,
}

/// A known value of an open set.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct OpenValue {
    /// Text on the wire.
    pub wire: String,
    /// Name in code, snake case.
    pub name: String,
    /// Other spellings that mean the same value.
    pub aliases: Vec<String>,
    /// Documentation.
    pub docs: Docs,
}

/// An object whose members are all optional numbers.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct NumberMap {
    /// Schema name.
    pub name: String,
    /// The open set of its member names; its values carry the members' documentation.
    pub keys: String,
    /// Whether the numbers' basis depends on the call they came from.
    pub has_basis: bool,
    /// Documentation.
    pub docs: Docs,
}

/// An object of series of numbers.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SeriesMap {
    /// Schema name.
    pub name: String,
    /// The open set of its member names.
    pub keys: String,
    /// Documentation.
    pub docs: Docs,
}

/// An object.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Model {
    /// Type name.
    pub name: String,
    /// Documentation.
    pub docs: Docs,
    /// Its members, in the order of the specification.
    pub members: Vec<Member>,
    /// Whether it is sent (a request body) rather than received.
    pub request: bool,
    /// Whether numbers with a basis are in it or below it.
    pub has_basis: bool,
    /// The languages that have it.
    pub faces: Vec<Face>,
}

/// A member of an object.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Member {
    /// Name on the wire.
    pub wire: String,
    /// Name in code, snake case.
    pub name: String,
    /// Type.
    pub ty: Type,
    /// Whether it must be there.
    pub required: bool,
    /// Whether it is a token or secret.
    pub credential: bool,
    /// Value that the service takes where it is left out. Compared between contracts, as are the limits; a client sends nothing instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    /// Limits by keyword, those of a list's items after `items.`; a client checks those that `Param` has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, serde_json::Value>,
    /// Documentation.
    pub docs: Docs,
}

impl Member {
    /// Whether null and absent are told apart.
    pub fn keeps_null(&self) -> bool {
        !self.required && matches!(self.ty, Type::List(_))
    }
}
