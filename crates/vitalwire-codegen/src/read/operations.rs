//! Reads path items into operations.

use serde_json::{Map, Value};

use super::location::Location;
use super::names::{self, NameUse};
use super::reader::Reader;
use super::types::docs;
use super::{Basis, Docs, Operation, Retry, Wait, languages, parameters, range, responses};
use crate::spec::{Findings, Pointer, Spec};

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

/// Allowed keys of an operation. Some of them do not affect the call.
const MEMBERS: [&str; 10] =
    ["operationId", "tags", "summary", "description", "externalDocs", "parameters", "requestBody", "responses", "security", "deprecated"];

/// Reads all operations of a specification.
pub(super) fn read(spec: &Spec, schemas: &Map<String, Value>, findings: &mut Findings) -> Vec<Operation> {
    let mut operations = Vec::new();
    for (path, item) in spec.document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        let at = Location::new(spec.path, Pointer::root().join("paths").join(path));
        check_path(path, &at, findings);
        let Some(item) = item.as_object() else {
            findings.push(at.finding("path-item", "must be an object"));
            continue;
        };
        for (name, operation) in item {
            let at = at.join(name);
            match name.as_str() {
                "$ref" => findings.push(at.finding("path-ref", "must not be a reference").hint("write the operations here")),
                "parameters" => {
                    findings.push(at.finding("path-parameters", "are not supported for a path").hint("write them at each operation"))
                }
                "summary" | "description" => {}
                name if METHODS.contains(&name) => operations.extend(Reader { spec, schemas, operation, at }.read(path, name, findings)),
                name if name.starts_with("x-") => {}
                _ => findings.push(at.finding("path-item", format!("`{name}` is not supported"))),
            }
        }
    }
    operations
}

/// Checks that each segment of a path is plain text or one parameter, and that no parameter is repeated.
fn check_path(path: &str, at: &Location<'_>, findings: &mut Findings) {
    let plain = |text: &str| text.chars().all(|character| character.is_ascii_alphanumeric() || "-._~:@!$&'*+,;=".contains(character));
    let template =
        |text: &str| text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).is_some_and(|name| !name.contains(['{', '}']));
    let segments: Vec<&str> = path.split('/').collect();
    let valid = |segment: &&str| template(segment) || (plain(segment) && !["", ".", ".."].contains(segment));
    if segments.first() != Some(&"") || segments.len() < 2 || !segments[1..].iter().all(valid) {
        let text = format!("`{path}` must consist of plain segments and `{{parameters}}`");
        findings.push(at.finding("path", text).hint("begin with a slash; a segment is plain text or one parameter"));
    }
    if segments.iter().enumerate().any(|(index, segment)| template(segment) && segments[..index].contains(segment)) {
        findings.push(at.finding("path", "must not repeat a parameter"));
    }
}

impl Reader<'_> {
    fn read(&self, path: &str, http: &str, findings: &mut Findings) -> Option<Operation> {
        let before = findings.len();
        for name in self.operation.as_object().into_iter().flat_map(Map::keys) {
            if !MEMBERS.contains(&name.as_str()) && !name.starts_with("x-") {
                findings.push(self.at.join(name).finding("operation-member", format!("`{name}` is not supported")));
            }
        }
        let id = self.name("operationId", "operation-id", NameUse::Operation, findings);
        let group = self.name("x-vitalwire-group", "annotation", NameUse::Group, findings);
        let method = self.name("x-vitalwire-method", "annotation", NameUse::Method, findings);
        let retry = match self.word("x-vitalwire-retry") {
            Some("safe") => Retry::Safe,
            Some("idempotent") => Retry::Idempotent,
            Some("once") => Retry::Once,
            _ => self.missing("x-vitalwire-retry", Retry::Once, findings),
        };
        if retry == Retry::Safe && http != "get" {
            findings.push(self.at.join("x-vitalwire-retry").finding("annotation", "only a GET can be safe"));
        }
        let long = match self.word("x-vitalwire-deadline") {
            Some("short") => false,
            Some("long") => true,
            _ => self.missing("x-vitalwire-deadline", false, findings),
        };
        let (body, params) = parameters::read(self, path, findings);
        if body.is_some() && http == "get" {
            findings.push(self.at.join("requestBody").finding("request-method", "a GET must not have a request body"));
        }
        let response = responses::read(self, findings);
        let secured = self.operation.get("security").or_else(|| self.spec.document.get("security"));
        let wait = self.wait(findings);
        let range = range::read(self.operation, &self.at, findings);
        let (response, success) = response.filter(|_| findings.len() == before)?;
        Some(Operation {
            languages: languages::read(self.operation),
            id,
            group,
            method,
            service: self.spec.service.to_owned(),
            http: http.to_uppercase(),
            path: path.to_owned(),
            params,
            body,
            response,
            success: vec![success],
            headers: responses::headers(self),
            authenticated: secured.and_then(Value::as_array).is_some_and(|schemes| !schemes.is_empty()),
            retry,
            long,
            basis: self.basis(),
            max_request_bytes: self.operation.get("x-vitalwire-max-request-bytes").and_then(Value::as_u64),
            wait,
            range,
            docs: self.docs(),
        })
    }

    /// Returns the documentation: the effect of the call and its documented errors.
    fn docs(&self) -> Docs {
        let mut docs = docs(self.operation);
        docs.example = responses::examples(self);
        let errors = responses::documented_errors(self);
        docs.text = [docs.text, errors].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
        docs
    }

    fn word(&self, key: &str) -> Option<&str> {
        self.operation.get(key).and_then(Value::as_str)
    }

    fn name(&self, key: &str, rule: &'static str, name_use: NameUse, findings: &mut Findings) -> String {
        let Some(name) = self.word(key) else { return self.report_missing(key, rule, String::new(), findings) };
        if let Some(text) = names::word_error(name, name_use) {
            findings.push(self.at.join(key).finding(rule, text));
        }
        name.to_owned()
    }

    /// Reports a missing extension. The lint reports invalid values.
    fn missing<T>(&self, key: &str, value: T, findings: &mut Findings) -> T {
        self.report_missing(key, "annotation", value, findings)
    }

    fn report_missing<T>(&self, key: &str, rule: &'static str, value: T, findings: &mut Findings) -> T {
        if self.operation.get(key).is_none() {
            let finding = self.at.finding(rule, format!("must have {key}"));
            findings.push(if rule == "annotation" { finding.hint("add it in overlays/20-client.*.yaml") } else { finding });
        } else if self.word(key).is_none() {
            findings.push(self.at.join(key).finding(rule, "must be text"));
        }
        value
    }

    fn basis(&self) -> Option<Basis> {
        match self.word("x-vitalwire-basis") {
            Some("per_serving") => Some(Basis::PerServing),
            Some("per_100") => Some(Basis::Per100),
            Some("unknown") => Some(Basis::Unknown),
            _ => None,
        }
    }

    fn wait(&self, findings: &mut Findings) -> Option<Wait> {
        let wait = self.operation.get("x-vitalwire-wait")?;
        let word = |key: &str| wait.get(key).and_then(Value::as_str).map(str::to_owned);
        let texts = |key: &str| -> Vec<String> {
            wait.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let done = texts("done");
        for name in
            wait.as_object().into_iter().flat_map(Map::keys).filter(|name| !["poll", "id", "status", "done"].contains(&name.as_str()))
        {
            findings.push(self.at.join("x-vitalwire-wait").join(name).finding("wait", "is not a field of a wait"));
        }
        match (word("poll"), word("status")) {
            (Some(poll), Some(status)) if !done.is_empty() => Some(Wait { poll, id: word("id"), status, done }),
            _ => {
                findings.push(self.at.join("x-vitalwire-wait").finding("wait", "needs poll, status and done"));
                None
            }
        }
    }
}
