//! Reads the parameters of an operation. Fields of the JSON body are parameters too.

use serde_json::{Map, Value};

use super::limits::{self, texts};
use super::location::Location;
use super::names::{self, NameUse};
use super::reader::Reader;
use super::schemas::{component, member};
use super::types::{docs, reference};
use super::{Param, ParamLocation, Type};
use crate::spec::Findings;

/// Reads the parameters of an operation, required ones first, and the schema name of its body.
pub(super) fn read(reader: &Reader<'_>, path: &str, findings: &mut Findings) -> (Option<String>, Vec<Param>) {
    let mut params = Vec::new();
    let at = reader.at.join("parameters");
    for (index, parameter) in reader.operation.get("parameters").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let at = at.join(index);
        if let Some(param) = read_parameter(reader, parameter, path, &at, findings) {
            add(&mut params, param, &at, findings);
        }
    }
    for name in path.split('{').skip(1).filter_map(|rest| rest.split('}').next()) {
        let declared = |parameter: &Value| {
            parameter.get("name").and_then(Value::as_str) == Some(name) && parameter.get("in").and_then(Value::as_str) == Some("path")
        };
        if !reader.operation.get("parameters").and_then(Value::as_array).is_some_and(|parameters| parameters.iter().any(declared)) {
            findings.push(reader.at.finding("path-parameter", format!("the path parameter `{name}` must be declared")));
        }
    }
    let body = body(reader, &mut params, findings);
    // Some languages use this order for positional arguments: required ones, then the uploaded file, then the rest.
    params.sort_by_key(|param| (!param.member.required, param.member.ty != Type::Bytes));
    (body, params)
}

fn add(params: &mut Vec<Param>, param: Param, at: &Location<'_>, findings: &mut Findings) {
    let names: Vec<String> = params.iter().map(|param| param.member.name.clone()).collect();
    match names::find_duplicate(&names, &param.member.name) {
        Some(index) => {
            let text = format!("`{}` and `{}` have the same name in code", params[index].member.wire, param.member.wire);
            findings.push(at.finding("name-twice", text));
        }
        None => params.push(param),
    }
}

fn read_parameter(reader: &Reader<'_>, parameter: &Value, path: &str, at: &Location<'_>, findings: &mut Findings) -> Option<Param> {
    if parameter.get("$ref").is_some() {
        findings.push(at.finding("parameter-ref", "must not be a reference").hint("write the parameter here"));
        return None;
    }
    let word = |key: &str| parameter.get(key).and_then(Value::as_str);
    let flag = |key: &str| parameter.get(key).and_then(Value::as_bool);
    let Some(wire) = word("name") else {
        findings.push(at.finding("parameter", "must have a name"));
        return None;
    };
    let required = flag("required").unwrap_or(false);
    let place = match word("in") {
        Some("path") => ParamLocation::Path,
        Some("query") => ParamLocation::Query,
        Some("header") => ParamLocation::Header,
        other => {
            let text = format!("`{wire}` must be in path, query or header, not in {}", other.unwrap_or("nothing"));
            findings.push(at.join("in").finding("parameter-place", text));
            return None;
        }
    };
    if place == ParamLocation::Path && !required {
        findings.push(at.finding("path-parameter", format!("the path parameter `{wire}` must be required")).hint("add `required: true`"));
    }
    if place == ParamLocation::Path && !path.contains(&format!("{{{wire}}}")) {
        findings.push(at.finding("path-parameter", format!("the path parameter `{wire}` must be in the path")));
    }
    if place == ParamLocation::Header
        && let Some(text) = header_error(wire)
    {
        findings.push(at.join("name").finding("parameter-header", text));
        return None;
    }
    let style = if place == ParamLocation::Query { "form" } else { "simple" };
    if word("style").is_some_and(|stated| stated != style) {
        findings.push(at.join("style").finding("parameter-style", format!("`{wire}` must have the style {style}")));
    }
    if place == ParamLocation::Query && flag("explode") == Some(false) {
        let hint = "leave it out; users of a client choose the array style";
        findings.push(at.join("explode").finding("parameter-explode", format!("`{wire}` must not fix the array style")).hint(hint));
    }
    for name in ["allowReserved", "allowEmptyValue", "content"] {
        if parameter.get(name).is_some_and(|value| value != &Value::Bool(false)) {
            findings.push(at.join(name).finding("parameter", format!("`{name}` is not supported")));
        }
    }
    let Some(schema) = parameter.get("schema") else {
        findings.push(at.finding("parameter", format!("`{wire}` must have a schema")));
        return None;
    };
    let mut member = match member(wire, schema, required, reader.schemas, NameUse::Parameter) {
        Ok(member) => member,
        Err((rule, text)) => {
            findings.push(at.finding(rule, text));
            return None;
        }
    };
    if !can_be_sent_in(&member.ty, place) {
        findings.push(
            at.join("schema")
                .finding("parameter-type", format!("the type of `{wire}` cannot be sent in a {}", word("in").unwrap_or_default())),
        );
    }
    let about = docs(parameter);
    member.docs.deprecated |= about.deprecated;
    member.docs.example = about.example.or(member.docs.example);
    if !about.text.is_empty() {
        member.docs.text = about.text;
    }
    Some(build_param(reader, member, place, schema, &at.join("schema"), findings))
}

/// Headers that the transport sets, or that control how a message is sent.
const OWN_HEADERS: [&str; 14] = [
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "te",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// Returns why a header name cannot be used. `None` if it can.
fn header_error(name: &str) -> Option<String> {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if OWN_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(name)) {
        return Some(format!("the header `{name}` is set by the clients"));
    }
    (name.is_empty() || !name.bytes().all(token)).then(|| format!("`{name}` is not a header name"))
}

/// Whether a type can be sent in this location: single values anywhere, and lists in queries. Excludes objects, bytes and any JSON.
fn can_be_sent_in(ty: &Type, place: ParamLocation) -> bool {
    match ty {
        Type::Text | Type::Boolean | Type::Integer | Type::Number | Type::Timestamp | Type::Date | Type::Id | Type::Open(_) => true,
        Type::List(item) => place == ParamLocation::Query && !matches!(**item, Type::List(_)) && can_be_sent_in(item, place),
        Type::Bytes | Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => false,
    }
}

/// Whether a type can be sent. Objects are only received: they have no constructors, and C has no representation for them.
fn can_be_sent(ty: &Type) -> bool {
    *ty == Type::Bytes || can_be_sent_in(ty, ParamLocation::Query)
}

fn body(reader: &Reader<'_>, params: &mut Vec<Param>, findings: &mut Findings) -> Option<String> {
    let body = reader.operation.get("requestBody")?;
    let at = reader.at.join("requestBody");
    if body.get("$ref").is_some() {
        findings.push(at.finding("request-ref", "must not be a reference").hint("write the request body here; its schema is a component"));
        return None;
    }
    if body.get("required").and_then(Value::as_bool) != Some(true) {
        let text = "must have a required request body, because the clients always send it";
        findings.push(at.finding("request-required", text).hint("add `required: true`"));
    }
    let media = body.get("content").and_then(Value::as_object).cloned().unwrap_or_default();
    let Some(json) = media.get("application/json").filter(|_| media.len() == 1) else {
        let offered = media.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        findings.push(at.join("content").finding("request-media", format!("must have one media type, application/json, not `{offered}`")));
        return None;
    };
    let at = at.join("content").join("application/json");
    if json.get("encoding").is_some() {
        findings.push(at.join("encoding").finding("request-encoding", "is not supported"));
    }
    let name = json.get("schema").and_then(reference).filter(|name| matches!(component(reader.schemas, name), Some(Type::Model(_))));
    let Some(name) = name else {
        findings
            .push(at.join("schema").finding("request-schema", "must be a component object").hint("make it a component with properties"));
        return None;
    };
    members(reader, name, params, findings);
    Some(name.to_owned())
}

fn members(reader: &Reader<'_>, name: &str, params: &mut Vec<Param>, findings: &mut Findings) {
    let schema = reader.schemas.get(name).cloned().unwrap_or_default();
    let at = reader.component(name);
    let required: Vec<&str> = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    for (wire, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let at = at.join("properties").join(wire);
        // `schemas` has reported the errors of this field.
        let Ok(member) = member(wire, property, required.contains(&wire.as_str()), reader.schemas, NameUse::Member) else { continue };
        // `body` is reserved for the argument of a request body. A body field is never an argument itself.
        if let Some(text) = names::name_error(&member.name, NameUse::Parameter).filter(|_| member.name != "body") {
            findings.push(at.finding("reserved-name", text));
            continue;
        }
        if !can_be_sent(&member.ty) {
            let text = format!("the type of `{wire}` is not supported in requests");
            findings.push(at.finding("parameter-type", text).hint("every language supports single values, bytes and lists of them"));
            continue;
        }
        let param = build_param(reader, member, ParamLocation::Body, property, &at, findings);
        add(params, param, &at, findings);
    }
}

/// Returns the allowed names of a parameter whose enum shares its type with an open set. Also applies to lists of such values.
fn allowed_names(schema: &Value, schemas: &Map<String, Value>) -> Vec<String> {
    let component = reference(schema.get("items").unwrap_or(schema)).and_then(|name| schemas.get(name));
    texts(component.filter(|schema| schema.get("x-vitalwire-same-as").is_some()).and_then(|schema| schema.get("enum")))
}

fn build_param(
    reader: &Reader<'_>,
    member: super::Member,
    place: ParamLocation,
    schema: &Value,
    at: &Location<'_>,
    findings: &mut Findings,
) -> Param {
    let param = Param {
        place,
        minimum: schema.get("minimum").and_then(Value::as_f64),
        maximum: schema.get("maximum").and_then(Value::as_f64),
        min_items: schema.get("minItems").and_then(Value::as_u64),
        max_bytes: schema.get("x-vitalwire-max-bytes").and_then(Value::as_u64),
        accepts: texts(schema.get("x-vitalwire-accepts")),
        names: allowed_names(schema, reader.schemas),
        member,
    };
    limits::check(reader, &param, schema, at, findings);
    param
}
