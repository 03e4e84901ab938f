//! Shapes of all models, read from the specifications.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Map, Value};
use vitalwire_spec::Sources;

use super::shape::{Field, Kind, Shape};

/// Both specifications, with their overlays applied.
static SPECS: LazyLock<Sources> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    vitalwire_spec::load(&root, &[]).unwrap_or_else(|findings| panic!("{findings}"))
});

/// Component schemas of both specifications.
static SCHEMAS: LazyLock<BTreeMap<&str, &Value>> = LazyLock::new(|| {
    let schemas = SPECS.specs.iter().flat_map(|spec| spec.document["components"]["schemas"].as_object().unwrap());
    schemas.map(|(name, schema)| (name.as_str(), schema)).collect()
});

static SHAPES: LazyLock<BTreeMap<&str, &Shape>> =
    LazyLock::new(|| SCHEMAS.iter().filter(|(_, schema)| is_object(schema)).map(|(name, schema)| (*name, read(name, schema))).collect());

/// Returns the shape of a model.
pub fn shape_of(model: &str) -> &'static Shape {
    SHAPES.get(model).unwrap_or_else(|| panic!("no specification has {model}"))
}

/// Returns the names of all models except request bodies.
pub fn received() -> BTreeSet<&'static str> {
    let operations = SPECS.specs.iter().flat_map(|spec| spec.document["paths"].as_object().unwrap().values());
    let bodies = operations.flat_map(|item| item.as_object().unwrap().values()).map(|operation| &operation["requestBody"]["content"]);
    let sent: BTreeSet<&str> = bodies.filter_map(|content| component_name(&content["application/json"]["schema"])).collect();
    SHAPES.keys().copied().filter(|name| !sent.contains(name)).collect()
}

/// Returns the field names of a number map.
pub fn numbers(map: &str) -> Vec<&'static str> {
    SCHEMAS[map]["properties"].as_object().unwrap().keys().map(String::as_str).collect()
}

/// Returns the values of an open set, including aliases.
pub fn values(set: &str) -> Vec<&'static str> {
    SCHEMAS[set]["enum"].as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect()
}

/// Returns the aliases of an open set, each with its value.
pub fn aliases(set: &str) -> Vec<(&'static str, &'static str)> {
    let aliases = SCHEMAS[set].get("x-vitalwire-aliases").and_then(Value::as_object).into_iter().flatten();
    aliases.flat_map(|(name, of)| of.as_array().unwrap().iter().map(|alias| (alias.as_str().unwrap(), name.as_str()))).collect()
}

fn is_object(schema: &Value) -> bool {
    schema["type"] == "object" && numbers_of(schema).is_none()
}

/// Returns the kind of a number map or a series map.
fn numbers_of(schema: &Value) -> Option<Kind> {
    let is = |mark: &str| schema.get(mark).is_some();
    if is("x-vitalwire-number-map") { Some(Kind::Numbers) } else { is("x-vitalwire-series-map").then_some(Kind::Series) }
}

/// Reads the shape of a schema. The shape is leaked, because it is used until the tests end.
fn read(name: &'static str, schema: &'static Value) -> &'static Shape {
    let is_required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name));
    let none = Map::new();
    let members = schema["properties"].as_object().unwrap_or(Box::leak(Box::new(none)));
    let (required, optional): (Vec<Field>, Vec<Field>) =
        members.iter().map(|(name, schema)| (name.as_str(), kind(schema))).partition(|(name, _)| is_required(name));
    Box::leak(Box::new(Shape { name, required: required.leak(), optional: optional.leak() }))
}

fn component_name(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/components/schemas/")
}

fn kind(schema: &'static Value) -> Kind {
    if let Some(name) = component_name(schema) {
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
