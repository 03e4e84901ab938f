//! Number and series maps as canonical JSON: what is read by place, beside what is read by name.

use super::outcomes::INCLUDE;
use super::{outcome, signature};
use crate::ir::{Ir, NumberMap, SeriesMap};
use crate::lang::c as names;
use crate::lang::rust::literal;

/// A map of numbers. Where the numbers got by place, by name and by the function of a known name differ, they show.
pub(super) fn numbers(ir: &Ir, map: &NumberMap) -> String {
    let of = names::object(&map.name);
    let mut text =
        format!("{INCLUDE}static const struct {{\n  const char *name;\n  bool (*get)(const {of} *of, double *value);\n}} known[] = {{\n");
    for value in ir.open_set(&map.keys).into_iter().flat_map(|set| &set.values) {
        text.push_str(&format!("  {{{}, {of}_{}}},\n", literal(&value.wire), value.name));
    }
    text.push_str(&format!("}};\n\n{} {{\n", signature(&outcome(&map.name), &of)));
    if map.has_basis {
        text.push_str(&format!("  basis_is(out, {of}_basis(of));\n"));
    }
    text.push_str(&format!(
        r"  json_open(out, '{{');
  for (size_t i = 0; i < {of}_count(of); i++) {{
    vitalwire_str name;
    double one, other;
    if (!{of}_at(of, i, &name, &one)) break;
    json_name_of(out, name);
    agreed(out, &one, {of}_get(of, name, &other) ? &other : NULL);
  }}
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {{
    double one, other;
    const bool first = known[i].get(of, &one);
    const bool second = {of}_get(of, vitalwire_str_from(known[i].name), &other);
    if (first == second && (!first || one == other)) continue;
    json_name(out, known[i].name);
    agreed(out, first ? &one : NULL, second ? &other : NULL);
  }}
"
    ));
    text.push_str(&end(&of));
    text
}

/// A map of series.
pub(super) fn series(map: &SeriesMap) -> String {
    let of = names::object(&map.name);
    let mut text = format!("{INCLUDE}{} {{\n", signature(&outcome(&map.name), &of));
    text.push_str(&format!(
        r"  json_open(out, '{{');
  for (size_t i = 0; i < {of}_count(of); i++) {{
    vitalwire_str name;
    vitalwire_numbers series;
    if (!{of}_at(of, i, &name, &series)) break;
    json_name_of(out, name);
    agreed_series(out, series, {of}_get(of, name));
  }}
"
    ));
    text.push_str(&end(&of));
    text
}

fn end(of: &str) -> String {
    format!("  json_members(out, {of}_extra(of));\n  json_close(out, '}}');\n}}\n")
}
