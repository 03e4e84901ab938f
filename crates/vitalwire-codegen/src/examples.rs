//! Examples of resources in Swift, Kotlin, Python, C and C++: typical calls, their arguments, and the field of each response to print.

use serde_json::{Value, json};

use crate::ir::{Ir, Member, Model, Operation, Param, ResponseType, Retry, Type};
use crate::naming::snake;

/// Maximum number of calls in an example.
const MAX_CALLS: usize = 2;

/// Maximum width of a call on one line.
const MAX_WIDTH: usize = 100;

/// Comment after a statement that shows whether there is a secret.
pub(crate) const SECRET: &str = "// The value is a secret and must not be logged.";

/// A call in an example.
#[derive(Clone)]
pub(crate) struct Call<'a> {
    pub(crate) operation: &'a Operation,
    /// Required parameters with their values.
    pub(crate) arguments: Vec<(&'a Param, Value)>,
    /// Model of the response, or of the items of a list.
    pub(crate) model: Option<&'a Model>,
    /// Field to print.
    pub(crate) shown: Option<&'a Member>,
    /// Response with an access token for the call, and the field that contains it.
    pub(crate) token: Option<(&'a Model, &'a Member)>,
    /// Whether a later line uses the response.
    pub(crate) is_used: bool,
}

/// Returns the calls of a resource's example: reads, or else the first call. Empty if no argument can be written as a literal.
pub(crate) fn calls<'a>(ir: &'a Ir, group: &str) -> Vec<Call<'a>> {
    let own = ir.operations.iter().filter(|operation| operation.group == group);
    let all: Vec<Call<'a>> = own.filter_map(|operation| Call::new(ir, operation)).collect();
    let reads = all.iter().filter(|call| call.operation.retry == Retry::Safe && call.shown.is_some());
    let mut calls: Vec<Call<'a>> = Vec::new();
    for call in reads {
        // Variables are named after responses.
        if calls.len() < MAX_CALLS && calls.iter().all(|other| other.variable() != call.variable()) {
            calls.push(call.clone());
        }
    }
    if calls.is_empty() {
        calls.extend(all.into_iter().next());
        if let Some(exchange) = calls.first_mut()
            && let Some(authorized) = exchange.authorized(ir)
        {
            exchange.is_used = true;
            calls.push(authorized);
        }
    }
    calls
}

impl<'a> Call<'a> {
    fn new(ir: &'a Ir, operation: &'a Operation) -> Option<Self> {
        let required = operation.params.iter().filter(|param| param.member.required);
        let arguments = required.map(|param| Some((param, value(ir, operation, param, &param.member.ty)?))).collect::<Option<_>>()?;
        let model = operation.response.record().and_then(|name| ir.model(name));
        let shown = model.and_then(|model| shown(operation, model));
        Some(Self { operation, arguments, model, shown, token: None, is_used: shown.is_some() })
    }

    /// Name of the variable for the response, in snake case. `None` for a call without a response.
    pub(crate) fn variable(&self) -> Option<String> {
        let name = snake(&self.model?.name);
        Some(if self.is_list() { name + "s" } else { name })
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.operation.response, ResponseType::List(_))
    }

    /// Returns a call without arguments that uses the access token in the response of this call.
    fn authorized(&self, ir: &'a Ir) -> Option<Self> {
        let model = self.model.filter(|_| !self.operation.authenticated)?;
        let member = model.members.iter().find(|member| member.required && member.credential)?;
        let mut reads = ir.operations.iter().filter(|operation| operation.authenticated && operation.retry == Retry::Safe);
        let call = reads.find_map(|operation| Self::new(ir, operation).filter(|call| call.arguments.is_empty() && call.shown.is_some()))?;
        Some(Self { token: Some((model, member)), ..call })
    }
}

/// Returns the first field that tells something new: no id or parameter. Lists, of which only the size is printed, come next, and secrets
/// last.
fn shown<'a>(operation: &Operation, model: &'a Model) -> Option<&'a Member> {
    let is_param = |member: &Member| operation.params.iter().any(|param| param.member.wire == member.wire);
    let new = || model.members.iter().filter(move |member| !member.credential && !member.name.ends_with("id") && !is_param(member));
    let is_plain =
        |member: &&Member| matches!(member.ty, Type::Text | Type::Open(_) | Type::Boolean | Type::Integer | Type::Number | Type::Date);
    let list = || new().find(|member| matches!(member.ty, Type::List(_)));
    let secret = || model.members.iter().find(|member| member.credential && !member.required);
    new().find(is_plain).or_else(list).or_else(secret)
}

/// Returns a value for a parameter: the example of the specification, the value in a synthetic response, or one made from its type.
pub(crate) fn value(ir: &Ir, operation: &Operation, param: &Param, ty: &Type) -> Option<Value> {
    let member = &param.member;
    let samples = ir.samples.get(&operation.id).into_iter().chain(ir.samples.values());
    let stated = member.docs.example.iter().chain(samples.filter_map(|sample| sample.body.get(&member.wire)));
    let mut stated = stated.filter(|value| is_value(ir, ty, value) && !member.credential).cloned();
    Some(match ty {
        Type::List(item) => json!([value(ir, operation, param, item)?]),
        Type::Bytes | Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => return None,
        _ => stated.next().or_else(|| default(ir, operation, param, ty))?,
    })
}

/// Whether a value is written as a literal of the type. Unknown names of open sets are not.
fn is_value(ir: &Ir, ty: &Type, value: &Value) -> bool {
    match ty {
        Type::Integer => value.is_i64(),
        Type::Number => value.is_number(),
        Type::Boolean => value.is_boolean(),
        Type::Open(set) => ir.open_set(set).is_some_and(|set| set.values.iter().any(|known| known.wire == *value)),
        _ => value.is_string(),
    }
}

fn default(ir: &Ir, operation: &Operation, param: &Param, ty: &Type) -> Option<Value> {
    Some(match ty {
        Type::Boolean => json!(true),
        Type::Integer => json!(1),
        Type::Number => json!(1.0),
        Type::Date => json!("2025-11-20"),
        Type::Timestamp => json!("2025-11-20T06:00:00Z"),
        Type::Open(set) => {
            let known: Vec<&String> = ir.open_set(set)?.values.iter().map(|value| &value.wire).collect();
            let names: Vec<&String> = if param.names.is_empty() { known } else { param.names.iter().collect() };
            // Prefer a name with a value in the synthetic response.
            let sample = ir.samples.get(&operation.id).map(|sample| sample.body.to_string()).unwrap_or_default();
            json!(names.iter().find(|name| sample.contains(&format!("\"{name}\":"))).or(names.first())?)
        }
        _ if param.member.credential => json!("from-your-server"),
        _ => json!(format!("{}-1", param.member.name.trim_end_matches("_id").replace('_', "-"))),
    })
}

/// Returns the name in snake case of the value of an open set.
pub(crate) fn value_name<'a>(ir: &'a Ir, set: &str, wire: &Value) -> Option<&'a str> {
    ir.open_set(set)?.values.iter().find(|value| value.wire == *wire).map(|value| value.name.as_str())
}

/// Returns the lines of a call. Each argument of a long call has a line of its own.
pub(crate) fn call_lines(function: &str, arguments: &[String], rest: &str) -> Vec<String> {
    let line = format!("{function}({}){rest}", arguments.join(", "));
    if line.len() <= MAX_WIDTH {
        return vec![line];
    }
    let arguments = arguments.iter().enumerate().map(|(at, one)| format!("    {one}{}", if at + 1 < arguments.len() { "," } else { "" }));
    [format!("{function}(")].into_iter().chain(arguments).chain([format!("){rest}")]).collect()
}
