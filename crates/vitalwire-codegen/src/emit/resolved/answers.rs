//! An example for every answer: those of a success are what the sandbox answered for synthetic people, those of errors follow from
//! their status.

use std::collections::BTreeMap;

use anyhow::Context;
use serde_json::{Map, Value, json};

use crate::emit::sandbox::example;
use crate::ir::Ir;

/// Adds them to the operations' answers, and to the answers that several operations share. `whole` is the document before anything was
/// written out: an operation that the sandbox has not answered yet gets an example made from its schema.
pub(super) fn add_examples(document: &mut Value, whole: &Value, ir: &Ir) -> anyhow::Result<()> {
    let mut shared = BTreeMap::new();
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).context("it has no paths")?;
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(|item| item.values_mut()) {
        let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
        for (status, answer) in operation.get_mut("responses").and_then(Value::as_object_mut).into_iter().flatten() {
            if let Some(name) = answer["$ref"].as_str().and_then(|reference| reference.strip_prefix(SHARED)) {
                shared.insert(name.to_owned(), status.clone());
            }
            let Some(content) = content(answer) else { continue };
            let sample = ir.samples.get(&id).filter(|sample| status.parse() == Ok(sample.status));
            let example = match sample {
                Some(sample) => sample.body.clone(),
                None if status.starts_with('2') => example::of_schema(&content["schema"], whole),
                None => problem(status),
            };
            content.insert("example".into(), example);
        }
    }
    for (name, answer) in document.pointer_mut("/components/responses").and_then(Value::as_object_mut).into_iter().flatten() {
        if let (Some(status), Some(content)) = (shared.get(name), content(answer)) {
            content.insert("example".into(), problem(status));
        }
    }
    Ok(())
}

/// Where answers stand that several operations share.
const SHARED: &str = "#/components/responses/";

/// The first content of an answer.
fn content(answer: &mut Value) -> Option<&mut Map<String, Value>> {
    answer.get_mut("content")?.as_object_mut()?.values_mut().next()?.as_object_mut()
}

/// The body of an error (RFC 9457), with the sentences that the service is known to use.
fn problem(status: &str) -> Value {
    let (title, detail) = match status {
        "400" => ("Bad Request", Some("validation failed")),
        "401" => ("Unauthorized", Some("expired jwt")),
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
        problem["errors"] = json!([{ "location": "query.to_date", "message": "must not be before from_date", "value": "2025-01-01" }]);
    }
    problem
}
