//! The Python binding: classes for `crates/vitalwire-python`, and the package's stubs, constants and exports.

mod arguments;
pub(super) mod constants;
mod declared;
mod errors;
mod help;
mod map_units;
mod models;
mod nights;
pub(super) mod options;
mod package;
mod plot_units;
pub(super) mod ranges;
mod reach;
mod reference;
mod resources;
mod restore;
mod shown;
mod stubs;
mod tables;
mod templates;
mod uploads;
pub(super) mod waits;
mod webhook;
mod wrap;

use help::Help;

use super::File;
use crate::ir::{Ir, Model};
use crate::lang::snake;

const CRATE: &str = "crates/vitalwire-python/src/generated";
const PACKAGE: &str = "bindings/python/python/vitalwire";

/// Every generated file of the Python binding.
pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let stub = stubs::emit(ir);
    let help = Help::of(&stub);
    let mut files =
        vec![File::new(format!("{CRATE}/mod.rs"), module(ir)), File::new(format!("{CRATE}/errors.rs"), errors::emit(ir, &help))];
    files.push(File::new(format!("{CRATE}/docs.rs"), help.emit(&generated(ir))));
    files.push(File::new(format!("{CRATE}/restore.rs"), restore::emit(ir)));
    files.push(File::new(format!("{CRATE}/units.rs"), map_units::emit(ir)));
    let models = records(ir).map(|model| (snake(&model.name), models::emit(ir, model, &help)));
    folder(&mut files, "models", "Records, as views over the core's.", models);
    let groups: Vec<(String, String)> =
        ir.groups().into_iter().map(|group| (group.to_owned(), resources::emit(ir, group, &help))).collect();
    files.push(File::new(format!("{CRATE}/arguments.rs"), arguments::emit(ir)));
    folder(&mut files, "resources", "Calls by resource.", groups.into_iter());
    files.extend(reference::emit(ir, &stub));
    files.push(File::new(format!("{PACKAGE}/_native.pyi"), stub));
    files.push(File::new(format!("{PACKAGE}/__init__.py"), package::emit(ir)));
    files.push(File::new(format!("{PACKAGE}/webhook.py"), webhook::emit()));
    files.extend(constants::emit(ir));
    files.push(plot_units::emit(ir));
    files
}

/// The models that are received.
fn records(ir: &Ir) -> impl Iterator<Item = &Model> {
    ir.models.iter().filter(|model| !model.request)
}

/// The classes that are generated.
fn generated(ir: &Ir) -> Vec<String> {
    let mut names: Vec<String> = records(ir).map(|model| model.name.clone()).collect();
    names.extend(resources::classes(ir));
    names.extend(ir.error_kinds.iter().map(errors::class));
    names
}

fn module(ir: &Ir) -> String {
    let mut text = String::from(
        "//! Everything that is generated for Python.\n\npub(crate) mod arguments;\nmod docs;\npub(crate) mod errors;\npub(crate) mod models;\npub(crate) mod resources;\npub(crate) mod restore;\npub(crate) mod units;\n\npub(crate) use docs::docs;\n\n",
    );
    let clients: Vec<&str> = resources::STYLES.iter().map(|style| style.client).collect();
    text.push_str(&format!("use pyo3::prelude::*;\n\nuse crate::client::{{{}}};\nuse crate::records::Kind;\n\n", clients.join(", ")));
    text.push_str(&tables::kinds(ir));
    text.push_str("/// Adds the classes to the module.\npub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {\n");
    for model in records(ir) {
        text.push_str(&format!("module.add_class::<models::{}>()?;\n", model.name));
    }
    for class in resources::classes(ir) {
        text.push_str(&format!("module.add_class::<resources::{class}>()?;\n"));
    }
    text.push_str("Ok(())\n}\n\n");
    for style in &resources::STYLES {
        text.push_str(&format!("#[pymethods]\nimpl {} {{\n", style.client));
        for group in ir.groups() {
            let class = resources::class(group, style);
            text.push_str(&format!(
                "#[doc = docs!({}.{group})]\n#[getter]\nfn {group}(&self, py: Python<'_>) -> resources::{class} {{\nresources::{class}::new(py, &self.caller)\n}}\n\n",
                style.client
            ));
        }
        text.push_str("}\n\n");
    }
    text
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
        text.push_str(&format!("pub(crate) use {item}::*;\n"));
    }
    files.push(File::new(format!("{CRATE}/{name}/mod.rs"), text));
    files.extend(items.into_iter().map(|(item, text)| File::new(format!("{CRATE}/{name}/{item}.rs"), text)));
}
