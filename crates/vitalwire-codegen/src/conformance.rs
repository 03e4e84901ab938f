//! Conformance runners: calls with the arguments of a case, and responses as canonical JSON. Each language renders its own.

pub(crate) mod settings;

use serde::Serialize;
use serde_json::{Value, json};

use crate::ir::{Answer, Ir, Model, NumberMap, Operation, SeriesMap};

/// What the runners of every language are made of.
pub(crate) struct Runner<'a> {
    pub(crate) ir: &'a Ir,
    pub(crate) cases: Vec<Case<'a>>,
}

/// An operation, as a runner calls it and reads its answer.
#[derive(Serialize)]
pub(crate) struct Case<'a> {
    #[serde(flatten)]
    pub(crate) operation: &'a Operation,
    /// `SleepsGetParams`.
    pub(crate) type_name: String,
    /// Whether it needs the bounds of a range.
    pub(crate) has_range: bool,
    pub(crate) form: Form,
    /// The object that it answers, alone or in a list.
    pub(crate) record: Option<&'a str>,
    pub(crate) waits: Option<Waits<'a>>,
}

/// How an answer is read.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    Nothing,
    Single,
    Listed,
}

/// The call that waits.
#[derive(Serialize)]
pub(crate) struct Waits<'a> {
    pub(crate) method: String,
    /// Whether it takes the record's id and no more.
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
    /// Describes the runner of a language that has these operations.
    pub(crate) fn new(ir: &'a Ir) -> Self {
        Self { ir, cases: ir.operations.iter().map(|operation| Case::of(ir, operation)).collect() }
    }

    /// The models that are received.
    pub(crate) fn models(&self) -> impl Iterator<Item = &'a Model> + use<'a> {
        self.ir.models.iter().filter(|model| !model.request)
    }

    /// The calls of a resource.
    pub(crate) fn calls(&self, group: &str) -> Vec<&Case<'a>> {
        self.cases.iter().filter(|case| case.operation.group == group).collect()
    }

    /// A map with its known names.
    pub(crate) fn numbers(&self, map: &NumberMap) -> Value {
        self.with_names(json!(map), &map.keys)
    }

    /// A map with its known names.
    pub(crate) fn series(&self, map: &SeriesMap) -> Value {
        self.with_names(json!(map), &map.keys)
    }

    fn with_names(&self, mut map: Value, keys: &str) -> Value {
        map["values"] = json!(self.ir.open_set(keys).map(|set| &set.values));
        map
    }
}
