//! Waits for analyses: the call that polls the record, the field of its status, and the final statuses.

use serde::Serialize;

use super::spelling;
use crate::ir::{Ir, Operation, Wait};

/// An operation that can be waited for. Paths are Rust field expressions.
#[derive(Serialize)]
pub(super) struct Waited<'a> {
    params: String,
    record: String,
    poll: String,
    done: &'a [String],
    status: String,
    /// Id and status in the response that starts the analysis. `None` for the operation that polls.
    starts: Option<Starts>,
}

#[derive(Serialize)]
struct Starts {
    id: String,
    /// Next to the id.
    status: String,
}

/// Returns all operations that start or poll an analysis.
pub(super) fn of(ir: &Ir) -> Vec<Waited<'_>> {
    let mut waits = Vec::new();
    let mut polled = Vec::new();
    for (operation, wait) in ir.waiting() {
        let Some(poll) = ir.poll(wait) else { continue };
        if let Some(id) = &wait.id {
            waits.push(one(operation, poll, wait, Some(starts(id, wait))));
        }
        // One operation may poll several kinds of analysis. The final statuses of the first apply.
        if !polled.contains(&&poll.id) {
            polled.push(&poll.id);
            waits.push(one(poll, poll, wait, None));
        }
    }
    waits
}

fn one<'a>(operation: &Operation, poll: &Operation, wait: &'a Wait, starts: Option<Starts>) -> Waited<'a> {
    let (params, status) = (operation.type_name(), path(&wait.status));
    Waited { params, record: spelling::answer(&poll.answer), poll: poll.type_name(), done: &wait.done, status, starts }
}

fn starts(id: &str, wait: &Wait) -> Starts {
    let status = id.rsplit_once('.').map_or_else(|| wait.status.clone(), |(parent, _)| format!("{parent}.{}", wait.status));
    Starts { id: path(id), status: path(&status) }
}

/// Converts a dotted wire name to a Rust field expression.
fn path(wire: &str) -> String {
    wire.split('.').map(spelling::name).collect::<Vec<_>>().join(".")
}
