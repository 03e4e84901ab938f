//! The example of a resource in C++.

use serde_json::Value;

use super::spelling::plain;
use crate::c::example::{call_lines, date, literal};
use crate::c::params::is_constructor_argument;
use crate::c::spelling::{self, argument};
use crate::examples::{Call, SECRET, calls};
use crate::ir::{Ir, Member, Model, Type};
use crate::naming::snake;

/// Returns the lines of a resource's example. Empty if the resource has none.
pub(super) fn lines(ir: &Ir, group: &str) -> Vec<String> {
    calls(ir, group).iter().flat_map(|call| lines_of_call(ir, call)).collect()
}

fn lines_of_call(ir: &Ir, call: &Call<'_>) -> Vec<String> {
    let operation = call.operation;
    let mut arguments: Vec<String> = params(ir, call).into_iter().collect();
    if let Some((model, member)) = call.token {
        if !operation.params.is_empty() {
            arguments.push("{}".to_owned());
        }
        arguments.push(format!("vitalwire::call_options().token({})", field(model, member)));
    }
    let variable = call.variable().map(|variable| argument(&variable)).unwrap_or_default();
    let binding = if call.is_used { format!("const auto {variable} = ") } else { String::new() };
    let function = format!("{binding}client.{}().{}", argument(&operation.group), argument(&operation.method));
    let mut lines = call_lines(&function, &arguments);
    if let Some((model, member)) = call.model.zip(call.shown) {
        let item = argument(&snake(&model.name));
        let start = if call.is_list() { format!("for (const auto {item} : {variable}) ") } else { String::new() };
        lines.push(start + &shown(model, member));
    }
    lines
}

/// Returns the parameters as an argument. `None` if nothing is required. A text converts to parameters.
fn params(ir: &Ir, call: &Call<'_>) -> Option<String> {
    if let [(param, value)] = call.arguments.as_slice()
        && value.is_string()
        && !matches!(param.member.ty, Type::Date | Type::Timestamp)
    {
        return Some(expression(ir, &param.member.ty, value));
    }
    let (passed, added): (Vec<_>, Vec<_>) = call.arguments.iter().partition(|(param, _)| is_constructor_argument(param));
    let passed: Vec<_> = passed.into_iter().map(|(param, value)| expression(ir, &param.member.ty, value)).collect();
    let mut text = format!("vitalwire::{}({})", spelling::params(call.operation).trim_start_matches("vitalwire_"), passed.join(", "));
    for (param, value) in added {
        text.push_str(&format!(".add_{}({})", snake(&param.member.name), expression(ir, &param.member.ty, value)));
    }
    (!call.arguments.is_empty()).then_some(text)
}

/// Returns a field of a variable that is named after its model.
fn field(model: &Model, member: &Member) -> String {
    format!("{}.{}()", argument(&snake(&model.name)), argument(&snake(&member.name)))
}

/// Returns the statement that prints a field.
fn shown(model: &Model, member: &Member) -> String {
    let (field, name) = (field(model, member), argument(&snake(&member.name)));
    let part = match plain(member) {
        Some("vitalwire::date") => "text()",
        Some("std::chrono::milliseconds") => "count()",
        _ => "",
    };
    let value = match &member.ty {
        _ if member.credential => return format!("std::cout << {field}.has_value() << '\\n';  {SECRET}"),
        Type::List(_) => format!("{field}.size()"),
        _ if member.required => [field, part.to_owned()].join(if part.is_empty() { "" } else { "." }),
        _ => {
            let value = if part.is_empty() { format!("*{name}") } else { format!("{name}->{part}") };
            return format!("if (const auto {name} = {field}) std::cout << {value} << '\\n';");
        }
    };
    format!("std::cout << {value} << '\\n';")
}

fn expression(ir: &Ir, ty: &Type, value: &Value) -> String {
    match ty {
        // The list of an example has one item.
        Type::List(item) => expression(ir, item, &value[0]),
        Type::Date => format!("{{{}}}", date(value)),
        Type::Timestamp => "std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now())".to_owned(),
        _ => literal(ir, ty, value),
    }
}
