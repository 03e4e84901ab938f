//! The reference in Markdown, generated from the same declarations as the stub, and from hand-written modules.

mod page;
mod source;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use super::api::{Api, error_class};
use super::declarations::Item;
use super::nights;
use super::package::sorted_sets;
use super::style::STYLES;
use crate::file::File;
use crate::ir::{Ir, ResponseType, Type};
use crate::python::templates::TEMPLATES;
use page::Links;

const FOLDER: &str = "bindings/python/docs/reference";
const SANDBOX: &str = include_str!("../../../../../bindings/python/python/vitalwire/_sandbox.py");
const STUDIES: [&str; 3] = [
    include_str!("../../../../../bindings/python/python/vitalwire/_tables.py"),
    include_str!("../../../../../bindings/python/python/vitalwire/_coverage.py"),
    include_str!("../../../../../bindings/python/python/vitalwire/_tokens.py"),
];
const PLOTS: [&str; 8] = [
    include_str!("../../../../../bindings/python/python/vitalwire/plot/_hypnogram.py"),
    include_str!("../../../../../bindings/python/python/vitalwire/plot/_samples.py"),
    include_str!("../../../../../bindings/python/python/vitalwire/plot/_trends.py"),
    include_str!("../../../../../bindings/python/python/vitalwire/plot/_weekdays.py"),
    include_str!("../../../../../bindings/python/python/vitalwire/plot/_comparison.py"),
    include_str!("../../../../../bindings/python/python/vitalwire/plot/_timing.py"),
    include_str!("../../../../../bindings/python/python/vitalwire/plot/_glucose.py"),
    include_str!("../../../../../bindings/python/python/vitalwire/plot/_coverage.py"),
];

#[derive(Serialize)]
struct Page {
    /// File name without extension.
    file: String,
    heading: String,
    about: String,
}

pub(super) fn emit(ir: &Ir, api: &Api) -> anyhow::Result<Vec<File>> {
    let mut items: Vec<&Item> = api.items().filter(|item| item.is_public()).collect();
    // Clients come first.
    items.sort_by_key(|item| !STYLES.iter().any(|style| style.client == item.name));
    let places = places(ir, &items);
    let links = Links::new(&places);
    let (modules, studies) = (PLOTS.map(source::public_items), STUDIES.map(source::public_items));
    let (plots, sandbox) = (modules.iter().flatten().collect::<Vec<_>>(), source::public_items(SANDBOX));
    let pages = pages(ir);
    let mut files = vec![TEMPLATES.file(format!("{FOLDER}.md"), "python/reference/index.md.j2", json!({ "pages": pages }))?];
    for page in pages {
        let here: Vec<&Item> = match page.file.as_str() {
            "sandbox" => sandbox.iter().collect(),
            "plot" => plots.clone(),
            "studies" => studies.iter().flatten().collect(),
            _ => items.iter().copied().filter(|item| places.get(&item.name) == Some(&page.file)).collect(),
        };
        let template = if page.file == "names" { "python/reference/names.md.j2" } else { "python/reference/page.md.j2" };
        let entries = page::entries(&here, &links.from(&page.file));
        let values = json!({ "heading": page.heading, "about": page.about, "entries": entries, "sets": sorted_sets(ir) });
        files.push(TEMPLATES.file(format!("{FOLDER}/{}.md", page.file), template, values)?);
    }
    Ok(files)
}

fn pages(ir: &Ir) -> Vec<Page> {
    let page = |file: &str, heading: &str, about: &str| Page { file: file.into(), heading: heading.into(), about: about.into() };
    let mut pages = vec![page("client", "Clients, tables, ranges, webhooks", "Classes that all calls and records share.")];
    for group in ir.groups() {
        let own = ir.operations.iter().filter(|operation| operation.group == group).map(|operation| operation.method.as_str());
        let calls: Vec<String> = own.chain((group == nights::GROUP).then_some(nights::NAME)).map(|method| format!("`{method}`")).collect();
        pages.push(page(group, &format!("`client.{group}`"), &format!("{} and their records.", calls.join(", "))));
    }
    pages.push(page("errors", "Errors", "Exception classes, one for each error kind."));
    pages.push(page("names", "Names", "Known names of sets that the service may extend, with units."));
    pages.push(page("studies", "Studies", "Tables of several people, coverage, and tokens for clients in several processes."));
    pages.push(page("plot", "`vitalwire.plot`", "Plots of nights and days with matplotlib."));
    pages.push(page("sandbox", "`vitalwire.Sandbox`", "A local service with synthetic people."));
    pages
}

/// Returns the page of each item.
fn places(ir: &Ir, items: &[&Item]) -> BTreeMap<String, String> {
    let mut places = BTreeMap::new();
    for group in ir.groups() {
        for class in STYLES.iter().map(|style| style.class(group)) {
            places.insert(class, group.to_owned());
        }
    }
    for operation in &ir.operations {
        if let ResponseType::Model(name) | ResponseType::List(name) = &operation.response {
            place(ir, name, &operation.group, &mut places);
        }
    }
    for kind in &ir.error_kinds {
        places.insert(error_class(kind), "errors".to_owned());
    }
    for name in ["VitalwireError", "ProblemDetails", "ProblemItem"] {
        places.insert(name.to_owned(), "errors".to_owned());
    }
    for item in items {
        places.entry(item.name.clone()).or_insert_with(|| "client".to_owned());
    }
    places
}

/// Assigns a record and its nested records to a page, unless they have one.
fn place(ir: &Ir, name: &str, page: &str, places: &mut BTreeMap<String, String>) {
    if places.contains_key(name) {
        return;
    }
    places.insert(name.to_owned(), page.to_owned());
    for member in ir.model(name).into_iter().flat_map(|model| &model.members) {
        let ty = if let Type::List(item) = &member.ty { item } else { &member.ty };
        if let Type::Model(inner) = ty {
            place(ir, inner, page, places);
        }
    }
}
