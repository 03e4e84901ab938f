//! The calls, as methods of one object; façades group them by resource.

use crate::ir::{Answer, Ir, Operation};
use crate::lang::rust::doc;

use super::answer_name;

/// The calls of one resource.
pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let mut text = format!("//! Calls of `{group}`.\n#![allow(unused_imports, reason = \"generated\")]\n\n");
    text.push_str("use std::fmt;\nuse std::sync::Arc;\n\nuse super::*;\nuse crate::call::{CallOptions, CancelToken, ResponseMeta, call};\nuse crate::client::NativeClient;\nuse crate::error::ApiError;\nuse crate::wait::{WaitOptions, wait};\n\n");
    let operations: Vec<&Operation> = ir.operations.iter().filter(|operation| operation.group == group).collect();
    for operation in &operations {
        let name = answer_name(operation);
        text.push_str(&format!(
            "/// Answer of `{}.{}`.\n#[derive(Clone, uniffi::Record)]\n#[uniffi::export(Debug)]\npub struct {name} {{\n",
            operation.group, operation.method
        ));
        if let Some(value) = value_type(operation) {
            text.push_str(&format!("/// The answer itself.\npub value: {value},\n"));
        }
        text.push_str("/// What is known of it besides.\npub meta: ResponseMeta,\n}\n\n");
        text.push_str(&format!("/// Shows the type's name, no values.\nimpl fmt::Debug for {name} {{\nfn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{ f.write_str(\"{name}(..)\") }}\n}}\n\n"));
    }
    text.push_str("#[uniffi::export(async_runtime = \"tokio\")]\nimpl NativeClient {\n");
    for operation in &operations {
        text.push_str(&doc(&operation.docs, &operation.id));
        let params = operation.type_name();
        let (argument, core) = if operation.params.is_empty() {
            (String::new(), format!("|| Ok(vitalwire::operations::{params}::new())"))
        } else {
            (format!("params: {params}, "), "|| params.into_core()".to_owned())
        };
        let answer = answer_name(operation);
        // Conversions are closures: they run inside the guard against panics.
        let convert = match &operation.answer {
            Answer::Nothing => format!("|(), meta| {answer} {{ meta }}"),
            Answer::Model(_) => format!("|value, meta| {answer} {{ value: value.into(), meta }}"),
            Answer::List(_) => format!("|value, meta| {answer} {{ value: value.into_iter().map(Into::into).collect(), meta }}"),
        };
        text.push_str(&format!(
            "pub async fn {group}_{method}(&self, {argument}options: CallOptions, cancel: Option<Arc<CancelToken>>) -> Result<{answer}, ApiError> {{\ncall(self.core(), {core}, options, cancel, {convert}).await\n}}\n\n",
            method = operation.method,
        ));
        if let Some(record) = ir.record_of(operation) {
            let (answer, method) = (answer_name(record), ir.wait_method(operation));
            text.push_str(&format!(
                "/// `{group}.{}`, and waits until its analysis has ended: the record as it is read at the end.\npub async fn {group}_{method}(&self, {argument}wait_options: WaitOptions, options: CallOptions, cancel: Option<Arc<CancelToken>>) -> Result<{answer}, ApiError> {{\nwait(self.core(), {core}, wait_options, options, cancel, |value, meta| {answer} {{ value: value.into(), meta }}).await\n}}\n\n",
                operation.method,
            ));
        }
    }
    text.push_str("}\n");
    text
}

fn value_type(operation: &Operation) -> Option<String> {
    match &operation.answer {
        Answer::Nothing => None,
        Answer::Model(name) => Some(name.clone()),
        Answer::List(name) => Some(format!("Vec<{name}>")),
    }
}
