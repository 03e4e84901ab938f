//! What analyses are waited for: one enum over the records, since an error may hold any of them.

use crate::codegen::emit::core::waits;
use crate::codegen::ir::{Answer, Ir};

/// The records, each once, in the order of the operations.
pub(in crate::codegen::emit) fn records(ir: &Ir) -> Vec<&str> {
    let mut records = Vec::new();
    for operation in &ir.operations {
        if let Some(Answer::Model(name)) = waits::record_of(ir, operation).map(|record| &record.answer)
            && !records.contains(&name.as_str())
        {
            records.push(name.as_str());
        }
    }
    records
}

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from("//! Records that are waited for.\n\nuse std::fmt;\n\nuse vitalwire::models as core;\n\nuse super::*;\n\n");
    text.push_str(
        "/// A record that was waited for.\n#[derive(Clone, PartialEq, uniffi::Enum)]\n#[uniffi::export(Debug)]\npub enum WaitedRecord {\n",
    );
    for name in records(ir) {
        text.push_str(&format!("/// `{name}`.\n{name} {{\n/// The record as it was read last.\nrecord: Box<{name}>,\n}},\n"));
    }
    text.push_str("}\n\n/// Shows the type's name, no values.\nimpl fmt::Debug for WaitedRecord {\nfn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(\"WaitedRecord(..)\") }\n}\n");
    for name in records(ir) {
        text.push_str(&format!(
            "\nimpl From<core::{name}> for WaitedRecord {{\nfn from(core: core::{name}) -> Self {{ Self::{name} {{ record: Box::new(core.into()) }} }}\n}}\n"
        ));
    }
    text
}
