//! What `import vitalwire` gives.

use crate::codegen::ir::Ir;

use super::types::literal;
use super::{constants, errors, records, resources};

/// Classes of the native module that are written by hand.
const FIXED: [&str; 14] = [
    "AsyncParts",
    "AsyncRange",
    "Merged",
    "MergedPart",
    "NumberMap",
    "Part",
    "Parts",
    "Range",
    "RangeProgress",
    "ResponseInfo",
    "ResumeToken",
    "SeriesMap",
    "VitalwireError",
    "__version__",
];

/// Everything that the native module exports, sorted.
pub(super) fn native(ir: &Ir) -> Vec<String> {
    let mut names: Vec<String> = FIXED.iter().map(|name| (*name).to_owned()).collect();
    names.extend(records(ir).map(|model| model.name.clone()));
    names.extend(resources::STYLES.iter().map(|style| style.client.to_owned()));
    names.extend(resources::classes(ir));
    names.extend(ir.error_kinds.iter().map(errors::class));
    names.sort();
    names
}

/// `__all__`.
pub(super) fn all<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let lines: String = names.map(|name| format!("    {},\n", literal(name))).collect();
    format!("__all__ = [\n{lines}]\n")
}

pub(super) fn emit(ir: &Ir) -> String {
    let native = native(ir);
    let sets: Vec<String> = constants::sorted(ir).iter().map(|set| set.name.clone()).collect();
    let mut text = String::from(
        "\"\"\"Client for a health data service: user information, sleep, statistics, lab reports, nutrition records, benefits.\"\"\"\n\n",
    );
    import(&mut text, "vitalwire._native", &native);
    import(&mut text, "vitalwire.constants", &sets);
    let mut names: Vec<&String> = native.iter().chain(&sets).collect();
    names.sort();
    text.push('\n');
    text.push_str(&all(names.into_iter()));
    text
}

fn import(text: &mut String, module: &str, names: &[String]) {
    text.push_str(&format!("from {module} import (\n"));
    for name in names {
        text.push_str(&format!("    {name},\n"));
    }
    text.push_str(")\n");
}
