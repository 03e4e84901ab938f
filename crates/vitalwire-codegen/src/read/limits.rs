//! Checks limits of parameters: those that clients check are well formed, and all others are explicitly left to the service.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::location::Location;
use super::reader::Reader;
use super::types::reference;
use super::{Param, Type};
use crate::spec::Findings;

/// Maximum bound of an integer: the largest up to which a double represents every integer.
const MAX_BOUND: f64 = 9_007_199_254_740_992.0;

/// OpenAPI limits that no client checks.
const UNCHECKED: [&str; 8] =
    ["maxItems", "maxLength", "maxProperties", "minLength", "minProperties", "multipleOf", "pattern", "uniqueItems"];

/// Checks the limits of a parameter.
pub(super) fn check(reader: &Reader<'_>, param: &Param, schema: &Value, at: &Location<'_>, findings: &mut Findings) {
    let ty = &param.member.ty;
    let number = matches!(ty, Type::Number | Type::Integer);
    let limits = [
        ("minimum", param.minimum.is_some() && !number, "a number"),
        ("maximum", param.maximum.is_some() && !number, "a number"),
        ("minItems", param.min_items.is_some() && !matches!(ty, Type::List(_)), "a list"),
        ("x-vitalwire-max-bytes", param.max_bytes.is_some() && *ty != Type::Bytes, "bytes"),
        ("x-vitalwire-accepts", !param.accepts.is_empty() && *ty != Type::Bytes, "bytes"),
    ];
    for (name, wrong, only) in limits {
        if wrong {
            findings.push(at.join(name).finding("limit", format!("is only supported for {only}")));
        }
    }
    for (name, bound) in [("minimum", param.minimum), ("maximum", param.maximum)] {
        if *ty == Type::Integer && bound.is_some_and(|bound| bound.fract() != 0.0 || bound.abs() > MAX_BOUND) {
            findings.push(at.join(name).finding("limit", "must be an integer up to 2^53"));
        }
    }
    if param.minimum.zip(param.maximum).is_some_and(|(minimum, maximum)| minimum > maximum) {
        findings.push(at.join("maximum").finding("limit", "must not be below the minimum"));
    }
    for name in ["exclusiveMinimum", "exclusiveMaximum"] {
        if schema.get(name).is_some_and(|value| value != &Value::Bool(false)) {
            findings.push(at.join(name).finding("limit", "is not supported").hint("use an inclusive limit"));
        }
    }
    unchecked(reader, schema, at, findings);
}

/// Reports limits that no client checks, unless the specification lists them in `x-vitalwire-unchecked`. Includes list items and
/// referenced components.
fn unchecked(reader: &Reader<'_>, schema: &Value, at: &Location<'_>, findings: &mut Findings) {
    let allowed = texts(schema.get("x-vitalwire-unchecked"));
    for name in UNCHECKED {
        if schema.get(name).is_some() && !allowed.iter().any(|allowed| allowed == name) {
            let hint = "leave it out, or list it in x-vitalwire-unchecked if only the service checks it";
            findings.push(at.join(name).finding("limit", "is not checked by clients").hint(hint));
        }
    }
    for name in allowed.iter().filter(|name| !UNCHECKED.contains(&name.as_str()) || schema.get(name.as_str()).is_none()) {
        let text = format!("`{name}` must be a limit of the same schema that clients do not check");
        findings.push(at.join("x-vitalwire-unchecked").finding("limit", text));
    }
    if let Some(items) = schema.get("items") {
        unchecked(reader, items, &at.join("items"), findings);
    } else if let Some((name, component)) = reference(schema).and_then(|name| reader.schemas.get_key_value(name))
        && reference(component).is_none()
    {
        unchecked(reader, component, &reader.component(name), findings);
    }
}

/// Limits that clients check.
const CHECKED: [&str; 4] = ["maximum", "minimum", "minItems", "x-vitalwire-max-bytes"];

/// Returns the limits of a value by keyword, with those of list items under `items.`. Leaves out limits that allow everything.
pub(super) fn limits(schema: &Value, schemas: &Map<String, Value>) -> BTreeMap<String, Value> {
    let target = reference(schema).and_then(|name| schemas.get(name));
    let mut all = target.map(|target| limits(target, schemas)).unwrap_or_default();
    for name in CHECKED.iter().chain(&UNCHECKED) {
        let limit = schema.get(name).filter(|limit| !(name.starts_with("min") && *name != "minimum" && limit.as_u64() == Some(0)));
        let limit = limit.filter(|limit| **limit != Value::Bool(false));
        all.extend(limit.map(|limit| (name.trim_start_matches("x-vitalwire-").to_owned(), limit.clone())));
    }
    let list = schema.get("type").and_then(Value::as_str) == Some("array");
    if let Some(items) = schema.get("items").filter(|_| list) {
        all.extend(limits(items, schemas).into_iter().map(|(name, limit)| (format!("items.{name}"), limit)));
    }
    all
}

/// Returns the texts of a list. Empty if there is no list.
pub(super) fn texts(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
