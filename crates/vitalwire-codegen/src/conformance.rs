//! Conformance runners, which make calls with the arguments of a case and write responses as canonical JSON. Each language renders its
//! own.

pub(crate) mod settings;

use serde::Serialize;
use serde_json::{Value, json};

use crate::ir::{Answer, Ir, Model, NumberMap, Operation, SeriesMap};

/// Data from which the conformance runner of each language is rendered.
pub(crate) struct Runner<'a> {
    pub(crate) ir: &'a Ir,
    pub(crate) cases: Vec<Case<'a>>,
}

/// An operation as the runner calls it, with the form of its response.
#[derive(Serialize)]
pub(crate) struct Case<'a> {
    #[serde(flatten)]
    pub(crate) operation: &'a Operation,
    /// Name of the parameters' type, such as `SleepsGetParams`.
    pub(crate) type_name: String,
    /// Whether both bounds of a range are required.
    pub(crate) has_range: bool,
    pub(crate) form: Form,
    /// Model of the response, or of its items if it is a list.
    pub(crate) record: Option<&'a str>,
    pub(crate) waits: Option<Waits<'a>>,
}

/// Form of a response.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    Nothing,
    Single,
    Listed,
}

/// The call that waits for an analysis.
#[derive(Serialize)]
pub(crate) struct Waits<'a> {
    pub(crate) method: String,
    /// Whether the id of the record is the only argument.
    pub(crate) by_id: bool,
    pub(crate) answer: &'a Answer,
    pub(crate) record: Option<&'a str>,
}

impl<'a> Case<'a> {
    pub(crate) fn of(ir: &'a Ir, operation: &'a Operation) -> Self {
        let waits = ir.record_of(operation).map(|read| Waits {
            method: ir.wait_method(operation),
            by_id: ir.is_read_by_id(operation) && operation.params.len() == 1,
            answer: &read.answer,
            record: record(&read.answer),
        });
        let form = match operation.answer {
            Answer::Nothing => Form::Nothing,
            Answer::Model(_) => Form::Single,
            Answer::List(_) => Form::Listed,
        };
        Self {
            operation,
            type_name: operation.type_name(),
            has_range: operation.required_range().is_some(),
            form,
            record: record(&operation.answer),
            waits,
        }
    }
}

fn record(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Nothing => None,
        Answer::Model(name) | Answer::List(name) => Some(name),
    }
}

impl<'a> Runner<'a> {
    /// Collects the operations that the language of this IR has.
    pub(crate) fn new(ir: &'a Ir) -> Self {
        Self { ir, cases: ir.operations.iter().map(|operation| Case::of(ir, operation)).collect() }
    }

    /// Returns the models of responses.
    pub(crate) fn models(&self) -> impl Iterator<Item = &'a Model> + use<'a> {
        self.ir.models.iter().filter(|model| !model.request)
    }

    /// Returns the calls of a resource.
    pub(crate) fn calls(&self, group: &str) -> Vec<&Case<'a>> {
        self.cases.iter().filter(|case| case.operation.group == group).collect()
    }

    /// Returns the template values of a number map: the map with its known keys.
    pub(crate) fn numbers(&self, map: &NumberMap) -> Value {
        self.with_names(json!(map), &map.keys)
    }

    /// Returns the template values of a series map: the map with its known keys.
    pub(crate) fn series(&self, map: &SeriesMap) -> Value {
        self.with_names(json!(map), &map.keys)
    }

    fn with_names(&self, mut map: Value, keys: &str) -> Value {
        map["values"] = json!(self.ir.open_set(keys).map(|set| &set.values));
        map
    }
}
