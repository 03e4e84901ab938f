//! The example of a resource in Kotlin.

use serde_json::Value;

use super::record::property;
use super::spelling::{literal, name};
use crate::examples::{Call, SECRET, call_lines, calls, value_name};
use crate::ir::{Ir, Member, Model, Type};
use crate::naming::{camel, shouty, snake};
use crate::uniffi::mobile::argument;

/// Returns the lines of a resource's example. Empty if the resource has none.
pub(super) fn lines(ir: &Ir, group: &str) -> Vec<String> {
    calls(ir, group).iter().flat_map(|call| lines_of_call(ir, call)).collect()
}

fn lines_of_call(ir: &Ir, call: &Call<'_>) -> Vec<String> {
    let params = &call.operation.params;
    let named = |param| if call.arguments.len() > 1 { format!("{} = ", name(argument(params, param))) } else { String::new() };
    let arguments: Vec<String> =
        call.arguments.iter().map(|(param, value)| named(param) + &expression(ir, &param.member.ty, value)).collect();
    let variable = call.variable().map(|variable| name(&variable)).unwrap_or_default();
    let binding = if call.is_used { format!("val {variable} = ") } else { String::new() };
    let function = format!("{binding}client.{}.{}", camel(&call.operation.group), name(&call.operation.method));
    let rest = call.token.map(|(model, member)| format!(" {{ token = {}.{} }}", name(&snake(&model.name)), property(model, member)));
    let mut lines = match rest {
        Some(rest) if arguments.is_empty() => vec![function + &rest],
        rest => call_lines(&function, &arguments, &rest.unwrap_or_default()),
    };
    lines.extend(call.model.zip(call.shown).map(|(model, member)| match call.is_list() {
        true => format!("for ({0} in {variable}) println({1})", name(&snake(&model.name)), shown(model, member)),
        false if member.credential => format!("println({}) {SECRET}", shown(model, member)),
        false => format!("println({})", shown(model, member)),
    }));
    lines
}

/// Returns the expression to print for a field of a variable that is named after its model.
fn shown(model: &Model, member: &Member) -> String {
    let field = format!("{}.{}", name(&snake(&model.name)), property(model, member));
    let through = if member.required { "." } else { "?." };
    match &member.ty {
        _ if member.credential => format!("{field} != null"),
        Type::List(_) if member.required => format!("{field}.size"),
        Type::List(_) => format!("{field}.orEmpty().size"),
        Type::Open(_) => format!("{field}{through}text"),
        _ => field,
    }
}

fn expression(ir: &Ir, ty: &Type, value: &Value) -> String {
    let text = literal(value.as_str().unwrap_or_default());
    match ty {
        Type::Open(set) => value_name(ir, set, value).map_or_else(|| format!("{set}({text})"), |name| format!("{set}.{}", shouty(name))),
        Type::Date => format!("LocalDate.parse({text})"),
        Type::Timestamp => format!("Instant.parse({text})"),
        Type::List(item) => {
            let items = value.as_array().into_iter().flatten().map(|value| expression(ir, item, value));
            format!("listOf({})", items.collect::<Vec<_>>().join(", "))
        }
        _ if value.is_string() => text,
        _ => value.to_string(),
    }
}
