//! Conformance runners, which make calls with the arguments of a case and write responses as canonical JSON. Each language renders its own.

pub(crate) mod settings;

use serde::Serialize;
use serde_json::{Value, json};

use crate::ir::{Ir, NumberMap, Operation, ResponseType, SeriesMap};

/// Data from which the conformance runner of each language is rendered.
pub(crate) struct Runner<'a> {
    pub(crate) ir: &'a Ir,
    pub(crate) operations: Vec<RunnerOperation<'a>>,
}

/// An operation as the runner calls it, with the form of its response.
#[derive(Serialize)]
pub(crate) struct RunnerOperation<'a> {
    #[serde(flatten)]
    pub(crate) operation: &'a Operation,
    /// Name of the parameters' type, such as `SleepsGetParams`.
    pub(crate) type_name: String,
    /// Whether both bounds of a range are required.
    pub(crate) has_range: bool,
    pub(crate) form: ResponseForm,
    /// Model of the response, or of its items if it is a list.
    pub(crate) record: Option<&'a str>,
    pub(crate) waits: Option<WaitCall<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResponseForm {
    Nothing,
    Single,
    Listed,
}

/// The call that waits for an analysis.
#[derive(Serialize)]
pub(crate) struct WaitCall<'a> {
    pub(crate) method: String,
    /// Whether the id of the record is the only argument.
    pub(crate) by_id: bool,
    pub(crate) record: Option<&'a str>,
}

impl<'a> RunnerOperation<'a> {
    pub(crate) fn new(ir: &'a Ir, operation: &'a Operation) -> Self {
        let waits = ir.record_operation(operation).map(|read| WaitCall {
            method: ir.wait_method(operation),
            by_id: ir.is_read_by_id(operation) && operation.params.len() == 1,
            record: read.response.record(),
        });
        let form = match operation.response {
            ResponseType::Nothing => ResponseForm::Nothing,
            ResponseType::Model(_) => ResponseForm::Single,
            ResponseType::List(_) => ResponseForm::Listed,
        };
        Self {
            operation,
            type_name: operation.type_name(),
            has_range: operation.required_range().is_some(),
            form,
            record: operation.response.record(),
            waits,
        }
    }
}

impl<'a> Runner<'a> {
    /// Collects the operations that the language of this IR has.
    pub(crate) fn new(ir: &'a Ir) -> Self {
        Self { ir, operations: ir.operations.iter().map(|operation| RunnerOperation::new(ir, operation)).collect() }
    }

    pub(crate) fn calls(&self, group: &str) -> Vec<&RunnerOperation<'a>> {
        self.operations.iter().filter(|runner| runner.operation.group == group).collect()
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
