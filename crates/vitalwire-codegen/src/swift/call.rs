//! Swift calls: labels, types and defaults of arguments, and their conversion to native parameters.

use serde::Serialize;
use serde_json::{Value, json};

use super::example;
use super::record::swift_type;
use super::spelling;
use crate::ir::{Call, Docs, Ir, Param, Range, RangeKind, Resource, ResponseType, Type, Upload};
use crate::naming::{camel, pascal};
use crate::uniffi::mobile::{PreparedFunctions, argument, is_only_path_param};

/// A method that makes a call.
#[derive(Debug, Serialize)]
pub(super) struct Method<'a> {
    pub(super) name: String,
    pub(super) docs: &'a Docs,
    /// Operation id.
    id: &'a str,
    /// Name of the call that does not wait, without backticks.
    pub(super) plain: String,
    pub(super) waits: bool,
    pub(super) arguments: Vec<Argument<'a>>,
    /// Type of the argument that selects optional parts of the response.
    pub(super) include: Option<String>,
    parts: Vec<Part<'a>>,
    /// Wire names of all parameters.
    wires: Vec<&'a str>,
    /// Name of the native function.
    native: String,
    /// Type of the native parameters.
    params: Option<&'a str>,
    /// Label and value of each native parameter.
    native_arguments: Vec<(String, String)>,
    /// Swift type of the result.
    pub(super) return_type: String,
    /// Expression that converts `response.value` to the result.
    conversion: String,
    /// Range call of the same operation.
    pub(super) range_call: Option<RangeMethod<'a>>,
    /// Variant that takes a file instead of the parameters that describe one.
    pub(super) upload: Option<UploadMethod<'a>>,
}

/// A call that uploads a file.
#[derive(Debug, Serialize)]
pub(super) struct UploadMethod<'a> {
    /// Kind of the file.
    pub(super) kind: Upload,
    pub(super) arguments: Vec<Argument<'a>>,
    native_arguments: Vec<(String, String)>,
    #[serde(flatten)]
    prepared: PreparedFunctions,
}

/// A range call, with its arguments grouped by position.
#[derive(Debug, Serialize)]
pub(super) struct RangeMethod<'a> {
    pub(super) bounds: Vec<Argument<'a>>,
    pub(super) required: Vec<Argument<'a>>,
    pub(super) optional: Vec<Argument<'a>>,
    /// Name, type and documentation of the argument that has both bounds.
    pub(super) bounds_argument: &'static str,
    pub(super) bounds_type: &'static str,
    pub(super) bounds_docs: &'static str,
    /// Name of the native function.
    native: String,
    /// Case of the native response enum.
    case: String,
    native_arguments: Vec<(String, String)>,
    /// Expression that converts `value` to the result.
    conversion: String,
}

/// An argument of a Swift method.
#[derive(Debug, Serialize)]
pub(super) struct Argument<'a> {
    /// External label if it differs from the name; `_` for a sole argument.
    pub(super) label: Option<&'static str>,
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) required: bool,
    pub(super) docs: &'a Docs,
    pub(super) wire: &'a str,
}

#[derive(Debug, Serialize)]
struct Part<'a> {
    name: String,
    wire: &'a str,
    docs: &'a Docs,
}

/// Returns the template values of a resource's calls.
pub(crate) fn calls(ir: &Ir, resource: &Resource<'_>) -> Value {
    // The optional parts of a response, from the boolean parameters `include_...` of a call.
    let include = |call: &Call<'_>| {
        let parts = parts(call);
        let (name, method) = (include_type(&call.operation.method), spelling::plain(&call.method));
        (!parts.is_empty()).then(|| json!({ "name": name, "method": method, "parts": parts }))
    };
    json!({
        "group": resource.group,
        "name": pascal(resource.group),
        "example": example::lines(ir, resource.group),
        "calls": resource.calls.iter().map(|call| Method::new(resource.group, call)).collect::<Vec<_>>(),
        "includes": resource.calls.iter().filter(|call| !call.waits).filter_map(include).collect::<Vec<_>>(),
    })
}

impl<'a> Method<'a> {
    pub(super) fn new(group: &str, call: &'a Call<'a>) -> Self {
        let params = &call.operation.params;
        let include = params.iter().any(is_part).then(|| include_type(&call.operation.method));
        let (return_type, conversion) = match call.response {
            ResponseType::Nothing => ("Void".to_owned(), "()".to_owned()),
            ResponseType::Model(name) => (name.clone(), format!("{name}(response.value)")),
            ResponseType::List(name) => (format!("[{name}]"), format!("response.value.map {{ {name}($0) }}")),
        };
        Self {
            name: spelling::name(&call.method),
            docs: &call.operation.docs,
            id: &call.operation.id,
            plain: spelling::plain(&call.operation.method),
            waits: call.waits,
            arguments: params.iter().filter(|param| !is_part(param)).map(|param| Argument::new(params, param)).collect(),
            include,
            parts: parts(call),
            wires: params.iter().map(|param| param.member.wire.as_str()).collect(),
            native: camel(&format!("{group}_{}", call.method)),
            params: (!params.is_empty()).then_some(call.params.as_str()),
            native_arguments: params
                .iter()
                .map(|param| (camel(&param.member.name), native_argument(param, &name(params, param))))
                .collect(),
            range_call: call
                .operation
                .range
                .as_ref()
                .filter(|_| !call.waits)
                .map(|range| RangeMethod::new(group, call, range, &conversion)),
            upload: call.upload.map(|kind| UploadMethod::new(group, call, kind)),
            return_type,
            conversion,
        }
    }
}

impl<'a> UploadMethod<'a> {
    fn new(group: &str, call: &'a Call<'a>, kind: Upload) -> Self {
        let params = &call.operation.params;
        let value = |param: &Param| match (&param.member.ty, param.member.required) {
            _ if !kind.is_part(param) => native_argument(param, &name(params, param)),
            (_, false) => "nil".to_owned(),
            (Type::Bytes, true) => "Data()".to_owned(),
            (_, true) => "\"\"".to_owned(),
        };
        let others = params.iter().filter(|param| !is_part(param) && !kind.is_part(param));
        Self {
            kind,
            arguments: others.map(|param| Argument::new(params, param)).collect(),
            native_arguments: params.iter().map(|param| (camel(&param.member.name), value(param))).collect(),
            prepared: PreparedFunctions::new(group, &call.method, camel),
        }
    }
}

impl<'a> RangeMethod<'a> {
    fn new(group: &str, call: &'a Call<'a>, range: &Range, conversion: &str) -> Self {
        let params = &call.operation.params;
        let bound = |param: &Param| if param.member.wire == range.from { "from" } else { "to" };
        let name_of = |param: &Param| if range.is_bound(param) { bound(param).to_owned() } else { name(params, param) };
        let argument = |param: &'a Param| {
            let plain = Argument::new(params, param);
            let label = if is_name_list(param) { Some("of") } else { plain.label };
            Argument { label, name: name_of(param), ..plain }
        };
        let (bounds, others): (Vec<&Param>, Vec<&Param>) =
            params.iter().filter(|param| !is_part(param)).partition(|param| range.is_bound(param));
        let (required, optional): (Vec<&Param>, Vec<&Param>) = others.into_iter().partition(|param| param.member.required);
        let (bounds_argument, bounds_type, bounds_docs) = match range.kind {
            RangeKind::Dates => ("days", "ClosedRange<CalendarDate>", "First and last day of the range."),
            RangeKind::Instants => ("time", "Range<Date>", "Start of the range, and the first instant after it."),
        };
        Self {
            bounds: bounds.into_iter().map(argument).collect(),
            required: required.into_iter().map(argument).collect(),
            optional: optional.into_iter().map(argument).collect(),
            bounds_argument,
            bounds_type,
            bounds_docs,
            native: camel(&format!("{group}_{}_range", call.method)),
            case: camel(&format!("{group}_{}", call.method)),
            native_arguments: params.iter().map(|param| (camel(&param.member.name), native_argument(param, &name_of(param)))).collect(),
            conversion: conversion.replace("response.value", "value"),
        }
    }
}

/// Returns the Swift name of an argument.
fn name(params: &[Param], param: &Param) -> String {
    spelling::name(argument(params, param))
}

/// Whether a parameter lists the names of what is requested, such as metrics.
fn is_name_list(param: &Param) -> bool {
    param.member.required && matches!(&param.member.ty, Type::List(item) if matches!(**item, Type::Open(_)))
}

impl<'a> Argument<'a> {
    pub(super) fn new(params: &[Param], param: &'a Param) -> Self {
        let member = &param.member;
        let ty = if member.ty == Type::Timestamp { "Date".to_owned() } else { swift_type(&member.ty) };
        Self {
            label: is_only_path_param(params, param).then_some("_"),
            name: name(params, param),
            ty,
            required: member.required,
            docs: &member.docs,
            wire: &member.wire,
        }
    }
}

impl<'a> Part<'a> {
    fn new(param: &'a Param) -> Self {
        let name = param.member.name.trim_start_matches(PART);
        Self { name: spelling::name(name), wire: &param.member.wire, docs: &param.member.docs }
    }
}

fn parts<'a>(call: &'a Call<'a>) -> Vec<Part<'a>> {
    call.operation.params.iter().filter(|param| is_part(param)).map(Part::new).collect()
}

const PART: &str = "include_";

pub(super) fn is_part(param: &Param) -> bool {
    param.member.ty == Type::Boolean && !param.member.required && param.member.name.starts_with(PART)
}

/// Returns the name of the type that selects optional parts of a method's response.
pub(super) fn include_type(method: &str) -> String {
    format!("{}Include", pascal(method))
}

/// Returns the expression that converts an argument to its native parameter.
fn native_argument(param: &Param, value: &str) -> String {
    let member = &param.member;
    if is_part(param) {
        return format!("include.requested[\"{}\"]", member.wire);
    }
    let through = if member.required { "" } else { "?" };
    match &member.ty {
        Type::Timestamp if member.required => format!("Timestamp({value}).native"),
        Type::Timestamp => format!("{value}.map {{ Timestamp($0).native }}"),
        Type::Integer if member.required => format!("Int64({value})"),
        Type::Integer => format!("{value}.map {{ Int64($0) }}"),
        Type::Date => format!("{value}{through}.native"),
        Type::Open(_) => format!("{value}{through}.rawValue"),
        Type::List(item) if matches!(**item, Type::Open(_)) => format!("{value}{through}.map(\\.rawValue)"),
        _ => value.to_owned(),
    }
}
