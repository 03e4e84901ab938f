//! How analyses are waited for: which call reads the record, where its status is, and at which statuses it has ended.

use crate::emit::text::literal;
use crate::ir::{Answer, Ir, Operation, Wait};
use crate::naming::{Language, member as member_name};

/// Every operation that starts an analysis, and every operation that one is read by.
pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from(
        "//! Analyses that take a while: `Call::and_wait`.\n#![allow(unused_imports, reason = \"generated\")]\n\nuse crate::generated::models::*;\nuse crate::generated::operations::*;\nuse crate::value::OpenSet;\nuse crate::wait::{Follow, Plan, WaitOperation};\n\n",
    );
    let mut polled = Vec::new();
    for (operation, wait) in waiting(ir) {
        let Some(poll) = poll(ir, wait) else { continue };
        if let Some(id) = &wait.id {
            text.push_str(&implementation(operation, poll, wait, &started(poll, wait, id)));
        }
        // Several analyses may be read by one operation; the first says when it has ended.
        if !polled.contains(&&poll.id) {
            polled.push(&poll.id);
            text.push_str(&implementation(poll, poll, wait, "Plan::Poll(self)"));
        }
    }
    text
}

/// Operations that say how they are waited for.
fn waiting(ir: &Ir) -> impl Iterator<Item = (&Operation, &Wait)> {
    ir.operations.iter().filter_map(|operation| Some((operation, operation.wait.as_ref()?)))
}

/// The operation that reads the record.
fn poll<'a>(ir: &'a Ir, wait: &Wait) -> Option<&'a Operation> {
    ir.operations.iter().find(|operation| operation.id == wait.poll)
}

/// The waits whose record is read by this operation by its id alone: `wait_for`.
pub(crate) fn is_read_by_id(ir: &Ir, operation: &Operation) -> bool {
    operation.params.len() == 1 && waiting(ir).any(|(_, wait)| wait.id.is_some() && wait.poll == operation.id)
}

/// Whether `Call::and_wait` is there for an operation: it starts an analysis, or it reads one.
pub fn is_waited_for(ir: &Ir, operation: &Operation) -> bool {
    waiting(ir).any(|(starts, wait)| starts.id == operation.id || wait.poll == operation.id)
}

/// The operation that reads what an operation is waited for.
pub(crate) fn record_of<'a>(ir: &'a Ir, operation: &'a Operation) -> Option<&'a Operation> {
    let own = operation.wait.as_ref().and_then(|wait| poll(ir, wait));
    own.or_else(|| is_waited_for(ir, operation).then_some(operation))
}

/// The name of an operation's call that waits, snake case.
pub(crate) fn method(ir: &Ir, operation: &Operation) -> String {
    if is_read_by_id(ir, operation) { "wait_for".to_owned() } else { format!("{}_and_wait", operation.method) }
}

fn implementation(operation: &Operation, poll: &Operation, wait: &Wait, plan: &str) -> String {
    let record = match &poll.answer {
        Answer::Model(name) => name.as_str(),
        Answer::List(_) | Answer::Nothing => "()",
    };
    let done: Vec<String> = wait.done.iter().map(|status| literal(status)).collect();
    format!(
        "impl WaitOperation for {} {{\ntype Record = {record};\ntype Poll = {};\n\nconst ENDED: &'static [&'static str] = &[{}];\n\nfn status(record: &{record}) -> &str {{\nrecord.{}.as_str()\n}}\n\nfn plan(self) -> Plan<Self> {{\n{plan}\n}}\n}}\n\n",
        operation.type_name(),
        poll.type_name(),
        done.join(", "),
        path(&wait.status),
    )
}

/// The status stands beside the id.
fn started(poll: &Operation, wait: &Wait, id: &str) -> String {
    let status = match id.rsplit_once('.') {
        Some((parent, _)) => format!("{parent}.{}", wait.status),
        None => wait.status.clone(),
    };
    format!(
        "Plan::Start(self, |answer| Follow {{\nid: answer.{}.as_str().to_owned(),\nstatus: answer.{}.as_str().to_owned(),\npoll: {}::new(answer.{}.as_str()),\n}})",
        path(id),
        path(&status),
        poll.type_name(),
        path(id),
    )
}

/// A dotted wire name as Rust fields.
fn path(wire: &str) -> String {
    wire.split('.').map(|part| member_name(part, Language::Rust)).collect::<Vec<_>>().join(".")
}
