//! Reads component schemas into models, open sets and maps.

use serde_json::{Map, Value};

use super::languages;
use super::limits::{self, texts};
use super::location::Location;
use super::names::{self, NameUse};
use super::types::{self, docs};
use super::{Docs, Member, Model, NumberMap, OpenSet, OpenValue, SeriesMap, Type};
use crate::ir::features::Language;
use crate::naming::snake;
use crate::spec::{Findings, Pointer};

/// Maximum length of a chain of aliases.
const MAX_ALIASES: usize = 8;

/// Types read from the components of one specification.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    pub(super) open_sets: Vec<OpenSet>,
    pub(super) number_maps: Vec<NumberMap>,
    pub(super) series_maps: Vec<SeriesMap>,
    pub(super) models: Vec<Model>,
}

/// Returns the type of a component.
pub(super) fn component(schemas: &Map<String, Value>, name: &str) -> Option<Type> {
    component_within(schemas, name, MAX_ALIASES)
}

fn component_within(schemas: &Map<String, Value>, name: &str, aliases: usize) -> Option<Type> {
    let schema = schemas.get(name)?;
    let word = |key: &str| schema.get(key).and_then(Value::as_str);
    Some(if let Some(same) = word("x-vitalwire-same-as") {
        Type::Open(same.to_owned())
    } else if word("x-vitalwire-number-map").is_some() {
        Type::Numbers(name.to_owned())
    } else if word("x-vitalwire-series-map").is_some() {
        Type::Series(name.to_owned())
    } else if word("type") == Some("object") {
        Type::Model(name.to_owned())
    } else if schema.get("x-vitalwire-open-set").is_some() {
        Type::Open(name.to_owned())
    } else {
        let left = aliases.checked_sub(1)?;
        types::parse(schema, &|name| component_within(schemas, name, left)).ok()?
    })
}

/// Reads all components of a specification.
pub(super) fn read(schemas: &Map<String, Value>, file: &str, findings: &mut Findings) -> Schemas {
    let mut read = Schemas::default();
    for (name, schema) in schemas {
        let at = Location::new(file, Pointer::schema(name));
        if let Some(text) = names::type_name_error(name) {
            findings.push(at.finding("type-name", text).hint("give it another name"));
        }
        let keys = |key: &str| schema.get(key).and_then(Value::as_str);
        if schema.get("x-vitalwire-same-as").is_some() {
        } else if let Some(keys) = keys("x-vitalwire-number-map") {
            number_map(name, keys, schema, &at, &mut read, findings);
        } else if let Some(keys) = keys("x-vitalwire-series-map") {
            series_map(schema, &at, findings);
            read.series_maps.push(SeriesMap { name: name.clone(), keys: keys.to_owned(), docs: docs(schema) });
        } else if keys("type") == Some("object") {
            read.models.push(model(name, schema, schemas, &at, findings));
        } else if schema.get("x-vitalwire-open-set").is_some() {
            read.open_sets.push(open_set(name, schema, &at, findings));
        } else if schema.get("enum").is_some() {
            let hint = "add `x-vitalwire-open-set: true` or `same-as` in overlays/20-client.*.yaml";
            findings.push(
                at.finding("closed-enum", "must be an open set, because a new value of the service would break every response").hint(hint),
            );
        } else if let Err(text) = types::parse(schema, &|name| component(schemas, name)) {
            findings.push(at.finding("schema", text));
        }
    }
    read
}

fn series_map(schema: &Value, at: &Location<'_>, findings: &mut Findings) {
    let series = |schema: &Value| matches!(types::parse(schema, &|_| None), Ok(Type::List(item)) if *item == Type::Number);
    let additional = schema.get("additionalProperties").into_iter().map(|schema| (at.join("additionalProperties"), schema));
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    for (at, schema) in properties.map(|(name, schema)| (at.join("properties").join(name), schema)).chain(additional) {
        if !series(schema) {
            findings.push(at.finding("series-map", "must be a list of numbers in a series map"));
        }
    }
}

fn number_map(name: &str, keys: &str, schema: &Value, at: &Location<'_>, read: &mut Schemas, findings: &mut Findings) {
    let empty = Map::new();
    let members = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    if members.is_empty() || members.len() > usize::from(u16::MAX) {
        findings.push(at.join("properties").finding("number-map", "must have 1 to 65,535 names"));
    }
    if let Some(text) = names::type_name_error(keys) {
        findings.push(at.join("x-vitalwire-number-map").finding("type-name", text));
    }
    let value_names = ValueNames::new(schema, members.keys().map(String::as_str), at, findings);
    let mut values: Vec<OpenValue> = Vec::new();
    for (wire, property) in members {
        let at = at.join("properties").join(wire);
        if types::parse(property, &|_| None) != Ok(Type::Number) {
            findings.push(at.finding("number-map", "must be a number in a number map"));
        }
        let value = OpenValue { wire: wire.clone(), name: value_names.name(wire), aliases: Vec::new(), docs: docs(property) };
        let error = names::name_error(&value.name, NameUse::Number).or_else(|| names::value_name_error(&value.name));
        if let Some(text) = error {
            findings.push(at.finding("reserved-name", text).hint("name it with x-vitalwire-names"));
        }
        push_value(&mut values, value, &at, findings);
    }
    let about = Docs::new(format!("Names of the fields of `{name}`. The service adds names between releases."));
    read.open_sets.push(OpenSet { name: keys.to_owned(), docs: about, values, languages: Language::ALL.to_vec() });
    read.number_maps.push(NumberMap { name: name.to_owned(), keys: keys.to_owned(), has_basis: false, docs: docs(schema) });
}

fn open_set(name: &str, schema: &Value, at: &Location<'_>, findings: &mut Findings) -> OpenSet {
    let empty = Vec::new();
    let stated = schema.get("enum").and_then(Value::as_array).unwrap_or(&empty);
    let known = || stated.iter().filter_map(Value::as_str);
    let value_names = ValueNames::new(schema, known(), at, findings);
    let aliases = schema.get("x-vitalwire-aliases");
    for wire in aliases.and_then(Value::as_object).into_iter().flat_map(Map::keys).filter(|wire| !known().any(|text| text == *wire)) {
        findings.push(at.join("x-vitalwire-aliases").join(wire).finding("enum-value", format!("`{wire}` is not a value of this set")));
    }
    let mut values: Vec<OpenValue> = Vec::new();
    for (index, text) in stated.iter().enumerate() {
        let at = at.join("enum").join(index);
        let Some(wire) = text.as_str() else {
            findings.push(at.finding("enum-value", "must be text").hint("quote values that YAML reads as another type"));
            continue;
        };
        let aliases = texts(aliases.and_then(|aliases| aliases.get(wire)));
        let docs = Docs::new(value_description(schema, wire, index));
        let value = OpenValue { wire: wire.to_owned(), name: value_names.name(wire), aliases, docs };
        if let Some(text) = names::value_name_error(&value.name) {
            findings.push(at.finding("enum-value", format!("`{wire}` {text}")).hint("name it with x-vitalwire-names"));
        }
        push_value(&mut values, value, &at, findings);
    }
    OpenSet { name: name.to_owned(), docs: docs(schema), values, languages: languages::read(schema) }
}

/// Returns the description of an enum value from `x-enum-descriptions`, by value or by index.
fn value_description(schema: &Value, wire: &str, index: usize) -> String {
    let texts = schema.get("x-enum-descriptions");
    let text = texts.and_then(|texts| texts.get(wire).or_else(|| texts.get(index)));
    text.and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

/// Adds a value to an open set. Reports a name or spelling that an earlier value has.
fn push_value(values: &mut Vec<OpenValue>, value: OpenValue, at: &Location<'_>, findings: &mut Findings) {
    let spelled = |other: &OpenValue, text: &String| other.wire == *text || other.aliases.contains(text);
    let names: Vec<String> = values.iter().map(|value| value.name.clone()).collect();
    let clash = values.iter().find(|other| spelled(other, &value.wire) || value.aliases.iter().any(|alias| spelled(other, alias)));
    if let Some(other) = clash {
        findings.push(at.finding("enum-value", format!("`{}` is already a spelling of `{}`", value.wire, other.wire)));
    } else if let Some(index) = names::find_duplicate(&names, &value.name) {
        let text = format!("`{}` and `{}` have the same name in code", values[index].wire, value.wire);
        findings.push(at.finding("enum-case", text).hint("make one an alias with x-vitalwire-aliases, or name it with x-vitalwire-names"));
    } else {
        values.push(value);
    }
}

/// Names from the `x-vitalwire-names` of a schema.
struct ValueNames<'a>(Option<&'a Map<String, Value>>);

impl<'a> ValueNames<'a> {
    fn new<'b>(schema: &'a Value, known: impl Iterator<Item = &'b str> + Clone, at: &Location<'_>, findings: &mut Findings) -> Self {
        let names = schema.get("x-vitalwire-names").and_then(Value::as_object);
        for wire in names.into_iter().flat_map(Map::keys).filter(|wire| !known.clone().any(|text| text == *wire)) {
            findings.push(at.join("x-vitalwire-names").join(wire).finding("enum-value", format!("`{wire}` is not a value of this set")));
        }
        Self(names)
    }

    fn name(&self, wire: &str) -> String {
        self.0.and_then(|names| names.get(wire)).and_then(Value::as_str).map_or_else(|| snake(wire), snake)
    }
}

fn model(name: &str, schema: &Value, schemas: &Map<String, Value>, at: &Location<'_>, findings: &mut Findings) -> Model {
    let required: Vec<&str> = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    for name in required.iter().filter(|name| !properties.contains_key(**name)) {
        findings.push(at.join("required").finding("required", format!("requires `{name}`, which is not a property")));
    }
    if schema.get("additionalProperties").is_some() {
        let text = "is not supported; unknown fields are kept anyway";
        findings.push(at.join("additionalProperties").finding("additional", text).hint("use x-vitalwire-series-map for a map of series"));
    }
    let mut members: Vec<Member> = Vec::new();
    for (wire, property) in properties {
        let at = at.join("properties").join(wire);
        match member(wire, property, required.contains(&wire.as_str()), schemas, NameUse::Member) {
            Ok(member) => {
                let names: Vec<String> = members.iter().map(|member| member.name.clone()).collect();
                match names::find_duplicate(&names, &member.name) {
                    Some(index) => findings
                        .push(at.finding("name-twice", format!("`{}` and `{wire}` have the same name in code", members[index].wire))),
                    None => members.push(member),
                }
            }
            Err((rule, text)) => findings.push(at.finding(rule, text)),
        }
    }
    Model { name: name.to_owned(), docs: docs(schema), members, request: false, has_basis: false, languages: languages::read(schema) }
}

/// Reads a property or parameter as a field. Otherwise returns the broken rule and an explanation.
pub(super) fn member(
    wire: &str,
    property: &Value,
    required: bool,
    schemas: &Map<String, Value>,
    name_use: NameUse,
) -> Result<Member, (&'static str, String)> {
    let name = snake(wire);
    if let Some(text) = names::name_error(&name, name_use) {
        return Err(("reserved-name", text));
    }
    let ty = types::parse(property, &|name| component(schemas, name)).map_err(|text| ("type", text))?;
    let mut about = docs(property);
    let target = types::reference(property).and_then(|name| schemas.get(name));
    if about.text.is_empty()
        && let Some(target) = target
    {
        about.text = docs(target).text;
    }
    if ty == Type::Bytes {
        about.text.push_str(" Pass raw bytes; the client encodes them.");
    }
    let credential = property.get("x-vitalwire-sensitivity").and_then(Value::as_str) == Some("credential");
    let default = property.get("default").or_else(|| target?.get("default")).cloned();
    let limits = limits::limits(property, schemas);
    Ok(Member { wire: wire.to_owned(), name, ty, required, credential, default, limits, docs: about })
}
