//! The core crate's generated half: open sets, models, parameters and calls, and progenitor's operations below them.

mod client;
mod http;
mod lookup;
mod meta;
mod models;
mod names;
mod open_sets;
mod operations;
mod projection;
mod ranges;
mod resources;
mod tables;
mod types;
mod waits;

use super::File;
use crate::ir::{Ir, problems};
use crate::lang::snake;
use crate::spec::Sources;

const ROOT: &str = "crates/vitalwire/src/generated";

/// Every generated file of the core.
///
/// # Errors
/// Where the operations' generator refuses the specification.
pub(super) fn emit(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    let (requests, signatures) = http::emit(ir, sources, &format!("{ROOT}/http"))?;
    let mut files = requests;
    files.push(File::new(format!("{ROOT}/mod.rs"), module()));
    files.push(File::new(format!("{ROOT}/names.rs"), names::emit(ir)));
    files.push(File::new(format!("{ROOT}/tables.rs"), tables::emit(ir)));
    files.push(File::new(format!("{ROOT}/meta.rs"), meta::emit(ir)));
    files.push(File::new(format!("{ROOT}/client.rs"), client::emit(ir)?));
    files.push(File::new(format!("{ROOT}/waits.rs"), waits::emit(ir)));
    folder(
        &mut files,
        "open_sets",
        "Sets of names that may grow.",
        ir.open_sets.iter().map(|set| (snake(&set.name), open_sets::emit(ir, set))),
    );
    let models = ir
        .models
        .iter()
        .filter(|model| !model.request && !problems::is_engine_s(&model.name))
        .map(|model| (snake(&model.name), models::emit(ir, model)));
    folder(
        &mut files,
        "models",
        "What the service answers.",
        models.chain([("maps".to_owned(), types::maps(ir)), ("problems".to_owned(), problems(ir))]),
    );
    let groups = ir.groups();
    folder(
        &mut files,
        "operations",
        "Parameters of every call.",
        groups.iter().map(|group| ((*group).to_owned(), operations::emit(ir, group, &signatures))),
    );
    folder(&mut files, "resources", "Calls by resource.", groups.iter().map(|group| ((*group).to_owned(), resources::emit(ir, group))));
    Ok(files)
}

/// The models that the engine has.
fn problems(ir: &Ir) -> String {
    let names: Vec<&str> = ir.models.iter().map(|model| model.name.as_str()).filter(|name| problems::is_engine_s(name)).collect();
    format!("//! Models of the engine: errors hold them.\n\npub use vitalwire_runtime::error::{{{}}};\n", names.join(", "))
}

fn module() -> String {
    "//! Everything that is generated from the specifications.\n\npub(crate) mod client;\npub(crate) mod http;\npub(crate) mod meta;\npub mod models;\npub(crate) mod names;\npub mod open_sets;\npub mod operations;\npub mod resources;\npub(crate) mod tables;\nmod waits;\n"
        .to_owned()
}

/// A folder of one file per item, and its `mod.rs` that re-exports them.
fn folder(files: &mut Vec<File>, name: &str, about: &str, items: impl Iterator<Item = (String, String)>) {
    let mut items: Vec<(String, String)> = items.collect();
    items.sort();
    let mut text = format!("//! {about}\n\n");
    for (item, _) in &items {
        text.push_str(&format!("mod {item};\n"));
    }
    text.push('\n');
    for (item, _) in &items {
        text.push_str(&format!("pub use {item}::*;\n"));
    }
    files.push(File::new(format!("{ROOT}/{name}/mod.rs"), text));
    files.extend(items.into_iter().map(|(item, text)| File::new(format!("{ROOT}/{name}/{item}.rs"), text)));
}
