//! Every declared member name, sorted: an error's place shows these and nothing else.

use std::collections::BTreeSet;

use crate::ir::Ir;
use crate::lang::rust::literal;

pub(super) fn emit(ir: &Ir) -> String {
    let mut names: BTreeSet<&str> = ir.models.iter().flat_map(|model| &model.members).map(|member| member.wire.as_str()).collect();
    for keys in ir.number_maps.iter().map(|map| &map.keys).chain(ir.series_maps.iter().map(|map| &map.keys)) {
        names.extend(ir.open_set(keys).into_iter().flat_map(|set| &set.values).map(|value| value.wire.as_str()));
    }
    let mut text = String::from(
        "//! Names that the specifications declare.\n\n/// Every member name, sorted.\npub(crate) const MEMBERS: &[&str] = &[\n",
    );
    for name in names {
        text.push_str(&format!("{},\n", literal(name)));
    }
    text.push_str("];\n");
    text
}
