//! Wide objects of numbers as canonical JSON, by each way in which users read them.

use crate::ir::{Ir, NumberMap, SeriesMap};
use crate::lang::{camel, kotlin, shouty};

use super::{HEADER, literal, names};

/// A map of numbers: its map, and for each known name its constant and its property.
pub(super) fn numbers(ir: &Ir, map: &NumberMap) -> String {
    let name = &map.name;
    let basis = if map.has_basis { "    reading.bases += map.basis\n" } else { "" };
    let mut text = format!(
        "@file:Suppress(\"DEPRECATION\")\n\n{HEADER}/** [{name}] as canonical JSON. */\ninternal fun {}(map: {name}, reading: Reading): JsonElement {{\n{basis}    return Canonical.numbers(map, map.values, map.extra, known, reading)\n}}\n\n",
        camel(name)
    );
    text.push_str(&format!("private val known = listOf<Known<{name}>>(\n"));
    for value in ir.open_set(&map.keys).into_iter().flat_map(|set| &set.values) {
        text.push_str(&format!(
            "    Known({}, {{ it[{}.{}] }}, {{ it.{} }}),\n",
            literal(&value.wire),
            map.keys,
            shouty(&value.name),
            kotlin::name(&value.name)
        ));
    }
    text.push_str(")\n");
    text
}

/// A map of series: its map, and each series by the constant of its name.
pub(super) fn series(map: &SeriesMap) -> String {
    let (name, keys) = (&map.name, &map.keys);
    format!(
        "{HEADER}/** [{name}] as canonical JSON. */\ninternal fun {}(map: {name}, reading: Reading): JsonElement =\n    Canonical.allSeries(map, map.series, map.extra, {{ map[{}[it] ?: {keys}(it)] }}, reading)\n",
        camel(name),
        names(keys)
    )
}
