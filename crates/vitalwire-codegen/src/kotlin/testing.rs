//! The artifact `vitalwire-testing`: calls by name, and a sample of each record. The samples do not need the native library.

use serde_json::{Value, json};

use super::record::{property, public_type};
use super::spelling::literal;
use crate::ir::{Basis, Ir, Member, Model, Operation, Type};
use crate::naming::{camel, shouty, snake};
use crate::uniffi::mobile::is_duration;
use crate::uniffi::samples::{self, AccessSyntax, response_type};

const ACCESS_SYNTAX: AccessSyntax = AccessSyntax {
    response: response_property,
    item: |at| format!("[{at}]"),
    member: |model, member| format!(".{}{}", property(model, member), if member.required { "" } else { "!!" }),
};

/// Returns the calls that do not wait, and samples.
pub(super) fn values(ir: &Ir) -> Value {
    let sample = |(model, source): (&Model, Result<String, Value>)| {
        let (path, creation) = match source {
            Ok(path) => (Some(path), None),
            Err(value) => (None, Some(ValueWriter { ir, basis: None }.expression(&Type::Model(model.name.clone()), &value, 8))),
        };
        json!({ "name": model.name, "property": camel(&snake(&model.name)), "path": path, "creation": creation })
    };
    let records = samples::most_complete(ir, &ACCESS_SYNTAX).into_iter().map(sample);
    let calls = ir.operations.iter().map(|operation| call(ir, operation));
    json!({ "calls": calls.collect::<Vec<_>>(), "records": records.collect::<Vec<_>>() })
}

fn call(ir: &Ir, operation: &Operation) -> Value {
    let sample = ir.samples.get(&operation.id);
    let property = sample.zip(response_type(operation)).map(|(sample, ty)| {
        let value = ValueWriter { ir, basis: operation.basis }.expression(&ty, &sample.body, 12);
        json!({ "name": call_name(operation), "ty": public_type(&ty), "value": value })
    });
    json!({
        "name": shouty(&format!("{}_{}", operation.group, operation.method)),
        "id": operation.id,
        // As an application writes it.
        "display": format!("{}.{}", camel(&operation.group), camel(&operation.method)),
        "status": sample.map_or(200, |sample| sample.status),
        "sample": property,
    })
}

/// Returns the path of the property with an operation's sample response.
fn response_property(operation: &Operation) -> String {
    format!("Calls.{}", call_name(operation))
}

/// Returns the name of an operation's call, after the name of its resource.
fn call_name(operation: &Operation) -> String {
    camel(&format!("{}_{}", operation.group, operation.method))
}

/// Writes Kotlin expressions for the values of a sample response.
struct ValueWriter<'a> {
    ir: &'a Ir,
    basis: Option<Basis>,
}

impl ValueWriter<'_> {
    /// Returns the expression for a value. Its further lines are indented.
    fn expression(&self, ty: &Type, value: &Value, indent: usize) -> String {
        let text = || literal(value.as_str().unwrap_or_default());
        let margin = " ".repeat(indent);
        match ty {
            Type::Text | Type::Id => text(),
            Type::Json => literal(&value.to_string()),
            Type::Boolean => value.to_string(),
            Type::Integer => format!("{value}L"),
            Type::Number => number(value),
            Type::Timestamp => format!("at({})", text()),
            Type::Date => format!("LocalDate.parse({})", text()),
            Type::Bytes => format!("Base64.getDecoder().decode({})", text()),
            Type::Open(name) => format!("{name}({})", text()),
            Type::Numbers(name) => {
                let Some(map) = self.ir.number_map(name) else { return format!("{name} {{}}") };
                let basis = self.basis.filter(|_| map.has_basis).map(|basis| format!("basis = NumberBasis.{}", shouty(basis_name(basis))));
                let numbers = entries(value).map(|(key, value)| format!("set({}({}), {})", map.keys, literal(key), number(value)));
                block(name, &margin, basis.into_iter().chain(numbers))
            }
            Type::Series(name) => {
                let keys = self.ir.series_maps.iter().find(|map| map.name == *name).map_or("", |map| map.keys.as_str());
                block(name, &margin, entries(value).map(|(key, value)| format!("set({keys}({}), {})", literal(key), series(value))))
            }
            Type::List(item) if **item == Type::Number => series(value),
            Type::List(item) => {
                let items = value.as_array().into_iter().flatten();
                let items = items.map(|one| format!("\n{margin}    {},", self.expression(item, one, indent + 4)));
                format!("listOf({}\n{margin})", items.collect::<String>())
            }
            Type::Model(name) => {
                let Some(model) = self.ir.model(name) else { return format!("{name} {{}}") };
                let lines = model.members.iter().filter_map(|member| self.member(model, member, value.get(&member.wire)?, indent + 4));
                block(name, &margin, lines)
            }
        }
    }

    /// Returns the line of a builder block that sets a field; `None` for a null that records do not keep.
    fn member(&self, model: &Model, member: &Member, value: &Value, indent: usize) -> Option<String> {
        let property = property(model, member);
        match value {
            Value::Null => member.keeps_null().then(|| format!("{}IsNull = true", property.trim_matches('`'))),
            _ if is_duration(member) => Some(format!("{property} = {value}.milliseconds")),
            _ => Some(format!("{property} = {}", self.expression(&member.ty, value, indent))),
        }
    }
}

fn basis_name(basis: Basis) -> &'static str {
    match basis {
        Basis::PerServing => "per_serving",
        Basis::Per100 => "per_100",
        Basis::Unknown => "unknown",
    }
}

/// Returns a builder block with these lines.
fn block(name: &str, margin: &str, lines: impl Iterator<Item = String>) -> String {
    let body: String = lines.map(|line| format!("\n{margin}    {line}")).collect();
    if body.is_empty() { format!("{name} {{}}") } else { format!("{name} {{{body}\n{margin}}}") }
}

fn entries(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

fn number(value: &Value) -> String {
    value.as_f64().map_or_else(|| "Double.NaN".to_owned(), |number| format!("{number:?}"))
}

fn series(values: &Value) -> String {
    let numbers: Vec<String> = values.as_array().into_iter().flatten().map(number).collect();
    format!("Series.of({})", numbers.join(", "))
}
