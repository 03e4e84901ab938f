//! Calls from a case's arguments, as users write them.

use crate::codegen::ir::{Ir, Operation, Param, Type};
use crate::codegen::naming::{Language, camel, member as member_name};

use super::{HEADER, answer, call, literal, names};

/// From an operation's id to its call.
pub(super) fn table(ir: &Ir) -> String {
    let mut text = format!("{HEADER}/** From an operation's id to its call. */\ninternal val calls: Map<String, Call> = mapOf(\n");
    for operation in &ir.operations {
        text.push_str(&format!("    {} to ::{},\n", literal(&operation.id), call(operation)));
    }
    text.push_str(")\n");
    text
}

/// The calls of one resource.
pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let operations = ir.operations.iter().filter(|operation| operation.group == group);
    format!("{HEADER}{}", operations.map(one).collect::<Vec<_>>().join("\n"))
}

fn one(operation: &Operation) -> String {
    let mut text = format!(
        "/** `{}`. */\ninternal suspend fun {}(client: VitalwireClient, given: Arguments): Answer {{\n",
        operation.id,
        call(operation)
    );
    let wires: Vec<String> = operation.params.iter().map(|param| literal(&param.member.wire)).collect();
    text.push_str(&format!("    given.only({})\n", wires.join(", ")));
    let method = member_name(&operation.method, Language::Kotlin);
    text.push_str(&format!("    val response = client.{}.{method}(\n", camel(&operation.group)));
    operation.params.iter().for_each(|param| text.push_str(&argument(param)));
    text.push_str(&format!("        options = given.options,\n    )\n    return {}\n}}\n", answer(operation)));
    text
}

fn argument(param: &Param) -> String {
    let name = member_name(&param.member.name, Language::Kotlin);
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
