//! Answers as canonical JSON: one function per object and list.

use super::{outcome, plain, signature, written};
use crate::ir::{Answer, Ir, Member, Model, Type};
use crate::lang::c as names;
use crate::lang::rust::literal;
use crate::lang::snake;

/// What every file of outcomes includes.
pub(super) const INCLUDE: &str = "#include \"../../outcome.h\"\n\n";

/// The declarations of all outcomes.
pub(super) fn header(ir: &Ir) -> String {
    let mut text = String::from("// Objects as canonical JSON, by the accessors that users call.\n\n");
    text.push_str("#ifndef GENERATED_OUTCOMES_H\n#define GENERATED_OUTCOMES_H\n\n#include \"../json.h\"\n\n");
    for (function, of) in written(ir) {
        text.push_str(&format!("{};\n", signature(&function, &of)));
    }
    text.push_str("\n#endif\n");
    text
}

/// The objects that calls answer lists of.
pub(super) fn lists(ir: &Ir) -> Vec<&str> {
    let answers = ir.operations.iter().map(|operation| &operation.answer);
    let mut items: Vec<&str> =
        answers.filter_map(|answer| if let Answer::List(item) = answer { Some(item.as_str()) } else { None }).collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// A list that a call answers.
pub(super) fn list(item: &str) -> String {
    let of = names::list(item);
    format!(
        "{INCLUDE}{} {{\n  json_open(out, '[');\n  for (size_t i = 0; i < {of}_count(of); i++) {}(out, {of}_at(of, i));\n  json_close(out, ']');\n}}\n",
        signature(&format!("{}_list", outcome(item)), &of),
        outcome(item),
    )
}

/// One object, member by member.
pub(super) fn model(model: &Model) -> String {
    let of = names::object(&model.name);
    let mut text = format!("{INCLUDE}{} {{\n  json_open(out, '{{');\n", signature(&outcome(&model.name), &of));
    for of_model in &model.members {
        member(&mut text, &of, of_model);
    }
    text.push_str(&format!("  json_members(out, {of}_extra(of));\n  json_close(out, '}}');\n}}\n"));
    text
}

fn member(text: &mut String, of: &str, member: &Member) {
    let accessor = format!("{of}_{}", snake(&member.name));
    let wire = literal(&member.wire);
    if let Type::List(item) = &member.ty {
        list_member(text, member, item, &accessor, &wire);
        return;
    }
    text.push_str(&match (&member.ty, plain(&member.ty)) {
        (_, Some((kind, ty))) => format!("  PLAIN({kind}, {ty}, {accessor}, {wire});\n"),
        (Type::Model(target) | Type::Numbers(target) | Type::Series(target), _) => {
            format!("  CHILD({}, {accessor}, {wire});\n", outcome(target))
        }
        (Type::Json, _) => format!("  ANY({accessor}, {wire});\n"),
        _ => format!("  TEXT({accessor}, {wire});\n"),
    });
}

fn list_member(text: &mut String, member: &Member, item: &Type, accessor: &str, wire: &str) {
    // A required list is one, whatever was sent.
    let presence = if member.required { "VITALWIRE_PRESENCE_LIST".to_owned() } else { format!("{accessor}_presence(of)") };
    text.push_str(&format!("  if (list_begins(out, {wire}, {presence})) {{\n"));
    if *item == Type::Number {
        text.push_str(&format!("    list_numbers(out, {accessor}(of));\n"));
    } else {
        let one = match (item, plain(item)) {
            (_, Some((kind, ty))) => {
                format!("{{\n      {ty} value;\n      if ({accessor}_at(of, i, &value)) json_{kind}(out, value);\n    }}")
            }
            (Type::Model(target) | Type::Numbers(target) | Type::Series(target), _) => {
                format!("{}(out, {accessor}_at(of, i));", outcome(target))
            }
            (Type::Json | Type::List(_), _) => format!("json_copy(out, {accessor}_at(of, i));"),
            _ => format!("json_text(out, {accessor}_at(of, i));"),
        };
        text.push_str(&format!("    for (size_t i = 0; i < {accessor}_count(of); i++) {one}\n"));
    }
    text.push_str("    json_close(out, ']');\n  }\n");
}
