//! Reads schemas into types.

use serde_json::Value;

use super::{Docs, Type};

/// Returns the name of the component that a `$ref` refers to.
pub(super) fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/components/schemas/")
}

/// Returns the documentation of a schema, property or parameter.
pub(super) fn docs(schema: &Value) -> Docs {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let summary = schema.get("summary").and_then(Value::as_str).unwrap_or_default();
    let text = if summary.is_empty() {
        description.trim().to_owned()
    } else {
        format!("{}.\n\n{}", summary.trim_end_matches('.'), description.trim())
    };
    Docs {
        text: text.trim().to_owned(),
        unit: schema.get("x-vitalwire-unit").and_then(Value::as_str).map(str::to_owned),
        deprecated: schema.get("deprecated").and_then(Value::as_bool).unwrap_or(false),
        example: example(schema),
    }
}

/// Returns the example or examples of a schema, parameter or media type.
pub(super) fn example(schema: &Value) -> Option<Value> {
    schema.get("example").or_else(|| schema.get("examples")).cloned()
}

/// Returns the type of a schema. `component` resolves references.
pub(super) fn parse(schema: &Value, component: &dyn Fn(&str) -> Option<Type>) -> Result<Type, String> {
    if let Some(name) = reference(schema) {
        return component(name).ok_or_else(|| format!("refers to `{name}`, which is not a supported schema"));
    }
    if schema.get("$ref").is_some() {
        return Err("must refer to `#/components/schemas/`".into());
    }
    if let Some(word) = ["oneOf", "anyOf", "allOf", "not"].iter().find(|word| schema.get(**word).is_some()) {
        return Err(format!("`{word}` is not supported"));
    }
    if schema.get("enum").is_some() {
        return Err("must be a component because it is an enum".into());
    }
    let format = schema.get("format").and_then(Value::as_str);
    match (schema.get("type").and_then(Value::as_str), format) {
        (Some("string"), None | Some("uri" | "email")) => Ok(Type::Text),
        (Some("string"), Some("date-time")) => Ok(Type::Timestamp),
        (Some("string"), Some("date")) => Ok(Type::Date),
        (Some("string"), Some("uuid")) => Ok(Type::Id),
        (Some("string"), Some("byte")) => Ok(Type::Bytes),
        (Some("boolean"), None) => Ok(Type::Boolean),
        (Some("integer"), None | Some("int32" | "int64")) => Ok(Type::Integer),
        (Some("number"), None | Some("double")) => Ok(Type::Number),
        (Some("array"), None) => {
            let items = schema.get("items").ok_or("must have items because it is a list")?;
            Ok(Type::List(Box::new(parse(items, component)?)))
        }
        (Some("object"), _) => Err("must be a component because it is an object".into()),
        (None, None) => match ["properties", "items", "additionalProperties"].iter().find(|word| schema.get(**word).is_some()) {
            Some(word) => Err(format!("has `{word}` but no type")),
            None => Ok(Type::Json),
        },
        (kind, format) => {
            Err(format!("has an unsupported type `{}` with format `{}`", kind.unwrap_or_default(), format.unwrap_or_default()))
        }
    }
}
