//! Wide objects: each known name by its property and its constant, beside what the dictionary holds.

use crate::ir::{Ir, NumberMap, OpenValue, SeriesMap};
use crate::lang::rust::literal;
use crate::lang::swift;

/// A map of numbers.
pub(super) fn numbers(ir: &Ir, map: &NumberMap) -> String {
    let name = |value: &OpenValue| {
        let (wire, name) = (literal(&value.wire), swift::name(&value.name));
        format!("        found.name({wire}, self[.{name}], self.{name})\n")
    };
    let basis = if map.has_basis { "self.basis" } else { "nil" };
    let basis = format!("    var meaning: String? {{ {basis} }}\n\n");
    extension(ir, &map.name, "NumberMap", &basis, &map.keys, name)
}

/// A map of series.
pub(super) fn series(ir: &Ir, map: &SeriesMap) -> String {
    let name = |value: &OpenValue| {
        let name = swift::name(&value.name);
        format!("        found.name({}, self[.{name}])\n", literal(&value.wire))
    };
    extension(ir, &map.name, "SeriesMap", "", &map.keys, name)
}

fn extension(ir: &Ir, name: &str, protocol: &str, before: &str, keys: &str, known: impl Fn(&OpenValue) -> String) -> String {
    let values = ir.open_set(keys).map_or(&[][..], |set| &set.values);
    // Of a function that is deprecated itself Swift lets deprecated names pass.
    let deprecated = if values.iter().any(|value| value.docs.deprecated) {
        "    @available(*, deprecated, message: \"reads deprecated names too\")\n"
    } else {
        ""
    };
    let known: String = values.iter().map(known).collect();
    format!(
        "import Vitalwire\n\nextension {name}: {protocol} {{\n{before}{deprecated}    func known(_ found: inout {protocol}Reading) {{\n{known}    }}\n}}\n"
    )
}
