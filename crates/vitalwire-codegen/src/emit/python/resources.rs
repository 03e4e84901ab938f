//! One class per resource, with a method for each call.

use crate::ir::{Answer, Ir, Operation, Param, Type};
use crate::lang::rust::literal;
use crate::lang::{pascal, rust};

use super::arguments::named;
use super::help::Help;
use super::nights;
use super::options::CALL_OPTIONS;
use super::ranges;
use super::tables;
use super::{uploads, waits};
use crate::lang::python::python_name;

/// The classes of a client and of its resources: what stands before their names, and what awaits their calls.
pub(super) const STYLES: [Style; 2] = [
    Style {
        client: "Client",
        about: "A client of the services; its calls wait for their answer. It can be shared by threads.",
        prefix: "",
    },
    Style {
        client: "AsyncClient",
        about: "A client of the services for `asyncio`: its calls are awaited. It can be used from several event loops.",
        prefix: "Async",
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
}

impl Style {
    /// Whether calls are awaited.
    pub(super) fn is_async(&self) -> bool {
        !self.prefix.is_empty()
    }

    /// What begins a method in the stub.
    pub(super) fn def(&self) -> String {
        format!("{}def", if self.is_async() { "async " } else { "" })
    }
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

pub(super) fn emit(ir: &Ir, group: &str, help: &Help) -> String {
    let mut text =
        format!("//! Calls of `{group}`.\n#![allow(deprecated, unused_imports, clippy::too_many_arguments, reason = \"generated\")]\n\n");
    text.push_str("use pyo3::prelude::*;\nuse pyo3::types::{PyDateTime, PyTuple};\nuse pyo3::{PyTraverseError, PyVisit};\nuse vitalwire::operations::*;\n\n");
    text.push_str(
        "use crate::caller::{Caller, Failure};\nuse crate::cancel::Cancel;\nuse crate::generated::models::*;\nuse crate::given::{Count, Seconds, Texts};\nuse crate::options::Options;\nuse crate::uploads::{self, Content, Source};\nuse crate::waits::{self, Waiting};\nuse crate::{convert, ranges, view};\n\n",
    );
    for style in &STYLES {
        resource(&mut text, ir, group, style, help);
    }
    text
}

fn resource(text: &mut String, ir: &Ir, group: &str, style: &Style, help: &Help) {
    let class = class(group, style);
    text.push_str(&format!(
        "{}#[pyclass(frozen, module = \"vitalwire\")]\npub(crate) struct {class} {{\ncaller: Caller,\n}}\n\n",
        help.comments(&class)
    ));
    text.push_str(&format!(
        "impl {class} {{\n/// Of a client.\npub(crate) fn new(py: Python<'_>, caller: &Caller) -> Self {{\nSelf {{ caller: caller.share(py) }}\n}}\n}}\n\n"
    ));
    text.push_str(&format!("#[pymethods]\nimpl {class} {{\n"));
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        let comments = |method: &str| help.comments(&format!("{class}.{}", python_name(method)));
        method(text, operation, None, &comments(&operation.method));
        if let Some(wait) = waits::of(ir, operation) {
            method(text, operation, Some(&wait), &comments(&wait.0));
        }
        ranges::method(text, operation, &comments(&ranges::name(operation)));
    }
    if group == nights::GROUP {
        nights::method(text, ir, |name| help.comments(&format!("{class}.{name}")));
    }
    text.push_str(&format!("fn __repr__(&self) -> &'static str {{\n\"{class}(...)\"\n}}\n\nfn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {{\nself.caller.visit(&visit)\n}}\n}}\n\n"));
}

pub(super) fn rust_name(param: &Param) -> String {
    rust::name(&param.member.name)
}

/// The parameters that may be given by position, and those that are keywords. The bounds of a range come first in the method over long
/// ranges, and so they do here, unless something else is required.
pub(super) fn placed(operation: &Operation) -> (Vec<&Param>, Vec<&Param>) {
    let upload = uploads::of(operation);
    let free = operation.params.iter().all(|param| !param.member.required);
    let range = operation.range.as_ref().filter(|_| free);
    let is_bound = |param: &Param| range.is_some_and(|range| [&range.from, &range.to].contains(&&param.member.wire));
    operation
        .params
        .iter()
        .partition(|param| param.member.required || is_bound(param) || upload.is_some_and(|upload| upload.is_file(param)))
}

/// Whether an argument may be left out.
pub(super) fn may_be_missing(operation: &Operation, param: &Param) -> bool {
    !param.member.required || uploads::of(operation).is_some_and(|upload| upload.may_say(param))
}

/// The method of an operation; with the name and the record of a wait, the one that waits.
fn method(text: &mut String, operation: &Operation, wait: Option<&(String, String)>, comments: &str) {
    let upload = uploads::of(operation);
    let further = upload.map_or(&[][..], |upload| upload.further());
    let options = further.iter().chain(wait.map_or(&[][..], |_| &waits::OPTIONS)).chain(&CALL_OPTIONS);
    let (positional, keywords) = placed(operation);
    let default = |param: &&Param| format!("{}{}", rust_name(param), if may_be_missing(operation, param) { "=None" } else { "" });
    let mut signature: Vec<String> = positional.iter().map(default).collect();
    signature.push("*".into());
    signature.extend(keywords.iter().map(default));
    signature.extend(options.clone().map(|option| format!("{}={}", option.name, option.rust_default)));
    let mut arguments: Vec<String> =
        positional.iter().chain(&keywords).map(|param| format!("{}: {}", rust_name(param), taken(operation, param))).collect();
    arguments.extend(options.map(|option| format!("{}: {}", option.name, option.rust)));
    let name = wait.map_or(&operation.method, |(name, _)| name);
    text.push_str(comments);
    text.push_str(&format!("#[pyo3(name = {}, signature = ({}))]\n", literal(&python_name(name)), signature.join(", ")));
    text.push_str(&format!("fn {}(&self, py: Python<'_>, {}) -> PyResult<Py<PyAny>> {{\n", rust::name(name), named(&arguments),));
    parameters(text, operation);
    let names: Vec<&str> = CALL_OPTIONS.iter().map(|option| option.name).collect();
    text.push_str(&format!("let options = Options {{ {} }};\n", names.join(", ")));
    text.push_str(upload.map_or("", |upload| upload.fill()));
    text.push_str(&match (wait, upload) {
        (Some((_, record)), _) => {
            let names: Vec<&str> = waits::OPTIONS.iter().map(|option| option.name).collect();
            let future = if upload.is_some() { "" } else { "let parameters = std::future::ready(Ok(parameters));\n" };
            format!(
                "{future}let waiting = Waiting {{ {} }};\nwaits::wait::<_, {record}>(&self.caller, py, parameters, &waiting, &options)\n}}\n\n",
                names.join(", ")
            )
        }
        (None, Some(_)) => format!("uploads::call(&self.caller, py, parameters, &options, {})\n}}\n\n", finish(operation)),
        (None, None) if tables::is_columnar(operation) => match &operation.answer {
            Answer::Model(name) => format!("self.caller.columns::<_, {name}>(py, parameters, &options)\n}}\n\n"),
            Answer::Nothing | Answer::List(_) => return,
        },
        (None, None) => format!("self.caller.call(py, parameters, &options, {})\n}}\n\n", finish(operation)),
    });
}

/// What makes the Python object of an answer.
fn finish(operation: &Operation) -> String {
    match &operation.answer {
        Answer::Nothing => "view::nothing".to_owned(),
        Answer::Model(name) => format!("view::single::<{name}>"),
        Answer::List(name) => format!("view::listed::<{name}>"),
    }
}

/// Makes `parameters`; a file and its name come later.
pub(super) fn parameters(text: &mut String, operation: &Operation) {
    let upload = uploads::of(operation);
    let later = |param: &Param| upload.is_some_and(|upload| upload.is_file(param) || upload.may_say(param));
    let (required, optional): (Vec<&Param>, Vec<&Param>) = operation.params.iter().partition(|param| param.member.required);
    let value = |param: &&Param| match &param.member.ty {
        Type::Bytes if later(param) => "Vec::new()".to_owned(),
        _ if later(param) => "\"\"".to_owned(),
        _ => convert(param, &rust_name(param)),
    };
    let values: Vec<String> = required.iter().map(value).collect();
    let mutable = if optional.is_empty() { "" } else { "mut " };
    text.push_str(&format!("let {mutable}parameters = {}::new({});\n", operation.type_name(), values.join(", ")));
    for param in optional.into_iter().filter(|param| !later(param)) {
        let field = rust_name(param);
        let value = convert(param, "value");
        text.push_str(&match &param.member.ty {
            Type::Boolean | Type::Integer | Type::Number => format!("parameters.{field} = {field};\n"),
            _ => format!("if let Some(value) = {field} {{ parameters = parameters.{field}({value}); }}\n"),
        });
    }
}

/// A parameter's type in the method's signature.
pub(super) fn taken(operation: &Operation, param: &Param) -> String {
    if param.member.required && may_be_missing(operation, param) {
        // Kept until a file was read.
        return "Option<String>".to_owned();
    }
    let ty = match &param.member.ty {
        Type::Boolean => "bool".to_owned(),
        Type::Integer => "i64".into(),
        Type::Number => "f64".into(),
        Type::Timestamp => "Bound<'_, PyDateTime>".into(),
        Type::List(_) => "Texts".into(),
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
        Type::List(_) => format!("{value}.0"),
        _ => value.to_owned(),
    }
}
