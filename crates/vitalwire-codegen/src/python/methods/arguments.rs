//! Arguments of methods, and their conversion to the core's parameters.

use std::borrow::Cow;

use serde::Serialize;

use crate::ir::{Ir, Operation, Param, Type};
use crate::python::options::{Keyword, Signature};
use crate::python::spelling;
use crate::python::spelling::parameter;
use crate::python::uploads::Upload;
use crate::rust::spelling as rust;
use crate::rust::spelling::literal;

/// An argument of a method, in the extension and in the stub.
#[derive(Clone, Serialize)]
pub(in crate::python) struct Argument {
    pub(in crate::python) name: String,
    pub(in crate::python) annotation: String,
    pub(in crate::python) default: Option<Cow<'static, str>>,
    pub(in crate::python) rust: String,
    pub(in crate::python) rust_type: String,
    pub(in crate::python) rust_default: Option<Cow<'static, str>>,
}

impl From<&Keyword> for Argument {
    fn from(option: &Keyword) -> Self {
        Self::option(option.name, option.signature)
    }
}

impl Argument {
    pub(in crate::python) fn option(name: &str, signature: Signature) -> Self {
        Self {
            name: name.into(),
            annotation: signature.python.into(),
            default: Some(signature.default.into()),
            rust: name.into(),
            rust_type: signature.rust.into(),
            rust_default: Some(signature.rust_default.into()),
        }
    }

    /// Returns the declaration in a stub.
    pub(in crate::python) fn declaration(&self) -> String {
        let default = self.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
        format!("{}: {}{default}", self.name, self.annotation)
    }
}

/// Construction of the core's parameters. A file and its name are set later.
#[derive(Serialize)]
pub(in crate::python) struct Parameters {
    class: String,
    /// Arguments of `new`.
    required: Vec<String>,
    /// Whether optional parameters are set afterwards.
    is_mutable: bool,
    optional: Vec<Optional>,
}

#[derive(Serialize)]
struct Optional {
    field: String,
    /// Whether the value is assigned unchanged, including `None`.
    is_plain: bool,
    value: String,
}

/// Returns positional and keyword parameters. Bounds of a range come first, as in the range call, then other required parameters. Those
/// with a default are keywords.
pub(in crate::python) fn partition_parameters<'a>(ir: &Ir, operation: &'a Operation) -> (Vec<&'a Param>, Vec<&'a Param>) {
    let upload = Upload::from_operation(operation);
    let bounds = bounds(operation);
    let is_bound = |param: &&Param| bounds.iter().any(|bound| bound.member.wire == param.member.wire);
    let (positional, keywords): (Vec<&Param>, Vec<&Param>) = operation.params.iter().filter(|param| !is_bound(param)).partition(|param| {
        (param.member.required && default_value(ir, param).is_none()) || upload.is_some_and(|upload| upload.is_file(param))
    });
    (bounds.into_iter().chain(positional).collect(), keywords)
}

/// Returns the bounds of an operation over a range, in order.
pub(super) fn bounds(operation: &Operation) -> Vec<&Param> {
    let wires = operation.range.iter().flat_map(|range| [&range.from, &range.to]);
    wires.filter_map(|wire| operation.params.iter().find(|param| param.member.wire == *wire)).collect()
}

/// Returns the bounds as arguments, each with an expression of its optional value.
pub(super) fn bound_values(operation: &Operation) -> Vec<(String, String)> {
    let value = |param: &Param| {
        let field = format!("parameters.{}", rust_name(param));
        if param.member.required { format!("Some({field})") } else { field }
    };
    bounds(operation).into_iter().map(|param| (spelling::python_name(&param.member.name), value(param))).collect()
}

/// Returns the only known value of a required parameter, which is its default.
pub(super) fn default_value<'a>(ir: &'a Ir, param: &Param) -> Option<&'a str> {
    let Type::Open(set) = &param.member.ty else { return None };
    match ir.open_set(set)?.values.as_slice() {
        [only] if param.member.required => Some(&only.wire),
        _ => None,
    }
}

/// Returns the argument of a required parameter with its default.
pub(super) fn with_default(ir: &Ir, param: &Param, mut argument: Argument) -> Argument {
    if let Some(value) = default_value(ir, param) {
        argument.default = Some(spelling::literal(value).into());
        argument.rust_default = Some(literal(value).into());
    }
    argument
}

/// Returns the arguments that hold names of an open set: the argument, its set, and the expression of its names.
pub(super) fn named(operation: &Operation) -> Vec<(String, String, String)> {
    let names = |param: &Param| {
        let (name, set) = (rust_name(param), param.member.ty.open_set()?);
        let names = match (&param.member.ty, is_optional(operation, param)) {
            (Type::List(_), true) => format!("{name}.iter().flat_map(|texts| &texts.0).map(String::as_str)"),
            (Type::List(_), false) => format!("{name}.0.iter().map(String::as_str)"),
            (_, true) => format!("{name}.iter().copied()"),
            (_, false) => format!("[{name}]"),
        };
        Some((name, set.clone(), names))
    };
    operation.params.iter().filter_map(names).collect()
}

pub(super) fn is_optional(operation: &Operation, param: &Param) -> bool {
    !param.member.required || Upload::from_operation(operation).is_some_and(|upload| upload.is_derivable(param))
}

pub(in crate::python) fn argument(operation: &Operation, param: &Param, missing: bool) -> Argument {
    let none = missing.then_some(Cow::Borrowed("None"));
    Argument {
        name: spelling::python_name(&param.member.name),
        annotation: parameter(param),
        default: none.clone(),
        rust: rust_name(param),
        rust_type: rust_type(operation, param),
        rust_default: none,
    }
}

pub(in crate::python) fn rust_name(param: &Param) -> String {
    rust::name(&param.member.name)
}

/// Returns the type of a parameter in the extension.
fn rust_type(operation: &Operation, param: &Param) -> String {
    if param.member.required && is_optional(operation, param) {
        // Owned, because it is used after the file was read.
        return "Option<String>".to_owned();
    }
    let ty = match &param.member.ty {
        Type::Boolean => "bool",
        Type::Integer => "i64",
        Type::Number => "f64",
        Type::List(_) => "Texts",
        _ if spelling::is_id(param) => "Name",
        Type::Text | Type::Id | Type::Open(_) => "&str",
        _ => "Bound<'_, PyAny>",
    };
    if param.member.required { ty.to_owned() } else { format!("Option<{ty}>") }
}

pub(super) fn parameters(operation: &Operation) -> Parameters {
    let upload = Upload::from_operation(operation);
    let is_later = |param: &Param| upload.is_some_and(|upload| upload.is_file(param) || upload.is_derivable(param));
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

/// Returns the expression that converts a value for the core.
fn convert(param: &Param, value: &str) -> String {
    let wire = literal(&param.member.wire);
    match &param.member.ty {
        Type::Timestamp => format!("convert::to_timestamp({wire}, &{value})?"),
        Type::Date => format!("convert::to_date({wire}, &{value})?"),
        Type::Bytes => format!("convert::to_bytes(&{value})?"),
        Type::List(_) => format!("{value}.0"),
        _ if spelling::is_id(param) => format!("{value}.0"),
        _ => value.to_owned(),
    }
}
