//! The whole API, with lookup of its parts by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cohort::CohortTable;
use super::features::Language;
use super::operation::{Operation, ResponseType};
use super::range::Range;
use super::tables::Table;
use super::types::{Docs, Model, NumberMap, OpenSet, SeriesMap, Type};

/// The intermediate representation of the API.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Ir {
    /// Services, in the order of the specifications.
    pub services: Vec<Service>,
    /// Open sets.
    pub open_sets: Vec<OpenSet>,
    /// Number maps: objects of many numbers.
    pub number_maps: Vec<NumberMap>,
    /// Series maps: objects of many lists of numbers.
    pub series_maps: Vec<SeriesMap>,
    /// Models, generated from the other object schemas.
    pub models: Vec<Model>,
    /// Operations of all services.
    pub operations: Vec<Operation>,
    /// Tables that can be made from responses.
    pub tables: Vec<Table>,
    /// Tables of cohorts, in order. Empty if the service has none.
    pub cohort_tables: Vec<CohortTable>,
    /// Fixed sentences of problem details.
    pub details: Vec<String>,
    /// Error kinds, in the order of their numbers.
    pub error_kinds: Vec<ErrorKind>,
    /// Synthetic responses by operation id, for operations that have one.
    #[serde(skip)]
    pub samples: BTreeMap<String, Sample>,
}

/// A synthetic response, recorded from the sandbox.
#[derive(Clone, Debug, Deserialize)]
pub struct Sample {
    /// HTTP status.
    pub status: u16,
    /// JSON body. Null if there is none.
    #[serde(default)]
    pub body: serde_json::Value,
}

/// An error kind, the same in every language.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ErrorKind {
    /// Name in snake case.
    pub name: String,
    /// Stable number.
    pub code: u16,
    /// Documentation.
    pub docs: Docs,
}

/// A service with its own base URL.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Service {
    /// Name: `health` or `care`.
    pub name: String,
    /// Title of its specification.
    pub title: String,
    /// Path of its specification.
    pub path: String,
    /// Version stated in its specification.
    pub version: String,
}

impl Ir {
    /// Returns the part of the API that a language has.
    #[must_use]
    pub fn for_language(&self, language: Language) -> Self {
        let mut own = self.clone();
        own.models.retain(|model| model.languages.contains(&language));
        own.open_sets.retain(|set| set.languages.contains(&language));
        own.operations.retain(|operation| operation.languages.contains(&language));
        own
    }

    /// Returns the models that are received. Others are sent as request bodies.
    pub fn received_models(&self) -> impl Iterator<Item = &Model> {
        self.models.iter().filter(|model| !model.request)
    }

    /// Returns a model by name.
    pub fn model(&self, name: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.name == name)
    }

    /// Whether a value, or an item of a list, holds numbers with a basis, directly or in nested objects.
    pub fn has_basis(&self, ty: &Type) -> bool {
        match ty.item() {
            Type::Numbers(map) => self.number_map(map).is_some_and(|map| map.has_basis),
            Type::Model(model) => self.model(model).is_some_and(|model| model.has_basis),
            _ => false,
        }
    }

    /// Returns an operation by its id.
    pub fn operation(&self, id: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == id)
    }

    /// Returns an open set by name.
    pub fn open_set(&self, name: &str) -> Option<&OpenSet> {
        self.open_sets.iter().find(|set| set.name == name)
    }

    /// Returns a number map by schema name.
    pub fn number_map(&self, name: &str) -> Option<&NumberMap> {
        self.number_maps.iter().find(|map| map.name == name)
    }

    /// Returns the names of the resources, in the order of their first operation.
    pub fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = Vec::new();
        for operation in &self.operations {
            if !groups.contains(&operation.group.as_str()) {
                groups.push(&operation.group);
            }
        }
        groups
    }

    /// Returns the common prefix of a service's paths, up to the version: `/v3`. Empty if they share no version.
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

/// Returns the model of the items of a range call.
pub fn range_item<'a>(ir: &'a Ir, operation: &Operation, range: &Range) -> Option<&'a Model> {
    match (&operation.response, &range.items) {
        (ResponseType::List(name), None) => ir.model(name),
        (ResponseType::Model(name), Some(items)) => {
            let member = ir.model(name)?.members.iter().find(|member| member.wire == *items && member.required)?;
            member.ty.model().filter(|_| matches!(member.ty, Type::List(_))).and_then(|name| ir.model(name))
        }
        _ => None,
    }
}
