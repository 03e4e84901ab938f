//! Waits for analyses: the call that polls the record, the field of its status, and the final statuses.

use serde_json::{Value, json};

use super::spelling;
use crate::ir::{Ir, Operation, Wait};

/// Returns all operations that start or poll an analysis.
pub(super) fn wait_operations(ir: &Ir) -> Vec<Value> {
    let mut waits = Vec::new();
    let mut polled = Vec::new();
    for (operation, wait) in ir.waits() {
        let Some(poll) = ir.poll(wait) else { continue };
        if let Some(id) = &wait.id {
            waits.push(wait_operation(operation, poll, wait, start_fields(id, wait)));
        }
        // One operation may poll several kinds of analysis. The final statuses of the first apply.
        if !polled.contains(&&poll.id) {
            polled.push(&poll.id);
            waits.push(wait_operation(poll, poll, wait, Value::Null));
        }
    }
    waits
}

/// Returns the template values of an operation. `start` has the id and the status in the response that starts the analysis, or is null for
/// the operation that polls.
fn wait_operation(operation: &Operation, poll: &Operation, wait: &Wait, start: Value) -> Value {
    json!({
        "params": operation.type_name(),
        "record": spelling::response(&poll.response),
        "poll": poll.type_name(),
        "done": wait.done,
        "status": path(&wait.status),
        "start": start,
    })
}

fn start_fields(id: &str, wait: &Wait) -> Value {
    let status = id.rsplit_once('.').map_or_else(|| wait.status.clone(), |(parent, _)| format!("{parent}.{}", wait.status));
    json!({ "id": path(id), "status": path(&status) })
}

/// Converts a dotted wire name to a Rust field expression.
fn path(wire: &str) -> String {
    wire.split('.').map(spelling::name).collect::<Vec<_>>().join(".")
}
