//! Checks that span schemas, operations and services.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::spot::Spot;
use super::{Answer, Ir, Operation, Retry, Type, Wait, faces, range};
use crate::spec::{Findings, Pointer, Sources};

/// Checks that names are unique, references resolve, and objects have a finite size.
pub(super) fn check(ir: &Ir, sources: &Sources, findings: &mut Findings) {
    types(ir, sources, findings);
    keys(ir, sources, findings);
    faces::check(ir, |name| schema(sources, name), findings);
    operations(ir, findings);
    requests(ir, findings);
    let sent: BTreeSet<&str> = ir.operations.iter().filter_map(|operation| operation.body.as_deref()).collect();
    for model in &ir.models {
        for member in model.members.iter().filter(|member| !sent.contains(model.name.as_str()) && bytes(&member.ty)) {
            let at = schema(sources, &model.name).then("properties").then(&member.wire);
            findings.push(at.finding("bytes", "bytes can be sent only").hint("leave the format out: base64 is received as a text"));
        }
        if contains(ir, &model.name, &model.name, &mut BTreeSet::new()) {
            let text = "contains itself without a list in between, so that it never ends";
            findings.push(schema(sources, &model.name).finding("recursive", text));
        }
    }
}

fn bytes(ty: &Type) -> bool {
    match ty {
        Type::List(item) => bytes(item),
        ty => *ty == Type::Bytes,
    }
}

/// Returns the first place that declares a type name.
fn schema<'a>(sources: &'a Sources, name: &str) -> Spot<'a> {
    spots(sources, name).into_iter().next().unwrap_or_else(|| Spot::new("openapi", Pointer::root()))
}

/// Returns all places that declare a type name.
fn spots<'a>(sources: &'a Sources, name: &str) -> Vec<Spot<'a>> {
    let mut spots = Vec::new();
    for spec in &sources.specs {
        for (schema, value) in spec.document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten() {
            let at = Spot::new(spec.path, Pointer::schema(schema));
            if value.get("x-vitalwire-number-map").and_then(Value::as_str) == Some(name) {
                spots.push(at.then("x-vitalwire-number-map"));
            }
            if schema == name {
                spots.push(at);
            }
        }
    }
    spots
}

fn types(ir: &Ir, sources: &Sources, findings: &mut Findings) {
    let maps = ir.number_maps.iter().map(|map| &map.name).chain(ir.series_maps.iter().map(|map| &map.name));
    let names = ir.open_sets.iter().map(|set| &set.name).chain(maps).chain(ir.models.iter().map(|model| &model.name));
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            let at = spots(sources, name).pop().unwrap_or_else(|| schema(sources, name));
            findings.push(at.finding("name", format!("type name `{name}` is used twice")));
        }
    }
}

/// Checks that every `same-as` and the keys of every series map name an open set.
fn keys(ir: &Ir, sources: &Sources, findings: &mut Findings) {
    for spec in &sources.specs {
        for (name, schema) in spec.document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten() {
            for extension in ["x-vitalwire-same-as", "x-vitalwire-series-map"] {
                let Some(keys) = schema.get(extension).and_then(Value::as_str) else { continue };
                if ir.open_set(keys).is_none() {
                    let at = Spot::new(spec.path, Pointer::schema(name).then(extension));
                    findings.push(at.finding("keys", format!("`{keys}` is no open set and no key type of a number map")));
                }
            }
        }
    }
}

fn operations(ir: &Ir, findings: &mut Findings) {
    let mut ids: BTreeMap<&str, &Operation> = BTreeMap::new();
    let mut methods = BTreeSet::new();
    for operation in &ir.operations {
        let at = place(ir, operation);
        if ids.insert(&operation.id, operation).is_some() {
            findings.push(at.then("operationId").finding("operation-id", format!("`{}` is used twice", operation.id)));
        }
        if !methods.insert((&operation.group, &operation.method)) {
            let text = format!("`{}.{}` is used twice", operation.group, operation.method);
            findings.push(at.then("x-vitalwire-method").finding("name", text));
        }
    }
    // Rejected operations are missing from the IR, which would cause misleading findings about waits.
    if !findings.is_empty() {
        return;
    }
    // Each resource has at most one `wait_for`.
    let mut read_by_id: BTreeMap<&str, &str> = BTreeMap::new();
    for operation in &ir.operations {
        range::check(ir, operation, &place(ir, operation), findings);
        let Some(wait) = &operation.wait else { continue };
        let at = place(ir, operation).then("x-vitalwire-wait");
        match ids.get(wait.poll.as_str()) {
            None => findings.push(at.then("poll").finding("wait", format!("`{}` is no operation", wait.poll))),
            Some(poll) => {
                self::wait(ir, operation, wait, poll, &at, findings);
                let first = wait.id.as_ref().map(|_| *read_by_id.entry(&poll.group).or_insert(&poll.id));
                if let Some(first) = first.filter(|first| *first != poll.id) {
                    let text = format!("`{}` has a `wait_for` already, by `{first}`", poll.group);
                    findings.push(at.then("poll").finding("wait", text));
                }
            }
        }
    }
}

/// Checks that the record of a wait can be polled repeatedly and has a readable status.
fn wait(ir: &Ir, operation: &Operation, wait: &Wait, poll: &Operation, at: &Spot<'_>, findings: &mut Findings) {
    let status = match &poll.answer {
        Answer::Model(name) => required(ir, name, &wait.status),
        Answer::List(_) | Answer::Nothing => None,
    };
    if !matches!(status, Some(Type::Open(_))) {
        findings.push(at.then("status").finding("wait", format!("`{}` answers no required open set `{}`", wait.poll, wait.status)));
    }
    if poll.retry != Retry::Safe {
        findings.push(at.then("poll").finding("wait", format!("`{}` does more than read", wait.poll)));
    }
    let Some(id) = &wait.id else {
        if poll.id != operation.id {
            findings.push(at.then("poll").finding("wait", "without `id` the same operation is called again"));
        }
        return;
    };
    let Answer::Model(answer) = &operation.answer else {
        findings.push(at.then("id").finding("wait", "the answer is no object"));
        return;
    };
    if !matches!(required(ir, answer, id), Some(Type::Id | Type::Text)) {
        findings.push(at.then("id").finding("wait", format!("the answer has no required text `{id}`")));
    }
    let beside = id.rsplit_once('.').map_or_else(|| wait.status.clone(), |(parent, _)| format!("{parent}.{}", wait.status));
    if !matches!(required(ir, answer, &beside), Some(Type::Open(_))) {
        findings.push(at.then("status").finding("wait", format!("the answer has no required open set `{beside}`")));
    }
    if poll.params.iter().filter(|param| param.member.required).count() != 1 {
        findings.push(at.then("poll").finding("wait", format!("`{}` does not take an id alone", wait.poll)));
    }
}

/// Checks that a request schema is used by one operation only, and not in responses. It becomes the parameters of that call and not a
/// type.
fn requests(ir: &Ir, findings: &mut Findings) {
    let received: BTreeSet<&str> = ir
        .operations
        .iter()
        .filter_map(|operation| match &operation.answer {
            Answer::Model(name) | Answer::List(name) => Some(name.as_str()),
            Answer::Nothing => None,
        })
        .chain(ir.models.iter().flat_map(|model| &model.members).filter_map(|member| object(&member.ty)))
        .collect();
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for operation in &ir.operations {
        let Some(body) = operation.body.as_deref() else { continue };
        let earlier = seen.insert(body, &operation.id).map(|other| format!("is the request of `{other}` too"));
        let text = earlier.or_else(|| received.contains(body).then(|| "is received too".to_owned()));
        if let Some(text) = text {
            let hint = "give each request a schema of its own; x-vitalwire-extends takes the members of another";
            findings.push(place(ir, operation).then("requestBody").finding("request-schema", format!("`{body}` {text}")).hint(hint));
        }
    }
}

/// Returns the name of the model of a type or of its list items.
fn object(ty: &Type) -> Option<&str> {
    match ty {
        Type::Model(name) => Some(name),
        Type::List(item) => object(item),
        _ => None,
    }
}

fn place<'a>(ir: &'a Ir, operation: &Operation) -> Spot<'a> {
    let file = ir.services.iter().find(|service| service.name == operation.service).map_or("openapi", |service| service.path.as_str());
    Spot::new(file, Pointer::root().then("paths").then(&operation.path).then(operation.http.to_lowercase()))
}

/// Returns the type of the field at a dotted path of required fields.
fn required<'a>(ir: &'a Ir, model: &str, path: &str) -> Option<&'a Type> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let member = ir.model(model)?.members.iter().find(|member| member.wire == first && member.required)?;
    match (&member.ty, rest) {
        (ty, None) => Some(ty),
        (Type::Model(inner), Some(rest)) => required(ir, inner, rest),
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
