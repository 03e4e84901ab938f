//! Units of the names in number and series maps.

use crate::ir::Ir;
use crate::lang::rust::literal;

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from(
        "//! Units of the names in maps.\n\n/// The unit of a name in a map, which has its name in the specification.\npub(crate) fn unit(map: &str, name: &str) -> Option<&'static str> {\nSome(match map {\n",
    );
    let maps = ir.number_maps.iter().map(|map| (&map.name, &map.keys)).chain(ir.series_maps.iter().map(|map| (&map.name, &map.keys)));
    let mut sets: Vec<(&String, Vec<String>)> = Vec::new();
    for (map, keys) in maps {
        match sets.iter_mut().find(|(set, _)| *set == keys) {
            Some((_, maps)) => maps.push(literal(map)),
            None => sets.push((keys, vec![literal(map)])),
        }
    }
    for (keys, maps) in sets {
        text.push_str(&format!("{} => match name {{\n", maps.join(" | ")));
        let values: Vec<(&str, String)> = ir
            .open_set(keys)
            .into_iter()
            .flat_map(|set| &set.values)
            .filter_map(|value| Some((value.docs.unit.as_deref()?, literal(&value.wire))))
            .collect();
        let mut units: Vec<&str> = values.iter().map(|(unit, _)| *unit).collect();
        units.sort_unstable();
        units.dedup();
        for unit in units {
            let names: Vec<&str> = values.iter().filter(|(of, _)| *of == unit).map(|(_, name)| name.as_str()).collect();
            text.push_str(&format!("{} => {},\n", names.join(" | "), literal(unit)));
        }
        text.push_str("_ => return None,\n},\n");
    }
    text.push_str("_ => return None,\n})\n}\n");
    text
}
