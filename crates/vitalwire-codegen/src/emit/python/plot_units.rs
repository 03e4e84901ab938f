//! Units by name, for what shows numbers: the pictures of `vitalwire.plot`.

use crate::emit::File;
use crate::ir::Ir;
use crate::lang::shouty;

use super::PACKAGE;
use super::constants::sorted;
use crate::lang::python::literal;

pub(super) fn emit(ir: &Ir) -> File {
    let mut text = String::from(
        "\"\"\"Units of numbers by their names. A name that is not here has no known unit.\"\"\"\n\nfrom __future__ import annotations\n",
    );
    for set in sorted(ir) {
        let mut units = set.values.iter().filter_map(|value| Some((&value.wire, value.docs.unit.as_ref()?))).peekable();
        if units.peek().is_none() {
            continue;
        }
        text.push_str(&format!("\n#: Of `{}`.\n{}: dict[str, str] = {{\n", set.name, shouty(&set.name)));
        for (name, unit) in units {
            text.push_str(&format!("    {}: {},\n", literal(name), literal(unit)));
        }
        text.push_str("}\n");
    }
    File::new(format!("{PACKAGE}/plot/_units.py"), text)
}
