//! The runner in C: what is hand-written of it is in `bindings/c/tests/conformance`.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value, json};

use super::{Form, Runner};
use crate::emit::File;
use crate::ir::{Member, Model, Type};
use crate::lang::snake;

const ROOT: &str = "bindings/c/tests/conformance/generated";

pub(super) fn emit(runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
    let ir = runner.ir;
    let file = |path: &str, template: &str, values: Value| {
        File::rendered(format!("{ROOT}/{path}"), &format!("conformance/c/{template}.j2"), values)
    };
    let all = || json!({ "cases": runner.cases });
    let mut files = vec![file("calls/operations.c", "operations.c", all())?];
    for group in ir.groups() {
        files.push(file(&format!("calls/{group}.c"), "calls.c", json!({ "cases": runner.calls(group) }))?);
    }
    let mut written = BTreeSet::new();
    let mut outcome = |name: String, template: &str, values: Value| {
        let made = file(&format!("outcomes/{name}.c"), template, values);
        written.insert(name);
        made
    };
    for model in runner.models() {
        files.push(outcome(snake(&model.name), "model.c", record(model))?);
    }
    let lists = runner.cases.iter().filter(|case| case.form == Form::Listed).filter_map(|case| case.record);
    for item in lists.collect::<BTreeSet<_>>() {
        files.push(outcome(format!("{}_list", snake(item)), "list.c", json!({ "item": item }))?);
    }
    for map in &ir.number_maps {
        files.push(outcome(snake(&map.name), "numbers.c", json!({ "map": runner.numbers(map) }))?);
    }
    for map in &ir.series_maps {
        files.push(outcome(snake(&map.name), "series.c", json!({ "map": map }))?);
    }
    files.push(file("outcomes/waited.c", "waited.c", json!({ "records": ir.waited_records() }))?);
    let names = || json!({ "open_sets": ir.open_sets });
    files.extend([file("names.c", "names.c", names())?, file("names.h", "names.h", names())?]);
    let sources: BTreeSet<&str> =
        files.iter().filter_map(|file| file.path.strip_prefix(ROOT)?.strip_prefix('/')?.strip_suffix(".c")).collect();
    let list = file("sources.cmake", "sources.cmake", json!({ "sources": sources }))?;
    files.extend([list, file("calls.h", "calls.h", all())?, file("outcomes.h", "outcomes.h", json!({ "written": written }))?]);
    Ok(files)
}

/// What a value is to the runner.
#[derive(Serialize)]
struct Shown<'a> {
    form: &'static str,
    /// The type in C of a plain value.
    plain: Option<&'static str>,
    /// The object or the open set that it is.
    of: Option<String>,
    item: Option<Box<Shown<'a>>>,
    #[serde(flatten)]
    member: Option<&'a Member>,
}

fn record(model: &Model) -> Value {
    let members: Vec<Shown<'_>> = model.members.iter().map(|member| Shown { member: Some(member), ..value(&member.ty) }).collect();
    json!({ "name": model.name, "members": members })
}

fn value<'a>(ty: &Type) -> Shown<'a> {
    let (form, plain) = match (plain(ty), ty) {
        (Some((form, plain)), _) => (form, Some(plain)),
        (_, Type::Model(_) | Type::Numbers(_) | Type::Series(_)) => ("child", None),
        (_, Type::Json) => ("any", None),
        (_, Type::List(_)) => ("list", None),
        (_, Type::Open(_)) => ("open", None),
        _ => ("text", None),
    };
    let of = match ty {
        Type::Model(name) | Type::Numbers(name) | Type::Series(name) | Type::Open(name) => Some(snake(name)),
        _ => None,
    };
    let item = if let Type::List(item) = ty { Some(Box::new(value(item))) } else { None };
    Shown { form, plain, of, item, member: None }
}

/// What a plain value is called in the runner, and its type in C; `None` for what is no plain value.
pub(super) fn plain(ty: &Type) -> Option<(&'static str, &'static str)> {
    Some(match ty {
        Type::Boolean => ("boolean", "bool"),
        Type::Integer => ("integer", "int64_t"),
        Type::Number => ("number", "double"),
        Type::Timestamp => ("timestamp", "vitalwire_timestamp"),
        Type::Date => ("date", "vitalwire_date"),
        _ => return None,
    })
}
