//! How the IR's types are written in the core.

use crate::ir::{Ir, Type};
use crate::lang::rust::doc;

use super::models;

/// Whether it is written as doubles, which have a form of their own in JSON.
pub(super) fn is_numeric(ty: &Type) -> bool {
    match ty {
        Type::List(item) => **item == Type::Number,
        ty => *ty == Type::Number,
    }
}

/// What generated files may use; unused ones are allowed there.
pub(super) const IMPORTS: &str = "use crate::generated::{models::*, open_sets::*};\nuse vitalwire_runtime::value::{Base64, Date, Extra, Id, Json, ListMember, NumberMap, Number, OpenSet, Presence, SeriesMap, Timestamp};\n";

/// The number and series maps: aliases of the generic maps, with an accessor for each known name.
pub(super) fn maps(ir: &Ir) -> String {
    let mut text = String::from(
        "//! Wide objects of numbers, by the names of the specification.\n#![allow(deprecated, unused_imports, reason = \"generated\")]\n\n",
    );
    text.push_str("use crate::generated::open_sets::*;\nuse vitalwire_runtime::model::Model;\nuse vitalwire_runtime::operation::Interface;\nuse vitalwire_runtime::value::{Basis, NumberMap, SeriesMap, SetBasis, map_type, map_type_with_basis};\n\n");
    for map in &ir.number_maps {
        let made = if map.has_basis { "map_type_with_basis" } else { "map_type" };
        let about = doc(&map.docs, &map.name);
        text.push_str(&format!("{made}! {{\n{about}{}(NumberMap<{}>)\n}}\n\n", map.name, map.keys));
        text.push_str(&models::kept(&map.name, map.has_basis));
        text.push('\n');
        text.push_str(&format!("/// The known names as methods.\nimpl {} {{\n", map.name));
        for (index, value) in ir.open_set(&map.keys).into_iter().flat_map(|set| &set.values).enumerate() {
            text.push_str(&doc(&value.docs, &value.wire));
            if value.docs.deprecated {
                text.push_str("#[deprecated(note = \"deprecated by the service\")]\n");
            }
            text.push_str(&format!("#[must_use]\npub fn {}(&self) -> Option<f64> {{ self.at({index}) }}\n\n", value.name));
        }
        text.push_str("}\n\n");
    }
    for map in &ir.series_maps {
        let about = doc(&map.docs, &map.name);
        text.push_str(&format!("map_type! {{\n{about}{}(SeriesMap<{}>)\n}}\n\n", map.name, map.keys));
        text.push_str(&models::kept(&map.name, false));
        text.push('\n');
    }
    text
}
