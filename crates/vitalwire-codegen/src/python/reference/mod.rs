//! The reference in Markdown, generated from the same declarations as the stub, and from hand-written modules.

mod modules;
mod page;

use serde_json::json;

use super::api::Api;
use super::declarations::Item;
use super::example;
use super::package::sorted_sets;
use super::pages::{Page, native_pages, other_pages, places, rank};
use super::source;
use super::style::STYLES;
use crate::file::File;
use crate::ir::Ir;
use crate::naming::{pascal, shouty};
use crate::python::filters::TEMPLATES;
use crate::python::spelling::constant;
use crate::{c, swift};
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

pub(super) fn emit(ir: &Ir, api: &Api) -> anyhow::Result<Vec<File>> {
    let mut items: Vec<&Item> = api.items().filter(|item| item.is_public()).collect();
    // Clients come first.
    items.sort_by_key(|item| (!STYLES.iter().any(|style| style.client == item.name), rank(api, &item.name)));
    let cohorts = modules::modules(api.cohort.clone());
    let mut places = places(ir, api);
    places.extend(modules::classes(&cohorts));
    let links = Links::new(&places);
    let (modules, studies) = (PLOTS.map(source::public_items), STUDIES.map(source::public_items));
    let (plots, sandbox) = (modules.iter().flatten().collect::<Vec<_>>(), source::public_items(SANDBOX));
    let pages: Vec<Page> = native_pages(ir).into_iter().chain(other_pages()).collect();
    let mut files = vec![TEMPLATES.file(format!("{FOLDER}.md"), "python/reference/index.md.j2", json!({ "pages": pages }))?];
    for page in pages {
        let own = cohorts.iter().find(|module| module.page == page.file);
        let here: Vec<&Item> = match page.file.as_str() {
            "sandbox" => sandbox.iter().collect(),
            "plot" => plots.clone(),
            "studies" => studies.iter().flatten().collect(),
            _ if own.is_some() => own.iter().flat_map(|module| &module.items).collect(),
            _ => items.iter().copied().filter(|item| places.get(&item.name) == Some(&page.file)).collect(),
        };
        let template = if page.file == "names" { "python/reference/names.md.j2" } else { "python/reference/page.md.j2" };
        let example = example::lines(ir, &page.file);
        let entries = page::entries(&here, &links.from(&page.file));
        let (spelled, spellings) = spellings(ir).unzip();
        let values = json!({
            "heading": page.heading,
            "about": page.about,
            "introduction": own.map(|module| &module.docs),
            "example": example,
            "entries": entries,
            "sets": sorted_sets(ir),
            "spelled": spelled,
            "spellings": spellings,
        });
        files.push(TEMPLATES.file(format!("{FOLDER}/{}.md", page.file), template, values)?);
    }
    Ok(files)
}

/// Returns the text of a name, and its constant in each language. The name has two words, because languages join words differently.
fn spellings(ir: &Ir) -> Option<(&str, [(&'static str, String); 5])> {
    let mut names = sorted_sets(ir).into_iter().flat_map(|set| set.values.iter().map(move |value| (set, value)));
    let (set, value) = names.find(|(_, value)| value.name.contains('_'))?;
    let constants = [
        ("Rust", format!("{}::{}", set.name, pascal(&value.name))),
        ("Python", format!("{}.{}", set.name, constant(&value.name))),
        ("Swift", format!("{}.{}", set.name, swift::spelling::name(&value.name))),
        ("Kotlin, Java", format!("{}.{}", set.name, shouty(&value.name))),
        ("C, C++", c::spelling::value(set, value)),
    ];
    Some((&value.wire, constants))
}
