//! Generator of the C runner. Its hand-written part is in `bindings/c/tests/conformance`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Value, json};

use super::filters::plain;
use super::settings::{setter_name, verb};
use crate::c::filters::TEMPLATES;
use crate::conformance::{ResponseForm, Runner, settings};
use crate::file::File;
use crate::ir::features::{Language, Setting};
use crate::ir::{Member, Model, Type};
use crate::naming::snake;
use crate::templates::Templates;

/// A language on top of the C functions: paths and file endings of its runner.
pub(crate) struct RunnerLayout {
    pub(crate) root: &'static str,
    /// Templates of the language, and the folder of those for the runner.
    pub(crate) templates: &'static LazyLock<Templates>,
    pub(crate) folder: &'static str,
    pub(crate) source: &'static str,
    pub(crate) header: &'static str,
}

static C: RunnerLayout = RunnerLayout {
    root: "bindings/c/tests/conformance/generated",
    templates: &TEMPLATES,
    folder: "c/conformance",
    source: "c",
    header: "h",
};

pub(crate) fn emit(runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
    let mut files = C.emit(runner)?;
    // The C++ runner uses them, too.
    let names = || json!({ "open_sets": runner.ir.open_sets });
    files.extend([C.source("names", "names", names())?, C.header("names", names())?]);
    Ok(files)
}

/// Verb and name ending of a setter.
fn setter_values(row: &'static Setting, name: &str) -> Value {
    json!({ "verb": verb(row), "end": setter_name(row, name) })
}

impl RunnerLayout {
    /// Generates calls, outcomes and a list of the sources.
    pub(crate) fn emit(&self, runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
        let ir = runner.ir;
        let all = || json!({ "operations": runner.operations });
        let mut files = vec![
            self.source("calls/operations", "operations", all())?,
            self.source("settings", "settings", settings::values(ir, Language::C, setter_values))?,
        ];
        for group in ir.groups() {
            files.push(self.source(&format!("calls/{group}"), "calls", json!({ "operations": runner.calls(group) }))?);
        }
        let mut written = BTreeSet::new();
        let mut outcome = |name: String, template: &str, values: Value| {
            let file = self.source(&format!("outcomes/{name}"), template, values);
            written.insert(name);
            file
        };
        for model in runner.ir.received_models() {
            files.push(outcome(snake(&model.name), "model", record(model))?);
        }
        let lists =
            runner.operations.iter().filter(|operation| operation.form == ResponseForm::Listed).filter_map(|operation| operation.record);
        for item in lists.collect::<BTreeSet<_>>() {
            files.push(outcome(format!("{}_list", snake(item)), "list", json!({ "item": item }))?);
        }
        for map in &ir.number_maps {
            files.push(outcome(snake(&map.name), "numbers", json!({ "map": runner.numbers(map) }))?);
        }
        for map in &ir.series_maps {
            files.push(outcome(snake(&map.name), "series", json!({ "map": map }))?);
        }
        files.push(self.source("outcomes/waited", "waited", json!({ "records": ir.awaitable_records() }))?);
        let sources: BTreeSet<&str> = files.iter().filter_map(|file| file.path.strip_prefix(self.root)?.strip_prefix('/')).collect();
        let values = json!({ "folder": self.root.trim_start_matches("bindings/c/tests/"), "sources": sources });
        let sources = TEMPLATES.file(format!("{}/sources.cmake", self.root), "c/conformance/sources.cmake.j2", values)?;
        files.push(sources);
        files.extend([self.header("calls", all())?, self.header("outcomes", json!({ "written": written }))?]);
        Ok(files)
    }

    fn source(&self, path: &str, template: &str, values: Value) -> anyhow::Result<File> {
        self.file(&format!("{path}.{}", self.source), &format!("{template}.{}", self.source), values)
    }

    fn header(&self, name: &str, values: Value) -> anyhow::Result<File> {
        let file = format!("{name}.{}", self.header);
        self.file(&file, &file, values)
    }

    fn file(&self, path: &str, template: &str, values: Value) -> anyhow::Result<File> {
        self.templates.file(format!("{}/{path}", self.root), &format!("{}/{template}.j2", self.folder), values)
    }
}

/// Representation of a value in the runner.
#[derive(Serialize)]
struct RunnerValue<'a> {
    form: &'static str,
    /// C type of a plain value.
    plain: Option<&'static str>,
    /// Name of the object or open set.
    type_name: Option<String>,
    item: Option<Box<RunnerValue<'a>>>,
    #[serde(flatten)]
    member: Option<&'a Member>,
}

fn record(model: &Model) -> Value {
    let members: Vec<RunnerValue<'_>> =
        model.members.iter().map(|member| RunnerValue { member: Some(member), ..value(&member.ty) }).collect();
    json!({ "name": model.name, "members": members })
}

fn value<'a>(ty: &Type) -> RunnerValue<'a> {
    let (form, plain) = match (plain(ty), ty) {
        (Some((form, plain)), _) => (form, Some(plain)),
        (_, Type::Model(_) | Type::Numbers(_) | Type::Series(_)) => ("child", None),
        (_, Type::Json) => ("any", None),
        (_, Type::List(_)) => ("list", None),
        (_, Type::Open(_)) => ("open", None),
        _ => ("text", None),
    };
    let type_name = match ty {
        Type::Model(name) | Type::Numbers(name) | Type::Series(name) | Type::Open(name) => Some(snake(name)),
        _ => None,
    };
    let item = if let Type::List(item) = ty { Some(Box::new(value(item))) } else { None };
    RunnerValue { form, plain, type_name, item, member: None }
}
