//! Adds an example to every response. Success examples were recorded from the sandbox with synthetic users; error examples follow from
//! the status.

use std::collections::BTreeMap;

use anyhow::Context;
use serde_json::{Map, Value, json};

use super::example;
use crate::ir::Ir;

/// Adds the examples to the responses of operations and to shared responses. `whole` is the original document; operations without a
/// recorded response get an example from their schema.
pub(super) fn add_examples(document: &mut Value, whole: &Value, ir: &Ir) -> anyhow::Result<()> {
    let mut shared = BTreeMap::new();
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).context("the document has no paths")?;
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(|item| item.values_mut()) {
        let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
        let location = first_location(operation, whole);
        let has_token = ir.operation(&id).is_none_or(|operation| operation.authenticated);
        for (status, response) in operation.get_mut("responses").and_then(Value::as_object_mut).into_iter().flatten() {
            let name = response["$ref"].as_str().and_then(|reference| reference.strip_prefix(SHARED)).map(str::to_owned);
            if let Some(name) = name {
                inline_shared(response, whole, &name);
                shared.insert(name, status.clone());
            }
            let Some(content) = content(response) else { continue };
            let sample = ir.samples.get(&id).filter(|sample| status.parse() == Ok(sample.status));
            let example = match sample {
                Some(sample) => sample.body.clone(),
                None if status.starts_with('2') => example::for_schema(&content["schema"], whole),
                None => problem(status, &location, has_token),
            };
            content.insert("example".into(), example);
        }
    }
    for (name, response) in document.pointer_mut("/components/responses").and_then(Value::as_object_mut).into_iter().flatten() {
        if let (Some(status), Some(content)) = (shared.get(name), content(response)) {
            content.insert("example".into(), problem(status, "query.name", true));
        }
    }
    Ok(())
}

/// Inlines a shared response if the operation has its own description for it. OpenAPI 3.0 ignores keys next to a reference.
fn inline_shared(response: &mut Value, whole: &Value, name: &str) {
    let Some(about) = response.get("description").cloned() else { return };
    if let Some(mut own) = whole.pointer(&format!("/components/responses/{name}")).cloned() {
        own["description"] = about;
        *response = own;
    }
}

/// Returns an example location of a validation error: the first parameter, or the first field of the body.
fn first_location(operation: &Value, whole: &Value) -> String {
    let parameter = operation.pointer("/parameters/0").and_then(|one| Some(format!("{}.{}", one["in"].as_str()?, one["name"].as_str()?)));
    let body = || {
        let name = operation.pointer("/requestBody/content/application~1json/schema/$ref")?.as_str()?;
        let schema = whole.pointer(name.strip_prefix('#')?)?;
        let required = schema.pointer("/required/0").and_then(Value::as_str);
        Some(format!("body.{}", required.or_else(|| schema["properties"].as_object()?.keys().next().map(String::as_str))?))
    };
    parameter.or_else(body).unwrap_or_else(|| "query.name".to_owned())
}

/// Prefix of references to shared responses.
const SHARED: &str = "#/components/responses/";

/// Returns the first media type of a response.
fn content(response: &mut Value) -> Option<&mut Map<String, Value>> {
    response.get_mut("content")?.as_object_mut()?.values_mut().next()?.as_object_mut()
}

/// Returns an error body (RFC 9457) with a sentence that the service is known to use. `location` is the location of the validation error. A
/// request without a token gets no sentence about tokens.
fn problem(status: &str, location: &str, has_token: bool) -> Value {
    let (title, detail) = match status {
        "400" => ("Bad Request", Some("validation failed")),
        "401" => ("Unauthorized", Some(if has_token { "expired jwt" } else { "application not found" })),
        "404" => ("Not Found", None),
        "413" => ("Content Too Large", None),
        "422" => ("Unprocessable Content", Some("validation failed")),
        "500" => ("Internal Server Error", None),
        _ => ("Error", None),
    };
    let mut problem = json!({ "type": "about:blank", "title": title, "status": status.parse::<u16>().unwrap_or_default() });
    if let Some(detail) = detail {
        problem["detail"] = detail.into();
    }
    if status == "422" {
        problem["errors"] = json!([{ "location": location, "message": "is not valid" }]);
    }
    problem
}
