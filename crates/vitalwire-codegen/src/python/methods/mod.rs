//! The methods of a resource: one of each operation, one that waits for its analysis, one over its range; and `sleeps.between`. The
//! extension, its stub and the reference are made of them.

mod arguments;
mod method;

use crate::ir::{Answer, Ir, Operation, Param, RangeKind};
use crate::python::spelling;
use crate::python::spelling::read;
use crate::rust::spelling as rust;

pub(super) use arguments::{Argument, made, rust_name};
use arguments::{may_be_missing, parameters, placed};
pub(super) use method::{End, Method, Wanted, described, of_every_call};

use super::nights;
use super::options::{CALL_OPTIONS, RANGE_OPTIONS, WAIT_OPTIONS, about};
use super::style::Style;
use super::tables;
use super::uploads::{self, Upload, UploadOptions as _};

/// What every method over a range is.
const RANGE_SUMMARY: &str = "For a long range, asked for in parts. Nothing is asked before what this gives is iterated, collected or read \
                             as a table; then several parts are asked for at once, and handed out in order.";

/// The methods of a resource, as a client of this style has them.
pub(super) fn of(ir: &Ir, group: &str, style: &Style) -> Vec<Method> {
    let mut methods = Vec::new();
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        methods.push(call(operation, style));
        methods.extend(wait(ir, operation, style));
        methods.extend(range(operation, style));
    }
    methods.extend((group == nights::GROUP).then(|| nights::method(ir, style)));
    methods
}

/// What an operation's call gives.
fn answer(operation: &Operation) -> String {
    match &operation.answer {
        Answer::Nothing => "None".to_owned(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("Records[{name}]"),
    }
}

/// The function of a module that makes the object of an answer.
fn make(operation: &Operation, [nothing, single, list]: [&str; 3]) -> String {
    match &operation.answer {
        Answer::Nothing => nothing.to_owned(),
        Answer::Model(name) => format!("{single}::<{name}>"),
        Answer::List(name) => format!("{list}::<{name}>"),
    }
}

fn call(operation: &Operation, style: &Style) -> Method {
    let make = make(operation, ["view::nothing", "view::single", "records::listed"]);
    let end = match &operation.answer {
        _ if uploads::of(operation).is_some() => End::Upload { make },
        Answer::Model(record) if tables::is_columnar(operation) => End::Columns { record: record.clone() },
        _ => End::Call { make },
    };
    once(operation, &operation.method, answer(operation), end, style)
}

fn wait(ir: &Ir, operation: &Operation, style: &Style) -> Option<Method> {
    let (name, record) = waited(ir, operation)?;
    Some(once(operation, &name, record.clone(), End::Wait { record }, style))
}

/// The name of the method that waits, and the record that it gives; none where nothing is waited for.
pub(crate) fn waited(ir: &Ir, operation: &Operation) -> Option<(String, String)> {
    match &ir.record_of(operation)?.answer {
        Answer::Model(record) => Some((ir.wait_method(operation), record.clone())),
        Answer::Nothing | Answer::List(_) => None,
    }
}

/// A method that makes an operation's call once, and may wait after that.
fn once(operation: &Operation, name: &str, gives: String, end: End, style: &Style) -> Method {
    let upload = uploads::of(operation);
    let further = upload.map_or(&[][..], Upload::options);
    let (waiting, waits) = match &end {
        End::Wait { record } => (Some(record), &WAIT_OPTIONS[..]),
        _ => (None, &[][..]),
    };
    let (positional, keywords) = placed(operation);
    let mut docs = vec![summary(operation)];
    docs.extend(waiting.map(|record| {
        format!(
            "Waits until the analysis has ended, and gives the `{record}` as it is read at the end. An analysis that failed is a result: \
             the record's status says so. Statuses that this version does not know are waited out."
        )
    }));
    docs.extend(positional.iter().chain(&keywords).map(|param| match upload {
        Some(upload) if upload.is_file(param) => format!("{} {}", described(param), upload.about()),
        Some(upload) if upload.may_say(param) => format!("{} That of the file by default.", described(param)),
        _ => described(param),
    }));
    docs.extend(about(further));
    if waiting.is_some() {
        let thread = if style.is_async { "on the event loop's thread" } else { "on the calling thread" };
        docs.extend(about(&WAIT_OPTIONS).map(|paragraph| paragraph.replace("{thread}", thread)));
        docs.push(WAIT_ERRORS.into());
    }
    docs.push(of_every_call(style));
    let argument = |param: &&Param| {
        let missing = may_be_missing(operation, param);
        let mut made = made(operation, param, missing);
        match upload {
            Some(upload) if upload.is_file(param) => made.annotation = format!("_Upload{}", if missing { " | None" } else { "" }),
            _ if missing && param.member.required => made.annotation += " | None",
            _ => {}
        }
        made
    };
    let options = further.iter().chain(waits).chain(CALL_OPTIONS.iter()).map(Argument::from);
    Method {
        name: spelling::python_name(name),
        rust: rust::name(name),
        awaited: style.is_async,
        positional: positional.iter().map(argument).collect(),
        keywords: keywords.iter().map(argument).chain(options).collect(),
        gives,
        docs: ended(docs, operation),
        parameters: Some(parameters(operation)),
        upload,
        end,
    }
}

/// What errors of waiting have.
const WAIT_ERRORS: &str = "Errors have what was known by then: `last`, the record as it was read last, and after an upload \
                           `record_id`, which can be waited for again.";

/// The name of the method over an operation's range in Rust; Python's is made of it as that of the call is.
pub(crate) fn range_name(operation: &Operation) -> String {
    format!("{}_range", operation.method)
}

/// The method over an operation's range: its bounds, the others that are required, and keywords.
fn range(operation: &Operation, style: &Style) -> Option<Method> {
    let range = operation.range.as_ref()?;
    let params = &operation.params;
    let bounds = [&range.from, &range.to].into_iter().filter_map(|wire| params.iter().find(|param| param.member.wire == *wire));
    let others = params.iter().filter(|param| ![&range.from, &range.to].contains(&&param.member.wire));
    let (required, keywords): (Vec<&Param>, Vec<&Param>) = others.partition(|param| param.member.required);
    let positional: Vec<&Param> = bounds.chain(required).collect();
    let end = match range.kind {
        RangeKind::Dates => "Both bounds belong to the range.",
        RangeKind::Instants => "The second bound does not belong to the range.",
    };
    let mut docs = vec![summary(operation), format!("{RANGE_SUMMARY} {end}")];
    docs.extend(positional.iter().chain(&keywords).map(|param| described(param)));
    docs.extend(about(&RANGE_OPTIONS));
    docs.push(of_every_call(style));
    let options = CALL_OPTIONS.iter().chain(&RANGE_OPTIONS).map(Argument::from);
    let name = range_name(operation);
    Some(Method {
        name: spelling::python_name(&name),
        rust: rust::name(&name),
        awaited: false,
        positional: positional.into_iter().map(|param| made(operation, param, false)).collect(),
        keywords: keywords.into_iter().map(|param| made(operation, param, true)).chain(options).collect(),
        gives: format!("{}RangeCall[{}, {}]", style.prefix, answer(operation), read(&range.kind.bound())),
        docs: ended(docs, operation),
        parameters: Some(parameters(operation)),
        upload: None,
        end: End::Range { make: make(operation, ["", "ranges::record", "ranges::records"]) },
    })
}

fn summary(operation: &Operation) -> String {
    if operation.docs.text.is_empty() { format!("`{}`.", operation.id) } else { operation.docs.text.clone() }
}

/// What is said last of an operation.
fn ended(mut docs: Vec<String>, operation: &Operation) -> Vec<String> {
    docs.extend(operation.docs.deprecated.then(|| "Deprecated by the service.".to_owned()));
    docs
}
