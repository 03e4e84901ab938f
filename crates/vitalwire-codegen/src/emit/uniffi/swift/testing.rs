//! What `VitalwireTesting` has: the operations by the names of their calls, and a sample of each record, found in the synthetic answers.

use serde::Serialize;
use serde_json::Value;

use crate::ir::{Answer, Ir, Operation, Type};
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
    call: String,
    /// Members and places in lists on the way to it, as Swift writes them.
    path: Vec<String>,
}

impl<'a> Testing<'a> {
    pub(super) fn new(ir: &'a Ir) -> Self {
        let calls = ir.operations.iter().map(|operation| Call::new(ir, operation)).collect();
        let found = |name: &'a str| find(ir, name).map(|(call, path)| Record { name, call, path });
        let records = ir.models.iter().filter(|model| !model.request).filter_map(|model| found(&model.name)).collect();
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

/// Where the fullest record of a type is among the answers.
fn find(ir: &Ir, name: &str) -> Option<(String, Vec<String>)> {
    let mut found: Option<(usize, String, Vec<String>)> = None;
    for operation in &ir.operations {
        let ty = match &operation.answer {
            Answer::Nothing => continue,
            Answer::Model(name) => Type::Model(name.clone()),
            Answer::List(name) => Type::List(Box::new(Type::Model(name.clone()))),
        };
        let Some(sample) = ir.samples.get(&operation.id) else { continue };
        each(ir, &ty, &sample.body, &mut Vec::new(), &mut |model, value, path| {
            let size = value.to_string().len();
            let empty = value.as_object().is_some_and(serde_json::Map::is_empty);
            if model == name && !empty && found.as_ref().is_none_or(|(known, ..)| *known < size) {
                found = Some((size, self::name(operation), path.to_vec()));
            }
        });
    }
    found.map(|(_, call, path)| (call, path))
}

/// Tells of every record in a value: its type, itself, and the way to it.
fn each(ir: &Ir, ty: &Type, value: &Value, path: &mut Vec<String>, told: &mut impl FnMut(&str, &Value, &[String])) {
    match (ty, value) {
        (Type::List(item), Value::Array(items)) => {
            for (at, value) in items.iter().enumerate() {
                path.push(at.to_string());
                each(ir, item, value, path, told);
                path.pop();
            }
        }
        (Type::Model(name), Value::Object(members)) => {
            told(name, value, path);
            for member in ir.model(name).into_iter().flat_map(|model| &model.members) {
                let Some(value) = members.get(&member.wire) else { continue };
                path.push(format!("\"{}\"", member.wire));
                each(ir, &member.ty, value, path, told);
                path.pop();
            }
        }
        _ => {}
    }
}
