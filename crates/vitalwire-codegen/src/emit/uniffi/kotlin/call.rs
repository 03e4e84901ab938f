//! A call as Kotlin makes it: its arguments, what may be given besides, and how the native parameters are made of them.

use serde::Serialize;

use super::record::public;
use crate::emit::uniffi::apps::argument;
use crate::ir::{Answer, Call, Docs, Param, Resource, Type};
use crate::lang::kotlin::name;
use crate::lang::{camel, pascal};

/// The calls of a resource.
#[derive(Debug, Serialize)]
pub(in crate::emit) struct Calls<'a> {
    group: &'a str,
    /// The interface's name.
    name: String,
    calls: Vec<Function<'a>>,
    /// The native records of parameters.
    params: Vec<&'a str>,
    pub(super) options: Vec<Options<'a>>,
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
    /// What must be given.
    arguments: Vec<Argument<'a>>,
    /// What may be given: the type, and the values in it.
    options: String,
    optional: Vec<Argument<'a>>,
    /// The names of all parameters on the wire.
    wires: Vec<&'a str>,
    /// The native function, the type of its parameters, and each of them: name and value.
    native: String,
    params: Option<&'a str>,
    given: Vec<(String, String)>,
    /// What it gives, and that made of `answer.value`.
    answer: String,
    made: &'static str,
}

/// An argument, or a value of a call's options.
#[derive(Clone, Debug, Serialize)]
struct Argument<'a> {
    name: String,
    ty: String,
    docs: &'a Docs,
    wire: &'a str,
    /// Type in the IR, for the conformance runner.
    of: &'a Type,
}

/// The options of a call that has parameters which may be left out.
#[derive(Debug, Serialize)]
pub(super) struct Options<'a> {
    pub(super) name: String,
    /// The call.
    method: String,
    values: Vec<Argument<'a>>,
}

/// What a call takes that has no such parameters.
const PLAIN: &str = "CallOptions";

impl<'a> Calls<'a> {
    pub(in crate::emit) fn new(resource: &'a Resource<'a>) -> Self {
        let calls: Vec<Function<'a>> = resource.calls.iter().map(|call| Function::new(resource.group, call)).collect();
        let own = || calls.iter().filter(|call| !call.waits);
        let options = own().filter(|call| call.options != PLAIN).map(|call| Options {
            name: call.options.clone(),
            method: call.name.clone(),
            values: call.optional.clone(),
        });
        let (params, options) = (own().filter_map(|call| call.params).collect(), options.collect());
        Self { group: resource.group, name: pascal(resource.group), calls, params, options }
    }
}

impl<'a> Function<'a> {
    fn new(group: &str, call: &'a Call<'a>) -> Self {
        let params = &call.operation.params;
        let (required, optional): (Vec<&Param>, Vec<&Param>) = params.iter().partition(|param| param.member.required);
        let arguments = |of: Vec<&'a Param>| of.into_iter().map(|param| Argument::new(params, param)).collect::<Vec<_>>();
        let (answer, made) = match call.answer {
            Answer::Nothing => ("Unit".to_owned(), "Unit"),
            Answer::Model(name) => (name.clone(), "answer.value.shown()"),
            Answer::List(name) => (format!("List<{name}>"), "answer.value.map { it.shown() }"),
        };
        Self {
            name: name(&call.method),
            docs: &call.operation.docs,
            id: &call.operation.id,
            plain: camel(&call.operation.method),
            waits: call.waits,
            options: if optional.is_empty() { PLAIN.to_owned() } else { format!("{}Options", pascal(&call.operation.id)) },
            arguments: arguments(required),
            optional: arguments(optional),
            wires: params.iter().map(|param| param.member.wire.as_str()).collect(),
            native: camel(&format!("{group}_{}", call.method)),
            params: (!params.is_empty()).then_some(call.params.as_str()),
            given: params.iter().map(|param| (name(&param.member.name), native(params, param))).collect(),
            answer,
            made,
        }
    }
}

impl<'a> Argument<'a> {
    fn new(params: &[Param], param: &'a Param) -> Self {
        let of = &param.member.ty;
        Self { name: name(argument(params, param)), ty: public(of), docs: &param.member.docs, wire: &param.member.wire, of }
    }
}

/// The native parameter.
fn native(params: &[Param], param: &Param) -> String {
    let own = name(argument(params, param));
    let (value, through) = if param.member.required { (own, ".") } else { (format!("options.{own}"), "?.") };
    match &param.member.ty {
        Type::Timestamp | Type::Date => format!("{value}{through}crossing()"),
        Type::Open(_) => format!("{value}{through}text"),
        Type::List(item) if matches!(**item, Type::Open(_)) => format!("{value}{through}map {{ it.text }}"),
        _ => value,
    }
}
