//! The Kotlin façade: resources with named parameters, open sets as value classes, accessors of known names.

use crate::emit::File;
use crate::emit::core::waits;
use crate::emit::text::doc_lines;
use crate::ir::{Answer, Docs, Ir, Operation, Param, Type};
use crate::naming::{Language, camel, member as member_name, pascal, shouty};

const ROOT: &str = "bindings/kotlin/src/main/kotlin/generated";

pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let mut files = vec![
        File::new(format!("{ROOT}/OpenSets.kt"), open_sets(ir)),
        File::new(format!("{ROOT}/Maps.kt"), maps(ir)),
        File::new(format!("{ROOT}/Resources.kt"), accessors(ir)),
    ];
    for group in ir.groups() {
        files.push(File::new(format!("{ROOT}/{}.kt", pascal(group)), resource(ir, group)));
    }
    files
}

fn doc(docs: &Docs, name: &str, indent: &str) -> String {
    let lines: Vec<String> =
        doc_lines(docs, name).iter().map(|line| format!("{indent} * {}", line.replace("*/", "* /")).trim_end().to_owned()).collect();
    format!("{indent}/**\n{}\n{indent} */\n", lines.join("\n"))
}

const DEPRECATED: &str = "@Deprecated(\"deprecated by the service\")\n";

fn open_sets(ir: &Ir) -> String {
    let mut text = String::from("package dev.vitalwire.ffi\n\n");
    for set in &ir.open_sets {
        let name = &set.name;
        text.push_str(&doc(&set.docs, name, ""));
        text.push_str(&format!("data class {name}(\n    /** The text on the wire. */\n    val text: String,\n) {{\n    /** Shows no value. */\n    override fun toString(): String = \"{name}(..)\"\n\n    companion object {{\n"));
        for value in &set.values {
            text.push_str(&doc(&value.docs, &value.wire, "        "));
            if value.docs.deprecated {
                text.push_str(&format!("        {DEPRECATED}"));
            }
            text.push_str(&format!("        val {} = {name}(\"{}\")\n\n", shouty(&value.name), value.wire));
        }
        text.push_str("    }\n}\n\n");
    }
    text
}

fn maps(ir: &Ir) -> String {
    let mut text = String::from("package dev.vitalwire\n\nimport dev.vitalwire.ffi.*\n\n");
    for map in &ir.number_maps {
        text.push_str(&format!(
            "/** The number under a name. */\noperator fun {}.get(name: {}): Double? = values[name.text]\n\n",
            map.name, map.keys
        ));
        for value in ir.open_set(&map.keys).into_iter().flat_map(|set| &set.values) {
            text.push_str(&doc(&value.docs, &value.wire, ""));
            if value.docs.deprecated {
                text.push_str(DEPRECATED);
            }
            text.push_str(&format!(
                "val {}.{}: Double? get() = values[\"{}\"]\n\n",
                map.name,
                member_name(&value.name, Language::Kotlin),
                value.wire
            ));
        }
    }
    for map in &ir.series_maps {
        text.push_str(&format!(
            "/** The series under a name. */\noperator fun {}.get(name: {}): Series? = series[name.text]\n\n",
            map.name, map.keys
        ));
    }
    text
}

fn accessors(ir: &Ir) -> String {
    let mut text = String::from("package dev.vitalwire\n\n");
    for group in ir.groups() {
        text.push_str(&format!(
            "/** Calls of `{group}`. */\nval VitalwireClient.{}: {} get() = {}(this)\n\n",
            camel(group),
            pascal(group),
            pascal(group)
        ));
    }
    text
}

fn kotlin_type(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Json => "String".into(),
        Type::Boolean => "Boolean".into(),
        Type::Integer => "Long".into(),
        Type::Number => "Double".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "CalendarDate".into(),
        Type::Bytes => "ByteArray".into(),
        Type::Open(name) | Type::Model(name) | Type::Numbers(name) | Type::Series(name) => name.clone(),
        Type::List(item) => format!("List<{}>", kotlin_type(item)),
    }
}

fn value_type(answer: &Answer) -> String {
    match answer {
        Answer::Nothing => "Unit".into(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("List<{name}>"),
    }
}

fn resource(ir: &Ir, group: &str) -> String {
    let name = pascal(group);
    let mut text = format!(
        "package dev.vitalwire\n\nimport dev.vitalwire.ffi.*\n\n/** Calls of `{group}`. */\nclass {name} internal constructor(private val client: VitalwireClient) {{\n"
    );
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        method(&mut text, ir, operation);
    }
    text.push_str("}\n");
    text
}

/// A call, and the one that waits where there is one.
fn method(text: &mut String, ir: &Ir, operation: &Operation) {
    text.push_str(&doc(&operation.docs, &operation.id, "    "));
    text.push_str(&function(operation, &operation.method, &operation.answer, ""));
    if let Some(record) = waits::record_of(ir, operation) {
        text.push_str(&format!(
            "    /** `{}`, and waits until its analysis has ended: the record as it is read at the end. */\n",
            camel(&operation.method)
        ));
        text.push_str(&function(operation, &waits::method(ir, operation), &record.answer, "wait"));
    }
}

/// A function that makes a call; `wait` is the name of its waiting's options, empty where it does not wait.
fn function(operation: &Operation, method: &str, answer: &Answer, wait: &str) -> String {
    let parameter = |param: &Param| {
        let name = member_name(&param.member.name, Language::Kotlin);
        let ty = kotlin_type(&param.member.ty);
        if param.member.required { format!("{name}: {ty}, ") } else { format!("{name}: {ty}? = null, ") }
    };
    let mut signature: String = operation.params.iter().map(parameter).collect();
    let arguments: Vec<String> = operation
        .params
        .iter()
        .map(|param| member_name(&param.member.name, Language::Kotlin))
        .map(|name| format!("{name} = {name}"))
        .collect();
    let mut given = if arguments.is_empty() { String::new() } else { format!("{}({}), ", operation.type_name(), arguments.join(", ")) };
    if !wait.is_empty() {
        signature.push_str(&format!("{wait}: WaitOptions = WaitOptions(), "));
        given.push_str(&format!("{wait}, "));
    }
    let value = value_type(answer);
    let result = if value == "Unit" { "Unit" } else { "answer.value" };
    format!(
        "    suspend fun {}({signature}options: CallOptions = CallOptions()): Response<{value}> = client.call {{ native ->\n        val answer = native.{}({given}options, null)\n        Response({result}, answer.meta)\n    }}\n\n",
        member_name(method, Language::Kotlin),
        camel(&format!("{}_{method}", operation.group)),
    )
}
