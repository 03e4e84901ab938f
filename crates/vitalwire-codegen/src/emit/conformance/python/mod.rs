//! The table of the runner in Python: what is hand-written of it is in `bindings/python/tests/conformance`.

mod calls;
mod outcomes;

use std::collections::BTreeSet;

use crate::emit::File;
use crate::ir::Ir;
use crate::lang::snake;

const ROOT: &str = "bindings/python/tests/conformance/generated";

/// Every generated file of the runner in Python.
pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let package = |folder: &str, about: &str| File::new(format!("{ROOT}{folder}/__init__.py"), format!("\"\"\"{about}\"\"\"\n"));
    let mut files = vec![
        package("", "What is generated from the specifications: calls by operation, and answers as canonical JSON."),
        package("/outcomes", "Answers as canonical JSON, by the attributes that users read."),
        File::new(format!("{ROOT}/calls/__init__.py"), calls::table(ir)),
        File::new(format!("{ROOT}/names.py"), outcomes::names(ir)),
        File::new(format!("{ROOT}/waited.py"), calls::waited(ir)),
    ];
    files.extend(ir.groups().into_iter().map(|group| File::new(format!("{ROOT}/calls/{group}.py"), calls::emit(ir, group))));
    let received = ir.models.iter().filter(|model| !model.request);
    files.extend(received.map(|model| File::new(format!("{ROOT}/outcomes/{}.py", snake(&model.name)), outcomes::model(ir, model))));
    files
}

/// `from generated.outcomes import a, b`; nothing where there is none.
fn import_outcomes(models: &BTreeSet<String>) -> String {
    if models.is_empty() {
        return String::new();
    }
    let names: Vec<String> = models.iter().map(|name| snake(name)).collect();
    format!("from generated.outcomes import {}\n", names.join(", "))
}
