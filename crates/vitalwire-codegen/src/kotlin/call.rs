//! Calls in Kotlin: their arguments, their options and the conversion to native parameters.

use serde::Serialize;
use serde_json::{Value, json};

use super::argument::{Argument, native};
use super::example;
use super::search::Search;
use super::spelling::name;
use crate::ir::{Call, Ir, Param, Resource, ResponseType, Type, Upload};
use crate::naming::{camel, pascal};
use crate::uniffi::mobile::{PreparedFunctions, argument};

#[derive(Debug, Serialize)]
pub(crate) struct Calls<'a> {
    group: &'a str,
    /// Name of the interface.
    name: String,
    /// Lines of its example.
    example: Vec<String>,
    calls: Vec<Value>,
    /// The search that combines several operations, if the resource has one.
    search: Option<Value>,
    /// Names of the native parameter types, for imports.
    params: Vec<String>,
    pub(super) options: Vec<Options<'a>>,
}

/// Options of a call. Every call has its own type, so that a first optional parameter does not change a signature.
#[derive(Debug, Serialize)]
pub(super) struct Options<'a> {
    pub(super) name: String,
    /// Name of the call.
    pub(super) method: String,
    pub(super) values: Vec<Argument<'a>>,
}

impl<'a> Calls<'a> {
    pub(crate) fn new(ir: &'a Ir, resource: &'a Resource<'a>) -> Self {
        let variants =
            |call: &'a Call<'a>| [None].into_iter().chain(call.upload.map(Some)).map(|file| function(resource.group, call, file));
        let calls = resource.calls.iter().flat_map(variants).collect();
        let own = || resource.calls.iter().filter(|call| !call.waits);
        let mut params: Vec<String> = own().filter(|call| !call.operation.params.is_empty()).map(|call| call.params.clone()).collect();
        let mut options: Vec<Options<'a>> =
            own().map(|call| Options { name: options(call), method: name(&call.method), values: arguments(call, is_optional) }).collect();
        let search = Search::find(ir, resource.group).map(|search| {
            params.push(search.params);
            options.push(search.options);
            search.values
        });
        let example = example::lines(ir, resource.group);
        Self { group: resource.group, name: pascal(resource.group), example, calls, search, params, options }
    }
}

/// Returns the type of a call's options.
fn options(call: &Call<'_>) -> String {
    format!("{}Options", pascal(&call.operation.id))
}

fn is_optional(param: &Param) -> bool {
    !param.member.required
}

fn arguments<'a>(call: &'a Call<'a>, filter: impl Fn(&Param) -> bool) -> Vec<Argument<'a>> {
    let params = &call.operation.params;
    params.iter().filter(|param| filter(param)).map(|param| Argument::new(params, param)).collect()
}

/// Returns the template values of the function that makes a call. A file argument replaces the parameters that describe the file.
fn function(group: &str, call: &Call<'_>, file: Option<Upload>) -> Value {
    let params = &call.operation.params;
    let is_replaced = |param: &Param| file.is_some_and(|file| file.is_part(param));
    let (return_type, conversion) = match call.response {
        ResponseType::Nothing => ("Unit".to_owned(), "Unit"),
        ResponseType::Model(name) => (name.clone(), "response.value.toKotlin()"),
        ResponseType::List(name) => (format!("List<{name}>"), "response.value.map { it.toKotlin() }"),
    };
    let value = |param: &Param| if is_replaced(param) { placeholder(param).to_owned() } else { native(params, param) };
    let has_range = call.operation.range.is_some() && !call.waits && file.is_none();
    json!({
        "name": name(&call.method),
        "docs": call.operation.docs,
        "id": call.operation.id,
        // The variant that does not wait.
        "plain": camel(&call.operation.method),
        "waits": call.waits,
        "file": file.map(|file| self::file(file, params)),
        // Functions for uploads that another program sends.
        "prepared": (file.is_some() && !call.waits).then(|| PreparedFunctions::new(group, &call.method, name)),
        "arguments": arguments(call, |param| param.member.required && !is_replaced(param)),
        "options": options(call),
        "optional": arguments(call, is_optional),
        "wires": params.iter().map(|param| &param.member.wire).collect::<Vec<_>>(),
        "native": camel(&format!("{group}_{}", call.method)),
        "params": (!params.is_empty()).then_some(&call.params),
        "native_arguments": params.iter().map(|param| (name(&param.member.name), value(param))).collect::<Vec<_>>(),
        "return_type": return_type,
        // Expression that converts `response.value`.
        "conversion": conversion,
        "range_call": has_range.then(|| json!({
            "name": name(&format!("{}_in_parts", call.method)),
            "native": camel(&format!("{group}_{}_range", call.method)),
            // Case of `OperationResponse`.
            "case": pascal(&format!("{group}_{}", call.method)),
        })),
    })
}

/// Returns the template values of a file argument.
fn file(kind: Upload, params: &[Param]) -> Value {
    let (name, ty) = match kind {
        Upload::Image => ("picture", "PictureUpload"),
        Upload::Document => ("document", "DocumentUpload"),
    };
    // Options that also set the file. The function rejects them.
    let conflicting = params.iter().filter(|param| kind.is_part(param) && !param.member.required);
    let conflicting = conflicting.map(|param| format!("options.{}", self::name(argument(params, param))));
    json!({ "name": name, "ty": ty, "conflicting_options": conflicting.collect::<Vec<_>>() })
}

/// Returns the value of a parameter that a file replaces.
fn placeholder(param: &Param) -> &'static str {
    match (&param.member.ty, param.member.required) {
        (_, false) => "null",
        (Type::Bytes, true) => "ByteArray(0)",
        (_, true) => "\"\"",
    }
}
