//! Hand-written modules for many users, each with a page of its own.

use crate::python::declarations::{Item, Kind};
use crate::python::source;

const COHORT: &str = include_str!("../../../../../bindings/python/python/vitalwire/cohort/__init__.py");
const COLUMNS: &str = include_str!("../../../../../bindings/python/python/vitalwire/cohort/_columns.py");
const READER: &str = include_str!("../../../../../bindings/python/python/vitalwire/cohort/_reader.py");
/// Page and source of each engine.
const ENGINES: [(&str, &str); 5] = [
    ("polars", include_str!("../../../../../bindings/python/python/vitalwire/polars.py")),
    ("dlt", include_str!("../../../../../bindings/python/python/vitalwire/dlt.py")),
    ("spark", include_str!("../../../../../bindings/python/python/vitalwire/spark.py")),
    ("dask", include_str!("../../../../../bindings/python/python/vitalwire/dask.py")),
    ("ray", include_str!("../../../../../bindings/python/python/vitalwire/ray.py")),
];

/// Page of `vitalwire.cohort`, and the guide that it links.
const COHORT_PAGE: (&str, &str) = ("cohort", "cohorts");

/// Base class of the readers, whose members they inherit.
const READER_BASE: &str = "_PlanIteration";

/// Functions that the package exports under another name than the native module.
const RENAMED: [(&str, &str); 1] = [("_cohort_verify", "verify")];

/// A module with its exported classes and functions.
pub(super) struct Module {
    pub(super) page: &'static str,
    /// Lines of the docstring after the first paragraph, and a link to the guide.
    pub(super) docs: Vec<String>,
    pub(super) items: Vec<Item>,
}

/// Returns all modules. `native` are the items of `vitalwire.cohort` in the native module.
pub(super) fn modules(native: Vec<Item>) -> Vec<Module> {
    let mut modules = vec![module(COHORT_PAGE, COHORT, cohort_items(native))];
    modules.extend(ENGINES.map(|(page, text)| module((page, page), text, source::all_items(text))));
    modules
}

/// Returns the classes with the page of each. Functions have names that other modules use too.
pub(super) fn classes(modules: &[Module]) -> impl Iterator<Item = (String, String)> {
    let items = modules.iter().flat_map(|module| module.items.iter().map(|item| (item, module.page)));
    items.filter(|(item, _)| item.kind == Kind::Class).map(|(item, page)| (item.name.clone(), page.to_owned()))
}

fn module((page, guide): (&'static str, &'static str), text: &str, items: Vec<Item>) -> Module {
    let exported = exported_names(text);
    let mut docs: Vec<String> = source::module_docs(text).into_iter().skip_while(|line| !line.is_empty()).skip(1).collect();
    docs.extend([String::new(), format!("Guide: [{guide}](../{guide}.md)")]);
    Module { page, docs, items: items.into_iter().filter(|item| exported.contains(&item.name.as_str())).collect() }
}

/// Returns the classes and functions of `vitalwire.cohort`: those of the native module, then the Python ones.
fn cohort_items(mut items: Vec<Item>) -> Vec<Item> {
    for item in &mut items {
        if let Some((name, exported)) = RENAMED.iter().find(|(name, _)| *name == item.name) {
            (*exported).clone_into(&mut item.name);
            item.head = item.head.iter().map(|line| line.replacen(name, exported, 1)).collect();
        }
    }
    let inherited: Vec<Item> = items.iter().filter(|item| item.name == READER_BASE).flat_map(|item| item.members.clone()).collect();
    let mut readers = source::all_items(READER);
    for reader in &mut readers {
        reader.members.extend(inherited.iter().filter(|member| member.name != "__new__").cloned());
    }
    items.into_iter().chain(readers).chain(source::all_items(COLUMNS)).collect()
}

/// Returns the names in `__all__`.
fn exported_names(module: &str) -> Vec<&str> {
    let list = module.split_once("__all__ = [").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    list.split('"').skip(1).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::api::cohort;

    #[test]
    fn every_exported_class_and_function_is_documented() {
        let modules = modules(cohort().expect("declarations"));
        let cohort = &modules[0];
        let mut missing = exported_names(COHORT);
        missing.retain(|name| cohort.items.iter().all(|item| item.name != *name));
        // A type alias.
        assert_eq!(missing, ["TableName"]);
        let reader = cohort.items.iter().find(|item| item.name == "Reader").expect("a reader");
        assert!(["batches", "failures", "remaining"].iter().all(|name| reader.members.iter().any(|member| member.name == *name)));
        for engine in &modules[1..] {
            assert!(!engine.items.is_empty() && engine.items.iter().all(|item| !item.docs.is_empty()), "{}", engine.page);
        }
    }
}
