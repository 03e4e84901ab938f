//! One class per resource, with a method for each call.

use crate::codegen::emit::text::{doc, literal};
use crate::codegen::ir::{Answer, Ir, Operation, Param, Type};
use crate::codegen::naming::{Language, member, pascal};

use super::options::CALL_OPTIONS;
use super::ranges;
use super::tables;
use super::types::python_name;

/// The classes of a client and of its resources: what stands before their names, and what awaits their calls.
pub(super) const STYLES: [Style; 2] = [
    Style {
        client: "Client",
        about: "A client of the services; its calls wait for their answer. It can be shared by threads.",
        prefix: "",
        keyword: "",
    },
    Style {
        client: "AsyncClient",
        about: "A client of the services for `asyncio`: its calls are awaited. It can be used from several event loops.",
        prefix: "Async",
        keyword: "async ",
    },
];

/// How calls are waited for.
pub(super) struct Style {
    /// The client's class.
    pub(super) client: &'static str,
    /// What the stub says of it.
    pub(super) about: &'static str,
    /// What stands before the names of its resources' classes.
    pub(super) prefix: &'static str,
    /// What stands before `def` in the stub.
    pub(super) keyword: &'static str,
}

/// What a stub says of a parameter.
pub(super) fn about(param: &Param) -> String {
    let text = &param.member.docs.text;
    if text.is_empty() { format!("`{}`.", param.member.wire) } else { text.replace("\n\n", " ") }
}

/// The class of a resource.
pub(super) fn class(group: &str, style: &Style) -> String {
    format!("{}{}", style.prefix, pascal(group))
}

/// The classes of every resource.
pub(super) fn classes(ir: &Ir) -> Vec<String> {
    STYLES.iter().flat_map(|style| ir.groups().into_iter().map(|group| class(group, style))).collect()
}

pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let mut text =
        format!("//! Calls of `{group}`.\n#![allow(deprecated, unused_imports, clippy::too_many_arguments, reason = \"generated\")]\n\n");
    text.push_str("use pyo3::prelude::*;\nuse pyo3::types::{PyDate, PyDateTime, PyTuple};\nuse vitalwire::operations::*;\n\n");
    text.push_str(
        "use crate::caller::Caller;\nuse crate::generated::models::*;\nuse crate::given::{Count, Seconds};\nuse crate::options::Options;\nuse crate::{convert, ranges, view};\n\n",
    );
    for style in &STYLES {
        resource(&mut text, ir, group, style);
    }
    text
}

fn resource(text: &mut String, ir: &Ir, group: &str, style: &Style) {
    let class = class(group, style);
    text.push_str(&format!("/// Calls of `{group}`: `{}.{group}`.\n#[pyclass(frozen, module = \"vitalwire\")]\npub(crate) struct {class} {{\ncaller: Caller,\n}}\n\n", style.client));
    text.push_str(&format!(
        "impl {class} {{\n/// Of a client.\npub(crate) fn new(caller: &Caller) -> Self {{\nSelf {{ caller: caller.clone() }}\n}}\n}}\n\n"
    ));
    text.push_str(&format!("#[pymethods]\nimpl {class} {{\n"));
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        method(text, operation);
        ranges::method(text, operation);
    }
    text.push_str(&format!("fn __repr__(&self) -> &'static str {{\n\"{class}(...)\"\n}}\n}}\n\n"));
}

pub(super) fn rust_name(param: &Param) -> String {
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
    let finish = match &operation.answer {
        Answer::Nothing => "view::nothing".to_owned(),
        Answer::Model(name) => format!("view::single::<{name}>"),
        Answer::List(name) => format!("view::listed::<{name}>"),
    };
    text.push_str(&doc(&operation.docs, &operation.id, "///"));
    text.push_str(&format!("#[pyo3(name = {}, signature = ({}))]\n", literal(&python_name(&operation.method)), signature.join(", ")));
    text.push_str(&format!(
        "fn {}(&self, py: Python<'_>, {}) -> PyResult<Py<PyAny>> {{\n",
        member(&operation.method, Language::Rust),
        arguments.join(", "),
    ));
    parameters(text, operation);
    let options: Vec<&str> = CALL_OPTIONS.iter().map(|option| option.name).collect();
    text.push_str(&format!("let options = Options {{ {} }};\n", options.join(", ")));
    text.push_str(&match &operation.answer {
        Answer::Model(name) if tables::is_columnar(operation) => {
            format!("self.caller.columns::<_, {name}>(py, parameters, &options)\n}}\n\n")
        }
        _ => format!("self.caller.call(py, parameters, &options, {finish})\n}}\n\n"),
    });
}

/// Makes the operation's parameters of the method's arguments.
pub(super) fn parameters(text: &mut String, operation: &Operation) {
    let (required, optional): (Vec<&Param>, Vec<&Param>) = operation.params.iter().partition(|param| param.member.required);
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
}

/// A parameter's type in the method's signature.
pub(super) fn taken(param: &Param) -> String {
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
