//! Calls from a case's arguments, as users write them.

use crate::codegen::emit::text::literal;
use crate::codegen::emit::uniffi::swift_type;
use crate::codegen::ir::{Answer, Ir, Operation};
use crate::codegen::naming::{Language, camel, member as member_name, pascal};

/// From an operation's id to its call.
pub(super) fn table(ir: &Ir) -> String {
    let mut text = String::from("/// From an operation's id to its call.\nlet calls: [String: Call] = [\n");
    for operation in &ir.operations {
        text.push_str(&format!("    {}: {},\n", literal(&operation.id), function(operation)));
    }
    text.push_str("]\n");
    text
}

fn function(operation: &Operation) -> String {
    format!("call{}", pascal(&operation.id))
}

/// The calls of one resource.
pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let mut text = String::from("import Foundation\nimport Vitalwire\n");
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        call(&mut text, operation);
    }
    text
}

fn call(text: &mut String, operation: &Operation) {
    text.push_str(&format!(
        "\n/// `{}`.\nfunc {}(_ client: VitalwireClient, _ given: Arguments) async throws -> Answer {{\n",
        operation.id,
        function(operation)
    ));
    let names: Vec<String> = operation.params.iter().map(|param| literal(&param.member.wire)).collect();
    text.push_str(&format!("    try given.only([{}])\n", names.join(", ")));
    let mut arguments = Vec::new();
    for param in &operation.params {
        let (name, ty) = (member_name(&param.member.name, Language::Swift), swift_type(&param.member.ty));
        let (mark, read) = if param.member.required { ("", "required") } else { ("?", "optional") };
        text.push_str(&format!("    let {name}: {ty}{mark} = try given.{read}({})\n", literal(&param.member.wire)));
        arguments.push(format!("{}: {name}", name.trim_matches('`')));
    }
    arguments.push("options: given.options".to_owned());
    let answer = match &operation.answer {
        Answer::Nothing => "Void".to_owned(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("[{name}]"),
    };
    text.push_str(&format!(
        "    let answer: Response<{answer}> = try await client.{}.{}(\n        {})\n    return Answer(answer)\n}}\n",
        camel(&operation.group),
        member_name(&operation.method, Language::Swift),
        arguments.join(",\n        "),
    ));
}
