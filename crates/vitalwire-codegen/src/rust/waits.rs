//! How analyses are waited for: which call reads the record, where its status is, and at which statuses it has ended.

use serde::Serialize;

use super::spelling;
use crate::ir::{Ir, Operation, Wait};

/// An operation that is waited for; paths are Rust fields.
#[derive(Serialize)]
pub(super) struct Waited<'a> {
    params: String,
    record: String,
    poll: String,
    done: &'a [String],
    status: String,
    /// Where the answer has what the record is read by; none for the operation that reads it.
    starts: Option<Starts>,
}

#[derive(Serialize)]
struct Starts {
    id: String,
    /// Beside the id.
    status: String,
}

/// Every operation that starts an analysis, and every operation that one is read by.
pub(super) fn of(ir: &Ir) -> Vec<Waited<'_>> {
    let mut waits = Vec::new();
    let mut polled = Vec::new();
    for (operation, wait) in ir.waiting() {
        let Some(poll) = ir.poll(wait) else { continue };
        if let Some(id) = &wait.id {
            waits.push(one(operation, poll, wait, Some(starts(id, wait))));
        }
        // Several analyses may be read by one operation; the first says when it has ended.
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

/// A dotted wire name as Rust fields.
fn path(wire: &str) -> String {
    wire.split('.').map(spelling::name).collect::<Vec<_>>().join(".")
}
