//! How analyses are waited for: which call reads the record, where its status is, and at which statuses it has ended.

use crate::ir::{Answer, Ir, Operation, Wait};
use crate::lang::rust;
use crate::lang::rust::literal;

/// Every operation that starts an analysis, and every operation that one is read by.
pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from(
        "//! Analyses that take a while: `Call::and_wait`.\n#![allow(unused_imports, reason = \"generated\")]\n\nuse crate::generated::models::*;\nuse crate::generated::operations::*;\nuse vitalwire_runtime::value::OpenSet;\nuse vitalwire_runtime::wait::{Follow, Plan, WaitOperation};\n\n",
    );
    let mut polled = Vec::new();
    for (operation, wait) in ir.waiting() {
        let Some(poll) = ir.poll(wait) else { continue };
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
    wire.split('.').map(rust::name).collect::<Vec<_>>().join(".")
}
