//! The facts the transport needs of every operation.

use crate::ir::{Ir, Operation, Place, Retry, Type};
use crate::lang::rust::literal;
use crate::lang::shouty;

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from(
        "//! Facts of every operation.\n\nuse vitalwire_runtime::operation::{DeadlineClass, OperationMeta, RetryClass};\n\nuse crate::generated::client::INTERFACE;\n\n",
    );
    for operation in &ir.operations {
        text.push_str(&one(ir, operation));
    }
    let all: String = ir.operations.iter().map(|operation| format!("&{},", shouty(&operation.id))).collect();
    text.push_str(&format!(
        "/// The facts of every operation, in the order of the specifications.\npub static OPERATIONS: &[&OperationMeta] = &[{all}];\n"
    ));
    text
}

fn one(ir: &Ir, operation: &Operation) -> String {
    let retry = match operation.retry {
        Retry::Safe => "Safe",
        Retry::Idempotent => "Idempotent",
        Retry::Once => "Once",
    };
    let success: Vec<String> = operation.success.iter().map(u16::to_string).collect();
    let lists: Vec<String> = operation
        .params_in(Place::Query)
        .filter(|param| matches!(param.member.ty, Type::List(_)))
        .map(|param| literal(&param.member.wire))
        .collect();
    let max = operation.max_request_bytes.map_or_else(|| "None".to_owned(), |bytes| format!("Some({bytes})"));
    format!(
        "/// `{id}`.\npub(crate) static {constant}: OperationMeta = OperationMeta {{\nid: {id:?},\ngroup: {group:?},\nmethod_name: {method:?},\nservice: &INTERFACE.services[{service}],\nhttp_method: {http:?},\npath: {path:?},\nauthenticated: {authenticated},\nretry: RetryClass::{retry},\ndeadline: DeadlineClass::{deadline},\nsuccess: &[{success}],\nmax_request_bytes: {max},\narray_params: &[{lists}],\ninterface: &INTERFACE,\n}};\n\n",
        id = operation.id,
        constant = shouty(&operation.id),
        group = operation.group,
        method = operation.method,
        service = ir.services.iter().position(|service| service.name == operation.service).unwrap_or_default(),
        http = operation.http,
        path = operation.path,
        authenticated = operation.authenticated,
        deadline = if operation.long { "Long" } else { "Short" },
        success = success.join(", "),
        lists = lists.join(", "),
    )
}
