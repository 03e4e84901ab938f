//! The artifact `vitalwire-testing`: calls by name, and a sample of each record. The samples do not need the native library.

use serde::Serialize;
use serde_json::Value;

use super::record::{property, public};
use super::spelling::literal;
use crate::ir::{Basis, Ir, Member, Model, Operation, Sample, Type};
use crate::naming::{camel, shouty, snake};
use crate::uniffi::mobile::is_duration;
use crate::uniffi::samples::{self, Source, Spelling, answered};

/// Calls and samples.
#[derive(Debug, Serialize)]
pub(super) struct Testing<'a> {
    calls: Vec<Call<'a>>,
    records: Vec<RecordSample<'a>>,
}

/// A call that does not wait.
#[derive(Debug, Serialize)]
struct Call<'a> {
    name: String,
    /// Id of the operation.
    id: &'a str,
    /// Name in application code, such as `sleeps.get`.
    written: String,
    status: u16,
    /// Property with the sample response, if there is one.
    answer: Option<Property>,
}

/// A property with a sample response.
#[derive(Debug, Serialize)]
struct Property {
    name: String,
    ty: String,
    value: String,
}

/// The sample of a record.
#[derive(Debug, Serialize)]
struct RecordSample<'a> {
    name: &'a str,
    property: String,
    /// Path to the record in a sample response, if one contains it.
    way: Option<String>,
    /// Expression that creates the record, if no sample response contains it.
    made: Option<String>,
}

const SPELLING: Spelling = Spelling {
    answer: answer_property,
    item: |at| format!("[{at}]"),
    member: |model, member| format!(".{}{}", property(model, member), if member.required { "" } else { "!!" }),
};

impl<'a> Testing<'a> {
    pub(super) fn new(ir: &'a Ir) -> Self {
        let calls = ir.operations.iter().map(|operation| Call::new(ir, operation)).collect();
        let sample = |(model, source): (&'a Model, Source)| {
            let (way, made) = match source {
                Source::Answer(way) => (Some(way), None),
                Source::MadeUp(value) => (None, Some(ValueWriter { ir, basis: None }.value(&Type::Model(model.name.clone()), &value, 8))),
            };
            RecordSample { name: &model.name, property: camel(&snake(&model.name)), way, made }
        };
        let records = samples::fullest(ir, &SPELLING).into_iter().map(sample).collect();
        Self { calls, records }
    }
}

impl<'a> Call<'a> {
    fn new(ir: &Ir, operation: &'a Operation) -> Self {
        let sample = ir.samples.get(&operation.id);
        let answer = sample.zip(answered(operation)).map(|(sample, ty)| Property {
            name: call_name(operation),
            ty: public(&ty),
            value: ValueWriter { ir, basis: operation.basis }.value(&ty, &sample.body, 12),
        });
        Self {
            name: shouty(&format!("{}_{}", operation.group, operation.method)),
            id: &operation.id,
            written: format!("{}.{}", camel(&operation.group), camel(&operation.method)),
            status: sample.map_or(200, |sample: &Sample| sample.status),
            answer,
        }
    }
}

/// Returns the path of the property with an operation's sample response.
fn answer_property(operation: &Operation) -> String {
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
    fn value(&self, ty: &Type, given: &Value, indent: usize) -> String {
        let text = || literal(given.as_str().unwrap_or_default());
        let margin = " ".repeat(indent);
        match ty {
            Type::Text | Type::Id => text(),
            Type::Json => literal(&given.to_string()),
            Type::Boolean => given.to_string(),
            Type::Integer => format!("{given}L"),
            Type::Number => number(given),
            Type::Timestamp => format!("at({})", text()),
            Type::Date => format!("LocalDate.parse({})", text()),
            Type::Bytes => format!("Base64.getDecoder().decode({})", text()),
            Type::Open(name) => format!("{name}({})", text()),
            Type::Numbers(name) => {
                let Some(map) = self.ir.number_maps.iter().find(|map| map.name == *name) else { return format!("{name} {{}}") };
                let basis = self.basis.filter(|_| map.has_basis).map(|basis| format!("basis = NumberBasis.{}", shouty(basis_name(basis))));
                let numbers = entries(given).map(|(key, value)| format!("set({}({}), {})", map.keys, literal(key), number(value)));
                block(name, &margin, basis.into_iter().chain(numbers))
            }
            Type::Series(name) => {
                let keys = self.ir.series_maps.iter().find(|map| map.name == *name).map_or("", |map| map.keys.as_str());
                block(name, &margin, entries(given).map(|(key, value)| format!("set({keys}({}), {})", literal(key), series(value))))
            }
            Type::List(item) if **item == Type::Number => series(given),
            Type::List(item) => {
                let items = given.as_array().into_iter().flatten();
                let items = items.map(|one| format!("\n{margin}    {},", self.value(item, one, indent + 4)));
                format!("listOf({}\n{margin})", items.collect::<String>())
            }
            Type::Model(name) => {
                let Some(model) = self.ir.model(name) else { return format!("{name} {{}}") };
                let lines = model.members.iter().filter_map(|member| self.member(model, member, given.get(&member.wire)?, indent + 4));
                block(name, &margin, lines)
            }
        }
    }

    /// Returns the line of a builder block that sets a field; `None` for a null that records do not keep.
    fn member(&self, model: &Model, member: &Member, given: &Value, indent: usize) -> Option<String> {
        let property = property(model, member);
        match given {
            Value::Null => member.keeps_null().then(|| format!("{}IsNull = true", property.trim_matches('`'))),
            _ if is_duration(member) => Some(format!("{property} = {given}.milliseconds")),
            _ => Some(format!("{property} = {}", self.value(&member.ty, given, indent))),
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
