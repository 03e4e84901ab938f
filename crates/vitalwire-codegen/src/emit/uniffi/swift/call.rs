//! A call as Swift makes it: labels, types and defaults of its arguments, and how the native parameters are made of them.

use serde::Serialize;

use super::record::public;
use crate::ir::{Answer, Call, Docs, Param, Place, Resource, Type};
use crate::lang::{camel, pascal, swift};

/// The calls of a resource.
#[derive(Debug, Serialize)]
pub(in crate::emit) struct Calls<'a> {
    group: &'a str,
    /// The type's name.
    name: String,
    calls: Vec<Function<'a>>,
    includes: Vec<Include<'a>>,
}

/// A call.
#[derive(Debug, Serialize)]
struct Function<'a> {
    name: String,
    docs: &'a Docs,
    /// The operation's id, and the name of the call that does not wait.
    id: &'a str,
    plain: String,
    waits: bool,
    arguments: Vec<Argument<'a>>,
    /// The type that says what else is asked for, and its parts.
    include: Option<String>,
    parts: Vec<Part<'a>>,
    /// The names of all parameters on the wire.
    wires: Vec<&'a str>,
    /// The native function, the type of its parameters, and each of them: label and value.
    native: String,
    params: Option<&'a str>,
    given: Vec<(String, String)>,
    /// What it gives, and that made of `answer.value`.
    answer: String,
    made: String,
}

/// An argument.
#[derive(Debug, Serialize)]
struct Argument<'a> {
    /// `_` where the call's name says what it is.
    label: Option<&'static str>,
    name: String,
    ty: String,
    required: bool,
    docs: &'a Docs,
    wire: &'a str,
}

/// What may be asked for besides what a call gives anyway: its parameters that are called `include_...` and are true or false.
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
    pub(in crate::emit) fn new(resource: &'a Resource<'a>) -> Self {
        let calls: Vec<Function<'a>> = resource.calls.iter().map(|call| Function::new(resource.group, call)).collect();
        let own = resource.calls.iter().filter(|call| !call.waits);
        let includes = own.filter_map(Include::new).collect();
        Self { group: resource.group, name: pascal(resource.group), calls, includes }
    }
}

impl<'a> Function<'a> {
    fn new(group: &str, call: &'a Call<'a>) -> Self {
        let params = &call.operation.params;
        let include = params.iter().any(is_part).then(|| include(call));
        let (answer, made) = match call.answer {
            Answer::Nothing => ("Void".to_owned(), "()".to_owned()),
            Answer::Model(name) => (name.clone(), format!("{name}(answer.value)")),
            Answer::List(name) => (format!("[{name}]"), format!("answer.value.map {{ {name}($0) }}")),
        };
        Self {
            name: swift::name(&call.method),
            docs: &call.operation.docs,
            id: &call.operation.id,
            plain: swift::plain(&call.operation.method),
            waits: call.waits,
            arguments: params.iter().filter(|param| !is_part(param)).map(|param| Argument::new(param, sole(params, param))).collect(),
            include,
            parts: parts(call),
            wires: params.iter().map(|param| param.member.wire.as_str()).collect(),
            native: camel(&format!("{group}_{}", call.method)),
            params: (!params.is_empty()).then_some(call.params.as_str()),
            given: params.iter().map(|param| (camel(&param.member.name), native(param, &name(param, sole(params, param))))).collect(),
            answer,
            made,
        }
    }
}

impl<'a> Argument<'a> {
    fn new(param: &'a Param, sole: bool) -> Self {
        let member = &param.member;
        let ty = if member.ty == Type::Timestamp { "Date".to_owned() } else { public(&member.ty) };
        Self { label: sole.then_some("_"), name: name(param, sole), ty, required: member.required, docs: &member.docs, wire: &member.wire }
    }
}

impl<'a> Include<'a> {
    fn new(call: &'a Call<'a>) -> Option<Self> {
        let parts = parts(call);
        (!parts.is_empty()).then(|| Self { name: include(call), method: swift::plain(&call.method), parts })
    }
}

impl<'a> Part<'a> {
    fn new(param: &'a Param) -> Self {
        let name = param.member.name.trim_start_matches(PART);
        Self { name: swift::name(name), wire: &param.member.wire, docs: &param.member.docs }
    }
}

fn parts<'a>(call: &'a Call<'a>) -> Vec<Part<'a>> {
    call.operation.params.iter().filter(|param| is_part(param)).map(Part::new).collect()
}

const PART: &str = "include_";

fn is_part(param: &Param) -> bool {
    param.member.ty == Type::Boolean && !param.member.required && param.member.name.starts_with(PART)
}

fn include(call: &Call<'_>) -> String {
    format!("{}Include", pascal(&call.operation.method))
}

/// Whether a parameter is the only one in the path: what the call is about.
fn sole(params: &[Param], param: &Param) -> bool {
    param.place == Place::Path && params.iter().filter(|other| other.place == Place::Path).count() == 1
}

/// What an argument is called: `id` of what the call is about, `from` and `to` of a range of instants.
fn name(param: &Param, sole: bool) -> String {
    let member = &param.member;
    if sole && member.name.ends_with("_id") {
        return "id".to_owned();
    }
    let moment = if member.ty == Type::Timestamp { member.name.trim_end_matches("_timestamp") } else { &member.name };
    swift::name(moment)
}

/// The native parameter.
fn native(param: &Param, value: &str) -> String {
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
