//! Swift calls: labels, types and defaults of arguments, and their conversion to native parameters.

use serde::Serialize;

use super::record::swift_type;
use super::spelling;
use crate::ir::{Answer, Call, Docs, Param, Range, RangeKind, Resource, Type, Upload};
use crate::naming::{camel, pascal};
use crate::uniffi::mobile::{argument, is_sole};

/// Calls of a resource.
#[derive(Debug, Serialize)]
pub(crate) struct Calls<'a> {
    group: &'a str,
    /// Name of the Swift type.
    name: String,
    calls: Vec<Function<'a>>,
    includes: Vec<Include<'a>>,
}

/// A method that makes a call.
#[derive(Debug, Serialize)]
pub(super) struct Function<'a> {
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
    given: Vec<(String, String)>,
    /// Swift type of the result.
    pub(super) answer: String,
    /// Expression that converts `answer.value` to the result.
    made: String,
    /// Range call of the same operation.
    pub(super) ranged: Option<Ranged<'a>>,
    /// Variant that takes a file instead of the parameters that describe one.
    pub(super) uploads: Option<Uploads<'a>>,
}

/// A call that uploads a file.
#[derive(Debug, Serialize)]
pub(super) struct Uploads<'a> {
    /// Kind of the file.
    pub(super) kind: Upload,
    pub(super) arguments: Vec<Argument<'a>>,
    given: Vec<(String, String)>,
}

/// A range call, with its arguments grouped by position.
#[derive(Debug, Serialize)]
pub(super) struct Ranged<'a> {
    pub(super) bounds: Vec<Argument<'a>>,
    pub(super) required: Vec<Argument<'a>>,
    pub(super) optional: Vec<Argument<'a>>,
    /// Name, type and documentation of the argument that has both bounds.
    pub(super) whole: &'static str,
    pub(super) whole_type: &'static str,
    pub(super) whole_docs: &'static str,
    /// Name of the native function.
    native: String,
    /// Case of the native response enum.
    case: String,
    given: Vec<(String, String)>,
    /// Expression that converts `value` to the result.
    made: String,
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

/// The optional parts of a response, made from the boolean parameters `include_...` of a call.
#[derive(Debug, Serialize)]
struct Include<'a> {
    name: String,
    method: String,
    parts: Vec<Part<'a>>,
}

#[derive(Debug, Serialize)]
struct Part<'a> {
    name: String,
    wire: &'a str,
    docs: &'a Docs,
}

impl<'a> Calls<'a> {
    pub(crate) fn new(resource: &'a Resource<'a>) -> Self {
        let calls: Vec<Function<'a>> = resource.calls.iter().map(|call| Function::new(resource.group, call)).collect();
        let own = resource.calls.iter().filter(|call| !call.waits);
        let includes = own.filter_map(Include::new).collect();
        Self { group: resource.group, name: pascal(resource.group), calls, includes }
    }
}

impl<'a> Function<'a> {
    pub(super) fn new(group: &str, call: &'a Call<'a>) -> Self {
        let params = &call.operation.params;
        let include = params.iter().any(is_part).then(|| include_type(&call.operation.method));
        let (answer, made) = match call.answer {
            Answer::Nothing => ("Void".to_owned(), "()".to_owned()),
            Answer::Model(name) => (name.clone(), format!("{name}(answer.value)")),
            Answer::List(name) => (format!("[{name}]"), format!("answer.value.map {{ {name}($0) }}")),
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
            given: params.iter().map(|param| (camel(&param.member.name), native_argument(param, &name(params, param)))).collect(),
            ranged: call.operation.range.as_ref().filter(|_| !call.waits).map(|range| Ranged::new(group, call, range, &made)),
            uploads: call.upload.map(|kind| Uploads::new(call, kind)),
            answer,
            made,
        }
    }
}

impl<'a> Uploads<'a> {
    fn new(call: &'a Call<'a>, kind: Upload) -> Self {
        let params = &call.operation.params;
        let value = |param: &Param| match (&param.member.ty, param.member.required) {
            _ if !kind.says(param) => native_argument(param, &name(params, param)),
            (_, false) => "nil".to_owned(),
            (Type::Bytes, true) => "Data()".to_owned(),
            (_, true) => "\"\"".to_owned(),
        };
        let others = params.iter().filter(|param| !is_part(param) && !kind.says(param));
        Self {
            kind,
            arguments: others.map(|param| Argument::new(params, param)).collect(),
            given: params.iter().map(|param| (camel(&param.member.name), value(param))).collect(),
        }
    }
}

impl<'a> Ranged<'a> {
    fn new(group: &str, call: &'a Call<'a>, range: &Range, made: &str) -> Self {
        let params = &call.operation.params;
        let bound = |param: &Param| if param.member.wire == range.from { "from" } else { "to" };
        let called = |param: &Param| if range.is_bound(param) { bound(param).to_owned() } else { name(params, param) };
        let shown = |param: &'a Param| {
            let shown = Argument::new(params, param);
            let label = if is_name_list(param) { Some("of") } else { shown.label };
            Argument { label, name: called(param), ..shown }
        };
        let (bounds, others): (Vec<&Param>, Vec<&Param>) =
            params.iter().filter(|param| !is_part(param)).partition(|param| range.is_bound(param));
        let (required, optional): (Vec<&Param>, Vec<&Param>) = others.into_iter().partition(|param| param.member.required);
        let (whole, whole_type, whole_docs) = match range.kind {
            RangeKind::Dates => ("days", "ClosedRange<CalendarDate>", "First and last day of the range."),
            RangeKind::Instants => ("time", "Range<Date>", "Start of the range, and the first instant after it."),
        };
        Self {
            bounds: bounds.into_iter().map(shown).collect(),
            required: required.into_iter().map(shown).collect(),
            optional: optional.into_iter().map(shown).collect(),
            whole,
            whole_type,
            whole_docs,
            native: camel(&format!("{group}_{}_range", call.method)),
            case: camel(&format!("{group}_{}", call.method)),
            given: params.iter().map(|param| (camel(&param.member.name), native_argument(param, &called(param)))).collect(),
            made: made.replace("answer.value", "value"),
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
            label: is_sole(params, param).then_some("_"),
            name: name(params, param),
            ty,
            required: member.required,
            docs: &member.docs,
            wire: &member.wire,
        }
    }
}

impl<'a> Include<'a> {
    fn new(call: &'a Call<'a>) -> Option<Self> {
        let parts = parts(call);
        (!parts.is_empty()).then(|| Self { name: include_type(&call.operation.method), method: spelling::plain(&call.method), parts })
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
        return format!("include.given[\"{}\"]", member.wire);
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
