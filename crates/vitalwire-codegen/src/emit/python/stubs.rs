//! The native module's stub: what editors and type checkers read.

use crate::ir::{Answer, Ir, Member, Model, Operation, Param};

use super::options::{self, CALL_OPTIONS};
use super::resources::{STYLES, Style};
use super::{errors, nights, package, ranges, records, resources, tables, templates, uploads, waits, webhook, wrap};
use crate::lang::python::{docstring, given, python_name, read_member};

/// What is written by hand in the crate is written by hand here; `{waited}` stands for the records that are waited for.
const FIXED: &str = include_str!("fixed.pyi");
/// What ranges of both clients give.
const RANGES: &str = include_str!("ranges.pyi");

/// What does not depend on the specifications, but for the names of records in it.
pub(super) fn fixed() -> String {
    FIXED.replace("{maps}", &templates::maps()) + &tables::methods("str") + "\n" + RANGES + &templates::ranges()
}

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = fixed().replace("__all__: list[str]\n", &package::all(package::native(ir).iter()));
    text = text.replace("{waited}", &ir.waited_records().join(" | "));
    for style in &STYLES {
        client(&mut text, ir, style);
    }
    for style in &STYLES {
        for group in ir.groups() {
            resource(&mut text, ir, group, style);
        }
    }
    for model in records(ir) {
        record(&mut text, ir, model);
    }
    for kind in &ir.error_kinds {
        let builtin = errors::builtin(kind).map(|name| format!(", _builtins.{name}")).unwrap_or_default();
        text.push_str(&format!("class {}(VitalwireError{builtin}):\n", errors::class(kind)));
        text.push_str(&docstring(&kind.docs, &kind.name, "    "));
        text.push('\n');
    }
    text.push_str(webhook::STUB);
    wrap::wrapped(text.trim_end()) + "\n"
}

fn client(text: &mut String, ir: &Ir, style: &Style) {
    text.push_str(&templates::client(style));
    for group in ir.groups() {
        property(text, group, &resources::class(group, style), &format!("Calls of `{group}`."));
    }
}

fn resource(text: &mut String, ir: &Ir, group: &str, style: &Style) {
    let about = format!("Calls of `{group}`: `{}.{group}`.", style.client);
    text.push_str(&format!("@_final\nclass {}:\n    \"\"\"{about}\"\"\"\n\n", resources::class(group, style)));
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        method(text, operation, style, None);
        if let Some(wait) = waits::of(ir, operation) {
            method(text, operation, style, Some(&wait));
        }
        ranges::stub(text, operation, style, &answer(operation));
    }
    if group == nights::GROUP {
        nights::stub(text, ir, style);
    }
}

/// What a call gives.
fn answer(operation: &Operation) -> String {
    match &operation.answer {
        Answer::Nothing => "None".to_owned(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("Records[{name}]"),
    }
}

/// The method of an operation; with the name and the record of a wait, the one that waits.
fn method(text: &mut String, operation: &Operation, style: &Style, wait: Option<&(String, String)>) {
    let upload = uploads::of(operation);
    let argument = |param: &&Param| {
        let missing = resources::may_be_missing(operation, param);
        let annotation = match upload {
            Some(upload) if upload.is_file(param) => format!("_Upload{}", if missing { " | None" } else { "" }),
            _ if missing && param.member.required => format!("{} | None", given(param)),
            _ => given(param),
        };
        format!("        {}: {annotation}{},\n", python_name(&param.member.name), if missing { " = None" } else { "" })
    };
    let (positional, keywords) = resources::placed(operation);
    let answer = wait.map_or_else(|| answer(operation), |(_, record)| record.clone());
    let name = wait.map_or(&operation.method, |(name, _)| name);
    text.push_str(&format!("    {} {}(\n        self,\n", style.def(), python_name(name)));
    text.extend(positional.iter().map(argument));
    text.push_str("        *,\n");
    text.extend(keywords.iter().map(argument));
    let further = upload.map_or(&[][..], |upload| upload.further());
    let taken = further.iter().chain(wait.map_or(&[][..], |_| &waits::OPTIONS)).chain(&CALL_OPTIONS);
    text.extend(taken.map(|option| format!("        {}: {} = {},\n", option.name, option.python, option.default)));
    text.push_str(&format!("    ) -> {answer}:\n"));
    let mut docs = operation.docs.clone();
    docs.text.extend(wait.map(|(_, record)| waits::about(record)));
    for param in positional.into_iter().chain(keywords) {
        docs.text.push_str(&format!("\n\n{}: {}", python_name(&param.member.name), resources::about(param)));
        match upload {
            Some(upload) if upload.is_file(param) => docs.text.extend([" ", upload.about()]),
            Some(upload) if upload.may_say(param) => docs.text.push_str(" That of the file unless given."),
            _ => {}
        }
    }
    docs.text.push_str(&options::about(further));
    docs.text.extend(wait.map(|_| waits::about_options(style)));
    docs.text.push_str(&options::of_every_call(style));
    text.push_str(&docstring(&docs, &operation.id, "        "));
    text.push('\n');
}

fn record(text: &mut String, ir: &Ir, model: &Model) {
    text.push_str(&format!("@_final\nclass {}:\n", model.name));
    text.push_str(&docstring(&model.docs, &model.name, "    "));
    text.push('\n');
    for member in &model.members {
        text.push_str(&format!("    @property\n    def {}(self) -> {}:\n", python_name(&member.name), read_member(member)));
        text.push_str(&docstring(&member.docs, &member.wire, "        "));
        text.push('\n');
    }
    if model.members.iter().any(Member::keeps_null) {
        property(
            text,
            "null_members",
            "frozenset[str]",
            "The names of the lists that were null: for them, and for lists that were absent, `None` is read.",
        );
    }
    property(
        text,
        "extra",
        "dict[str, object]",
        "Members that this version does not know, and known ones of an unexpected type, as a new `dict`. Integers are exact; a number that no \
         `float` says again, such as `1e400`, and a value of more than 64 levels are their JSON text.",
    );
    property(text, "response", "ResponseInfo | None", "What is known of the answer that this came with.");
    text.push_str("    def to_dict(self) -> dict[str, object]:\n        \"\"\"Everything as on the wire: a new `dict` of plain values, dates and instants as text; numbers and deep values as in `extra`.\"\"\"\n\n");
    text.push_str(&tables::stub(ir, &model.name));
    text.push_str(
        "    def __eq__(self, other: object, /) -> bool: ...\n    def __hash__(self) -> int: ...\n    def __copy__(self) -> _Self: ...\n",
    );
    text.push_str("    def __deepcopy__(self, memo: object, /) -> _Self: ...\n    def _repr_html_(self) -> str:\n        \"\"\"A table for notebooks; it holds values.\"\"\"\n\n");
}

fn property(text: &mut String, name: &str, ty: &str, about: &str) {
    text.push_str(&format!("    @property\n    def {name}(self) -> {ty}:\n        \"\"\"{about}\"\"\"\n\n"));
}
