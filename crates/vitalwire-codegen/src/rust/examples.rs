//! Compiled examples in the documentation of each resource, showing its calls that read.

use serde_json::{Value, json};

use super::spelling::literal;
use crate::ir::{Ir, Operation, Param, RangeKind, ResponseType, Retry, Type};

/// Arguments of the example functions besides the client, with their types, in order.
const ARGUMENTS: [(&str, &str); 4] =
    [("days", "range::DateRange"), ("times", "range::InstantRange"), ("day", "value::Date"), ("at", "value::Timestamp")];

/// Returns the example of a resource. `None` if no call can be shown with literals. `package` is the crate's name.
pub(super) fn example(ir: &Ir, group: &str, package: &str) -> Option<Value> {
    let calls: Vec<&Operation> = ir.operations.iter().filter(|operation| operation.group == group).collect();
    let reads = |operation: &&&Operation| operation.retry == Retry::Safe;
    let operations: Vec<&Operation> = match calls.iter().filter(reads).count() {
        0 => calls,
        _ => calls.into_iter().filter(|operation| operation.retry == Retry::Safe).collect(),
    };
    let lines: Vec<String> = operations.into_iter().filter_map(|operation| call(ir, operation)).collect();
    let used = |word: &str| lines.iter().any(|line| line.split(|at: char| !at.is_alphanumeric() && at != '_').any(|part| part == word));
    let arguments: Vec<_> = ARGUMENTS.into_iter().filter(|(name, _)| used(name)).collect();
    (!lines.is_empty()).then(|| json!({ "root": package.replace('-', "_"), "arguments": arguments, "lines": lines }))
}

/// Returns a call with its required arguments and its range, even if the range is optional.
fn call(ir: &Ir, operation: &Operation) -> Option<String> {
    let range = operation.range.as_ref().map(|range| match range.kind {
        RangeKind::Dates => "days",
        RangeKind::Instants => "times",
    });
    let required = operation.required_range();
    let mut arguments: Vec<String> = required.and(range).map(str::to_owned).into_iter().collect();
    for param in operation.params.iter().filter(|param| param.member.required && !required.is_some_and(|range| range.is_bound(param))) {
        arguments.push(value(ir, param, &param.member.ty)?);
    }
    let bounds = match (range, required) {
        (Some(range), None) => format!(".range({range})"),
        _ => String::new(),
    };
    let binding = if matches!(operation.response, ResponseType::Nothing) { String::new() } else { format!("let {} = ", operation.method) };
    Some(format!("{binding}client.{}().{}({}){bounds}.await?;", operation.group, operation.method, arguments.join(", ")))
}

/// Returns an expression for a parameter. `None` if there is no short one.
fn value(ir: &Ir, param: &Param, ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Text | Type::Id => "\"…\"".to_owned(),
        Type::Boolean => "true".to_owned(),
        Type::Integer => "1".to_owned(),
        Type::Number => "1.0".to_owned(),
        Type::Date => "day".to_owned(),
        Type::Timestamp => "at".to_owned(),
        Type::Open(set) => literal(param.names.first().or_else(|| Some(&ir.open_set(set)?.values.first()?.wire))?),
        Type::List(item) => format!("[{}]", value(ir, param, item)?),
        Type::Bytes | Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => return None,
    })
}
