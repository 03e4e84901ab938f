//! The members of every model, read from the specifications.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Map, Value};
use vitalwire_spec::Sources;

use super::shape::{Kind, Member, Shape};

/// Both specifications, with their overlays applied.
static SPECS: LazyLock<Sources> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    vitalwire_spec::load(&root, &[]).unwrap_or_else(|findings| panic!("{findings}"))
});

/// Their component schemas.
static SCHEMAS: LazyLock<BTreeMap<&str, &Value>> = LazyLock::new(|| {
    let schemas = SPECS.specs.iter().flat_map(|spec| spec.document["components"]["schemas"].as_object().unwrap());
    schemas.map(|(name, schema)| (name.as_str(), schema)).collect()
});

static SHAPES: LazyLock<BTreeMap<&str, &Shape>> =
    LazyLock::new(|| SCHEMAS.iter().filter(|(_, schema)| is_object(schema)).map(|(name, schema)| (*name, read(name, schema))).collect());

/// The shape of a model.
pub fn of(model: &str) -> &'static Shape {
    SHAPES.get(model).unwrap_or_else(|| panic!("no specification has {model}"))
}

/// The models that are received: every one but the bodies of requests.
pub fn received() -> BTreeSet<&'static str> {
    let operations = SPECS.specs.iter().flat_map(|spec| spec.document["paths"].as_object().unwrap().values());
    let bodies = operations.flat_map(|item| item.as_object().unwrap().values()).map(|operation| &operation["requestBody"]["content"]);
    let sent: BTreeSet<&str> = bodies.filter_map(|content| referred(&content["application/json"]["schema"])).collect();
    SHAPES.keys().copied().filter(|name| !sent.contains(name)).collect()
}

/// The members of an object of numbers.
pub fn numbers(map: &str) -> Vec<&'static str> {
    SCHEMAS[map]["properties"].as_object().unwrap().keys().map(String::as_str).collect()
}

/// The values of an open set, aliases among them.
pub fn values(set: &str) -> Vec<&'static str> {
    SCHEMAS[set]["enum"].as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect()
}

/// Other spellings of values of an open set, each with the value that it stands for.
pub fn aliases(set: &str) -> Vec<(&'static str, &'static str)> {
    let aliases = SCHEMAS[set].get("x-vitalwire-aliases").and_then(Value::as_object).into_iter().flatten();
    aliases.flat_map(|(name, of)| of.as_array().unwrap().iter().map(|alias| (alias.as_str().unwrap(), name.as_str()))).collect()
}

fn is_object(schema: &Value) -> bool {
    schema["type"] == "object" && numbers_of(schema).is_none()
}

/// What an object of numbers, or of series of them, is read as.
fn numbers_of(schema: &Value) -> Option<Kind> {
    let is = |mark: &str| schema.get(mark).is_some();
    if is("x-vitalwire-number-map") { Some(Kind::Numbers) } else { is("x-vitalwire-series-map").then_some(Kind::Series) }
}

/// Shapes live as long as the tests.
fn read(name: &'static str, schema: &'static Value) -> &'static Shape {
    let is_required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name));
    let none = Map::new();
    let members = schema["properties"].as_object().unwrap_or(Box::leak(Box::new(none)));
    let (required, optional): (Vec<Member>, Vec<Member>) =
        members.iter().map(|(name, schema)| (name.as_str(), kind(schema))).partition(|(name, _)| is_required(name));
    Box::leak(Box::new(Shape { name, required: required.leak(), optional: optional.leak() }))
}

/// The name of the component that is meant.
fn referred(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/components/schemas/")
}

fn kind(schema: &'static Value) -> Kind {
    if let Some(name) = referred(schema) {
        let schema = SCHEMAS[name];
        return if is_object(schema) { Kind::Object(read(name, schema)) } else { kind(schema) };
    }
    match (schema["type"].as_str(), schema["format"].as_str()) {
        (Some("string"), _) if schema.get("enum").is_some() => Kind::Open,
        (Some("string"), Some("uuid")) => Kind::Id,
        (Some("string"), Some("date-time")) => Kind::Instant,
        (Some("string"), Some("date")) => Kind::Date,
        (Some("string"), _) => Kind::Text,
        (Some("integer"), _) => Kind::Integer,
        (Some("number"), _) => Kind::Number,
        (Some("boolean"), _) => Kind::Boolean,
        (Some("array"), _) => Kind::List(Box::leak(Box::new(kind(&schema["items"])))),
        (Some("object"), _) => numbers_of(schema).expect("an object without a name"),
        _ => Kind::Any,
    }
}
