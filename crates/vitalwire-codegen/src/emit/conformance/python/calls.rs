//! Calls from a case's arguments, as users write them.

use std::collections::BTreeSet;

use crate::emit::python::options::CALL_OPTIONS;
use crate::emit::python::{range_name, waited as waited_by};
use crate::ir::{Answer, Ir, Operation, Param, Type};
use crate::lang::python::{literal, python_name};
use crate::lang::snake;

use super::import_outcomes;

/// So many names still stand in one line.
const SHORT: usize = 4;

/// From an operation's id to its call, to what waits for its analysis, and to its range in parts.
pub(super) fn table(ir: &Ir) -> String {
    let mut groups = ir.groups();
    groups.sort_unstable();
    let mut text =
        String::from("\"\"\"From an operation's id to its call, its wait and its range.\"\"\"\n\nfrom __future__ import annotations\n\n");
    text.push_str(&format!("from generated.calls import {}\n", groups.join(", ")));
    let waits = ir.operations.iter().filter(|operation| waited_by(ir, operation).is_some());
    let splits = ir.operations.iter().filter(|operation| operation.range.is_some());
    for (name, prefix, operations) in [
        ("CALLS", "call", ir.operations.iter().collect::<Vec<_>>()),
        ("WAITS", "wait", waits.collect()),
        ("SPLITS", "split", splits.collect()),
    ] {
        text.push_str(&format!("\n{name} = {{\n"));
        for operation in operations {
            text.push_str(&format!("    {}: {}.{prefix}_{},\n", literal(&operation.id), operation.group, operation.id));
        }
        text.push_str("}\n");
    }
    text
}

/// How the records that waits give become canonical JSON, by their classes.
pub(super) fn waited(ir: &Ir) -> String {
    let names: BTreeSet<String> = ir.operations.iter().filter_map(|operation| Some(waited_by(ir, operation)?.1)).collect();
    let mut text = String::from(
        "\"\"\"The records that waits give.\"\"\"\n\nfrom __future__ import annotations\n\nimport canonical\nimport vitalwire\n",
    );
    text.push_str(&import_outcomes(&names));
    text.push_str("\nWAITED: dict[type, canonical.Form] = {\n");
    for name in names {
        text.push_str(&format!("    vitalwire.{name}: {}.outcome,\n", snake(&name)));
    }
    text.push_str("}\n");
    text
}

/// The calls of one resource.
pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let operations: Vec<&Operation> = ir.operations.iter().filter(|operation| operation.group == group).collect();
    let answers = operations.iter().flat_map(|operation| match &operation.answer {
        Answer::Nothing => [None, None],
        Answer::Model(name) | Answer::List(name) => [Some(name.clone()), waited_by(ir, operation).map(|(_, record)| record)],
    });
    let answers = answers.flatten();
    let mut text = format!("\"\"\"Calls of `{group}`.\"\"\"\n\nfrom __future__ import annotations\n\n");
    text.push_str("import arguments\nimport canonical\nimport vitalwire\n");
    text.push_str(&import_outcomes(&answers.collect::<BTreeSet<_>>()));
    for operation in operations {
        call(&mut text, operation);
        if let Some((method, record)) = waited_by(ir, operation) {
            let read = format!("canonical.single(answer, {}.outcome)", snake(&record));
            further(&mut text, operation, "wait", &method, &read);
        }
        if operation.range.is_some() {
            let read = match &operation.answer {
                Answer::Nothing => continue,
                Answer::Model(name) => format!("canonical.merged(answer.collect(), {}.outcome)", snake(name)),
                Answer::List(name) => format!("canonical.merged(answer.collect(), canonical.records({}.outcome))", snake(name)),
            };
            further(&mut text, operation, "split", &range_name(operation), &read);
        }
    }
    text
}

/// What else an operation has: every argument by its name, and keywords of its own.
fn further(text: &mut String, operation: &Operation, prefix: &str, method: &str, read: &str) {
    text.push_str(&format!(
        "\n\ndef {prefix}_{0}(client: vitalwire.Client, given: arguments.Arguments) -> canonical.Asked:\n    \"\"\"`{0}`.\"\"\"\n    \
         answer = client.{1}.{2}(\n",
        operation.id,
        operation.group,
        python_name(method),
    ));
    for param in &operation.params {
        let must = if param.member.required { "required" } else { "optional" };
        let (name, wire) = (python_name(&param.member.name), literal(&param.member.wire));
        text.push_str(&format!("        {name}=given.{must}({wire}, {}),\n", taken(&param.member.ty)));
    }
    text.extend(CALL_OPTIONS.iter().map(|option| format!("        {0}=given.options.{0},\n", option.name)));
    text.push_str(&format!("        **given.more,\n    )\n    return {read}\n"));
}

fn call(text: &mut String, operation: &Operation) {
    let (required, optional): (Vec<&Param>, Vec<&Param>) = operation.params.iter().partition(|param| param.member.required);
    text.push_str(&format!(
        "\n\ndef call_{}(client: vitalwire.Client, given: arguments.Arguments) -> canonical.Asked:\n    \"\"\"`{}`.\"\"\"\n",
        operation.id, operation.id
    ));
    let names: Vec<String> = operation.params.iter().map(|param| literal(&param.member.wire)).collect();
    let lines = names.join(",\n        ");
    text.push_str(&if names.len() > SHORT {
        format!("    given.only(\n        {lines},\n    )\n")
    } else {
        format!("    given.only({})\n", names.join(", "))
    });
    // That a call gives nothing is looked at, which type checkers find pointless.
    let ignored = if matches!(operation.answer, Answer::Nothing) { "  # type: ignore[func-returns-value]" } else { "" };
    text.push_str(&format!("    answer = client.{}.{}({ignored}\n", operation.group, python_name(&operation.method)));
    for param in required {
        text.push_str(&format!("        given.required({}, {}),\n", literal(&param.member.wire), taken(&param.member.ty)));
    }
    for param in optional {
        let (name, wire) = (python_name(&param.member.name), literal(&param.member.wire));
        text.push_str(&format!("        {name}=given.optional({wire}, {}),\n", taken(&param.member.ty)));
    }
    text.extend(CALL_OPTIONS.iter().map(|option| format!("        {0}=given.options.{0},\n", option.name)));
    text.push_str("    )\n");
    text.push_str(&match &operation.answer {
        Answer::Nothing => "    return canonical.nothing(answer)\n".to_owned(),
        Answer::Model(name) => format!("    return canonical.single(answer, {}.outcome)\n", snake(name)),
        Answer::List(name) => format!("    return canonical.listed(answer, {}.outcome)\n", snake(name)),
    });
}

/// How an argument is read from the case.
fn taken(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Open(_) => "arguments.text".to_owned(),
        Type::Boolean => "arguments.boolean".into(),
        Type::Integer => "arguments.integer".into(),
        Type::Number => "arguments.number".into(),
        Type::Timestamp => "arguments.instant".into(),
        Type::Date => "arguments.date".into(),
        Type::Bytes => "arguments.raw".into(),
        Type::List(item) => format!("arguments.many({})", taken(item)),
        Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "arguments.plain".into(),
    }
}
