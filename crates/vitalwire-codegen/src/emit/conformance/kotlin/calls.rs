//! Calls from a case's arguments, as users write them.

use crate::ir::{Answer, Ir, Operation, Param, Type};
use crate::lang::{camel, kotlin};

use super::{HEADER, answer, literal, names};

/// From an operation's id to its call, and to the one that waits.
pub(super) fn table(ir: &Ir) -> String {
    let table = |about: &str, name: &str, what: &str, operations: Vec<&Operation>| {
        let line = |operation: &Operation| format!("    {} to ::{},\n", literal(&operation.id), function(what, operation));
        let lines: String = operations.into_iter().map(line).collect();
        format!("/** {about}. */\ninternal val {name}: Map<String, Call> = mapOf(\n{lines})\n")
    };
    let calls = table("From an operation's id to its call", "calls", "call", ir.operations.iter().collect());
    let waited = ir.operations.iter().filter(|operation| ir.is_waited_for(operation)).collect();
    let waits = table("From the id of an operation that can be waited for to the call that waits", "waits", "wait", waited);
    format!("{HEADER}{calls}\n{waits}")
}

/// The calls of one resource.
pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let mut functions = Vec::new();
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        functions.push(one(operation, &operation.method, &operation.answer, "call"));
        if let Some(record) = ir.record_of(operation) {
            functions.push(one(operation, &ir.wait_method(operation), &record.answer, "wait"));
        }
    }
    format!("{HEADER}{}", functions.join("\n"))
}

/// The name of a function: what it does, and the operation.
fn function(what: &str, operation: &Operation) -> String {
    camel(&format!("{what}_{}", operation.id))
}

/// A function that makes an operation's call and waits where `what` says so.
fn one(operation: &Operation, method: &str, answered: &Answer, what: &str) -> String {
    let mut text = format!(
        "/** `{}`. */\ninternal suspend fun {}(client: VitalwireClient, given: Arguments): Answer {{\n",
        operation.id,
        function(what, operation)
    );
    let wires: Vec<String> = operation.params.iter().map(|param| literal(&param.member.wire)).collect();
    text.push_str(&format!("    given.only({})\n", wires.join(", ")));
    let method = kotlin::name(method);
    text.push_str(&format!("    val response = client.{}.{method}(\n", camel(&operation.group)));
    operation.params.iter().for_each(|param| text.push_str(&argument(param)));
    if what == "wait" {
        text.push_str("        wait = given.wait,\n");
    }
    text.push_str(&format!("        options = given.options,\n    )\n    return {}\n}}\n", answer(answered)));
    text
}

fn argument(param: &Param) -> String {
    let name = kotlin::name(&param.member.name);
    let take = if param.member.required { "required" } else { "optional" };
    format!("        {name} = given.{take}({}, {}),\n", literal(&param.member.wire), taken(&param.member.ty))
}

/// How an argument is read from the case.
fn taken(ty: &Type) -> String {
    match ty {
        Type::Boolean => "Taken::boolean".to_owned(),
        Type::Integer => "Taken::integer".into(),
        Type::Number => "Taken::number".into(),
        Type::Timestamp => "Taken::instant".into(),
        Type::Date => "Taken::date".into(),
        Type::Bytes => "Taken::bytes".into(),
        Type::Open(name) => format!("Taken.named({}, ::{name})", names(name)),
        Type::List(item) => format!("Taken.many({})", taken(item)),
        // Parameters are of no other type: what would be one does not compile.
        Type::Text | Type::Id | Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "Taken::text".into(),
    }
}
