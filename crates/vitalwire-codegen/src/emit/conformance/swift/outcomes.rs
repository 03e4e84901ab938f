//! Answers as canonical JSON: one extension for each record, property by property.

use crate::ir::{Ir, Member, Model, Type};
use crate::lang::rust::literal;
use crate::lang::swift;

/// One record.
pub(super) fn model(model: &Model) -> String {
    let mut text = format!(
        "import Vitalwire\n\nextension {}: Canonical {{\n    func canonical(_ reading: Reading) -> JSON {{\n        var members = Members(reading, of: self)\n",
        model.name
    );
    for member in &model.members {
        text.push_str(&put(member));
    }
    text.push_str("        return members.finish(self.extra)\n    }\n}\n");
    text
}

fn put(member: &Member) -> String {
    let (wire, property) = (literal(&member.wire), format!("self.{}", swift::name(&member.name)));
    let value = plain(&member.ty, &property, !member.required);
    match (&member.ty, member.required) {
        (_, true) => format!("        members.required({wire}, {value})\n"),
        (Type::List(_), false) => format!("        members.list({wire}, {value}, null: self.nullMembers.contains({wire}))\n"),
        (_, false) => format!("        members.optional({wire}, {value})\n"),
    }
}

/// What stands for a property's value: JSON text is told from other text.
fn plain(ty: &Type, value: &str, optional: bool) -> String {
    let inside = match ty {
        Type::Json => "Plain(text: $0)".to_owned(),
        Type::List(item) if **item == Type::Json => "$0.map { Plain(text: $0) }".to_owned(),
        _ => return value.to_owned(),
    };
    if optional { format!("{value}.map {{ {inside} }}") } else { inside.replacen("$0", value, 1) }
}

/// The names of the kinds of error, which are an enum in Swift.
pub(super) fn kinds(ir: &Ir) -> String {
    let mut text = String::from(
        "import Vitalwire\n\n/// A kind's name, the same in every language.\nfunc name(of kind: ErrorKind) -> String {\n    switch kind {\n",
    );
    for kind in &ir.error_kinds {
        text.push_str(&format!("    case .{}: {}\n", swift::name(&kind.name), literal(&kind.name)));
    }
    text.push_str("    }\n}\n");
    text
}

/// The record that an error holds where waiting ended without a result.
pub(super) fn waited(ir: &Ir) -> String {
    let mut text =
        String::from("import Vitalwire\n\nextension WaitedRecord: Canonical {\n    func canonical(_ reading: Reading) -> JSON {\n");
    for name in ir.waited_records() {
        let property = swift::name(name);
        text.push_str(&format!("        if let record = self.{property} {{ return record.canonical(reading) }}\n"));
    }
    text.push_str("        return .null\n    }\n}\n");
    text
}

/// Open sets are given and read as their texts.
pub(super) fn open_sets(ir: &Ir) -> String {
    let mut text = String::from("import Vitalwire\n\n");
    for set in &ir.open_sets {
        text.push_str(&format!("extension {}: Canonical, Given {{}}\n", set.name));
    }
    text
}
