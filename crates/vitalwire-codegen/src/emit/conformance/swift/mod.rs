//! The table of the runner in Swift: what is hand-written of it is in `bindings/swift/Tests/ConformanceRunner`.

mod calls;
mod maps;
mod outcomes;

use crate::emit::File;
use crate::ir::Ir;
use crate::lang::pascal;

const ROOT: &str = "bindings/swift/Tests/ConformanceRunner/Generated";

/// Every generated file of the runner in Swift. Several short files: each is type-checked by itself.
pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let mut files = vec![
        File::new(format!("{ROOT}/Calls.swift"), calls::table(ir)),
        File::new(format!("{ROOT}/Kinds.swift"), outcomes::kinds(ir)),
        File::new(format!("{ROOT}/OpenSets.swift"), outcomes::open_sets(ir)),
        File::new(format!("{ROOT}/WaitedRecord.swift"), outcomes::waited(ir)),
    ];
    let groups = ir.groups().into_iter();
    files.extend(groups.map(|group| File::new(format!("{ROOT}/Calls/{}Calls.swift", pascal(group)), calls::emit(ir, group))));
    let received = ir.models.iter().filter(|model| !model.request);
    files.extend(received.map(|model| outcome(&model.name, outcomes::model(model))));
    files.extend(ir.number_maps.iter().map(|map| outcome(&map.name, maps::numbers(ir, map))));
    files.extend(ir.series_maps.iter().map(|map| outcome(&map.name, maps::series(ir, map))));
    files
}

/// The outcome of a type, in a file of its own.
fn outcome(name: &str, text: String) -> File {
    File::new(format!("{ROOT}/Outcomes/{name}Outcome.swift"), text)
}
