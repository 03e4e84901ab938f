//! Writes the specifications for any OpenAPI tool: overlays applied, and short forms and extensions rewritten in plain OpenAPI 3.0.

mod descriptions;
pub(crate) mod example;
mod extension_texts;
mod responses;
mod schemas;

use anyhow::Context;
use serde_json::{Map, Value, json};

use crate::file::File;
use crate::ir::Ir;
use crate::spec::{Sources, Spec};

const FOLDER: &str = "openapi/resolved";

/// Description of the server entry. Tools expect one, but users set the address of a service themselves.
const SERVER: &str = "The host that serves this file, such as a local sandbox. Users set the base URL of a service themselves.";

/// Returns one file per service.
///
/// # Errors
/// If a short form cannot be rewritten.
pub(crate) fn emit(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    files(ir, sources, FOLDER)
}

/// Returns the same files for another folder.
///
/// # Errors
/// See [`emit`].
pub(crate) fn files(ir: &Ir, sources: &Sources, folder: &str) -> anyhow::Result<Vec<File>> {
    sources.specs.iter().map(|spec| file(ir, spec, folder)).collect()
}

fn file(ir: &Ir, spec: &Spec, folder: &str) -> anyhow::Result<File> {
    let name = spec.path.rsplit('/').next().unwrap_or(spec.path);
    let document = document(ir, spec).with_context(|| format!("{folder}/{name}"))?;
    Ok(File::new(format!("{folder}/{name}"), serde_saphyr::to_string(&document)?))
}

/// Returns the document of a service.
fn document(ir: &Ir, spec: &Spec) -> anyhow::Result<Value> {
    let mut document = spec.document.clone();
    schemas::rewrite(&mut document)?;
    responses::add_examples(&mut document, &spec.document, ir)?;
    let mut document = plain(document);
    drop_unused(&mut document);
    descriptions::join(&mut document);
    if let Some(members) = document.as_object_mut() {
        let after = members.keys().position(|name| name == "info").map_or(0, |info| info + 1);
        members.shift_insert(after, "servers".into(), json!([{ "url": "/", "description": SERVER }]));
    }
    Ok(document)
}

/// Removes unreferenced responses, such as shared ones that every operation has inlined.
fn drop_unused(document: &mut Value) {
    let text = document.to_string();
    if let Some(responses) = document.pointer_mut("/components/responses").and_then(Value::as_object_mut) {
        responses.retain(|name, _| text.contains(&format!("\"#/components/responses/{name}\"")));
    }
}

/// Rewrites a value for other tools: describes our extensions in words, and moves keys next to a `$ref` into an `allOf`.
fn plain(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let sentences = extension_texts::sentences(&members);
            let kept = members.into_iter().filter(|(name, _)| !is_ours(name));
            let mut members: Map<String, Value> = kept.map(|(name, value)| (name, plain(value))).collect();
            if !sentences.is_empty() {
                let text = members.get("description").and_then(Value::as_str).unwrap_or_default();
                let text = std::iter::once(text).filter(|text| !text.is_empty()).chain(sentences.iter().map(String::as_str));
                let text = text.collect::<Vec<_>>().join(" ");
                members.insert("description".into(), text.into());
            }
            match members.shift_remove("$ref") {
                Some(reference) if members.is_empty() => Value::from_iter([("$ref", reference)]),
                Some(reference) => {
                    let mut wrapper = Map::from_iter([("allOf".to_owned(), Value::from(vec![Value::from_iter([("$ref", reference)])]))]);
                    wrapper.extend(members);
                    wrapper.into()
                }
                None => members.into(),
            }
        }
        Value::Array(items) => items.into_iter().map(plain).collect(),
        other => other,
    }
}

/// Whether only our tools read an extension.
fn is_ours(name: &str) -> bool {
    name.starts_with("x-vitalwire-") || name == "x-statements"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_become_sentences_and_references_have_no_siblings() {
        let pulse = json!({ "$ref": "#/components/schemas/Pulse", "description": "At rest.", "x-vitalwire-unit": "bpm" });
        let wrapped =
            json!({ "allOf": [{ "$ref": "#/components/schemas/Pulse" }], "description": "At rest. Unit: beats per minute (bpm)." });
        assert_eq!(plain(pulse), wrapped);
        let alone = json!({ "schema": { "$ref": "#/components/schemas/Pulse", "x-statements": ["a.b"] } });
        assert_eq!(plain(alone), json!({ "schema": { "$ref": "#/components/schemas/Pulse" } }));
        // Extensions that other tools read are kept.
        assert_eq!(plain(json!({ "x-webhooks": {}, "x-vitalwire-group": "sleeps" })), json!({ "x-webhooks": {} }));
    }

    #[test]
    fn unused_responses_are_left_out() {
        let mut document = json!({
            "paths": { "/a": { "get": { "responses": { "404": { "$ref": "#/components/responses/Gone" } } } } },
            "components": { "responses": { "Gone": { "description": "Gone." }, "Go": { "description": "Go." } } },
        });
        drop_unused(&mut document);
        assert_eq!(document["components"]["responses"], json!({ "Gone": { "description": "Gone." } }));
    }
}
