//! What analyses are waited for: one record with a place for each, since an error may hold any of them.

use crate::ir::{Answer, Ir};
use crate::lang::rust;

/// The records, each once, in the order of the operations.
pub(in crate::emit) fn records(ir: &Ir) -> Vec<&str> {
    let mut records = Vec::new();
    for operation in &ir.operations {
        if let Some(Answer::Model(name)) = ir.record_of(operation).map(|record| &record.answer)
            && !records.contains(&name.as_str())
        {
            records.push(name.as_str());
        }
    }
    records
}

pub(super) fn emit(ir: &Ir) -> String {
    let records: Vec<(String, &str)> = records(ir).into_iter().map(|name| (rust::name(name), name)).collect();
    let mut text = String::from("//! Records that are waited for.\n\nuse std::fmt;\n\nuse vitalwire::models as core;\n\nuse super::*;\n\n");
    text.push_str("/// A record that was waited for: one of these is there.\n#[derive(Clone, Default, PartialEq, uniffi::Record)]\n#[uniffi::export(Debug)]\npub struct WaitedRecord {\n");
    for (field, name) in &records {
        text.push_str(&format!("/// As it was read last.\n#[uniffi(default = None)]\npub {field}: Option<{name}>,\n"));
    }
    text.push_str("}\n\n/// Shows the type's name, no values.\nimpl fmt::Debug for WaitedRecord {\nfn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(\"WaitedRecord(..)\") }\n}\n");
    for (field, name) in &records {
        text.push_str(&format!(
            "\nimpl From<core::{name}> for WaitedRecord {{\nfn from(core: core::{name}) -> Self {{ Self {{ {field}: Some(core.into()), ..Self::default() }} }}\n}}\n"
        ));
    }
    text
}
