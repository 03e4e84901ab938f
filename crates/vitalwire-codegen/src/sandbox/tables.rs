//! Tables of operations, open sets, and parameters with restricted names.

use serde_json::{Value, json};

use crate::ir::{Ir, Operation};
use crate::naming::shouty;
use crate::resolved::example;
use crate::spec::{SERVICES, Sources};

/// Returns the template values of `OPERATIONS`, in the order of the specifications.
pub(super) fn operations(ir: &Ir, sources: &Sources) -> Value {
    let operation = |operation: &Operation| {
        json!({
            "id": operation.id,
            "http": operation.http,
            "template": template(operation),
            "service": operation.service,
            "authenticated": operation.authenticated,
            "status": operation.success.first().copied().unwrap_or(200),
            "example": example::for_operation(operation, sources),
        })
    };
    json!({ "operations": ir.operations.iter().map(operation).collect::<Vec<_>>() })
}

/// Returns the path in the sandbox. Paths of the first service have no prefix; others begin with the service's name.
fn template(operation: &Operation) -> String {
    let first = SERVICES[0].0;
    if operation.service == first { operation.path.clone() } else { format!("/{}{}", operation.service, operation.path) }
}

/// Returns the template values of one constant per open set, and per parameter with restricted names.
pub(super) fn names(ir: &Ir) -> Value {
    let sets = ir.open_sets.iter().map(|set| {
        let values: Vec<&str> = set.values.iter().map(|value| value.wire.as_str()).collect();
        json!({ "name": shouty(&set.name), "docs": format!("Known values of `{}`.", set.name), "values": values })
    });
    let listed = ir.operations.iter().flat_map(|operation| {
        operation.params.iter().filter(|param| !param.names.is_empty()).map(move |param| {
            let docs = format!("Names that `{}` of `{}` accepts.", param.member.wire, operation.id);
            json!({ "name": shouty(&format!("{}_{}", operation.id, param.member.name)), "docs": docs, "values": param.names })
        })
    });
    json!({ "constants": sets.chain(listed).collect::<Vec<_>>() })
}
