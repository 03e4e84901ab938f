//! Contents of `VitalwireTesting`: the operations by call name, and a sample of each record from the synthetic responses.

use serde::Serialize;

use super::spelling;
use crate::ir::{Ir, Operation};
use crate::uniffi::samples::{self, AccessSyntax, Source};

/// Calls and sample records.
#[derive(Debug, Serialize)]
pub(super) struct Testing<'a> {
    calls: Vec<Call<'a>>,
    records: Vec<Record<'a>>,
}

/// An operation that can have mock responses.
#[derive(Debug, Serialize)]
struct Call<'a> {
    name: String,
    /// Operation id.
    id: &'a str,
    /// Call in the form that an application writes.
    display: String,
    /// Synthetic response.
    sample: Option<Sample>,
}

#[derive(Debug, Serialize)]
struct Sample {
    status: u16,
    json: Option<String>,
}

#[derive(Debug, Serialize)]
struct Record<'a> {
    name: &'a str,
    /// Arguments of `Sample.record` for a record in a response: the call, then fields and list indexes.
    path: Option<String>,
    /// JSON text of a record that is in no response.
    json: Option<String>,
}

const ACCESS_SYNTAX: AccessSyntax =
    AccessSyntax { response: name, item: |at| format!(", {at}"), member: |_, member| format!(", \"{}\"", member.wire) };

impl<'a> Testing<'a> {
    pub(super) fn new(ir: &'a Ir) -> Self {
        let calls = ir.operations.iter().map(|operation| Call::new(ir, operation)).collect();
        let records =
            samples::most_complete(ir, &ACCESS_SYNTAX).into_iter().map(|(model, source)| Record::new(&model.name, source)).collect();
        Self { calls, records }
    }
}

impl<'a> Record<'a> {
    fn new(name: &'a str, source: Source) -> Self {
        match source {
            Source::Response(path) => Self { name, path: Some(path), json: None },
            Source::Created(value) => Self { name, path: None, json: Some(value.to_string()) },
        }
    }
}

impl<'a> Call<'a> {
    fn new(ir: &Ir, operation: &'a Operation) -> Self {
        let sample = ir.samples.get(&operation.id);
        let sample = sample.map(|sample| Sample { status: sample.status, json: (!sample.body.is_null()).then(|| sample.body.to_string()) });
        let display = format!("{}.{}", spelling::plain(&operation.group), spelling::plain(&operation.method));
        Self { name: name(operation), id: &operation.id, display, sample }
    }
}

fn name(operation: &Operation) -> String {
    spelling::plain(&format!("{}_{}", operation.group, operation.method))
}
