//! One class per resource, with a method for each call.

use crate::codegen::emit::text::{doc, literal};
use crate::codegen::ir::{Answer, Ir, Operation, Param, Type};
use crate::codegen::naming::{Language, member, pascal};

use super::options::CALL_OPTIONS;
use super::types::python_name;

/// The class of a resource.
pub(super) fn class(group: &str) -> String {
    pascal(group)
}

pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let class = class(group);
    let mut text =
        format!("//! Calls of `{group}`.\n#![allow(deprecated, unused_imports, clippy::too_many_arguments, reason = \"generated\")]\n\n");
    text.push_str("use pyo3::prelude::*;\nuse pyo3::types::{PyDate, PyDateTime, PyTuple};\nuse vitalwire::operations::*;\n\n");
    text.push_str(
        "use crate::client::Caller;\nuse crate::generated::models::*;\nuse crate::options::Options;\nuse crate::{convert, view};\n\n",
    );
    text.push_str(&format!("/// Calls of `{group}`: `client.{group}`.\n#[pyclass(frozen, module = \"vitalwire\")]\npub(crate) struct {class} {{\ncaller: Caller,\n}}\n\n"));
    text.push_str(&format!(
        "impl {class} {{\n/// Of a client.\npub(crate) fn new(caller: &Caller) -> Self {{\nSelf {{ caller: caller.clone() }}\n}}\n}}\n\n"
    ));
    text.push_str(&format!("#[pymethods]\nimpl {class} {{\n"));
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        method(&mut text, operation);
    }
    text.push_str(&format!("fn __repr__(&self) -> &'static str {{\n\"{class}(...)\"\n}}\n}}\n"));
    text
}

fn rust_name(param: &Param) -> String {
    member(&param.member.name, Language::Rust)
}

fn method(text: &mut String, operation: &Operation) {
    let (required, optional): (Vec<&Param>, Vec<&Param>) = operation.params.iter().partition(|param| param.member.required);
    let mut signature: Vec<String> = required.iter().map(|param| rust_name(param)).collect();
    signature.push("*".into());
    signature.extend(optional.iter().map(|param| format!("{}=None", rust_name(param))));
    signature.extend(CALL_OPTIONS.iter().map(|option| format!("{}={}", option.name, option.rust_default)));
    let mut arguments: Vec<String> =
        required.iter().chain(&optional).map(|param| format!("{}: {}", rust_name(param), taken(param))).collect();
    arguments.extend(CALL_OPTIONS.iter().map(|option| format!("{}: {}", option.name, option.rust)));
    let (made, result) = match &operation.answer {
        Answer::Nothing => ("()".to_owned(), "Ok(())".to_owned()),
        Answer::Model(name) => (format!("Py<{name}>"), format!("view::single::<{name}>(py, value, answer)")),
        Answer::List(name) => ("Py<PyTuple>".to_owned(), format!("view::listed::<{name}>(py, value, answer)")),
    };
    text.push_str(&doc(&operation.docs, &operation.id, "///"));
    text.push_str(&format!("#[pyo3(name = {}, signature = ({}))]\n", literal(&python_name(&operation.method)), signature.join(", ")));
    text.push_str(&format!(
        "fn {}(&self, py: Python<'_>, {}) -> PyResult<{made}> {{\n",
        member(&operation.method, Language::Rust),
        arguments.join(", "),
    ));
    let values: Vec<String> = required.iter().map(|param| convert(param, &rust_name(param))).collect();
    let mutable = if optional.is_empty() { "" } else { "mut " };
    text.push_str(&format!("let {mutable}parameters = {}::new({});\n", operation.type_name(), values.join(", ")));
    for param in optional {
        let field = rust_name(param);
        let value = convert(param, "value");
        text.push_str(&match &param.member.ty {
            Type::Boolean | Type::Integer | Type::Number => format!("parameters.{field} = {field};\n"),
            _ => format!("if let Some(value) = {field} {{ parameters = parameters.{field}({value}); }}\n"),
        });
    }
    let bound = if matches!(operation.answer, Answer::Nothing) { "((), _)" } else { "(value, answer)" };
    let options: Vec<&str> = CALL_OPTIONS.iter().map(|option| option.name).collect();
    text.push_str(&format!("let options = Options {{ {} }};\n", options.join(", ")));
    text.push_str(&format!("let {bound} = self.caller.call(py, parameters, &options)?;\n{result}\n}}\n\n"));
}

/// A parameter's type in the method's signature.
fn taken(param: &Param) -> String {
    let ty = match &param.member.ty {
        Type::Boolean => "bool".to_owned(),
        Type::Integer => "i64".into(),
        Type::Number => "f64".into(),
        Type::Timestamp => "Bound<'_, PyDateTime>".into(),
        Type::Date => "Bound<'_, PyDate>".into(),
        Type::List(_) => "Vec<String>".into(),
        Type::Text | Type::Id | Type::Open(_) => "&str".into(),
        _ => "Bound<'_, PyAny>".into(),
    };
    if param.member.required { ty } else { format!("Option<{ty}>") }
}

/// What the core is given.
fn convert(param: &Param, value: &str) -> String {
    let wire = literal(&param.member.wire);
    match &param.member.ty {
        Type::Timestamp => format!("convert::to_timestamp({wire}, &{value})?"),
        Type::Date => format!("convert::to_date({wire}, &{value})?"),
        Type::Bytes => format!("convert::to_bytes(&{value})?"),
        _ => value.to_owned(),
    }
}
