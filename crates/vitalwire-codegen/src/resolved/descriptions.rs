//! Appends descriptions of referenced schemas to fields and parameters, because documentation pages hide the description of the schema.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Appends the description of a schema to each field and parameter that only refers to it.
pub(super) fn join(document: &mut Value) {
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten();
    let texts =
        schemas.filter_map(|(name, schema)| Some((format!("#/components/schemas/{name}"), schema["description"].as_str()?.to_owned())));
    let texts = texts.collect();
    add(document, &texts);
}

/// Schema descriptions by reference.
type Texts = BTreeMap<String, String>;

fn add(value: &mut Value, texts: &Texts) {
    match value {
        Value::Object(members) => {
            let hidden = schema(members).and_then(|schema| texts.get(schema["$ref"].as_str()?));
            if let (Some(hidden), Some(Value::String(own))) = (hidden, members.get_mut("description"))
                && !own.contains(hidden)
            {
                *own = format!("{own} {hidden}");
            }
            members.values_mut().for_each(|value| add(value, texts));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| add(value, texts)),
        _ => {}
    }
}

/// Returns the schema that a field or parameter refers to.
fn schema(members: &Map<String, Value>) -> Option<&Value> {
    if members.contains_key("in") {
        return members.get("schema");
    }
    match members.get("allOf")?.as_array()?.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_and_parameters_have_the_description_of_their_schema() {
        let unit = json!({ "$ref": "#/components/schemas/Unit" });
        let mut document = json!({
            "paths": { "/a": { "get": { "parameters": [
                { "name": "unit", "in": "query", "description": "Which unit.", "schema": unit },
                { "name": "units", "in": "query", "description": "Which units.", "schema": { "type": "array", "items": unit } },
            ] } } },
            "components": { "schemas": {
                "Unit": { "type": "string", "description": "A unit." },
                "Meal": { "type": "object", "properties": {
                    "own": { "allOf": [unit], "description": "Unit of the size." },
                    "same": { "allOf": [unit], "description": "A unit." },
                    "bare": unit,
                    "more": { "allOf": [unit, { "type": "object" }], "description": "More than a unit." },
                } },
            } },
        });
        join(&mut document);
        let about = |pointer: &str| document.pointer(pointer).and_then(|one| one["description"].as_str());
        assert_eq!(about("/paths/~1a/get/parameters/0"), Some("Which unit. A unit."));
        assert_eq!(about("/paths/~1a/get/parameters/1"), Some("Which units."));
        let fields = ["own", "same", "bare", "more"].map(|name| about(&format!("/components/schemas/Meal/properties/{name}")));
        assert_eq!(fields, [Some("Unit of the size. A unit."), Some("A unit."), None, Some("More than a unit.")]);
    }
}
