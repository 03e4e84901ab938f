//! Reads schemas into types.

use serde_json::Value;

use super::{Docs, Type};

/// Returns the name of the component that a `$ref` refers to.
pub(super) fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/components/schemas/")
}

/// Returns the documentation of a schema, property or parameter.
pub(super) fn docs(of: &Value) -> Docs {
    let description = of.get("description").and_then(Value::as_str).unwrap_or_default();
    let summary = of.get("summary").and_then(Value::as_str).unwrap_or_default();
    let text = if summary.is_empty() {
        description.trim().to_owned()
    } else {
        format!("{}.\n\n{}", summary.trim_end_matches('.'), description.trim())
    };
    Docs {
        text: text.trim().to_owned(),
        unit: of.get("x-vitalwire-unit").and_then(Value::as_str).map(str::to_owned),
        deprecated: of.get("deprecated").and_then(Value::as_bool).unwrap_or(false),
        example: example(of),
    }
}

/// Returns the example or examples of a schema, parameter or media type.
pub(super) fn example(of: &Value) -> Option<Value> {
    of.get("example").or_else(|| of.get("examples")).cloned()
}

/// Returns the type of a schema. `component` resolves references.
pub(super) fn of(schema: &Value, component: &dyn Fn(&str) -> Option<Type>) -> Result<Type, String> {
    if let Some(name) = reference(schema) {
        return component(name).ok_or_else(|| format!("refers to `{name}`, which is no schema that is understood"));
    }
    if schema.get("$ref").is_some() {
        return Err("refers outside `#/components/schemas/`".into());
    }
    if let Some(word) = ["oneOf", "anyOf", "allOf", "not"].iter().find(|word| schema.get(**word).is_some()) {
        return Err(format!("`{word}` is not supported"));
    }
    if schema.get("enum").is_some() {
        return Err("is an enum without a name".into());
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
            let items = schema.get("items").ok_or("is a list without items")?;
            Ok(Type::List(Box::new(of(items, component)?)))
        }
        (Some("object"), _) => Err("is an object without a name".into()),
        (None, None) => match ["properties", "items", "additionalProperties"].iter().find(|word| schema.get(**word).is_some()) {
            Some(word) => Err(format!("has `{word}` and no type")),
            None => Ok(Type::Json),
        },
        (kind, format) => {
            Err(format!("has an unsupported type `{}` with format `{}`", kind.unwrap_or_default(), format.unwrap_or_default()))
        }
    }
}
