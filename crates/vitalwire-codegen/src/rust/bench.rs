//! Generates the keys of all number maps for the baseline of the benchmark.

use super::spelling;
use crate::file::File;
use crate::ir::{Ir, NumberMap};

/// Attribute for new maps, which no benchmark uses yet.
const UNUSED: &str = "#![allow(dead_code, unreachable_pub, reason = \"no benchmark uses a new map yet\")]";

/// Returns the maps as input of the macro `numbers!` in `baseline/numbers.rs`.
pub(crate) fn emit(ir: &Ir) -> File {
    let maps: String = ir.number_maps.iter().map(|map| numbers(ir, map)).collect();
    let text = format!("//! All number maps.\n\n{UNUSED}\n\nuse serde::Deserialize;\n\nnumbers! {{\n{maps}}}\n");
    File::new("crates/vitalwire-bench/src/baseline/generated/numbers.rs", text)
}

fn numbers(ir: &Ir, map: &NumberMap) -> String {
    let names = ir.open_set(&map.keys).into_iter().flat_map(|set| &set.values);
    let lines: String = names.map(|name| format!("        {} {:?}\n", spelling::name(&name.name), name.wire)).collect();
    format!("    {} {{\n{lines}    }}\n", map.name)
}
