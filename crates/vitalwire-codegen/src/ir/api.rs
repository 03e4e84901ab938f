//! The whole API, and its parts by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::faces::Face;
use super::operation::{Answer, Operation};
use super::range::Range;
use super::tables::Table;
use super::types::{Docs, Model, NumberMap, OpenSet, SeriesMap, Type};

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
    pub tables: Vec<Table>,
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

/// The model of the items.
pub fn range_item<'a>(ir: &'a Ir, operation: &Operation, range: &Range) -> Option<&'a Model> {
    match (&operation.answer, &range.items) {
        (Answer::List(name), None) => ir.model(name),
        (Answer::Model(name), Some(items)) => {
            let member = ir.model(name)?.members.iter().find(|member| member.wire == *items && member.required)?;
            match &member.ty {
                Type::List(item) => match &**item {
                    Type::Model(name) => ir.model(name),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}
