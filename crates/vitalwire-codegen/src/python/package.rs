//! Generated Python files of the package: exports, constants, and units for plots.

use serde_json::{Value, json};

use super::api::{Api, exported_names};
use super::spelling;
use super::spelling::constant;
use crate::file::File;
use crate::ir::{Ir, OpenSet, OpenValue};
use crate::naming::{shouty, snake};
use crate::python::filters::TEMPLATES;

const FOLDER: &str = "bindings/python/python/vitalwire";

/// Hand-written classes and functions, and their modules.
const HAND_WRITTEN: [(&str, &str); 6] = [
    ("Coverage", "vitalwire._coverage"),
    ("EnvironmentToken", "vitalwire._tokens"),
    ("FileToken", "vitalwire._tokens"),
    ("Sandbox", "vitalwire._sandbox"),
    ("concat", "vitalwire._tables"),
    ("coverage", "vitalwire._coverage"),
];

pub(super) fn emit(ir: &Ir, api: &Api) -> anyhow::Result<Vec<File>> {
    let (native, webhook) = (exported_names(&api.package), exported_names(&api.webhook));
    let sets: Vec<&String> = sorted_sets(ir).into_iter().map(|set| &set.name).collect();
    // Imported on first use, to keep `import vitalwire` fast.
    let mut lazy: Vec<(&str, String)> = sets.iter().map(|set| (set.as_str(), format!("vitalwire.constants.{}", snake(set)))).collect();
    lazy.extend(HAND_WRITTEN.map(|(name, module)| (name, module.to_owned())));
    let mut all: Vec<&str> = native.iter().map(String::as_str).chain(lazy.iter().map(|(name, _)| *name)).chain(["webhook"]).collect();
    all.sort_unstable();
    let file =
        |path: &str, template: &str, values: Value| TEMPLATES.file(format!("{FOLDER}/{path}"), &format!("python/{template}.j2"), values);
    let mut files = vec![
        file("__init__.py", "package.py", json!({ "native": native, "lazy": lazy, "exported": all }))?,
        file("webhook.py", "webhook.py", json!({ "names": webhook }))?,
        file("plot/_units.py", "plot_units.py", json!({ "sets": units(ir) }))?,
        file("constants/__init__.py", "constants.py", json!({ "sets": sets }))?,
    ];
    for set in &ir.open_sets {
        files.push(TEMPLATES.file(format!("{FOLDER}/constants/{}.py", snake(&set.name)), "python/constant_set.py.j2", constants(set))?);
    }
    Ok(files)
}

pub(super) fn sorted_sets(ir: &Ir) -> Vec<&OpenSet> {
    let mut sets: Vec<&OpenSet> = ir.open_sets.iter().collect();
    sets.sort_by(|a, b| a.name.cmp(&b.name));
    sets
}

/// Returns the template values of an open set's class of constants.
fn constants(set: &OpenSet) -> Value {
    let constants: Vec<Value> = set.values.iter().map(value).collect();
    json!({ "name": set.name, "docs": spelling::lines(&set.docs, &set.name), "constants": constants })
}

fn value(value: &OpenValue) -> Value {
    let mut docs = value.docs.clone();
    if !value.aliases.is_empty() {
        docs.text = format!("{} Also spelled `{}`, which is not normalized.", docs.text, value.aliases.join("`, `")).trim().to_owned();
    }
    let is_empty = docs.text.is_empty() && docs.unit.is_none() && !docs.deprecated;
    let docs = if is_empty { vec![] } else { spelling::lines(&docs, &value.wire) };
    json!({ "name": constant(&value.name), "wire": value.wire, "docs": docs })
}

/// Returns the units of each open set with units.
fn units(ir: &Ir) -> Vec<Value> {
    let units = |set: &OpenSet| {
        let units: Vec<_> = set.values.iter().filter_map(|value| Some((&value.wire, value.docs.unit.as_ref()?))).collect();
        (!units.is_empty()).then(|| json!({ "set": set.name, "constant": shouty(&set.name), "units": units }))
    };
    sorted_sets(ir).into_iter().filter_map(units).collect()
}
