//! The Rust part of the extension: a class for each record, resource and error kind.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::api::{self, Api, builtin, error_class};
use super::methods::{self, Method};
use super::options::{CALL_OPTIONS, Keyword, RANGE_OPTIONS, WAIT_OPTIONS};
use super::spelling;
use super::style::STYLES;
use super::{error_fields, nights, records, settings, tables};
use crate::file::File;
use crate::ir::Ir;
use crate::naming::snake;
use crate::python::filters::TEMPLATES;

const FOLDER: &str = "crates/vitalwire-python/src/generated";

/// Docstrings by qualified name: `sign`, `Table`, `Table.columns`.
type Help<'a> = BTreeMap<String, &'a [String]>;

pub(super) fn emit(ir: &Ir, api: &Api) -> anyhow::Result<Vec<File>> {
    let help = api.help();
    let file = |name: &str, values: Value| TEMPLATES.file(format!("{FOLDER}/{name}"), &format!("python/{name}.j2"), values);
    let folder = |name: &str, about: &str, modules: &[&str]| {
        let values = json!({ "about": about, "module": "mod", "modules": modules, "export": "pub(crate) use" });
        TEMPLATES.file(format!("{FOLDER}/{name}/mod.rs"), "modules.rs.j2", values)
    };
    let mut files = vec![
        TEMPLATES.file(format!("{FOLDER}/mod.rs"), "python/module.rs.j2", module(ir))?,
        file("docs.rs", json!({ "docs": handwritten_docs(ir, api, &help) }))?,
        file("error_fields.rs", json!({ "fields": error_fields::core_fields() }))?,
        file(
            "kinds.rs",
            json!({ "kinds": errors(ir, &help), "optional": optional_error_fields(api), "fields": error_fields::core_fields() }),
        )?,
        file("options.rs", json!({ "groups": options(ir), "call": settings::call_setters(), "client": settings::client_setters(ir) }))?,
        file("restore.rs", json!(ir))?,
        file("units.rs", json!({ "sets": units(ir) }))?,
    ];
    let mut names = Vec::new();
    for model in ir.received_models() {
        let own: BTreeMap<&str, &[String]> =
            help.iter().filter_map(|(of, docs)| Some((of.strip_prefix(&model.name)?.strip_prefix('.')?, *docs))).collect();
        let mut values = records::record(ir, model);
        values["docs"] = json!(help.get(&model.name));
        values["help"] = json!(own);
        files.push(TEMPLATES.file(format!("{FOLDER}/models/{}.rs", snake(&model.name)), "python/record.rs.j2", values)?);
        names.push(snake(&model.name));
    }
    names.sort();
    files.push(folder("models", "Records, as views of the core's models.", &names.iter().map(String::as_str).collect::<Vec<_>>())?);
    let mut arguments: BTreeSet<String> = settings::arguments(ir, &STYLES[0]).into_iter().map(|setting| setting.rust).collect();
    for group in ir.groups() {
        let values = resource(ir, group, &help, &mut arguments);
        files.push(TEMPLATES.file(format!("{FOLDER}/resources/{group}.rs"), "python/resource.rs.j2", values)?);
    }
    let mut groups = ir.groups();
    groups.sort_unstable();
    files.push(folder("resources", "Calls by resource.", &groups)?);
    files.push(file("arguments.rs", json!({ "names": arguments }))?);
    Ok(files)
}

fn module(ir: &Ir) -> Value {
    let styles = STYLES.each_ref().map(|style| {
        let resources: Vec<Value> = ir.groups().into_iter().map(|group| json!({ "group": group, "class": style.class(group) })).collect();
        json!({ "client": style.client, "resources": resources, "settings": settings::arguments(ir, style) })
    });
    let records: Vec<&str> = ir.received_models().map(|model| model.name.as_str()).collect();
    let listed: Vec<&str> = ir.models.iter().map(|model| model.name.as_str()).filter(|name| tables::is_listed(ir, name)).collect();
    json!({ "styles": styles, "records": records, "listed": listed })
}

/// Returns the docstrings of hand-written public classes and functions, and of all of `vitalwire.cohort`.
fn handwritten_docs(ir: &Ir, api: &Api, help: &Help<'_>) -> BTreeMap<String, String> {
    let mut generated: BTreeSet<String> = ir.received_models().map(|model| model.name.clone()).collect();
    generated.extend(STYLES.iter().flat_map(|style| ir.groups().into_iter().map(|group| style.class(group))));
    generated.extend(ir.error_kinds.iter().map(error_class));
    let is_written = |of: &str| !of.starts_with('_') && of.split('.').next().is_some_and(|class| !generated.contains(class));
    let docs = help.iter().filter(|(of, _)| is_written(of)).map(|(of, docs)| (of.clone(), docs.join("\n")));
    docs.chain(api::help(&api.cohort).into_iter().map(|(of, docs)| (of, docs.join("\n")))).collect()
}

fn errors(ir: &Ir, help: &Help<'_>) -> Vec<Value> {
    let kind = |kind| {
        let class = error_class(kind);
        let docs = help.get(&class).map(|docs| docs.join("\n"));
        json!({ "class": class, "name": kind.name, "code": kind.code, "docs": docs, "builtin": format!("{:?}", builtin(kind)) })
    };
    ir.error_kinds.iter().map(kind).collect()
}

/// Returns the error fields that may be `None`.
fn optional_error_fields(api: &Api) -> Vec<&str> {
    let members = api.package.iter().filter(|item| item.name == "VitalwireError").flat_map(|item| &item.members);
    members.filter(|member| member.annotation.ends_with(" | None")).map(|member| member.name.as_str()).collect()
}

/// Returns the structs that hold keyword arguments in the extension.
fn options(ir: &Ir) -> Vec<Value> {
    let fields = |options: &[Keyword]| -> Vec<Value> {
        let field = |option: &Keyword| {
            let docs = spelling::wrap_docs(&option.about);
            json!({ "name": option.name, "type": option.signature.rust, "docs": docs })
        };
        options.iter().map(field).collect()
    };
    let settings = settings::arguments(ir, &STYLES[0]).into_iter().map(|it| json!({ "name": it.rust, "type": it.rust_type, "docs": [] }));
    let group = |name: &str, about: &str, fields: Vec<Value>| {
        let has_default = name == "Options<'a>";
        json!({ "name": name, "about": about, "fields": fields, "has_default": has_default })
    };
    vec![
        group("Options<'a>", "Options of a call. Unset options come from the client.", fields(&CALL_OPTIONS)),
        group("Arguments<'a>", "Options of a range call.", fields(&RANGE_OPTIONS)),
        group("Waiting<'a>", "Options of a wait.", fields(&WAIT_OPTIONS)),
        group("Settings", "Settings of a client. Unset settings keep their defaults.", settings.collect()),
    ]
}

/// Returns the units of names in maps. Maps with the same names are grouped.
fn units(ir: &Ir) -> Vec<Value> {
    let maps = ir.number_maps.iter().map(|map| (&map.name, &map.keys)).chain(ir.series_maps.iter().map(|map| (&map.name, &map.keys)));
    let mut sets: Vec<(&String, Vec<&String>)> = Vec::new();
    for (map, keys) in maps {
        match sets.iter_mut().find(|(set, _)| *set == keys) {
            Some((_, maps)) => maps.push(map),
            None => sets.push((keys, vec![map])),
        }
    }
    let of = |(keys, maps): (&String, Vec<&String>)| {
        let mut units: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for value in ir.open_set(keys).into_iter().flat_map(|set| &set.values) {
            if let Some(unit) = &value.docs.unit {
                units.entry(unit).or_default().push(&value.wire);
            }
        }
        json!({ "maps": maps, "units": units })
    };
    sets.into_iter().map(of).collect()
}

/// Returns the classes of a resource, and adds the names of their arguments to `arguments`.
fn resource(ir: &Ir, group: &str, help: &Help<'_>, arguments: &mut BTreeSet<String>) -> Value {
    let classes = STYLES.each_ref().map(|style| {
        let class = style.class(group);
        let docs = |of: &str| json!(help.get(of));
        let method = |method: Method| {
            arguments.extend(method.positional.iter().chain(&method.keywords).map(|argument| argument.rust.clone()));
            let docs = docs(&format!("{class}.{}", method.name));
            let mut values = json!(method);
            values["docs"] = docs;
            values
        };
        let methods: Vec<Value> = methods::methods(ir, group, style).into_iter().map(method).collect();
        json!({ "name": class, "docs": docs(&class), "methods": methods })
    });
    let names = |options: &[Keyword]| options.iter().map(|option| option.name).collect::<Vec<_>>();
    json!({
        "group": group,
        "classes": classes,
        "night_method": (group == nights::GROUP).then_some(nights::NAME),
        "call_options": names(&CALL_OPTIONS),
        "wait_options": names(&WAIT_OPTIONS),
        "range_options": names(&RANGE_OPTIONS),
    })
}
