//! Arguments of methods: which there are, and how they become the core's parameters.

use serde::Serialize;

use crate::ir::{Operation, Param, Type};
use crate::python::options::Keyword;
use crate::python::spelling;
use crate::python::spelling::given;
use crate::python::uploads;
use crate::rust::spelling as rust;
use crate::rust::spelling::literal;

/// An argument, in the extension and in the stub.
#[derive(Clone, Serialize)]
pub(in crate::python) struct Argument {
    pub(in crate::python) name: String,
    pub(in crate::python) annotation: String,
    pub(in crate::python) default: Option<&'static str>,
    pub(in crate::python) rust: String,
    pub(in crate::python) rust_type: String,
    pub(in crate::python) rust_default: Option<&'static str>,
}

impl From<&Keyword> for Argument {
    fn from(option: &Keyword) -> Self {
        let written = option.written();
        Self {
            name: option.name.into(),
            annotation: written.python.into(),
            default: Some(written.default),
            rust: option.name.into(),
            rust_type: written.rust.into(),
            rust_default: Some(written.rust_default),
        }
    }
}

impl Argument {
    /// As a stub has it.
    pub(in crate::python) fn written(&self) -> String {
        let default = self.default.map(|default| format!(" = {default}")).unwrap_or_default();
        format!("{}: {}{default}", self.name, self.annotation)
    }
}

/// How the core's parameters are made: a file and its name come later.
#[derive(Serialize)]
pub(in crate::python) struct Parameters {
    class: String,
    /// What `new` is given.
    required: Vec<String>,
    /// Whether anything is set after that.
    is_mutable: bool,
    optional: Vec<Optional>,
}

#[derive(Serialize)]
struct Optional {
    field: String,
    /// Whether it is set as it is, `None` too.
    is_plain: bool,
    value: String,
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

/// The argument of a parameter; whether it may be left out.
pub(in crate::python) fn made(operation: &Operation, param: &Param, missing: bool) -> Argument {
    let none = missing.then_some("None");
    Argument {
        name: spelling::python_name(&param.member.name),
        annotation: given(param),
        default: none,
        rust: rust_name(param),
        rust_type: rust_type(operation, param),
        rust_default: none,
    }
}

pub(in crate::python) fn rust_name(param: &Param) -> String {
    rust::name(&param.member.name)
}

/// A parameter's type in the extension.
fn rust_type(operation: &Operation, param: &Param) -> String {
    if param.member.required && may_be_missing(operation, param) {
        // Kept until a file was read.
        return "Option<String>".to_owned();
    }
    let ty = match &param.member.ty {
        Type::Boolean => "bool",
        Type::Integer => "i64",
        Type::Number => "f64",
        Type::Timestamp => "Bound<'_, PyDateTime>",
        Type::List(_) => "Texts",
        Type::Text | Type::Id | Type::Open(_) => "&str",
        _ => "Bound<'_, PyAny>",
    };
    if param.member.required { ty.to_owned() } else { format!("Option<{ty}>") }
}

pub(super) fn parameters(operation: &Operation) -> Parameters {
    let upload = uploads::of(operation);
    let is_later = |param: &Param| upload.is_some_and(|upload| upload.is_file(param) || upload.may_say(param));
    let (required, optional): (Vec<&Param>, Vec<&Param>) = operation.params.iter().partition(|param| param.member.required);
    let value = |param: &Param| match &param.member.ty {
        Type::Bytes if is_later(param) => "Vec::new()".to_owned(),
        _ if is_later(param) => "\"\"".to_owned(),
        _ => convert(param, &rust_name(param)),
    };
    Parameters {
        class: operation.type_name(),
        required: required.into_iter().map(value).collect(),
        is_mutable: !optional.is_empty(),
        optional: optional
            .into_iter()
            .filter(|param| !is_later(param))
            .map(|param| Optional {
                field: rust_name(param),
                is_plain: matches!(param.member.ty, Type::Boolean | Type::Integer | Type::Number),
                value: convert(param, "value"),
            })
            .collect(),
    }
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
