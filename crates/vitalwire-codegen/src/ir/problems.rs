//! Problem details. Errors hold them, so their models are part of the engine.

use serde_json::{Map, Value};

use crate::spec::{Finding, Findings, Pointer};

/// Models of the engine with their fields in order, as in `crates/vitalwire-runtime/src/error/details.rs`.
pub const MODELS: [(&str, &[&str]); 2] =
    [("ProblemDetails", &["type", "title", "status", "detail", "instance", "errors"]), ("ProblemItem", &["location", "message", "value"])];

/// Whether the engine has a model of this name.
#[must_use]
pub fn is_engine_model(name: &str) -> bool {
    MODELS.iter().any(|(model, _)| *model == name)
}

/// Extension that lists the fixed sentences of `detail`, which cannot hold private data.
const FIXED: &str = "x-vitalwire-fixed-texts";

/// Returns the fixed sentences of `detail`.
pub(crate) fn fixed_details(components: &Map<String, Value>) -> Vec<String> {
    let schema = components.get("ProblemDetails");
    let texts = schema.and_then(|schema| schema["properties"]["detail"][FIXED].as_array());
    texts.into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// Checks that a specification declares these models with the same fields as the engine.
pub(crate) fn check(components: &Map<String, Value>, file: &str, findings: &mut Findings) {
    for (name, members) in MODELS {
        let Some(schema) = components.get(name) else { continue };
        let declared = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        if !declared.map(String::as_str).eq(members.iter().copied()) {
            let text = format!("must have the fields of the engine's model: {}", members.join(", "));
            findings.push(
                Finding::new("engine-model", file, Pointer::schema(name).join("properties"), text).hint("give this schema another name"),
            );
        }
    }
}
