//! The stub of the native module: a file for each topic, types that they share, and the module that exports all.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::api::{Api, exported_names};
use super::declarations::{Item, Kind};
use super::package::sorted_sets;
use super::pages::{native_pages, places};
use crate::file::File;
use crate::ir::Ir;
use crate::python::filters::TEMPLATES;

const FOLDER: &str = "bindings/python/python/vitalwire";

/// Import lines for annotations. Each file has those that it uses.
const IMPORTS: &str = include_str!("stub_imports.txt");

pub(super) fn emit(ir: &Ir, api: &Api) -> anyhow::Result<Vec<File>> {
    let places = places(ir, api);
    let mut exported: Vec<String> = exported_names(&api.package).into_iter().chain(exported_names(&api.webhook)).collect();
    exported.sort_unstable();
    let stub = |file: &str, template: &str, values: Value| TEMPLATES.file(format!("{FOLDER}/{file}"), template, values);
    let mut values = json!({ "sets": literals(ir), "imports": [] });
    let types = TEMPLATES.render("python/stub_types.pyi.j2", &values)?;
    values["imports"] = json!(imports(&words(&types).collect()));
    let mut files = vec![
        stub("_stubs/types.pyi", "python/stub_types.pyi.j2", values)?,
        stub("_stubs/__init__.pyi", "python/stub_folder.pyi.j2", json!({}))?,
    ];
    let types = types.lines().filter_map(defined_name).map(|name| (name.to_owned(), "types".to_owned()));
    let places: BTreeMap<String, String> = places.into_iter().chain(types).collect();
    let topic = |file: &str, about: &str, items: &[&Item]| {
        let used = used_words(items);
        let values = json!({ "about": about, "imports": imports(&used), "names": names_by_file(&used, file, &places), "items": items });
        stub(&format!("_stubs/{file}.pyi"), "python/stub.pyi.j2", values)
    };
    let mut modules = Vec::new();
    for page in native_pages(ir) {
        let items: Vec<&Item> = api.items().filter(|item| places.get(&item.name) == Some(&page.file)).collect();
        files.push(topic(&page.file, &page.about, &items)?);
        modules.push(json!({ "file": page.file, "names": names(&items) }));
    }
    let cohort: Vec<&Item> = api.cohort.iter().collect();
    files.push(topic("cohort", "Classes and functions of `vitalwire.cohort`.", &cohort)?);
    let cohort = names(&cohort.into_iter().filter(|item| item.kind != Kind::Value).collect::<Vec<_>>());
    files.push(stub("_native.pyi", "python/native.pyi.j2", json!({ "exported": exported, "modules": modules, "cohort": cohort }))?);
    Ok(files)
}

fn names<'a>(items: &[&'a Item]) -> BTreeSet<&'a str> {
    items.iter().map(|item| item.name.as_str()).collect()
}

/// Returns the import lines for the names that are used.
fn imports(used: &BTreeSet<&str>) -> Vec<&'static str> {
    let alias = |line: &str| line.split(" as ").nth(1).and_then(|text| text.split(' ').next().map(|name| used.contains(name)));
    IMPORTS.lines().filter(|line| alias(line) == Some(true)).collect()
}

/// Returns the used classes and types of other files of the stub, by file.
fn names_by_file<'a>(used: &BTreeSet<&'a str>, file: &str, places: &'a BTreeMap<String, String>) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for name in used.iter().filter(|name| name.starts_with(|c: char| c.is_uppercase() || c == '_')) {
        if let Some(other) = places.get(*name).filter(|other| *other != file) {
            names.entry(other).or_default().insert(name);
        }
    }
    names
}

/// Returns the name that a line at the top level of the types defines.
fn defined_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("class ").unwrap_or(line);
    line.starts_with('_').then(|| words(line).next()).flatten()
}

/// Returns the identifiers in the heads of items and their members.
fn used_words<'a>(items: &[&'a Item]) -> BTreeSet<&'a str> {
    let members = items.iter().flat_map(|item| item.members.iter());
    let heads = items.iter().copied().chain(members).flat_map(|item| item.head.iter().chain(&item.decorators));
    heads.flat_map(|line| words(line)).collect()
}

/// Returns the identifiers of a text. A name after a dot belongs to another module.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.split(move |c| !is_part(c)).map(|path| path.split('.').next().unwrap_or_default()).filter(|word| !word.is_empty())
}

/// Returns the names of each open set that is the type of a parameter.
fn literals(ir: &Ir) -> Vec<Value> {
    let is_used =
        |name: &String| ir.operations.iter().flat_map(|operation| &operation.params).any(|param| param.member.ty.open_set() == Some(name));
    let sets = sorted_sets(ir).into_iter().filter(|set| is_used(&set.name));
    sets.map(|set| json!({ "name": set.name, "values": set.values.iter().map(|value| &value.wire).collect::<Vec<_>>() })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_imports_the_names_that_it_uses() {
        let pairs = [("Night", "ranges"), ("Table", "tables"), ("get", "client"), ("_Zone", "types"), ("Own", "client")];
        let places = pairs.map(|(name, file)| (name.to_owned(), file.to_owned())).into();
        let property = Item::property("get", "dict[_Zone, Night] | _pyarrow.Table | list[Own]", "Uses a Table.");
        let class = Item::final_class("Own", "", vec![property]);
        let used = used_words(&[&class]);
        assert_eq!(names_by_file(&used, "client", &places), [("ranges", ["Night"].into()), ("types", ["_Zone"].into())].into());
        let imports: Vec<&str> = imports(&used).into_iter().map(|line| line.split("  #").next().unwrap_or_default()).collect();
        assert_eq!(imports, ["from typing import final as _final", "import pyarrow as _pyarrow"]);
    }
}
