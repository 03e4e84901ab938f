//! Answers as canonical JSON: one function for each object, property by property.

use crate::ir::{Ir, Model};
use crate::lang::{camel, kotlin};

use super::{HEADER, form, literal};

/// One object.
pub(super) fn emit(model: &Model) -> String {
    let name = &model.name;
    let mut text = format!(
        "{HEADER}/** [{name}] as canonical JSON. */\ninternal fun {}(record: {name}, reading: Reading): JsonElement {{\n    val members = Members(record, reading)\n",
        camel(name)
    );
    for member in &model.members {
        let (wire, form) = (literal(&member.wire), form(&member.ty));
        let value = format!("record.{}", kotlin::name(&member.name));
        text.push_str(&if member.keeps_null() {
            format!("    members.list({wire}, {value}, {wire} in record.nullMembers, {form})\n")
        } else {
            let put = if member.required { "required" } else { "optional" };
            format!("    members.{put}({wire}, {value}, {form})\n")
        });
    }
    text.push_str("    return members.finish(record.extra)\n}\n");
    text
}

/// The record that an error holds where waiting ended without a result.
pub(super) fn waited(ir: &Ir) -> String {
    let mut text = format!(
        "{HEADER}/** [WaitedRecord] as canonical JSON: the one record that it holds. */\ninternal fun waitedRecord(waited: WaitedRecord, reading: Reading): JsonElement = listOfNotNull(\n"
    );
    for name in ir.waited_records() {
        text.push_str(&format!("    waited.{}?.let {{ {}(it, reading) }},\n", kotlin::name(name), camel(name)));
    }
    text.push_str(").single()\n");
    text
}
