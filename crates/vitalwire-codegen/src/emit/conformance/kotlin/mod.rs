//! The table of the runner in Kotlin: what is hand-written of it is in `bindings/kotlin/src/test/kotlin/dev/vitalwire/conformance`.

mod calls;
mod maps;
mod open_sets;
mod outcomes;

use crate::emit::File;
use crate::ir::{Answer, Ir, Type};
use crate::lang::{camel, pascal};

const ROOT: &str = "bindings/kotlin/src/test/kotlin/generated/conformance";
/// What each file begins with: the runner, the façade and the records that it gives.
const HEADER: &str = "package dev.vitalwire.conformance.generated\n\nimport dev.vitalwire.*\nimport dev.vitalwire.conformance.*\nimport dev.vitalwire.ffi.*\nimport kotlinx.serialization.json.JsonElement\n\n";

/// Every generated file of the runner in Kotlin. One small file for each thing: a JVM method has a greatest size.
pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let file = |folder: &str, name: &str, text: String| File::new(format!("{ROOT}/{folder}/{name}.kt"), text);
    let mut files = vec![file("calls", "Calls", calls::table(ir))];
    files.extend(ir.groups().into_iter().map(|group| file("calls", &pascal(group), calls::emit(ir, group))));
    files.extend(ir.open_sets.iter().map(|set| file("names", &set.name, open_sets::emit(set))));
    files.push(file("outcomes", "WaitedRecord", outcomes::waited(ir)));
    let received = ir.models.iter().filter(|model| !model.request);
    files.extend(received.map(|model| file("outcomes", &model.name, outcomes::emit(model))));
    files.extend(ir.number_maps.iter().map(|map| file("outcomes", &map.name, maps::numbers(ir, map))));
    files.extend(ir.series_maps.iter().map(|map| file("outcomes", &map.name, maps::series(map))));
    files
}

/// A Kotlin string literal.
fn literal(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$"))
}

/// The map of an open set's names to its constants.
fn names(set: &str) -> String {
    format!("names{set}")
}

/// The function that makes canonical JSON of an object.
fn outcome(name: &str) -> String {
    format!("::{}", camel(name))
}

/// The expression that makes an answer of a response.
fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Nothing => "nothing(response)".to_owned(),
        Answer::Model(name) => format!("single(response, {})", outcome(name)),
        Answer::List(name) => format!("single(response, Canonical.many({}))", outcome(name)),
    }
}

/// The function that makes canonical JSON of a value.
fn form(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id => "Canonical::text".to_owned(),
        Type::Boolean => "Canonical::boolean".into(),
        Type::Integer => "Canonical::integer".into(),
        Type::Number => "Canonical::number".into(),
        Type::Timestamp => "Canonical::instant".into(),
        Type::Date => "Canonical::date".into(),
        Type::Bytes => "Canonical::bytes".into(),
        Type::Json => "Canonical::json".into(),
        Type::Open(name) => format!("Canonical.named({}, {name}::text)", names(name)),
        Type::Model(name) | Type::Numbers(name) | Type::Series(name) => outcome(name),
        Type::List(item) if **item == Type::Number => "Canonical::series".into(),
        Type::List(item) => format!("Canonical.many({})", form(item)),
    }
}
