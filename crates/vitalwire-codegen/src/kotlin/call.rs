//! Calls in Kotlin: their arguments, their options and the conversion to native parameters.

use serde::Serialize;

use super::argument::{Argument, native};
use super::example;
use super::search::Search;
use super::spelling::name;
use crate::ir::{Call, Docs, Ir, Param, Resource, ResponseType, Type, Upload};
use crate::naming::{camel, pascal};
use crate::uniffi::mobile::argument;

#[derive(Debug, Serialize)]
pub(crate) struct Calls<'a> {
    group: &'a str,
    /// Name of the interface.
    name: String,
    /// Lines of its example.
    example: Vec<String>,
    calls: Vec<Function<'a>>,
    /// The search that combines several operations, if the resource has one.
    search: Option<Search<'a>>,
    /// Names of the native parameter types, for imports.
    params: Vec<String>,
    pub(super) options: Vec<Options<'a>>,
}

/// A function that makes a call.
#[derive(Debug, Serialize)]
struct Function<'a> {
    name: String,
    docs: &'a Docs,
    /// Id of the operation.
    id: &'a str,
    /// Name of the variant that does not wait.
    plain: String,
    waits: bool,
    /// The file to upload. It replaces the parameters for a file.
    file: Option<File>,
    /// Functions for uploads that another program sends.
    prepared: Option<PreparedFunctions>,
    /// Required arguments.
    arguments: Vec<Argument<'a>>,
    /// Type of the options, and the optional parameters in it.
    options: String,
    optional: Vec<Argument<'a>>,
    /// Wire names of all parameters.
    wires: Vec<&'a str>,
    /// The native function, the type of its parameters, and the name and value of each.
    native: String,
    params: Option<&'a str>,
    native_arguments: Vec<(String, String)>,
    /// Return type, and the expression that converts `response.value` to it.
    return_type: String,
    conversion: &'static str,
    /// The range call, if the operation has a range.
    range_call: Option<RangeFunction>,
}

/// A file argument.
#[derive(Debug, Serialize)]
struct File {
    name: &'static str,
    ty: &'static str,
    /// Options that would set the file too, which is rejected.
    conflicting_options: Vec<String>,
}

impl File {
    fn new(kind: Upload, params: &[Param]) -> Self {
        let (name, ty) = match kind {
            Upload::Image => ("picture", "PictureUpload"),
            Upload::Document => ("document", "DocumentUpload"),
        };
        let conflicting_options = params.iter().filter(|param| kind.is_part(param) && !param.member.required);
        Self {
            name,
            ty,
            conflicting_options: conflicting_options.map(|param| format!("options.{}", self::name(argument(params, param)))).collect(),
        }
    }
}

/// Names of the functions that prepare an upload and read its response, and of the native ones.
#[derive(Debug, Serialize)]
struct PreparedFunctions {
    prepare: String,
    read: String,
    native_prepare: String,
    native_read: String,
}

/// Names of a range call.
#[derive(Debug, Serialize)]
struct RangeFunction {
    name: String,
    /// The native function, and its case of `OperationResponse`.
    native: String,
    case: String,
}

/// Options of a call. Every call has its own type, so that a first optional parameter does not change a signature.
#[derive(Debug, Serialize)]
pub(super) struct Options<'a> {
    pub(super) name: String,
    /// Name of the call.
    method: String,
    values: Vec<Argument<'a>>,
}

impl<'a> Calls<'a> {
    pub(crate) fn new(ir: &'a Ir, resource: &'a Resource<'a>) -> Self {
        let variants = |call: &'a Call<'a>| {
            let with_file = call.upload.map(|_| Function::new(resource.group, call, call.upload));
            std::iter::once(Function::new(resource.group, call, None)).chain(with_file)
        };
        let calls: Vec<Function<'a>> = resource.calls.iter().flat_map(variants).collect();
        let own = || calls.iter().filter(|call| !call.waits && call.file.is_none());
        let options = own().map(|call| Options { name: call.options.clone(), method: call.name.clone(), values: call.optional.clone() });
        let (mut params, mut options): (Vec<String>, Vec<_>) =
            (own().filter_map(|call| call.params.map(str::to_owned)).collect(), options.collect());
        let search = Search::find(ir, resource.group);
        if let Some(search) = &search {
            params.push(search.params.clone());
            options.push(Options { name: search.options.clone(), method: search.name.clone(), values: search.optional.clone() });
        }
        let example = example::lines(ir, resource.group);
        Self { group: resource.group, name: pascal(resource.group), example, calls, search, params, options }
    }
}

impl<'a> Function<'a> {
    fn new(group: &str, call: &'a Call<'a>, file: Option<Upload>) -> Self {
        let params = &call.operation.params;
        let is_replaced = |param: &Param| file.is_some_and(|file| file.is_part(param));
        let (required, optional): (Vec<&Param>, Vec<&Param>) = params.iter().partition(|param| param.member.required);
        let arguments = |of: Vec<&'a Param>| of.into_iter().map(|param| Argument::new(params, param)).collect::<Vec<_>>();
        let (return_type, conversion) = match call.response {
            ResponseType::Nothing => ("Unit".to_owned(), "Unit"),
            ResponseType::Model(name) => (name.clone(), "response.value.toKotlin()"),
            ResponseType::List(name) => (format!("List<{name}>"), "response.value.map { it.toKotlin() }"),
        };
        Self {
            name: name(&call.method),
            docs: &call.operation.docs,
            id: &call.operation.id,
            plain: camel(&call.operation.method),
            waits: call.waits,
            options: format!("{}Options", pascal(&call.operation.id)),
            file: file.map(|file| File::new(file, params)),
            prepared: (file.is_some() && !call.waits).then(|| {
                let (prepare, read) = (format!("prepare_{}", call.method), format!("read_{}_response", call.method));
                let native = |function: &str| camel(&format!("{group}_{function}"));
                let (native_prepare, native_read) = (native(&prepare), native(&read));
                PreparedFunctions { prepare: name(&prepare), read: name(&read), native_prepare, native_read }
            }),
            arguments: arguments(required.into_iter().filter(|param| !is_replaced(param)).collect()),
            optional: arguments(optional),
            wires: params.iter().map(|param| param.member.wire.as_str()).collect(),
            native: camel(&format!("{group}_{}", call.method)),
            params: (!params.is_empty()).then_some(call.params.as_str()),
            native_arguments: params
                .iter()
                .map(|param| {
                    (name(&param.member.name), if is_replaced(param) { placeholder(param).to_owned() } else { native(params, param) })
                })
                .collect(),
            return_type,
            conversion,
            range_call: (call.operation.range.is_some() && !call.waits && file.is_none()).then(|| RangeFunction {
                name: name(&format!("{}_in_parts", call.method)),
                native: camel(&format!("{group}_{}_range", call.method)),
                case: pascal(&format!("{group}_{}", call.method)),
            }),
        }
    }
}

/// Returns the value of a parameter that a file replaces.
fn placeholder(param: &Param) -> &'static str {
    match (&param.member.ty, param.member.required) {
        (_, false) => "null",
        (Type::Bytes, true) => "ByteArray(0)",
        (_, true) => "\"\"",
    }
}
