//! Calls over a range of time: how its bounds are set, and how the answers to its parts are merged.

use crate::ir::{Answer, Ir, Member, Operation, Param, Range, RangeKind, Type, range_item};
use crate::lang::rust;
use crate::lang::rust::literal;

use super::operations::rust_name;

/// Writes the implementation for an operation that has a range; nothing for others.
pub(super) fn emit(text: &mut String, ir: &Ir, operation: &Operation) {
    let Some(range) = &operation.range else { return };
    let Some(item) = range_item(ir, operation, range) else { return };
    let Some(key) = item.members.iter().find(|member| member.wire == range.key) else { return };
    let param = |wire: &str| operation.params.iter().find(|param| param.member.wire == wire);
    let (Some(from), Some(to)) = (param(&range.from), param(&range.to)) else { return };
    let bound = rust::ty(&range.kind.bound());
    let kind = match range.kind {
        RangeKind::Dates => "DateRange",
        RangeKind::Instants => "InstantRange",
    };
    let output = match &operation.answer {
        Answer::Nothing => return,
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("Vec<{name}>"),
    };
    text.push_str(&format!("impl RangeOperation for {} {{\n", operation.type_name()));
    text.push_str(&format!("type Range = {kind};\ntype Item = {};\ntype Key = {};\n\n", item.name, rust::ty(&key.ty)));
    text.push_str(&format!("const BOUNDS: [&'static str; 2] = [{}, {}];\n\n", literal(&range.from), literal(&range.to)));
    text.push_str(&format!(
        "fn bounds(&self) -> [Option<{bound}>; 2] {{\n[{}, {}]\n}}\n\n",
        optional(&format!("self.{}", rust_name(from)), from.member.required),
        optional(&format!("self.{}", rust_name(to)), to.member.required)
    ));
    text.push_str(&format!(
        "fn set_bounds(&mut self, from: {bound}, to: {bound}) {{\nself.{} = {};\nself.{} = {};\n}}\n\n",
        rust_name(from),
        assigned("from", from.member.required),
        rust_name(to),
        assigned("to", to.member.required)
    ));
    others(text, operation, range);
    let items = range.items.as_ref().and_then(|items| answer_member(ir, operation, items));
    let items = items.map_or_else(|| "output".to_owned(), |member| format!("&mut output.{}", field(member)));
    text.push_str(&format!("fn items(output: &mut {output}) -> &mut Vec<{}> {{\n{items}\n}}\n\n", item.name));
    text.push_str(&format!("fn set_answer_bounds(output: &mut {output}, from: {bound}, to: {bound}) {{\n"));
    for (wire, value) in [(&range.from, "from"), (&range.to, "to")] {
        if let Some(member) = answer_member(ir, operation, wire).filter(|member| member.ty == range.kind.bound()) {
            text.push_str(&format!("output.{} = {};\n", field(member), assigned(value, member.required)));
        }
    }
    text.push_str("}\n\n");
    let value = format!("item.{}{}", field(key), if matches!(key.ty, Type::Date | Type::Timestamp) { "" } else { ".clone()" });
    text.push_str(&format!(
        "fn key(item: &{}) -> Option<{}> {{\n{}\n}}\n}}\n\n",
        item.name,
        rust::ty(&key.ty),
        optional(&value, key.required)
    ));
}

/// Every parameter but the bounds, so that two calls can be told apart.
fn others(text: &mut String, operation: &Operation, range: &Range) {
    text.push_str("fn others(&self, hash: &mut Fingerprint) {\n");
    let other = |param: &&Param| param.member.wire != range.from && param.member.wire != range.to;
    for param in operation.params.iter().filter(other) {
        text.push_str(&format!("hash.add({}, &self.{});\n", literal(&param.member.wire), rust_name(param)));
    }
    text.push_str("}\n\n");
}

/// A member of the answer, where the answer is an object.
fn answer_member<'a>(ir: &'a Ir, operation: &Operation, wire: &str) -> Option<&'a Member> {
    let Answer::Model(name) = &operation.answer else { return None };
    ir.model(name)?.members.iter().find(|member| member.wire == wire)
}

fn field(member: &Member) -> String {
    rust::name(&member.name)
}

/// A field's value as an `Option`.
fn optional(value: &str, required: bool) -> String {
    if required { format!("Some({value})") } else { value.to_owned() }
}

/// A value as the field takes it.
fn assigned(value: &str, required: bool) -> String {
    optional(value, !required)
}
