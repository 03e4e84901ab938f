//! The example of a resource in Python.

use serde_json::Value;

use super::methods::arguments::partition_parameters;
use super::spelling::{literal, python_name};
use crate::examples::{Call, SECRET, call_lines, calls, value};
use crate::ir::{Ir, Member, Model, Param, Type};
use crate::naming::snake;

/// Returns the lines of a resource's example. Empty if the resource has none.
pub(super) fn lines(ir: &Ir, group: &str) -> Vec<String> {
    calls(ir, group).iter().flat_map(|call| lines_of_call(ir, call)).collect()
}

fn lines_of_call(ir: &Ir, call: &Call<'_>) -> Vec<String> {
    let operation = call.operation;
    // Optional bounds before a required parameter are positional, too.
    let (mut positional, _) = partition_parameters(ir, operation);
    positional.truncate(positional.iter().rposition(|param| param.member.required).map_or(0, |last| last + 1));
    let value_of =
        |param: &Param| value(ir, operation, param, &param.member.ty).map_or_else(|| "None".to_owned(), |value| expression(&value));
    let named = |param: &Param| if positional.len() > 1 { format!("{}=", python_name(&param.member.name)) } else { String::new() };
    let mut arguments: Vec<String> = positional.iter().map(|param| named(param) + &value_of(param)).collect();
    arguments.extend(call.token.map(|(model, member)| format!("token={}", field(model, member))));
    let variable = call.model.map(|model| python_name(&snake(&model.name))).unwrap_or_default();
    let (start, end) = match (call.is_used, call.is_list()) {
        (false, _) => (String::new(), ""),
        (true, true) => (format!("for {variable} in "), ":"),
        (true, false) => (format!("{variable} = "), ""),
    };
    let function = format!("{start}client.{}.{}", python_name(&operation.group), python_name(&operation.method));
    let mut lines = call_lines(&function, &arguments, end);
    let margin = if call.is_list() { "    " } else { "" };
    lines.extend(call.model.zip(call.shown).map(|(model, member)| margin.to_owned() + &shown(model, member)));
    lines
}

/// Returns a field of a variable that is named after its model.
fn field(model: &Model, member: &Member) -> String {
    format!("{}.{}", python_name(&snake(&model.name)), python_name(&member.name))
}

fn shown(model: &Model, member: &Member) -> String {
    let field = field(model, member);
    match &member.ty {
        _ if member.credential => format!("print({field} is not None)  {}", SECRET.replace("//", "#")),
        Type::List(_) if member.required => format!("print(len({field}))"),
        Type::List(_) => format!("print(len({field} or []))"),
        _ => format!("print({field})"),
    }
}

fn expression(value: &Value) -> String {
    match value {
        Value::String(text) => literal(text),
        Value::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(expression).collect::<Vec<_>>().join(", ")),
        _ => value.to_string(),
    }
}
