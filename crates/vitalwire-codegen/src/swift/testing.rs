//! Contents of `VitalwireTesting`: the operations by call name, and a sample of each record from the synthetic responses.

use serde_json::{Value, json};

use super::spelling;
use crate::ir::{Ir, Operation};
use crate::uniffi::samples::{self, AccessSyntax};

const ACCESS_SYNTAX: AccessSyntax =
    AccessSyntax { response: name, item: |at| format!(", {at}"), member: |_, member| format!(", \"{}\"", member.wire) };

/// Returns the calls that can have mock responses, and sample records.
pub(super) fn values(ir: &Ir) -> Value {
    let record = |name: &str, source: Result<String, Value>| match source {
        // Arguments of `Sample.record`: the call, then fields and list indexes.
        Ok(path) => json!({ "name": name, "path": path, "json": null }),
        Err(value) => json!({ "name": name, "path": null, "json": value.to_string() }),
    };
    let records = samples::most_complete(ir, &ACCESS_SYNTAX).into_iter().map(|(model, source)| record(&model.name, source));
    let calls = ir.operations.iter().map(|operation| call(ir, operation));
    json!({ "calls": calls.collect::<Vec<_>>(), "records": records.collect::<Vec<_>>() })
}

fn call(ir: &Ir, operation: &Operation) -> Value {
    let json = |body: &Value| (!body.is_null()).then(|| body.to_string());
    json!({
        "name": name(operation),
        "id": operation.id,
        // As an application writes it.
        "display": format!("{}.{}", spelling::plain(&operation.group), spelling::plain(&operation.method)),
        "sample": ir.samples.get(&operation.id).map(|sample| json!({ "status": sample.status, "json": json(&sample.body) })),
    })
}

fn name(operation: &Operation) -> String {
    spelling::plain(&format!("{}_{}", operation.group, operation.method))
}
