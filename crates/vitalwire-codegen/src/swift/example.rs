//! The example of a resource in Swift.

use serde_json::Value;

use super::spelling::{name, plain};
use crate::examples::{Call, SECRET, call_lines, calls, value_name};
use crate::ir::{Ir, Member, Model, Type};
use crate::naming::snake;
use crate::uniffi::mobile::{argument, is_only_path_param};

/// Returns the lines of a resource's example. Empty if the resource has none.
pub(super) fn lines(ir: &Ir, group: &str) -> Vec<String> {
    calls(ir, group).iter().flat_map(|call| lines_of_call(ir, call)).collect()
}

fn lines_of_call(ir: &Ir, call: &Call<'_>) -> Vec<String> {
    let params = &call.operation.params;
    let (mut arguments, mut days) = (Vec::new(), Vec::new());
    for (param, value) in &call.arguments {
        let label = if is_only_path_param(params, param) { String::new() } else { format!("{}: ", plain(argument(params, param))) };
        if param.member.ty == Type::Date {
            days.push(format!("let {} = CalendarDate({value})", name(argument(params, param))));
            arguments.push(label + &name(argument(params, param)));
        } else {
            arguments.push(label + &expression(ir, &param.member.ty, value));
        }
    }
    let token = call.token.map(|(model, member)| format!("{}.{}", name(&snake(&model.name)), name(&member.name)));
    arguments.extend(token.map(|token| format!("options: CallOptions(token: {token})")));
    let variable = call.variable().map(|variable| name(&variable)).unwrap_or_default();
    let binding = match (call.is_used, call.model) {
        (true, _) => format!("let {variable} = "),
        (false, Some(_)) => "_ = ".to_owned(),
        (false, None) => String::new(),
    };
    let function = format!("{binding}try await client.{}.{}", name(&call.operation.group), name(&call.operation.method));
    let guard = (!days.is_empty()).then(|| format!("guard {} else {{ return }}", days.join(", ")));
    let mut lines: Vec<String> = guard.into_iter().chain(call_lines(&function, &arguments, "")).collect();
    if let Some((model, member)) = call.model.zip(call.shown) {
        match call.is_list() {
            true => lines.extend([
                format!("for {} in {variable} {{", name(&snake(&model.name))),
                format!("    {}", shown(model, member)),
                "}".to_owned(),
            ]),
            false => lines.push(shown(model, member)),
        }
    }
    lines
}

/// Returns the statement that prints a field of a variable that is named after its model.
fn shown(model: &Model, member: &Member) -> String {
    let (variable, property) = (name(&snake(&model.name)), name(&member.name));
    match (&member.ty, member.required) {
        _ if member.credential => format!("print({variable}.{property} != nil) {SECRET}"),
        (Type::List(_), true) => format!("print({variable}.{property}.count)"),
        (Type::List(_), false) => format!("print({variable}.{property}?.count ?? 0)"),
        (Type::Open(_), true) => format!("print({variable}.{property}.rawValue)"),
        (Type::Open(_), false) => format!("if let {property} = {variable}.{property} {{ print({property}.rawValue) }}"),
        (_, true) => format!("print({variable}.{property})"),
        (_, false) => format!("if let {property} = {variable}.{property} {{ print({property}) }}"),
    }
}

fn expression(ir: &Ir, ty: &Type, value: &Value) -> String {
    match ty {
        Type::Open(set) => value_name(ir, set, value).map_or_else(|| value.to_string(), |known| format!(".{}", plain(known))),
        Type::Timestamp => ".now".to_owned(),
        Type::List(item) => {
            let items = value.as_array().into_iter().flatten().map(|value| expression(ir, item, value));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}
