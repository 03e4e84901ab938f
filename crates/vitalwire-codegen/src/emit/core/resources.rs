//! What users write: `client.sleeps().get(id).include_stages(true).await`.

use crate::ir::{Ir, Operation};
use crate::lang::pascal;
use crate::lang::rust::doc;

use super::operations::{given, required_signature, rust_name};
use super::types::IMPORTS;

/// One resource.
pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let name = pascal(group);
    let mut text =
        format!("//! Calls of `{group}`.\n#![allow(deprecated, unused_imports, clippy::too_many_arguments, reason = \"generated\")]\n\n");
    text.push_str(IMPORTS);
    text.push_str(
        "use crate::generated::client::{Call, Client};\nuse crate::generated::operations::*;\nuse vitalwire_runtime::wait::Wait;\n\n",
    );
    text.push_str(&format!(
        "/// Calls of `{group}`; made by [`Client::{group}`].\n#[derive(Clone, Debug)]\npub struct {name} {{\npub(crate) client: Client,\n}}\n\n"
    ));
    text.push_str(&format!("impl {name} {{\npub(crate) fn new(client: &Client) -> Self {{\nSelf {{ client: client.clone() }}\n}}\n\n"));
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        text.push_str(&doc(&operation.docs, &operation.id));
        let arguments: Vec<String> = operation.params.iter().filter(|param| param.member.required).map(rust_name).collect();
        text.push_str(&format!(
            "#[must_use = \"a call is made when it is awaited or sent\"]\npub fn {}(&self, {}) -> Call<{ty}> {{\nCall::new(&self.client, {ty}::new({}))\n}}\n\n",
            operation.method,
            required_signature(operation),
            arguments.join(", "),
            ty = operation.type_name(),
        ));
        if ir.is_read_by_id(operation) {
            text.push_str(&wait_for(operation));
        }
    }
    text.push_str("}\n\n");
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        setters(&mut text, operation);
    }
    text
}

/// Waiting for a record whose analysis was started elsewhere.
fn wait_for(operation: &Operation) -> String {
    let arguments: Vec<String> = operation.params.iter().map(rust_name).collect();
    format!(
        "/// Waits until the record's analysis has ended: [`Call::and_wait`] of [`Self::{method}`].\npub fn wait_for(&self, {}) -> Wait<{}> {{\nself.{method}({}).and_wait()\n}}\n\n",
        required_signature(operation),
        operation.type_name(),
        arguments.join(", "),
        method = operation.method,
    )
}

fn setters(text: &mut String, operation: &Operation) {
    let optional: Vec<_> = operation.params.iter().filter(|param| !param.member.required).collect();
    if optional.is_empty() {
        return;
    }
    text.push_str(&format!("impl Call<{}> {{\n", operation.type_name()));
    for param in optional {
        let field = rust_name(param);
        text.push_str(&doc(&param.member.docs, &param.member.wire));
        text.push_str(&format!(
            "#[must_use = \"a call is made when it is awaited or sent\"]\npub fn {field}(self, {field}: {}) -> Self {{\nself.with(|parameters| parameters.{field}({field}))\n}}\n\n",
            given(param).0
        ));
    }
    text.push_str("}\n\n");
}
