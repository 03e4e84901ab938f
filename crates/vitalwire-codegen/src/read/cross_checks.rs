//! Checks that span schemas, operations and services.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::location::Location;
use super::{Ir, Operation, ResponseType, Retry, Type, Wait, languages, range};
use crate::spec::{Findings, Pointer, Sources};

/// Checks that names are unique, references resolve, and objects have a finite size.
pub(super) fn check(ir: &Ir, sources: &Sources, findings: &mut Findings) {
    check_type_names(ir, sources, findings);
    check_keys(ir, sources, findings);
    languages::check(ir, |name| schema_location(sources, name), findings);
    check_operations(ir, findings);
    check_requests(ir, findings);
    let sent: BTreeSet<&str> = ir.operations.iter().filter_map(|operation| operation.body.as_deref()).collect();
    for model in &ir.models {
        for member in model.members.iter().filter(|member| !sent.contains(model.name.as_str()) && *member.ty.item() == Type::Bytes) {
            let at = schema_location(sources, &model.name).join("properties").join(&member.wire);
            findings
                .push(at.finding("bytes", "bytes can only be sent, not received").hint("leave out the format: base64 is received as text"));
        }
        if contains(ir, &model.name, &model.name, &mut BTreeSet::new()) {
            let text = "must not contain itself, except in a list";
            findings.push(schema_location(sources, &model.name).finding("recursive", text));
        }
    }
}

/// Returns the first place that declares a type name.
fn schema_location<'a>(sources: &'a Sources, name: &str) -> Location<'a> {
    schema_locations(sources, name).into_iter().next().unwrap_or_else(|| Location::new("openapi", Pointer::root()))
}

/// Returns all places that declare a type name.
fn schema_locations<'a>(sources: &'a Sources, name: &str) -> Vec<Location<'a>> {
    let mut locations = Vec::new();
    for spec in &sources.specs {
        for (schema, value) in spec.document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten() {
            let at = Location::new(spec.path, Pointer::schema(schema));
            if value.get("x-vitalwire-number-map").and_then(Value::as_str) == Some(name) {
                locations.push(at.join("x-vitalwire-number-map"));
            }
            if schema == name {
                locations.push(at);
            }
        }
    }
    locations
}

fn check_type_names(ir: &Ir, sources: &Sources, findings: &mut Findings) {
    let maps = ir.number_maps.iter().map(|map| &map.name).chain(ir.series_maps.iter().map(|map| &map.name));
    let names = ir.open_sets.iter().map(|set| &set.name).chain(maps).chain(ir.models.iter().map(|model| &model.name));
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            let at = schema_locations(sources, name).pop().unwrap_or_else(|| schema_location(sources, name));
            findings.push(at.finding("name", format!("type name `{name}` is used twice")));
        }
    }
}

/// Checks that every `same-as` and the keys of every series map name an open set.
fn check_keys(ir: &Ir, sources: &Sources, findings: &mut Findings) {
    for spec in &sources.specs {
        for (name, schema) in spec.document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten() {
            for extension in ["x-vitalwire-same-as", "x-vitalwire-series-map"] {
                let Some(keys) = schema.get(extension).and_then(Value::as_str) else { continue };
                if ir.open_set(keys).is_none() {
                    let at = Location::new(spec.path, Pointer::schema(name).join(extension));
                    findings.push(at.finding("keys", format!("`{keys}` must be an open set or the key type of a number map")));
                }
            }
        }
    }
}

fn check_operations(ir: &Ir, findings: &mut Findings) {
    let mut ids: BTreeMap<&str, &Operation> = BTreeMap::new();
    let mut methods = BTreeSet::new();
    for operation in &ir.operations {
        let at = location(ir, operation);
        if ids.insert(&operation.id, operation).is_some() {
            findings.push(at.join("operationId").finding("operation-id", format!("`{}` is used twice", operation.id)));
        }
        if !methods.insert((&operation.group, &operation.method)) {
            let text = format!("`{}.{}` is used twice", operation.group, operation.method);
            findings.push(at.join("x-vitalwire-method").finding("name", text));
        }
    }
    // Rejected operations are missing from the IR, which would cause misleading findings about waits.
    if !findings.is_empty() {
        return;
    }
    // Each resource has at most one `wait_for`.
    let mut read_by_id: BTreeMap<&str, &str> = BTreeMap::new();
    for operation in &ir.operations {
        range::check(ir, operation, &location(ir, operation), findings);
        let Some(wait) = &operation.wait else { continue };
        let at = location(ir, operation).join("x-vitalwire-wait");
        match ids.get(wait.poll.as_str()) {
            None => findings.push(at.join("poll").finding("wait", format!("`{}` is not an operation", wait.poll))),
            Some(poll) => {
                check_wait(ir, operation, wait, poll, &at, findings);
                let first = wait.id.as_ref().map(|_| *read_by_id.entry(&poll.group).or_insert(&poll.id));
                if let Some(first) = first.filter(|first| *first != poll.id) {
                    let text = format!("`{}` already has a `wait_for`, by `{first}`", poll.group);
                    findings.push(at.join("poll").finding("wait", text));
                }
            }
        }
    }
}

/// Checks that the record of a wait can be polled repeatedly and has a readable status.
fn check_wait(ir: &Ir, operation: &Operation, wait: &Wait, poll: &Operation, at: &Location<'_>, findings: &mut Findings) {
    let status = match &poll.response {
        ResponseType::Model(name) => required_field(ir, name, &wait.status),
        ResponseType::List(_) | ResponseType::Nothing => None,
    };
    if !matches!(status, Some(Type::Open(_))) {
        findings.push(
            at.join("status").finding("wait", format!("the response of `{}` must have a required open set `{}`", wait.poll, wait.status)),
        );
    }
    if poll.retry != Retry::Safe {
        findings.push(at.join("poll").finding("wait", format!("`{}` must only read", wait.poll)));
    }
    let Some(id) = &wait.id else {
        if poll.id != operation.id {
            findings.push(at.join("poll").finding("wait", "without `id`, it must be the same operation"));
        }
        return;
    };
    let ResponseType::Model(response) = &operation.response else {
        findings.push(at.join("id").finding("wait", "the response must be an object"));
        return;
    };
    if !matches!(required_field(ir, response, id), Some(Type::Id | Type::Text)) {
        findings.push(at.join("id").finding("wait", format!("the response must have a required text `{id}`")));
    }
    let status = id.rsplit_once('.').map_or_else(|| wait.status.clone(), |(parent, _)| format!("{parent}.{}", wait.status));
    if !matches!(required_field(ir, response, &status), Some(Type::Open(_))) {
        findings.push(at.join("status").finding("wait", format!("the response must have a required open set `{status}`")));
    }
    if poll.params.iter().filter(|param| param.member.required).count() != 1 {
        findings.push(at.join("poll").finding("wait", format!("`{}` must require only an id", wait.poll)));
    }
}

/// Checks that a request schema is used by one operation only, and not in responses. It becomes the parameters of that call and not a type.
fn check_requests(ir: &Ir, findings: &mut Findings) {
    let fields = ir.models.iter().flat_map(|model| &model.members).filter_map(|member| member.ty.model());
    let received: BTreeSet<&str> = ir.operations.iter().filter_map(|operation| operation.response.record()).chain(fields).collect();
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for operation in &ir.operations {
        let Some(body) = operation.body.as_deref() else { continue };
        let earlier = seen.insert(body, &operation.id).map(|other| format!("is also the request of `{other}`"));
        let text = earlier.or_else(|| received.contains(body).then(|| "is also received".to_owned()));
        if let Some(text) = text {
            let hint = "give each request its own schema; x-vitalwire-extends inherits the fields of another one";
            findings.push(location(ir, operation).join("requestBody").finding("request-schema", format!("`{body}` {text}")).hint(hint));
        }
    }
}

fn location<'a>(ir: &'a Ir, operation: &Operation) -> Location<'a> {
    let file = ir.services.iter().find(|service| service.name == operation.service).map_or("openapi", |service| service.path.as_str());
    Location::new(file, Pointer::root().join("paths").join(&operation.path).join(operation.http.to_lowercase()))
}

/// Returns the type of the field at a dotted path of required fields.
fn required_field<'a>(ir: &'a Ir, model: &str, path: &str) -> Option<&'a Type> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let member = ir.model(model)?.members.iter().find(|member| member.wire == first && member.required)?;
    match (&member.ty, rest) {
        (ty, None) => Some(ty),
        (Type::Model(inner), Some(rest)) => required_field(ir, inner, rest),
        _ => None,
    }
}

/// Whether an object contains another through objects alone. Lists do not count because they may be empty.
fn contains(ir: &Ir, outer: &str, name: &str, seen: &mut BTreeSet<String>) -> bool {
    ir.model(outer).into_iter().flat_map(|model| &model.members).any(|member| match &member.ty {
        Type::Model(inner) => inner == name || (seen.insert(inner.clone()) && contains(ir, inner, name, seen)),
        _ => false,
    })
}
