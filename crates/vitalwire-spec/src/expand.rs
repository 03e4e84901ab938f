//! Expands the two short forms of our specifications, which avoid repeated lists of fields and names.
//!
//! * `x-vitalwire-extends: Name` (+ `x-vitalwire-optional: [..]`): this object also has the fields of that object.
//! * `x-vitalwire-names-of: Name` (+ `x-vitalwire-except: [..]`): the values of this enum are the field names of that object.

use serde_json::{Map, Value};

use super::{Finding, Findings, Pointer, Spec};

/// Expands all short forms of a specification.
pub(super) fn expand(spec: &mut Spec, findings: &mut Findings) {
    let Some(schemas) = Pointer::root().join("components").join("schemas").find(&spec.document).and_then(Value::as_object).cloned() else {
        findings.push(Finding::new("schemas", spec.path, Pointer::root().join("components"), "must have schemas"));
        return;
    };
    for (name, schema) in &schemas {
        let at = Pointer::schema(name);
        let expanded = match (schema.get("x-vitalwire-extends"), schema.get("x-vitalwire-names-of")) {
            (Some(base), _) => expand_fields(schema, base, &schemas),
            (None, Some(map)) => expand_names(schema, map, &schemas),
            (None, None) => continue,
        };
        match expanded {
            Ok(expanded) => {
                if let Some(slot) = spec.document.pointer_mut(&at.to_string()) {
                    *slot = expanded;
                }
            }
            Err(text) => findings.push(Finding::new("expand", spec.path, at, text)),
        }
    }
}

fn names(value: Option<&Value>) -> Vec<&str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn properties<'a>(of: &Value, schemas: &'a Map<String, Value>) -> Result<(&'a str, &'a Map<String, Value>), String> {
    let name = of.as_str().ok_or("must name a schema")?;
    let (name, schema) = schemas.get_key_value(name).ok_or_else(|| format!("names `{name}`, which is not a schema"))?;
    if schema.get("x-vitalwire-extends").is_some() {
        return Err(format!("names `{name}`, which must not be a short form itself"));
    }
    let properties =
        schema.get("properties").and_then(Value::as_object).ok_or_else(|| format!("names `{name}`, which has no properties"))?;
    Ok((name, properties))
}

fn expand_fields(schema: &Value, base: &Value, schemas: &Map<String, Value>) -> Result<Value, String> {
    let (base, inherited) = properties(base, schemas)?;
    let optional = names(schema.get("x-vitalwire-optional"));
    if let Some(name) = optional.iter().find(|name| !inherited.contains_key(**name)) {
        return Err(format!("makes `{name}` optional, which `{base}` does not have"));
    }
    let mut merged = schema.as_object().cloned().unwrap_or_default();
    let own = merged.remove("properties").and_then(|value| value.as_object().cloned()).unwrap_or_default();
    let own_required = merged.get("required").cloned();
    let mut required: Vec<Value> = names(own_required.as_ref()).into_iter().map(Value::from).collect();
    for name in names(schemas[base].get("required")) {
        if !optional.contains(&name) {
            required.push(name.into());
        }
    }
    let mut all = own;
    for (name, property) in inherited {
        all.entry(name.clone()).or_insert_with(|| property.clone());
    }
    merged.insert("type".into(), "object".into());
    merged.insert("properties".into(), all.into());
    if !required.is_empty() {
        merged.insert("required".into(), required.into());
    }
    Ok(merged.into())
}

fn expand_names(schema: &Value, map: &Value, schemas: &Map<String, Value>) -> Result<Value, String> {
    let (map, members) = properties(map, schemas)?;
    let except = names(schema.get("x-vitalwire-except"));
    if let Some(name) = except.iter().find(|name| !members.contains_key(**name)) {
        return Err(format!("excludes `{name}`, which `{map}` does not have"));
    }
    let values: Vec<Value> = members.keys().filter(|name| !except.contains(&name.as_str())).map(|name| name.as_str().into()).collect();
    let mut expanded = schema.as_object().cloned().unwrap_or_default();
    expanded.insert("enum".into(), values.into());
    Ok(expanded.into())
}
