//! Types and models, with their documentation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::features::Language;

/// Documentation of a part of the API.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Docs {
    /// Description, as in the specification.
    pub text: String,
    /// Unit, if known.
    pub unit: Option<String>,
    /// Whether the part is deprecated.
    pub deprecated: bool,
    /// Example of the specification. Used to compare specifications and in the examples of resources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<serde_json::Value>,
}

impl Docs {
    /// Creates documentation from a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// Type of a field, parameter or response.
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
    /// Identifier. The interface defines it as a UUID.
    Id,
    /// Bytes, base64-encoded on the wire.
    Bytes,
    /// Any JSON value.
    Json,
    /// Open set, by name.
    Open(String),
    /// Model, by name.
    Model(String),
    /// Number map, by schema name.
    Numbers(String),
    /// Series map, by schema name.
    Series(String),
    /// List.
    List(Box<Type>),
}

/// An open set: a set of names that the service may extend.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct OpenSet {
    /// Type name.
    pub name: String,
    /// Documentation.
    pub docs: Docs,
    /// Known values.
    pub values: Vec<OpenValue>,
    /// Languages that have the set.
    pub languages: Vec<Language>,
}

/// A known value of an open set.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct OpenValue {
    /// Text on the wire.
    pub wire: String,
    /// Name in code, in snake case.
    pub name: String,
    /// Other spellings of the same value.
    pub aliases: Vec<String>,
    /// Documentation.
    pub docs: Docs,
}

impl Type {
    /// Returns the type of the items of a list, and any other type itself.
    pub fn item(&self) -> &Self {
        if let Self::List(item) = self { item.item() } else { self }
    }

    /// Returns the open set of a name or of a list of names.
    pub fn open_set(&self) -> Option<&String> {
        if let Self::Open(set) = self.item() { Some(set) } else { None }
    }

    /// Returns the model of an object or of a list of objects.
    pub fn model(&self) -> Option<&str> {
        if let Self::Model(model) = self.item() { Some(model) } else { None }
    }
}

/// A number map: an object whose fields are all optional numbers.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct NumberMap {
    /// Schema name.
    pub name: String,
    /// Open set of its keys. The values of that set hold the documentation.
    pub keys: String,
    /// Whether the amount that the numbers refer to depends on the call.
    pub has_basis: bool,
    /// Documentation.
    pub docs: Docs,
}

/// A series map: an object of many lists of numbers.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SeriesMap {
    /// Schema name.
    pub name: String,
    /// Open set of its keys.
    pub keys: String,
    /// Documentation.
    pub docs: Docs,
}

/// A model, generated from an object schema.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Model {
    /// Type name.
    pub name: String,
    /// Documentation.
    pub docs: Docs,
    /// Fields, in the order of the specification.
    pub members: Vec<Member>,
    /// Whether the model is sent as a request body. Other models are received.
    pub request: bool,
    /// Whether the model holds numbers with a basis, directly or in nested objects.
    pub has_basis: bool,
    /// Languages that have the model.
    pub languages: Vec<Language>,
}

/// A field of a model.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Member {
    /// Name on the wire.
    pub wire: String,
    /// Name in code, in snake case.
    pub name: String,
    /// Type.
    pub ty: Type,
    /// Whether the field is required.
    pub required: bool,
    /// Whether the field is a token or another secret.
    pub credential: bool,
    /// Default of the service. Used only to compare specifications; clients leave the field out instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    /// Limits by keyword, with those of list items under `items.`. Clients check only the limits in `Param`; all are compared between
    /// specifications.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, serde_json::Value>,
    /// Documentation.
    pub docs: Docs,
}

impl Member {
    /// Whether null and absent differ in meaning.
    pub fn keeps_null(&self) -> bool {
        !self.required && matches!(self.ty, Type::List(_))
    }
}
