//! Generated parts of the runner in Rust. The rest is hand-written in `crates/vitalwire-conformance/src/runner`.

use serde_json::{Value, json};

use crate::conformance::{Runner, settings};
use crate::file::File;
use crate::ir::features::Language;
use crate::naming::snake;
use crate::rust::filters::TEMPLATES;

const ROOT: &str = "crates/vitalwire-conformance/src/runner/generated";

pub(crate) fn emit(runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
    let ir = runner.ir;
    let file = |path: &str, template: &str, values: Value| {
        TEMPLATES.file(format!("{ROOT}/{path}.rs"), &format!("rust/conformance/{template}.rs.j2"), values)
    };
    let maps: Vec<Value> = ir.number_maps.iter().map(|map| runner.numbers(map)).collect();
    let mut outcomes = vec![
        file("outcomes/maps", "maps", json!({ "number_maps": maps, "series_maps": ir.series_maps }))?,
        file("outcomes/open_sets", "open_sets", json!({ "open_sets": ir.open_sets }))?,
    ];
    for model in runner.ir.received_models() {
        outcomes.push(file(&format!("outcomes/{}", snake(&model.name)), "model", json!(model))?);
    }
    let mut modules: Vec<&str> = outcomes.iter().filter_map(File::stem).collect();
    modules.sort_unstable();
    let about = "Canonical JSON of responses, from the fields and getters that users read.";
    let modules = json!({ "about": about, "module": "mod", "modules": modules });
    let mut files = vec![
        file("mod", "mod", json!({}))?,
        file("settings", "settings", settings::values(ir, Language::Rust, |_, _| json!({})))?,
        file("calls/mod", "dispatch", json!({ "groups": ir.groups(), "operations": runner.operations }))?,
        TEMPLATES.file(format!("{ROOT}/outcomes/mod.rs"), "modules.rs.j2", modules)?,
    ];
    for group in ir.groups() {
        files.push(file(&format!("calls/{group}"), "calls", json!({ "group": group, "operations": runner.calls(group) }))?);
    }
    files.extend(outcomes);
    Ok(files)
}
