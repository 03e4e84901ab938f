//! Calls from a case's arguments, by the methods and setters that users write.

use crate::ir::{Ir, Operation, Param, Type};
use crate::lang::rust::literal;

use super::rust_name;

/// The calls of one resource.
pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let mut text = format!("//! Calls of `{group}`.\n#![allow(deprecated, unused_imports, reason = \"generated\")]\n\n");
    text.push_str("use serde_json::{Map, Value};\nuse vitalwire::Client;\nuse vitalwire::client::Call;\nuse vitalwire::operations::*;\n");
    text.push_str("use vitalwire::value::{Base64, Date, Timestamp};\nuse vitalwire::wait::Wait;\n\n");
    text.push_str("use crate::runner::arguments::{Arguments, CaseError};\n\n");
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        call(&mut text, operation);
        if ir.is_read_by_id(operation) {
            wait_for(&mut text, operation);
        }
    }
    text
}

fn call(text: &mut String, operation: &Operation) {
    let (required, optional): (Vec<&Param>, Vec<&Param>) = operation.params.iter().partition(|param| param.member.required);
    head(text, operation, &operation.id, "Call");
    let mutable = if optional.is_empty() { "" } else { "mut " };
    text.push_str(&format!("let {mutable}call = {};\n", begun(operation, &operation.method, &required)));
    for param in optional {
        text.push_str(&format!(
            "if let Some(value) = given.optional::<{}>({})? {{\ncall = call.{}(value);\n}}\n",
            taken(&param.member.ty),
            literal(&param.member.wire),
            rust_name(&param.member.name)
        ));
    }
    text.push_str("Ok(call)\n}\n\n");
}

/// `wait_for` takes what the call takes.
fn wait_for(text: &mut String, operation: &Operation) {
    head(text, operation, &format!("{}_wait", operation.id), "Wait");
    let required: Vec<&Param> = operation.params.iter().collect();
    text.push_str(&format!("Ok({})\n}}\n\n", begun(operation, "wait_for", &required)));
}

fn head(text: &mut String, operation: &Operation, name: &str, made: &str) {
    let names: Vec<String> = operation.params.iter().map(|param| literal(&param.member.wire)).collect();
    let given = if operation.params.is_empty() { "" } else { "let given = " };
    text.push_str(&format!(
        "/// `{id}`.\npub(super) fn {name}(client: &Client, given: &Map<String, Value>) -> Result<{made}<{}>, CaseError> {{\n{given}Arguments::of({}, given, &[{}])?;\n",
        operation.type_name(),
        literal(&operation.id),
        names.join(", "),
        id = operation.id,
    ));
}

/// `client.sleeps().get(..)`.
fn begun(operation: &Operation, method: &str, required: &[&Param]) -> String {
    let arguments: Vec<String> =
        required.iter().map(|param| format!("given.required::<{}>({})?", taken(&param.member.ty), literal(&param.member.wire))).collect();
    format!("client.{}().{method}({})", operation.group, arguments.join(", "))
}

/// The type a parameter is read as from the case; the call converts it where it is another.
fn taken(ty: &Type) -> String {
    match ty {
        Type::Boolean => "bool".to_owned(),
        Type::Integer => "i64".into(),
        Type::Number => "f64".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "Date".into(),
        Type::Bytes => "Base64".into(),
        Type::List(item) => format!("Vec<{}>", taken(item)),
        Type::Text | Type::Id | Type::Open(_) => "String".into(),
        Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "Value".into(),
    }
}
