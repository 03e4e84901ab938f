//! What the emitters need, read once from the specifications: every name, type and rule of the API.

mod calls;
pub mod faces;
mod later;
pub mod nights;
mod operation;
pub mod problems;
mod range;
pub mod tables;
mod upload;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use faces::Face;

pub use calls::{Call, Resource};
pub use later::{ADDED, later};
pub use operation::{Answer, Basis, Operation, Param, ParamLocation, Retry, Wait};
pub use range::{Range, RangeKind, range_item};
pub use upload::Upload;

/// The whole API.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Ir {
    /// The services, in the order of the specifications.
    pub services: Vec<Service>,
    /// Sets of names that may grow.
    pub open_sets: Vec<OpenSet>,
    /// Objects of numbers.
    pub number_maps: Vec<NumberMap>,
    /// Objects of series of numbers.
    pub series_maps: Vec<SeriesMap>,
    /// Objects.
    pub models: Vec<Model>,
    /// Calls.
    pub operations: Vec<Operation>,
    /// Tables that answers can be read into.
    pub tables: Vec<tables::Table>,
    /// The fixed sentences of problem details.
    pub details: Vec<String>,
    /// Kinds of error, in the order of their numbers.
    pub error_kinds: Vec<ErrorKind>,
    /// Hand-written records of the uniffi wrapper that show no values.
    pub redacted: Vec<String>,
    /// The synthetic answer of each operation that has one, by its id.
    #[serde(skip)]
    pub samples: BTreeMap<String, Sample>,
}

/// A synthetic answer, as the sandbox gave it.
#[derive(Clone, Debug, Deserialize)]
pub struct Sample {
    /// The HTTP status.
    pub status: u16,
    /// The body; null where there is none.
    #[serde(default)]
    pub body: serde_json::Value,
}

/// A kind of error, the same in every language.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ErrorKind {
    /// Name, snake case.
    pub name: String,
    /// Stable number.
    pub code: u16,
    /// Documentation.
    pub docs: Docs,
}

/// One base URL.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Service {
    /// `health` or `care`.
    pub name: String,
    /// What its specification is called.
    pub title: String,
    /// Its specification.
    pub path: String,
    /// The version it states.
    pub version: String,
}

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
    /// Limits by keyword, those of a list's items after `items.`; a client checks those that [`Param`] has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, serde_json::Value>,
    /// Documentation.
    pub docs: Docs,
}

impl Ir {
    /// What a language has of it.
    #[must_use]
    pub fn of(&self, face: Face) -> Self {
        let mut own = self.clone();
        own.models.retain(|model| model.faces.contains(&face));
        own.open_sets.retain(|set| set.faces.contains(&face));
        own.operations.retain(|operation| operation.faces.contains(&face));
        own
    }

    /// An object by name.
    pub fn model(&self, name: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.name == name)
    }

    /// An open set by name.
    pub fn open_set(&self, name: &str) -> Option<&OpenSet> {
        self.open_sets.iter().find(|set| set.name == name)
    }

    /// A number map by schema name.
    pub fn number_map(&self, name: &str) -> Option<&NumberMap> {
        self.number_maps.iter().find(|map| map.name == name)
    }

    /// The resources, in the order of their first call.
    pub fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = Vec::new();
        for operation in &self.operations {
            if !groups.contains(&operation.group.as_str()) {
                groups.push(&operation.group);
            }
        }
        groups
    }

    /// Returns what all paths of a service begin with, up to their version: `/v3`. Empty if they have no version in common.
    pub fn path_prefix(&self, service: &Service) -> String {
        let is_version = |segment: &str| {
            segment.strip_prefix('v').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let mut prefixes = self.operations.iter().filter(|operation| operation.service == service.name).map(|operation| {
            let segments: Vec<&str> = operation.path.split('/').collect();
            let version = segments.iter().position(|segment| is_version(segment));
            version.map(|at| segments[..=at].join("/")).unwrap_or_default()
        });
        let first = prefixes.next().unwrap_or_default();
        if prefixes.all(|prefix| prefix == first) { first } else { String::new() }
    }
}

impl Member {
    /// Whether null and absent are told apart.
    pub fn keeps_null(&self) -> bool {
        !self.required && matches!(self.ty, Type::List(_))
    }
}
