//! Rewrites the short forms of schemas: extended objects and open sets.

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};

/// Rewrites all schemas as plain OpenAPI.
pub(super) fn rewrite(document: &mut Value) -> anyhow::Result<()> {
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut).context("the document has no schemas")?;
    let extending: Vec<String> = schemas.iter().filter(|(_, schema)| schema.get(EXTENDS).is_some()).map(|(name, _)| name.clone()).collect();
    for name in extending {
        extend(schemas, &name).with_context(|| name.clone())?;
    }
    for (name, schema) in schemas.iter_mut() {
        rewrite_open_set(name, schema);
    }
    Ok(())
}

const EXTENDS: &str = "x-vitalwire-extends";
const OPTIONAL: &str = "x-vitalwire-optional";

/// Rewrites an extended object as `allOf` of its base and the additional fields. Loading has already merged all fields into one object.
fn extend(schemas: &mut Map<String, Value>, name: &str) -> anyhow::Result<()> {
    let schema = schemas.get(name).context("is not a schema")?.clone();
    let base = schema[EXTENDS].as_str().context("must extend a name")?;
    let inherited = properties(schemas, base);
    let own: Map<String, Value> = properties(schemas, name).into_iter().filter(|(member, _)| !inherited.contains_key(member)).collect();
    let mut required = texts(schema.get("required"));
    let base = if texts(schema.get(OPTIONAL)).is_empty() {
        // Required fields of the base are part of the base.
        required.retain(|member| own.contains_key(*member));
        base.to_owned()
    } else {
        // `allOf` cannot make a required field optional.
        fields_of(schemas, base)?
    };
    let mut more = Map::new();
    if !own.is_empty() {
        more.insert("properties".into(), own.into());
    }
    if !required.is_empty() {
        more.insert("required".into(), required.into());
    }
    let mut all = vec![reference(&base)];
    if !more.is_empty() {
        more.shift_insert(0, "type".into(), "object".into());
        all.push(more.into());
    }
    let mut written = Map::new();
    for (member, value) in schema.as_object().into_iter().flatten() {
        match member.as_str() {
            "type" => drop(written.insert("allOf".into(), std::mem::take(&mut all).into())),
            "properties" | "required" => {}
            _ => drop(written.insert(member.clone(), value.clone())),
        }
    }
    schemas.insert(name.to_owned(), written.into());
    Ok(())
}

/// Splits an object into a schema of its fields, all optional, and the object itself, which adds the required ones. Returns the name of
/// the new schema.
fn fields_of(schemas: &mut Map<String, Value>, base: &str) -> anyhow::Result<String> {
    let name = format!("{base}Fields");
    let at = schemas.keys().position(|key| key == base).context("its base is not a schema")?;
    if schemas.get(base).is_some_and(|base| base["allOf"][0] == reference(&name)) {
        return Ok(name);
    }
    if schemas.contains_key(&name) {
        bail!("`{name}` is already a schema, but is needed for the fields of `{base}`");
    }
    let mut fields = schemas.get(base).and_then(Value::as_object).cloned().context("its base must be an object")?;
    let mut whole = Map::new();
    whole.extend(fields.get("description").map(|text| ("description".to_owned(), text.clone())));
    let required = fields.shift_remove("required").unwrap_or_else(|| json!([]));
    whole.insert("allOf".into(), json!([reference(&name), { "type": "object", "required": required }]));
    fields.insert("description".into(), format!("Fields of `{base}`.").into());
    schemas.insert(base.to_owned(), whole.into());
    schemas.shift_insert(at, name.clone(), fields.into());
    Ok(name)
}

/// Returns the fields of an object, even if it has been split.
fn properties(schemas: &Map<String, Value>, name: &str) -> Map<String, Value> {
    let own = schemas.get(name).and_then(|schema| schema["properties"].as_object());
    let split = || schemas.get(&format!("{name}Fields")).and_then(|schema| schema["properties"].as_object());
    own.or_else(split).cloned().unwrap_or_default()
}

/// Rewrites an open set as its known values or any other text. Documentation shows the titles, and generators derive type names from them.
fn rewrite_open_set(name: &str, schema: &mut Value) {
    let Some(members) = schema.as_object_mut().filter(|members| members.contains_key("x-vitalwire-open-set")) else { return };
    let Some(values) = members.shift_remove("enum") else { return };
    members.shift_remove("type");
    let known = json!({ "title": format!("Known {name}"), "type": "string", "enum": values });
    members.insert("anyOf".into(), json!([known, { "title": "Any other text", "type": "string" }]));
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn texts(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(schemas: &Value) -> Value {
        let mut document = json!({ "components": { "schemas": schemas } });
        rewrite(&mut document).unwrap();
        document["components"]["schemas"].take()
    }

    #[test]
    fn an_extending_object_refers_to_its_base() {
        let base = json!({ "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } } });
        let more = json!({
            "type": "object", "x-vitalwire-extends": "Base", "required": ["id", "whose"],
            "properties": { "whose": { "type": "string" }, "id": { "type": "string" } },
        });
        let found = written(&json!({ "Base": base, "More": more }));
        let own = json!({ "type": "object", "properties": { "whose": { "type": "string" } }, "required": ["whose"] });
        assert_eq!(found["More"]["allOf"], json!([{ "$ref": "#/components/schemas/Base" }, own]));
        assert_eq!(found["Base"], base);
    }

    #[test]
    fn a_field_that_is_optional_in_a_response_is_required_only_in_the_record() {
        let base = json!({
            "type": "object", "description": "A meal.", "required": ["id", "at"],
            "properties": { "id": { "type": "string" }, "at": { "type": "string" } },
        });
        let first = json!({
            "type": "object", "x-vitalwire-extends": "Meal", "x-vitalwire-optional": ["at"], "required": ["id"],
            "properties": { "id": { "type": "string" }, "at": { "type": "string" } },
        });
        let found = written(&json!({ "Meal": base, "First": first }));
        assert_eq!(found["MealFields"].get("required"), None);
        assert_eq!(found["MealFields"]["properties"], base["properties"]);
        let fields = json!({ "$ref": "#/components/schemas/MealFields" });
        assert_eq!(found["Meal"]["allOf"], json!([fields, { "type": "object", "required": ["id", "at"] }]));
        assert_eq!(found["First"]["allOf"], json!([fields, { "type": "object", "required": ["id"] }]));
    }

    #[test]
    fn an_open_set_accepts_any_text_and_lists_known_values() {
        let found = written(&json!({ "Stage": { "type": "string", "x-vitalwire-open-set": true, "enum": ["deep", "rem"] } }));
        let known = json!({ "title": "Known Stage", "type": "string", "enum": ["deep", "rem"] });
        assert_eq!(found["Stage"]["anyOf"], json!([known, { "title": "Any other text", "type": "string" }]));
    }
}
