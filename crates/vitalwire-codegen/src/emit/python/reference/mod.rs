//! The reference: Markdown made of the stub and of the modules that are written by hand, so that it says what an editor shows.

mod page;

use std::collections::BTreeMap;

use super::declared::{self, Item};
use super::resources::STYLES;
use super::{constants, errors, nights, resources};
use crate::emit::File;
use crate::ir::{Answer, Ir, Type};

use page::Links;

const FOLDER: &str = "bindings/python/docs";
const SANDBOX: &str = include_str!("../../../../../../bindings/python/python/vitalwire/_sandbox.py");
const PLOTS: [&str; 3] = [
    include_str!("../../../../../../bindings/python/python/vitalwire/plot/_hypnogram.py"),
    include_str!("../../../../../../bindings/python/python/vitalwire/plot/_samples.py"),
    include_str!("../../../../../../bindings/python/python/vitalwire/plot/_trends.py"),
];

/// A page: file name, heading, what it is about.
type Page = (String, String, String);

pub(super) fn emit(ir: &Ir, stub: &str) -> Vec<File> {
    let mut items: Vec<Item> = declared::items(stub).into_iter().filter(Item::is_public).collect();
    // The clients come first; the rest keeps its order.
    items.sort_by_key(|item| !STYLES.iter().any(|style| style.client == item.name));
    let places = places(ir, &items);
    let links = Links::new(&places);
    let mut files = Vec::new();
    let mut index = String::from(
        "# Reference of `vitalwire`\n\nMade of the package's stubs: what is here is what an editor shows. Instants are aware `datetime`s in UTC, dates are `date`s; a unit is named\nwhere one is known. `README.md` is the place to begin.\n\n",
    );
    for (file, heading, about) in pages(ir) {
        index.push_str(&format!("* [{heading}](reference/{file}.md): {about}\n"));
        let mut text = format!("# {heading}\n\n{about} [Back](../reference.md)\n\n");
        match file.as_str() {
            "names" => text.push_str(&page::names(&constants::sorted(ir))),
            "sandbox" => text.push_str(&page::body(&public(SANDBOX), &links.from(&file))),
            "plot" => PLOTS.iter().for_each(|module| text.push_str(&page::body(&public(module), &links.from(&file)))),
            _ => {
                let here: Vec<&Item> = items.iter().filter(|item| places.get(&item.name) == Some(&file)).collect();
                text.push_str(&page::body(&here, &links.from(&file)));
            }
        }
        files.push(File::new(format!("{FOLDER}/reference/{file}.md"), text.trim_end().to_owned() + "\n"));
    }
    files.push(File::new(format!("{FOLDER}/reference.md"), index));
    files
}

fn pages(ir: &Ir) -> Vec<Page> {
    let page = |file: &str, heading: &str, about: &str| (file.to_owned(), heading.to_owned(), about.to_owned());
    let mut pages = vec![page("client", "Clients, tables, ranges, webhooks", "What every call and record shares.")];
    for group in ir.groups() {
        let own = ir.operations.iter().filter(|operation| operation.group == group).map(|operation| operation.method.as_str());
        let calls: Vec<String> = own.chain((group == nights::GROUP).then_some(nights::NAME)).map(|method| format!("`{method}`")).collect();
        pages.push(page(group, &format!("`client.{group}`"), &format!("{} and what they answer.", calls.join(", "))));
    }
    pages.push(page("errors", "Errors", "The kinds of error, one class for each."));
    pages.push(page("names", "Names", "What the sets that the service may extend hold today, with units."));
    pages.push(page("plot", "`vitalwire.plot`", "Pictures of nights and days, by matplotlib."));
    pages.push(page("sandbox", "`vitalwire.Sandbox`", "A service on this machine with synthetic people."));
    pages
}

/// On which page an item is.
fn places(ir: &Ir, items: &[Item]) -> BTreeMap<String, String> {
    let mut places = BTreeMap::new();
    for group in ir.groups() {
        for class in STYLES.iter().map(|style| resources::class(group, style)) {
            places.insert(class, group.to_owned());
        }
    }
    for operation in &ir.operations {
        if let Answer::Model(name) | Answer::List(name) = &operation.answer {
            place(ir, name, &operation.group, &mut places);
        }
    }
    for kind in &ir.error_kinds {
        places.insert(errors::class(kind), "errors".to_owned());
    }
    for name in ["VitalwireError", "ProblemDetails", "ProblemItem"] {
        places.insert(name.to_owned(), "errors".to_owned());
    }
    for item in items {
        places.entry(item.name.clone()).or_insert_with(|| "client".to_owned());
    }
    places
}

/// Puts a record and what it holds on a page, unless another has it.
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

/// What a module declares for its users.
fn public(module: &str) -> Vec<Item> {
    declared::items(module).into_iter().filter(|item| item.is_public() && (item.is_class() || item.is_function())).collect()
}
