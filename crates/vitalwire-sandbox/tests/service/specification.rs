//! Checks responses by the specifications with their overlays: statuses, content types and schemas.
//!
//! Stricter than JSON Schema: undocumented fields are violations.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use http::{HeaderMap, Method};
use serde_json::{Map, Value, json};
use vitalwire_testkit::jsonschema::{self, Draft, Validator};

/// Operations of both specifications.
pub(crate) static SPECIFICATION: LazyLock<Specification> = LazyLock::new(Specification::load);

/// Path prefix of the policy-benefits service.
const CARE: &str = "/care";

pub(crate) struct Specification {
    pub(crate) operations: Vec<Operation>,
    problem: Validator,
}

pub(crate) struct Operation {
    pub(crate) id: String,
    method: Method,
    /// Segments of the path. `None` for a parameter.
    path: Vec<Option<String>>,
    responses: BTreeMap<u16, Option<DocumentedBody>>,
    /// Enumerated values by parameter or body field.
    names: BTreeMap<String, Vec<String>>,
}

/// Content type and schema of a documented body.
struct DocumentedBody {
    kind: String,
    schema: Validator,
}

/// A response and the request that it belongs to.
pub(crate) struct ReceivedResponse<'a> {
    pub(crate) method: &'a Method,
    /// Path of the request, without a query.
    pub(crate) path: &'a str,
    pub(crate) status: u16,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
}

impl Specification {
    fn load() -> Self {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = own.ancestors().nth(2).unwrap();
        let sources = vitalwire_spec::load(root, &[]).unwrap_or_else(|findings| panic!("{findings}"));
        let mut operations = Vec::new();
        let mut problem = None;
        for spec in &sources.specs {
            let base = if spec.service == "care" { CARE } else { "" };
            let definitions: Map<String, Value> = object(&spec.document["components"]["schemas"])
                .iter()
                .map(|(name, schema)| (name.clone(), to_json_schema(schema)))
                .collect();
            let definitions = Value::Object(definitions);
            for (path, item) in object(&spec.document["paths"]) {
                for (method, operation) in object(item) {
                    operations.push(Operation {
                        id: operation["operationId"].as_str().unwrap().to_owned(),
                        method: method.to_uppercase().parse().unwrap(),
                        path: template(&format!("{base}{path}")),
                        responses: documented_responses(operation, &spec.document, &definitions),
                        names: enumerated_names(operation, &spec.document),
                    });
                }
            }
            problem = Some(validator(&json!({ "$ref": "#/$defs/ProblemDetails" }), &definitions));
        }
        Self { operations, problem: problem.unwrap() }
    }

    /// Checks a response. Returns the id of its operation, if the path belongs to one.
    ///
    /// # Panics
    ///
    /// If the response violates the specification. The message lists all violations.
    pub(crate) fn check(&self, response: &ReceivedResponse) -> Option<&str> {
        let segments: Vec<&str> = response.path.split('/').collect();
        let found =
            self.operations.iter().find(|operation| operation.method == *response.method && matches_path(&operation.path, &segments));
        let violations = match found {
            Some(operation) => operation.violations(response, self),
            // Not an operation: an unknown path or method, or a page of the sandbox.
            None if is_problem(response) => body_violations(&self.problem, response),
            None if response.status >= 400 && segments.get(1) == Some(&"v3") => vec!["an error without a problem body".to_owned()],
            None => Vec::new(),
        };
        let text = String::from_utf8_lossy(response.body);
        assert!(violations.is_empty(), "{} {} answered {}: {violations:#?}\n{text}", response.method, response.path, response.status);
        found.map(|operation| operation.id.as_str())
    }

    pub(crate) fn ids(&self) -> BTreeSet<&str> {
        self.operations.iter().map(|operation| operation.id.as_str()).collect()
    }

    /// Returns the enumerated values of a parameter, or of its list items.
    pub(crate) fn names(&self, operation: &str, parameter: &str) -> Vec<&str> {
        let found = self.operations.iter().find(|known| known.id == operation).unwrap();
        found.names.get(parameter).unwrap_or_else(|| panic!("{parameter} of {operation}")).iter().map(String::as_str).collect()
    }

    /// Returns all documented pairs of operation id and status.
    pub(crate) fn documented(&self) -> BTreeSet<(&str, u16)> {
        self.operations.iter().flat_map(|operation| operation.responses.keys().map(|status| (operation.id.as_str(), *status))).collect()
    }
}

impl Operation {
    /// Returns its method and a path with `x` for each parameter.
    pub(crate) fn request(&self) -> (Method, String) {
        let segments: Vec<&str> = self.path.iter().map(|segment| segment.as_deref().unwrap_or("x")).collect();
        (self.method.clone(), segments.join("/"))
    }

    /// Checks an example body of a success. It must be absent if the success has no body.
    pub(crate) fn check_example(&self, example: Option<&Value>) {
        let success =
            self.responses.iter().find(|(status, _)| (200..300).contains(*status)).and_then(|(_, documented)| documented.as_ref());
        match (success, example) {
            (Some(documented), Some(example)) => {
                let violations: Vec<String> =
                    documented.schema.iter_errors(example).map(|error| format!("{}: {error}", error.instance_path())).collect();
                assert!(violations.is_empty(), "{}: {violations:#?}", self.id);
            }
            (None, None) => {}
            (_, example) => panic!("{}: {example:?}", self.id),
        }
    }

    fn violations(&self, response: &ReceivedResponse, specification: &Specification) -> Vec<String> {
        match self.responses.get(&response.status) {
            // The gateway's own page.
            _ if response.status == 413 && content_type(response) == "text/html" => Vec::new(),
            None if self.allows_undocumented(response.status) => body_violations(&specification.problem, response),
            None => vec![format!("{} does not document {}", self.id, response.status)],
            Some(None) if response.body.is_empty() && content_type(response).is_empty() => Vec::new(),
            Some(None) => vec!["a body where none is documented".to_owned()],
            Some(Some(documented)) if documented.kind != content_type(response) => {
                vec![format!("content type `{}` instead of `{}`", content_type(response), documented.kind)]
            }
            Some(Some(documented)) => body_violations(&documented.schema, response),
        }
    }

    /// Whether the service may return a status that the specification does not document.
    fn allows_undocumented(&self, status: u16) -> bool {
        match status {
            // The supplement limits documents to 10 MB too. The specification documents the limit only for pictures.
            413 => self.id == "upload_lab_report",
            // A slow body times out on any operation.
            408 => true,
            _ => false,
        }
    }
}

/// Returns the enumerated values of parameters and body fields, and of the items of lists.
fn enumerated_names(operation: &Value, document: &Value) -> BTreeMap<String, Vec<String>> {
    let resolved = |schema: &'_ Value| -> Value {
        let target = schema["$ref"].as_str().map(|reference| document.pointer(reference.trim_start_matches('#')).unwrap());
        target.unwrap_or(schema).clone()
    };
    let body = resolved(&operation["requestBody"]["content"]["application/json"]["schema"]);
    let parameters = operation["parameters"].as_array().into_iter().flatten().map(resolved);
    let parameters = parameters.map(|parameter| (parameter["name"].as_str().unwrap().to_owned(), resolved(&parameter["schema"])));
    let members = body["properties"].as_object().into_iter().flatten().map(|(name, schema)| (name.clone(), resolved(schema)));
    let mut names = BTreeMap::new();
    for (name, schema) in parameters.chain(members) {
        let schema = if schema["items"].is_object() { resolved(&schema["items"]) } else { schema };
        if let Some(values) = schema["enum"].as_array() {
            names.insert(name, values.iter().map(|value| value.as_str().unwrap().to_owned()).collect());
        }
    }
    names
}

fn documented_responses(operation: &Value, document: &Value, definitions: &Value) -> BTreeMap<u16, Option<DocumentedBody>> {
    let response = |(status, response): (&String, &Value)| {
        let response = match response["$ref"].as_str() {
            Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
            None => response,
        };
        let content = response.get("content").map(|content| {
            let content = object(content);
            assert_eq!(content.len(), 1, "one content type each");
            let (kind, body) = content.iter().next().unwrap();
            DocumentedBody { kind: kind.clone(), schema: validator(&to_json_schema(&body["schema"]), definitions) }
        });
        (status.parse().unwrap(), content)
    };
    object(&operation["responses"]).iter().map(response).collect()
}

fn validator(schema: &Value, definitions: &Value) -> Validator {
    let mut schema = schema.clone();
    schema["$defs"] = definitions.clone();
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .build(&schema)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn body_violations(schema: &Validator, response: &ReceivedResponse) -> Vec<String> {
    match serde_json::from_slice(response.body) {
        Ok(body) => schema.iter_errors(&body).map(|error| format!("{}: {error}", error.instance_path())).collect(),
        Err(error) => vec![error.to_string()],
    }
}

fn is_problem(response: &ReceivedResponse) -> bool {
    content_type(response) == "application/problem+json"
}

fn content_type<'a>(response: &'a ReceivedResponse) -> &'a str {
    response.headers.get("content-type").map_or("", |value| value.to_str().unwrap())
}

fn template(path: &str) -> Vec<Option<String>> {
    path.split('/').map(|segment| (!segment.starts_with('{')).then(|| segment.to_owned())).collect()
}

fn matches_path(template: &[Option<String>], segments: &[&str]) -> bool {
    let same = |(expected, segment): (&Option<String>, &&str)| match expected {
        Some(text) => text == segment,
        None => !segment.is_empty(),
    };
    template.len() == segments.len() && template.iter().zip(segments).all(same)
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap_or_else(|| panic!("not an object: {value}"))
}

/// Converts a schema of OpenAPI 3.0 to JSON Schema 2020-12. Panics on unsupported keywords.
fn to_json_schema(schema: &Value) -> Value {
    let schema = object(schema);
    // OpenAPI 3.0 ignores all keywords next to a reference.
    if let Some(reference) = schema.get("$ref") {
        let name = reference.as_str().unwrap().strip_prefix("#/components/schemas/").unwrap();
        return json!({ "$ref": format!("#/$defs/{name}") });
    }
    let mut converted = Map::new();
    let nullable = schema.get("nullable") == Some(&Value::Bool(true));
    for (keyword, value) in schema {
        match keyword.as_str() {
            "type" if nullable => drop(converted.insert("type".into(), json!([value, "null"]))),
            "enum" if nullable => panic!("a nullable enum is not supported"),
            "type" | "enum" | "required" | "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems" | "pattern" => {
                converted.insert(keyword.clone(), value.clone());
            }
            "properties" => {
                let members = object(value).iter().map(|(name, member)| (name.clone(), to_json_schema(member))).collect();
                converted.insert("properties".into(), Value::Object(members));
                // Rejects undocumented fields.
                if !schema.contains_key("additionalProperties") {
                    converted.insert("additionalProperties".into(), false.into());
                }
            }
            "items" => drop(converted.insert("items".into(), to_json_schema(value))),
            "additionalProperties" if value.is_boolean() => drop(converted.insert(keyword.clone(), value.clone())),
            "additionalProperties" => drop(converted.insert(keyword.clone(), to_json_schema(value))),
            "format" => match value.as_str().unwrap() {
                "int64" => {
                    converted.insert("minimum".into(), i64::MIN.into());
                    converted.insert("maximum".into(), i64::MAX.into());
                }
                // Every JSON number is a double.
                "double" => {}
                "byte" => drop(converted.insert("pattern".into(), "^[A-Za-z0-9+/]*={0,2}$".into())),
                format @ ("date" | "date-time" | "uri" | "uuid") => drop(converted.insert("format".into(), format.into())),
                format => panic!("format `{format}` is not supported"),
            },
            // `nullable` is handled above. The other keywords do not restrict values.
            "nullable" | "description" | "default" | "deprecated" | "example" => {}
            extension if extension.starts_with("x-") => {}
            keyword => panic!("keyword `{keyword}` is not supported"),
        }
    }
    Value::Object(converted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(path: &str, status: u16, kind: &str, body: &str) -> String {
        let mut headers = HeaderMap::new();
        if !kind.is_empty() {
            headers.insert("content-type", kind.parse().unwrap());
        }
        let response = ReceivedResponse { method: &Method::GET, path, status, headers: &headers, body: body.as_bytes() };
        let segments: Vec<&str> = path.split('/').collect();
        let operation = SPECIFICATION
            .operations
            .iter()
            .find(|operation| operation.method == Method::GET && matches_path(&operation.path, &segments))
            .unwrap();
        operation.violations(&response, &SPECIFICATION).join("; ")
    }

    #[test]
    fn every_operation_documents_successes_and_errors() {
        let ids: BTreeSet<&str> = SPECIFICATION.operations.iter().map(|operation| operation.id.as_str()).collect();
        assert_eq!(ids.len(), SPECIFICATION.operations.len(), "each once");
        for operation in &SPECIFICATION.operations {
            let succeeds = |status: &u16| (200..300).contains(status);
            let (successes, errors): (Vec<u16>, Vec<u16>) = operation.responses.keys().partition(|status| succeeds(status));
            assert!(!successes.is_empty() && !errors.is_empty(), "{}", operation.id);
        }
    }

    #[test]
    fn violations_are_found() {
        let (json, user, sleep) = ("application/json", "/v3/userinfo", "/v3/queries/sleeps/x");
        assert_eq!(violations(user, 200, json, r#"{"application_id":7,"integrated_providers":[]}"#), "");
        assert!(violations(user, 200, json, r#"{"application_id":"7"}"#).contains("/application_id"));
        assert!(violations(user, 200, json, r#"{"application_name":"x"}"#).contains("application_name"), "an undocumented member");
        assert!(violations(user, 200, json, r#"{"integrated_providers":[{"provider_slug":"nobody"}]}"#).contains("provider_slug"));
        assert!(violations(user, 200, json, r#"{"integrated_providers":null}"#).contains("null"));
        assert!(violations(user, 200, json, r#"{"created_at":"yesterday"}"#).contains("date-time"));
        assert!(violations(user, 200, json, r#"{"uid":"1"}"#).contains("uuid"));
        assert!(violations(user, 200, json, r#"{"application_id":9223372036854775808}"#).contains("maximum"));
        assert!(!violations(user, 200, json, "{").is_empty());
        assert!(violations(user, 200, "text/html", "{}").contains("content type"));
        assert!(violations(user, 418, json, "{}").contains("does not document 418"));
        assert!(violations(user, 404, json, "{}").contains("content type"), "errors are problem documents");
        assert!(violations(user, 404, "application/problem+json", r#"{"status":404,"code":1}"#).contains("code"));
        assert!(violations(sleep, 200, json, r#"{"start_at_timestamp":"2025-01-01T00:00:00Z"}"#).contains("modified_at"), "required");
        assert!(violations("/v3/lab_reports", 200, json, "null").is_empty(), "nullable");
        assert!(violations("/v3/lab_reports", 200, json, "{}").contains("array"));
    }
}
