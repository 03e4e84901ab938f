//! Waits for analyses: the call that polls the record, the field of its status, and the final statuses.

use serde::Serialize;

use super::spelling;
use crate::ir::{Ir, Operation, Wait};

/// An operation that can be waited for. Paths are Rust field expressions.
#[derive(Serialize)]
pub(super) struct WaitOperation<'a> {
    params: String,
    record: String,
    poll: String,
    done: &'a [String],
    status: String,
    /// Id and status in the response that starts the analysis. `None` for the operation that polls.
    start: Option<StartFields>,
}

#[derive(Serialize)]
struct StartFields {
    id: String,
    /// Field of the status, in the same object as the id.
    status: String,
}

/// Returns all operations that start or poll an analysis.
pub(super) fn wait_operations(ir: &Ir) -> Vec<WaitOperation<'_>> {
    let mut waits = Vec::new();
    let mut polled = Vec::new();
    for (operation, wait) in ir.waits() {
        let Some(poll) = ir.poll(wait) else { continue };
        if let Some(id) = &wait.id {
            waits.push(wait_operation(operation, poll, wait, Some(start_fields(id, wait))));
        }
        // One operation may poll several kinds of analysis. The final statuses of the first apply.
        if !polled.contains(&&poll.id) {
            polled.push(&poll.id);
            waits.push(wait_operation(poll, poll, wait, None));
        }
    }
    waits
}

fn wait_operation<'a>(operation: &Operation, poll: &Operation, wait: &'a Wait, start: Option<StartFields>) -> WaitOperation<'a> {
    let (params, status) = (operation.type_name(), path(&wait.status));
    WaitOperation { params, record: spelling::response(&poll.response), poll: poll.type_name(), done: &wait.done, status, start }
}

fn start_fields(id: &str, wait: &Wait) -> StartFields {
    let status = id.rsplit_once('.').map_or_else(|| wait.status.clone(), |(parent, _)| format!("{parent}.{}", wait.status));
    StartFields { id: path(id), status: path(&status) }
}

/// Converts a dotted wire name to a Rust field expression.
fn path(wire: &str) -> String {
    wire.split('.').map(spelling::name).collect::<Vec<_>>().join(".")
}
