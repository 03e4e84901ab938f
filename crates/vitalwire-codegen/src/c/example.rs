//! The example of a resource in C.

use serde_json::Value;

use super::params::{is_constructor_argument, text_params};
use super::spelling;
use crate::examples::{Call, SECRET, calls};
use crate::ir::{Ir, Member, Model, Type};
use crate::naming::snake;

/// Maximum width of a call on one line.
const MAX_WIDTH: usize = 136;

/// Returns the lines of a resource's example. Empty if the resource has none.
pub(super) fn lines(ir: &Ir, group: &str) -> Vec<String> {
    let calls = calls(ir, group);
    if calls.is_empty() {
        return Vec::new();
    }
    let mut example = Example { lines: vec!["vitalwire_error *error = NULL;".to_owned()], frees: Vec::new() };
    for (index, call) in calls.iter().enumerate() {
        example.add_call(ir, call, if index == 0 { "vitalwire_code code = " } else { "if (code == VITALWIRE_OK) code = " });
    }
    let Example { mut lines, frees } = example;
    lines.push("if (code != VITALWIRE_OK) fprintf(stderr, \"%.*s\\n\", VITALWIRE_STR(vitalwire_error_message(error)));".to_owned());
    lines.push("vitalwire_error_free(error);".to_owned());
    lines.extend(frees);
    lines
}

struct Example {
    lines: Vec<String>,
    /// Statements at the end.
    frees: Vec<String>,
}

impl Example {
    fn add_call(&mut self, ir: &Ir, call: &Call<'_>, assignment: &str) {
        let operation = call.operation;
        let mut arguments = vec!["client".to_owned()];
        let mut function = spelling::call(operation);
        if text_params(operation).is_empty() {
            if !operation.params.is_empty() {
                arguments.push(self.add_params(ir, call));
            }
            arguments.extend([self.add_options(call), "NULL".to_owned()]);
        } else {
            function.push_str("_simple");
            arguments.extend(call.arguments.iter().map(|(param, value)| expression(ir, &param.member.ty, value)));
        }
        if let Some(variable) = call.variable().map(|variable| spelling::argument(&variable)) {
            arguments.push(format!("&{variable}"));
            self.add_object(&spelling::response(&operation.response), &variable, "NULL");
        }
        arguments.push("&error".to_owned());
        self.lines.extend(call_lines(&format!("{assignment}{function}"), &arguments));
        if let Some((model, member)) = call.model.zip(call.shown) {
            self.lines.extend(shown_lines(call, model, member));
        }
    }

    /// Adds the creation of the parameters, and returns the argument.
    fn add_params(&mut self, ir: &Ir, call: &Call<'_>) -> String {
        if call.arguments.is_empty() {
            return "NULL".to_owned();
        }
        let (ty, variable) = (spelling::params(call.operation), format!("{}_params", call.operation.method));
        let (passed, added): (Vec<_>, Vec<_>) = call.arguments.iter().partition(|(param, _)| is_constructor_argument(param));
        let passed: Vec<_> = passed.into_iter().map(|(param, value)| expression(ir, &param.member.ty, value)).collect();
        self.lines.extend(call_lines(&format!("{ty} *{variable} = {ty}_new"), &passed));
        self.frees.push(format!("{ty}_free({variable});"));
        for (param, value) in added {
            let add = format!("{ty}_add_{}", snake(&param.member.name));
            self.lines.extend(call_lines(&add, &[variable.clone(), expression(ir, &param.member.ty, value)]));
        }
        variable
    }

    /// Adds options with the access token of an earlier response, and returns the argument.
    fn add_options(&mut self, call: &Call<'_>) -> String {
        let Some((model, member)) = call.token else { return "NULL".to_owned() };
        self.add_object("vitalwire_call_options", "options", "vitalwire_call_options_new()");
        let token = format!("{}({})", accessor(model, member), spelling::argument(&snake(&model.name)));
        self.lines.push(format!("vitalwire_call_options_set_token(options, {token});"));
        "options".to_owned()
    }

    fn add_object(&mut self, ty: &str, variable: &str, value: &str) {
        self.lines.push(format!("{ty} *{variable} = {value};"));
        self.frees.push(format!("{ty}_free({variable});"));
    }
}

/// Returns the lines that print a field of a response, or of each item of a list.
fn shown_lines(call: &Call<'_>, model: &Model, member: &Member) -> Vec<String> {
    let (item, name, function) =
        (spelling::argument(&snake(&model.name)), spelling::argument(&snake(&member.name)), accessor(model, member));
    let field = format!("{function}({item})");
    let read = |ty: &str, format: &str, value: &str| {
        vec![format!("{ty} {name};"), format!("if ({function}({item}, &{name})) printf(\"{format}\\n\", {});", value.replace('*', &name))]
    };
    let mut lines = match &member.ty {
        _ if member.credential => vec![SECRET.to_owned(), format!("printf(\"%d\\n\", {field}.data != NULL);")],
        Type::List(numbers) if **numbers == Type::Number => vec![format!("printf(\"%zu\\n\", {field}.length);")],
        Type::List(_) => vec![format!("printf(\"%zu\\n\", {function}_count({item}));")],
        Type::Boolean => read("bool", "%d", "*"),
        Type::Integer => read("int64_t", "%lld", "(long long)*"),
        Type::Number => read("double", "%g", "*"),
        Type::Date => read("vitalwire_date", "%d-%02d-%02d", "*.year, *.month, *.day"),
        _ => vec![format!("printf(\"%.*s\\n\", VITALWIRE_STR({field}));")],
    };
    let start = if call.is_list() {
        let (list, items) = (spelling::list(&model.name), spelling::argument(&call.variable().unwrap_or_default()));
        lines.insert(0, format!("const {} *{item} = {list}_at({items}, i);", spelling::object(&model.name)));
        format!("for (size_t i = 0; i < {list}_count({items}); i++)")
    } else {
        "if (code == VITALWIRE_OK)".to_owned()
    };
    if let [line] = lines.as_slice() {
        return vec![format!("{start} {line}")];
    }
    let lines = lines.iter().map(|line| format!("  {line}"));
    [start + " {"].into_iter().chain(lines).chain(["}".to_owned()]).collect()
}

fn accessor(model: &Model, member: &Member) -> String {
    format!("{}_{}", spelling::object(&model.name), snake(&member.name))
}

fn expression(ir: &Ir, ty: &Type, value: &Value) -> String {
    match ty {
        // The list of an example has one item.
        Type::List(item) => expression(ir, item, &value[0]),
        Type::Date => format!("(vitalwire_date){{{}}}", date(value)),
        Type::Timestamp => "(vitalwire_timestamp){time(NULL), 0}".to_owned(),
        _ if value.is_string() => format!("vitalwire_str_from({})", literal(ir, ty, value)),
        _ => value.to_string(),
    }
}

/// Returns the year, month and day of a date.
pub(crate) fn date(value: &Value) -> String {
    let parts = value.as_str().unwrap_or_default().split('-').map(|part| part.trim_start_matches('0'));
    parts.collect::<Vec<_>>().join(", ")
}

/// Returns the constant of a known name, or a literal.
pub(crate) fn literal(ir: &Ir, ty: &Type, value: &Value) -> String {
    let set = if let Type::Open(set) = ty { ir.open_set(set) } else { None };
    let known = set.and_then(|set| Some(spelling::value(set, set.values.iter().find(|known| known.wire == *value)?)));
    known.unwrap_or_else(|| value.as_str().map_or_else(|| value.to_string(), spelling::literal))
}

/// Returns the lines of a call. The arguments of a long call have a line of their own.
pub(crate) fn call_lines(function: &str, arguments: &[String]) -> Vec<String> {
    let arguments = arguments.join(", ");
    let line = format!("{function}({arguments});");
    if line.len() <= MAX_WIDTH {
        return vec![line];
    }
    vec![format!("{function}("), format!("    {arguments});")]
}
