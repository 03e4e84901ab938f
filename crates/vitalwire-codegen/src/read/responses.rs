//! Reads the responses of an operation: one success, and errors in a single format.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::location::Location;
use super::reader::Reader;
use super::schemas::component;
use super::types::{example, reference};
use super::{ResponseType, Type};
use crate::spec::Findings;

/// Required media type and schema of error responses.
const ERROR: (&str, &str) = ("application/problem+json", "ProblemDetails");

/// Reads the type of the success response and its status.
pub(super) fn read(reader: &Reader<'_>, findings: &mut Findings) -> Option<(ResponseType, u16)> {
    let at = reader.at.join("responses");
    let mut successes = Vec::new();
    for (status, response) in reader.operation.get("responses").and_then(Value::as_object).into_iter().flatten() {
        let at = at.join(status);
        if status.starts_with("x-") {
            continue;
        }
        match status.parse::<u16>() {
            Ok(code @ 200..=299) => successes.push((code, response, at)),
            Ok(400..=599) => error(reader, response, &at, findings),
            _ if status == "default" => {
                findings.push(at.finding("response-default", "must state a status").hint("replace `default` by the statuses"))
            }
            _ => findings.push(
                at.finding("response-status", format!("`{status}` must be a success or error status"))
                    .hint("write each status as a number"),
            ),
        }
    }
    let [(code, response, location)] = successes.as_slice() else {
        findings.push(at.finding("response-success", format!("must have one success response, but has {}", successes.len())));
        return None;
    };
    let ty = success(reader, response, location, findings)?;
    if *code == 204 && !matches!(ty, ResponseType::Nothing) {
        findings.push(location.finding("response-media", "a 204 response must not have a body"));
    }
    Some((ty, *code))
}

fn resolve<'a>(reader: &'a Reader<'_>, response: &'a Value) -> &'a Value {
    let target = response.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| reader.spec.document.pointer(pointer)).unwrap_or(response)
}

fn success(reader: &Reader<'_>, response: &Value, at: &Location<'_>, findings: &mut Findings) -> Option<ResponseType> {
    let Some(media) = resolve(reader, response).get("content") else { return Some(ResponseType::Nothing) };
    let at = at.join("content");
    let Some(json) = media.get("application/json").filter(|_| media.as_object().is_some_and(|media| media.len() == 1)) else {
        findings.push(at.finding("response-media", "a response must have one media type, application/json"));
        return None;
    };
    let schema = json.get("schema");
    let model = |schema: &Value| {
        reference(schema).filter(|name| matches!(component(reader.schemas, name), Some(Type::Model(_)))).map(str::to_owned)
    };
    let ty = schema.and_then(model).map(ResponseType::Model).or_else(|| schema?.get("items").and_then(model).map(ResponseType::List));
    if ty.is_none() {
        let text = "must be a component object or a list of component objects";
        findings.push(at.join("application/json").finding("response-schema", text).hint("make the object a component"));
    }
    ty
}

/// Returns the documentation of all error statuses, as one text for the call. Error kinds follow from the status alone.
pub(super) fn documented_errors(reader: &Reader<'_>) -> String {
    let responses = reader.operation.get("responses").and_then(Value::as_object).into_iter().flatten();
    let errors = responses.filter(|(status, _)| matches!(status.parse(), Ok(400_u16..=599)));
    let mut texts: Vec<String> = errors
        .map(|(status, response)| {
            // A description next to a reference to a shared response is specific to this operation.
            let about = response.get("description").or_else(|| resolve(reader, response).get("description"));
            let about = about.and_then(Value::as_str).unwrap_or_default().trim();
            if about.is_empty() { format!("{status}.") } else { format!("{status}: {}.", about.trim_end_matches('.')) }
        })
        .collect();
    texts.sort();
    if texts.is_empty() { String::new() } else { format!("Documented errors. {}", texts.join(" ")) }
}

/// Returns the names of the response headers, in lower case.
pub(super) fn headers(reader: &Reader<'_>) -> Vec<String> {
    let responses = reader.operation.get("responses").and_then(Value::as_object).into_iter().flatten();
    let headers = responses.filter_map(|(_, response)| resolve(reader, response).get("headers")?.as_object());
    headers.flat_map(Map::keys).map(|name| name.to_lowercase()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the examples of the request and of the responses, by status.
pub(super) fn examples(reader: &Reader<'_>) -> Option<Value> {
    let request = reader.operation.get("requestBody").map(|body| ("request", body));
    let responses = reader.operation.get("responses").and_then(Value::as_object).into_iter().flatten();
    let bodies = request.into_iter().chain(responses.map(|(status, response)| (status.as_str(), resolve(reader, response))));
    let mut found = Map::new();
    for (name, body) in bodies {
        let media = body.get("content").and_then(Value::as_object).into_iter().flatten();
        found.extend(media.filter_map(|(_, media)| example(media)).map(|example| (name.to_owned(), example)));
    }
    (!found.is_empty()).then_some(Value::Object(found))
}

/// Checks that an error response uses the one format that clients decode.
fn error(reader: &Reader<'_>, response: &Value, at: &Location<'_>, findings: &mut Findings) {
    let Some(media) = resolve(reader, response).get("content").and_then(Value::as_object) else { return };
    let (kind, name) = ERROR;
    let problem = media.get(kind).filter(|_| media.len() == 1).and_then(|media| media.get("schema")).and_then(reference);
    if problem != Some(name) {
        let hint = "leave out the content if the error has another body";
        findings.push(at.join("content").finding("error-body", format!("must be {name} as {kind}")).hint(hint));
    }
}
