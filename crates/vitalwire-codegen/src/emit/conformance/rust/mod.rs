//! The runner in Rust: what is hand-written of it is in `crates/vitalwire-conformance/src/runner`.

mod calls;
mod dispatch;
mod outcomes;

use crate::emit::File;
use crate::ir::Ir;
use crate::lang::{rust, snake};

const ROOT: &str = "crates/vitalwire-conformance/src/runner/generated";

/// Every generated file of the runner in Rust.
pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let mut files = vec![File::new(
        format!("{ROOT}/mod.rs"),
        "//! What is generated from the specifications: calls by operation, and what answers are as canonical JSON.\n\npub(super) mod calls;\nmod outcomes;\n",
    )];
    let groups = ir.groups().into_iter().map(|group| (group.to_owned(), calls::emit(ir, group))).collect();
    folder(&mut files, "calls", &dispatch::emit(ir), groups);
    let received = ir.models.iter().filter(|model| !model.request);
    let mut outcomes: Vec<_> = received.map(|model| (snake(&model.name), outcomes::model(model))).collect();
    outcomes.push(("maps".to_owned(), outcomes::maps(ir)));
    outcomes.push(("open_sets".to_owned(), outcomes::open_sets(ir)));
    folder(&mut files, "outcomes", "//! What answers are as canonical JSON, by the fields and getters that users read.\n", outcomes);
    files
}

/// A folder of one file per item. What its `mod.rs` says comes after the items' declarations, its documentation before them.
fn folder(files: &mut Vec<File>, name: &str, about: &str, mut items: Vec<(String, String)>) {
    items.sort();
    let (docs, code) = about.split_once("\n\n").unwrap_or((about.trim_end(), ""));
    let modules: String = items.iter().map(|(item, _)| format!("mod {item};\n")).collect();
    files.push(File::new(format!("{ROOT}/{name}/mod.rs"), format!("{docs}\n\n{modules}\n{code}")));
    files.extend(items.into_iter().map(|(item, text)| File::new(format!("{ROOT}/{name}/{item}.rs"), text)));
}

/// A member's or parameter's name in the core.
fn rust_name(name: &str) -> String {
    rust::name(name)
}
