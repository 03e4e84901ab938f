//! Creates an example response from a schema. Uses the stated examples, or else the simplest valid value.

use serde_json::{Map, Value, json};

use crate::ir::Operation;
use crate::spec::Sources;

/// Maximum number of optional fields in an object. Number maps have about a hundred.
const MAX_OPTIONAL: usize = 16;
/// Maximum nesting depth. Deeper values are null.
const MAX_DEPTH: usize = 8;

/// Returns an example body of the first success response as JSON text. `None` if there is no body.
pub(crate) fn for_operation(operation: &Operation, sources: &Sources) -> Option<String> {
    let document = &sources.specs.iter().find(|spec| spec.service == operation.service)?.document;
    let method = &document["paths"][&operation.path][operation.http.to_lowercase()];
    let response = resolve(&method["responses"][operation.success.first()?.to_string()], document);
    let content = response["content"].as_object()?.values().next()?;
    let value = content.get("example").cloned().unwrap_or_else(|| for_schema(&content["schema"], document));
    Some(value.to_string())
}

pub(crate) fn for_schema(schema: &Value, document: &Value) -> Value {
    value(schema, document, 0)
}

fn resolve<'a>(schema: &'a Value, document: &'a Value) -> &'a Value {
    let target = schema["$ref"].as_str().and_then(|reference| document.pointer(reference.trim_start_matches('#')));
    target.unwrap_or(schema)
}

fn value(schema: &Value, document: &Value, depth: usize) -> Value {
    let schema = resolve(schema, document);
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    if let Some(stated) = schema.get("example").or_else(|| schema.get("default")).or_else(|| schema["enum"].get(0)) {
        return stated.clone();
    }
    match schema["type"].as_str() {
        Some("object") => object(schema, document, depth),
        Some("array") => json!([value(&schema["items"], document, depth + 1)]),
        Some("boolean") => json!(true),
        Some("integer") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("number") => schema.get("minimum").cloned().unwrap_or(json!(1.0)),
        Some("string") => json!(text(schema["format"].as_str())),
        _ => Value::Null,
    }
}

/// Creates an object of all required fields and the first optional ones.
fn object(schema: &Value, document: &Value, depth: usize) -> Value {
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name));
    let mut remaining = MAX_OPTIONAL;
    let mut members = Map::new();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        if required(name) {
            members.insert(name.clone(), value(member, document, depth + 1));
        } else if remaining > 0 {
            remaining -= 1;
            members.insert(name.clone(), value(member, document, depth + 1));
        }
    }
    Value::Object(members)
}

fn text(format: Option<&str>) -> &'static str {
    match format {
        Some("date") => "2025-01-31",
        Some("date-time") => "2025-01-31T08:00:00Z",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        Some("uri") => "https://example.com/",
        Some("byte") => "c3ludGhldGlj",
        _ => "synthetic",
    }
}
