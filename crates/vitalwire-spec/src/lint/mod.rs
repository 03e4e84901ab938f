//! Checks rules of whole documents. The reader of `vitalwire-codegen` checks operations and schemas.

mod extensions;
mod security;

use serde_json::{Map, Value};

use super::{Finding, Findings, Pointer, Spec};

/// Allowed keys of a document besides `x-`. `servers` has a finding of its own.
const DOCUMENT: [&str; 8] = ["openapi", "info", "servers", "paths", "components", "security", "tags", "externalDocs"];

/// Checks the rules of a whole document.
pub fn lint(spec: &Spec, findings: &mut Findings) {
    let root = Pointer::root();
    let version = spec.document.get("openapi").and_then(Value::as_str).unwrap_or_default();
    if !version.starts_with("3.0.") {
        let text = format!("must be OpenAPI 3.0, not `{version}`");
        findings.push(Finding::new("openapi-version", spec.path, root.join("openapi"), text).hint("convert it to OpenAPI 3.0.3"));
    }
    if spec.document.get("paths").and_then(Value::as_object).is_none_or(Map::is_empty) {
        findings.push(Finding::new("paths", spec.path, root.join("paths"), "must have paths"));
    }
    if spec.document.get("servers").is_some() {
        let text = "must not name servers, because users set the base URL";
        findings.push(Finding::new("servers", spec.path, root.join("servers"), text).hint("remove it"));
    }
    for name in spec.document.as_object().into_iter().flat_map(Map::keys) {
        if !DOCUMENT.contains(&name.as_str()) && !name.starts_with("x-") {
            findings.push(Finding::new("member", spec.path, root.join(name), "is not a field of an OpenAPI 3.0 document"));
        }
    }
    tags(spec, findings);
    security::check(spec, findings);
    walk(&spec.document, &root, &mut |value, at| {
        let Some(members) = value.as_object() else { return };
        extensions::check(members, spec.path, at, findings);
        statements(value, spec.path, at, findings);
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            let found = reference.strip_prefix('#').and_then(|pointer| spec.document.pointer(pointer));
            if found.is_none() {
                findings.push(Finding::new("reference", spec.path, at.clone(), format!("`{reference}` does not exist in this document")));
            }
        }
    });
}

/// Checks that the document describes every tag of its operations.
fn tags(spec: &Spec, findings: &mut Findings) {
    let declared: Vec<&str> = list(spec.document.get("tags")).filter_map(|tag| tag.get("name")?.as_str()).collect();
    for (path, item) in spec.document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            for (index, tag) in list(operation.get("tags")).enumerate() {
                if !tag.as_str().is_some_and(|tag| declared.contains(&tag)) {
                    let at = Pointer::root().join("paths").join(path).join(method).join("tags").join(index);
                    let text = format!("{tag} must be among the document's tags");
                    findings.push(Finding::new("tag", spec.path, at, text).hint("describe it in `tags`, or correct it"));
                }
            }
        }
    }
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

/// Checks that statements are cited as a list of ids.
pub(super) fn statements(of: &Value, file: &str, at: &Pointer, findings: &mut Findings) {
    if let Some(ids) = of.get("x-statements")
        && !ids.as_array().is_some_and(|ids| !ids.is_empty() && ids.iter().all(Value::is_string))
    {
        findings.push(Finding::new("statements", file, at.join("x-statements"), "must be a list of statement ids"));
    }
}

/// Visits every value with its pointer, outer values first.
pub fn walk(value: &Value, at: &Pointer, visit: &mut dyn FnMut(&Value, &Pointer)) {
    visit(value, at);
    match value {
        Value::Object(members) => members.iter().for_each(|(name, member)| walk(member, &at.join(name), visit)),
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| walk(item, &at.join(index), visit)),
        _ => {}
    }
}
