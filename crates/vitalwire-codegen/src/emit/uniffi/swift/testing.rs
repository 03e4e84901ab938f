//! What `VitalwireTesting` has: the operations by the names of their calls, and a sample of each record, found in the synthetic answers.

use serde::Serialize;

use crate::emit::uniffi::samples::{self, Spelling};
use crate::ir::{Ir, Operation};
use crate::lang::swift;

/// Calls and samples.
#[derive(Debug, Serialize)]
pub(super) struct Testing<'a> {
    calls: Vec<Call<'a>>,
    records: Vec<Record<'a>>,
}

/// A call that does not wait.
#[derive(Debug, Serialize)]
struct Call<'a> {
    name: String,
    /// The operation's id.
    id: &'a str,
    /// As an application writes it.
    written: String,
    /// The synthetic answer, where there is one.
    sample: Option<Sample>,
}

#[derive(Debug, Serialize)]
struct Sample {
    status: u16,
    json: Option<String>,
}

/// A record that is in an answer.
#[derive(Debug, Serialize)]
struct Record<'a> {
    name: &'a str,
    /// The call, and members and places in lists on the way to it, as Swift writes them.
    way: String,
}

const SPELLING: Spelling = Spelling { answer: name, item: |at| format!(", {at}"), member: |_, member| format!(", \"{}\"", member.wire) };

impl<'a> Testing<'a> {
    pub(super) fn new(ir: &'a Ir) -> Self {
        let calls = ir.operations.iter().map(|operation| Call::new(ir, operation)).collect();
        let records = samples::fullest(ir, &SPELLING).into_iter().map(|(name, way)| Record { name, way }).collect();
        Self { calls, records }
    }
}

impl<'a> Call<'a> {
    fn new(ir: &Ir, operation: &'a Operation) -> Self {
        let sample = ir.samples.get(&operation.id);
        let sample = sample.map(|sample| Sample { status: sample.status, json: (!sample.body.is_null()).then(|| sample.body.to_string()) });
        let written = format!("{}.{}", swift::plain(&operation.group), swift::plain(&operation.method));
        Self { name: name(operation), id: &operation.id, written, sample }
    }
}

fn name(operation: &Operation) -> String {
    swift::plain(&format!("{}_{}", operation.group, operation.method))
}
