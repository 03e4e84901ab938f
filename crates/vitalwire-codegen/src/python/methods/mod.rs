//! The methods of a resource: calls, waits and range calls of its operations, and `sleeps.between`. The extension, its stub and the
//! reference are generated from them.

pub(super) mod arguments;
mod method;

use crate::ir::{Ir, Operation, Param, RangeKind, ResponseType};
use crate::python::spelling;
use crate::python::spelling::read;
use crate::rust::spelling as rust;

pub(super) use arguments::{Argument, argument, rust_name};
use arguments::{bound_values, bounds, is_optional, named, parameters, partition_parameters, with_default};
pub(super) use method::{Method, MethodBody, NightArgument, call_options_docs, parameter_docs};

use super::nights;
use super::options::{CALL_OPTIONS, RANGE_OPTIONS, WAIT_OPTIONS, about};
use super::style::Style;
use super::tables;
use super::uploads::{self, Upload};

/// Docstring paragraph of every range call.
const RANGE_SUMMARY: &str = "Returns a call over a long range, made in parts. Requests are sent when you iterate it, collect it or read \
                             it as a table. Several parts are in flight at once; they are returned in order.";

/// Returns the methods of a resource, for a client of this style.
pub(super) fn methods(ir: &Ir, group: &str, style: &Style) -> Vec<Method> {
    let mut methods = Vec::new();
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        methods.push(call(ir, operation, style));
        methods.extend(wait(ir, operation, style));
        methods.extend(range(ir, operation, style));
    }
    methods.extend((group == nights::GROUP).then(|| nights::method(ir, style)));
    methods
}

/// Returns the annotation of an operation's response.
fn response_type(operation: &Operation) -> String {
    match &operation.response {
        ResponseType::Nothing => "None".to_owned(),
        ResponseType::Model(name) => name.clone(),
        ResponseType::List(name) => format!("Records[{name}]"),
    }
}

/// Returns the path of the extension's function that converts a response.
fn converter(operation: &Operation, [nothing, single, list]: [&str; 3]) -> String {
    match &operation.response {
        ResponseType::Nothing => nothing.to_owned(),
        ResponseType::Model(name) => format!("{single}::<{name}>"),
        ResponseType::List(name) => format!("{list}::<{name}>"),
    }
}

fn call(ir: &Ir, operation: &Operation, style: &Style) -> Method {
    let make = converter(operation, ["view::none", "view::record", "records::record_list"]);
    let body = match &operation.response {
        _ if Upload::from_operation(operation).is_some() => MethodBody::Upload { make },
        ResponseType::Model(record) if tables::is_columnar(operation) => MethodBody::Columns { record: record.clone() },
        _ => MethodBody::Call { make },
    };
    call_method(ir, operation, &operation.method, response_type(operation), body, style)
}

fn wait(ir: &Ir, operation: &Operation, style: &Style) -> Option<Method> {
    let (name, record) = wait_method(ir, operation)?;
    Some(call_method(ir, operation, &name, record.clone(), MethodBody::Wait { record }, style))
}

/// Returns the name and the record of the method that waits. `None` if the operation has no analysis.
pub(crate) fn wait_method(ir: &Ir, operation: &Operation) -> Option<(String, String)> {
    match &ir.record_operation(operation)?.response {
        ResponseType::Model(record) => Some((ir.wait_method(operation), record.clone())),
        ResponseType::Nothing | ResponseType::List(_) => None,
    }
}

/// Creates a method that calls an operation once and may wait for its analysis.
fn call_method(ir: &Ir, operation: &Operation, name: &str, returns: String, body: MethodBody, style: &Style) -> Method {
    let upload = Upload::from_operation(operation);
    let further = upload.map_or(&[][..], uploads::options);
    let (waiting, waits) = match &body {
        MethodBody::Wait { record } => (Some(record), &WAIT_OPTIONS[..]),
        _ => (None, &[][..]),
    };
    let (positional, keywords) = partition_parameters(ir, operation);
    let mut docs = vec![summary(operation)];
    docs.extend(waiting.map(|record| {
        format!(
            "Waits until the analysis has ended, then returns the `{record}`. A failed analysis raises no error: check the record's \
             status. The wait continues at a status that this version does not know."
        )
    }));
    docs.extend(positional.iter().chain(&keywords).map(|param| match upload {
        Some(upload) if upload.is_file(param) => format!("{} {}", parameter_docs(param), uploads::about(upload)),
        Some(upload) if upload.is_derivable(param) => format!("{} Defaults to that of the file.", parameter_docs(param)),
        _ => documented(ir, param),
    }));
    docs.extend(about(further));
    if waiting.is_some() {
        let thread = if style.is_async { "on the event loop's thread" } else { "on the calling thread" };
        docs.extend(about(&WAIT_OPTIONS).map(|paragraph| paragraph.replace("{thread}", thread)));
        docs.push(WAIT_ERRORS.into());
    }
    docs.push(call_options_docs(style));
    let bounds = bounds(operation);
    let is_bound = |param: &Param| bounds.iter().any(|bound| bound.member.wire == param.member.wire);
    // Python has no required parameter after an optional one. Bounds before a required parameter must be passed, but may be `None`.
    let required_after_bounds = positional.iter().any(|param| param.member.required && !is_bound(param));
    let to_argument = |param: &&Param| {
        let missing = is_optional(operation, param);
        let mut argument = with_default(ir, param, arguments::argument(operation, param, missing));
        if required_after_bounds && is_bound(param) {
            (argument.default, argument.rust_default) = (None, None);
        }
        match upload {
            Some(upload) if upload.is_file(param) => argument.annotation = format!("_Upload{}", if missing { " | None" } else { "" }),
            _ if missing && param.member.required => argument.annotation += " | None",
            _ => {}
        }
        argument
    };
    let options = further.iter().chain(waits).chain(CALL_OPTIONS.iter()).map(Argument::from);
    Method {
        name: spelling::python_name(name),
        rust: rust::name(name),
        awaited: style.is_async,
        positional: positional.iter().map(to_argument).collect(),
        keywords: keywords.iter().map(to_argument).chain(options).collect(),
        returns,
        docs: with_deprecation(docs, operation),
        parameters: Some(parameters(operation)),
        named: named(operation),
        bounds: bound_values(operation),
        upload,
        body,
    }
}

/// Docstring paragraph on errors of waits.
const WAIT_ERRORS: &str = "If the wait fails, `last` of the error is the record as last read. After an upload, `record_id` is its id, with \
                           which you can wait again.";

/// Returns the Rust name of an operation's range call, from which the Python name is derived.
pub(crate) fn range_name(operation: &Operation) -> String {
    format!("{}_range", operation.method)
}

/// Creates the range call of an operation. Its bounds and its other required parameters are positional.
fn range(ir: &Ir, operation: &Operation, style: &Style) -> Option<Method> {
    let range = operation.range.as_ref()?;
    let (positional, keywords) = partition_parameters(ir, operation);
    let end = match range.kind {
        RangeKind::Dates => "Both bounds are inclusive.",
        RangeKind::Instants => "The second bound is exclusive.",
    };
    let mut docs = vec![summary(operation), format!("{RANGE_SUMMARY} {end}")];
    docs.extend(positional.iter().chain(&keywords).map(|param| documented(ir, param)));
    docs.extend(about(&RANGE_OPTIONS));
    docs.push(call_options_docs(style));
    let options = CALL_OPTIONS.iter().chain(&RANGE_OPTIONS).map(Argument::from);
    let name = range_name(operation);
    Some(Method {
        name: spelling::python_name(&name),
        rust: rust::name(&name),
        awaited: false,
        positional: positional.into_iter().map(|param| argument(operation, param, false)).collect(),
        keywords: keywords
            .into_iter()
            .map(|param| with_default(ir, param, argument(operation, param, !param.member.required)))
            .chain(options)
            .collect(),
        returns: format!("{}RangeCall[{}, {}]", style.prefix, response_type(operation), read(&range.kind.bound())),
        docs: with_deprecation(docs, operation),
        parameters: Some(parameters(operation)),
        named: named(operation),
        bounds: bound_values(operation),
        upload: None,
        body: MethodBody::Range { make: converter(operation, ["", "ranges::record", "ranges::records"]) },
    })
}

/// Returns the docstring paragraph of a parameter, with its default.
fn documented(ir: &Ir, param: &Param) -> String {
    let default = arguments::default_value(ir, param).map(|value| format!(" Defaults to `{value}`.")).unwrap_or_default();
    parameter_docs(param) + &default
}

fn summary(operation: &Operation) -> String {
    if operation.docs.text.is_empty() { format!("`{}`.", operation.id) } else { operation.docs.text.clone() }
}

/// Appends the deprecation note of an operation.
fn with_deprecation(mut docs: Vec<String>, operation: &Operation) -> Vec<String> {
    docs.extend(operation.docs.deprecated.then(|| "Deprecated by the service.".to_owned()));
    docs
}
