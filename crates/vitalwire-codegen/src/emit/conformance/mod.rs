//! The conformance runners: from a case's arguments to a call, and from an answer to canonical JSON, in each language.

mod c;
mod cpp;
mod forms;
mod kotlin;
mod python;
mod rust;
mod settings;
mod swift;

use serde::Serialize;
use serde_json::{Value, json};

use super::File;
use crate::ir::faces::Face;
use crate::ir::{Answer, Ir, Model, NumberMap, Operation, SeriesMap};

pub(super) use forms::add_to;

/// Every generated file of the runners.
///
/// # Errors
/// Where a template misses a value.
pub(super) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let mut files = Vec::new();
    for face in Face::ALL {
        let ir = &ir.of(face);
        let runner = Runner { ir, cases: ir.operations.iter().map(|operation| Case::of(ir, operation)).collect() };
        files.extend(match face {
            Face::Rust => rust::emit(&runner),
            Face::Python => python::emit(&runner),
            Face::Swift => swift::emit(&runner),
            Face::Kotlin => kotlin::emit(&runner),
            Face::C => c::emit(&runner).and_then(|files| Ok(files.into_iter().chain(cpp::emit(&runner)?).collect())),
        }?);
    }
    Ok(files)
}

/// What the runners of every language are made of.
struct Runner<'a> {
    ir: &'a Ir,
    cases: Vec<Case<'a>>,
}

/// An operation, as a runner calls it and reads its answer.
#[derive(Serialize)]
struct Case<'a> {
    #[serde(flatten)]
    operation: &'a Operation,
    /// `SleepsGetParams`.
    type_name: String,
    /// Whether it needs the bounds of a range.
    has_range: bool,
    form: Form,
    /// The object that it answers, alone or in a list.
    record: Option<&'a str>,
    waits: Option<Waits<'a>>,
}

/// How an answer is read.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    Nothing,
    Single,
    Listed,
}

/// The call that waits.
#[derive(Serialize)]
struct Waits<'a> {
    method: String,
    /// Whether it takes the record's id and no more.
    by_id: bool,
    answer: &'a Answer,
    record: Option<&'a str>,
}

impl<'a> Case<'a> {
    fn of(ir: &'a Ir, operation: &'a Operation) -> Self {
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
    /// The models that are received.
    fn models(&self) -> impl Iterator<Item = &'a Model> + use<'a> {
        self.ir.models.iter().filter(|model| !model.request)
    }

    /// The calls of a resource.
    fn calls(&self, group: &str) -> Vec<&Case<'a>> {
        self.cases.iter().filter(|case| case.operation.group == group).collect()
    }

    /// A map with its known names.
    fn numbers(&self, map: &NumberMap) -> Value {
        self.with_names(json!(map), &map.keys)
    }

    /// A map with its known names.
    fn series(&self, map: &SeriesMap) -> Value {
        self.with_names(json!(map), &map.keys)
    }

    fn with_names(&self, mut map: Value, keys: &str) -> Value {
        map["values"] = json!(self.ir.open_set(keys).map(|set| &set.values));
        map
    }
}
