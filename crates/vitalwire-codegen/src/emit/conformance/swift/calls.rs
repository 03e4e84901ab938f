//! Calls from a case's arguments, as users write them.

use crate::lang::rust::literal;

use crate::ir::{Answer, Ir, Operation};
use crate::lang::{camel, pascal, swift};

/// From an operation's id to its call, and to the one that waits.
pub(super) fn table(ir: &Ir) -> String {
    let mut text = String::from("/// From an operation's id to its call.\nlet calls: [String: Call] = [\n");
    for operation in &ir.operations {
        text.push_str(&format!("    {}: call{},\n", literal(&operation.id), pascal(&operation.id)));
    }
    text.push_str("]\n\n/// From the id of an operation that can be waited for to the call that waits.\nlet waits: [String: Call] = [\n");
    for operation in ir.operations.iter().filter(|operation| ir.is_waited_for(operation)) {
        text.push_str(&format!("    {}: wait{},\n", literal(&operation.id), pascal(&operation.id)));
    }
    text.push_str("]\n");
    text
}

/// The calls of one resource.
pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let mut text = String::from("import Foundation\nimport Vitalwire\n");
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        call(&mut text, operation, &operation.method, &operation.answer, "call");
        if let Some(record) = ir.record_of(operation) {
            call(&mut text, operation, &ir.wait_method(operation), &record.answer, "wait");
        }
    }
    text
}

/// A function whose name begins with `what`, which is what it does.
fn call(text: &mut String, operation: &Operation, method: &str, answer: &Answer, what: &str) {
    text.push_str(&format!(
        "\n/// `{}`.\nfunc {what}{}(_ client: VitalwireClient, _ given: Arguments) async throws -> Answer {{\n",
        operation.id,
        pascal(&operation.id)
    ));
    let names: Vec<String> = operation.params.iter().map(|param| literal(&param.member.wire)).collect();
    text.push_str(&format!("    try given.only([{}])\n", names.join(", ")));
    let mut arguments = Vec::new();
    for param in &operation.params {
        let (name, ty) = (swift::name(&param.member.name), swift::ty(&param.member.ty));
        let (mark, read) = if param.member.required { ("", "required") } else { ("?", "optional") };
        text.push_str(&format!("    let {name}: {ty}{mark} = try given.{read}({})\n", literal(&param.member.wire)));
        arguments.push(format!("{}: {name}", name.trim_matches('`')));
    }
    if what == "wait" {
        arguments.push("wait: given.wait".to_owned());
    }
    arguments.push("options: given.options".to_owned());
    let answer = match answer {
        Answer::Nothing => "Void".to_owned(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("[{name}]"),
    };
    text.push_str(&format!(
        "    let answer: Response<{answer}> = try await client.{}.{}(\n        {})\n    return Answer(answer)\n}}\n",
        camel(&operation.group),
        swift::name(method),
        arguments.join(",\n        "),
    ));
}
