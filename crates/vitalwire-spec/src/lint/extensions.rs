//! Checks our extensions: names, places and values.

use serde_json::{Map, Value};

use crate::{Finding, Findings, Pointer, unit};

/// Place at which an extension is valid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the root of a specification.
    Document,
    /// On an operation.
    Operation,
    /// On a component schema.
    Component,
    /// On a property, a parameter or its schema.
    Member,
}

/// Form of an extension's value.
enum Form {
    /// One of these words.
    Word(&'static [&'static str]),
    /// Text.
    Text,
    /// The value `true` only.
    True,
    /// Unit of a number.
    Unit,
    /// Positive integer.
    Count,
    /// List of texts.
    Texts,
    /// List of some of these words.
    Words(&'static [&'static str]),
    /// Object whose values are texts or lists of texts.
    Object,
    /// Object of objects. Their fields are checked by their reader.
    Tables,
    /// List of objects. Their fields are checked by their reader.
    TableList,
}

/// Languages with a public API.
const LANGUAGES: [&str; 5] = ["rust", "python", "swift", "kotlin", "c"];

/// All our extensions. Others with our prefix cause a finding, so that a typing mistake cannot go unnoticed.
const EXTENSIONS: &[(&str, Place, Form)] = &[
    ("accepts", Place::Member, Form::Texts),
    ("aliases", Place::Component, Form::Object),
    ("basis", Place::Operation, Form::Word(&["per_serving", "per_100", "unknown"])),
    ("cohort-tables", Place::Document, Form::TableList),
    ("deadline", Place::Operation, Form::Word(&["short", "long"])),
    ("except", Place::Component, Form::Texts),
    ("extends", Place::Component, Form::Text),
    ("languages", Place::Component, Form::Words(&LANGUAGES)),
    ("languages", Place::Operation, Form::Words(&LANGUAGES)),
    ("fixed-texts", Place::Member, Form::Texts),
    ("group", Place::Operation, Form::Text),
    ("max-bytes", Place::Member, Form::Count),
    ("max-request-bytes", Place::Operation, Form::Count),
    ("method", Place::Operation, Form::Text),
    ("names", Place::Component, Form::Object),
    ("names-of", Place::Component, Form::Text),
    ("number-map", Place::Component, Form::Text),
    ("open-set", Place::Component, Form::True),
    ("optional", Place::Component, Form::Texts),
    ("range", Place::Operation, Form::Object),
    ("retry", Place::Operation, Form::Word(&["safe", "idempotent", "once"])),
    ("same-as", Place::Component, Form::Text),
    ("sensitivity", Place::Member, Form::Word(&["credential"])),
    ("series-map", Place::Component, Form::Text),
    ("tables", Place::Component, Form::Tables),
    ("unchecked", Place::Member, Form::Texts),
    ("unit", Place::Member, Form::Unit),
    ("wait", Place::Operation, Form::Object),
];

/// Checks the extensions of one object.
pub(super) fn check(members: &Map<String, Value>, file: &str, at: &Pointer, findings: &mut Findings) {
    for (name, value) in members {
        let Some(short) = name.strip_prefix("x-vitalwire-") else { continue };
        let finding = |text: String| Finding::new("extension", file, at.join(name), text).hint("openapi/README.md lists them");
        let mut known = EXTENSIONS.iter().filter(|(known, ..)| *known == short);
        let Some((_, place, form)) = known.clone().find(|(_, place, _)| *place == place_of(at)).or_else(|| known.next()) else {
            findings.push(finding(format!("`{name}` is not a known extension")));
            continue;
        };
        if *place != place_of(at) {
            findings.push(finding(match place {
                Place::Document => "is only valid at the root of a specification".into(),
                Place::Operation => "is only valid on an operation".into(),
                Place::Component => "is only valid on a component schema".into(),
                Place::Member => "is only valid on a property or a parameter".into(),
            }));
        } else if let Some(text) = value_error(form, value) {
            findings.push(finding(text));
        }
    }
}

fn place_of(at: &Pointer) -> Place {
    match at.steps() {
        [] => Place::Document,
        [paths, _, _] if paths == "paths" => Place::Operation,
        [components, schemas, _] if components == "components" && schemas == "schemas" => Place::Component,
        _ => Place::Member,
    }
}

fn value_error(form: &Form, value: &Value) -> Option<String> {
    let texts = |value: &Value| value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(Value::is_string));
    let text = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    let (valid, expected) = match form {
        Form::Word(words) => (value.as_str().is_some_and(|word| words.contains(&word)), format!("one of {}", words.join(", "))),
        Form::Unit => {
            let known = value.as_str().is_some_and(|text| unit::symbols().any(|symbol| symbol == text));
            (known, format!("one of {}", unit::symbols().collect::<Vec<_>>().join(", ")))
        }
        Form::Text => (text(value), "text".into()),
        Form::True => (value == &Value::Bool(true), "`true`".into()),
        Form::Count => (value.as_u64().is_some_and(|count| count > 0), "a positive integer".into()),
        Form::Texts => (texts(value), "a list of texts".into()),
        Form::Words(words) => {
            let known = |word: &Value| word.as_str().is_some_and(|word| words.contains(&word));
            (texts(value) && value.as_array().is_some_and(|items| items.iter().all(known)), format!("a list of {}", words.join(", ")))
        }
        Form::Tables => {
            let tables = value.as_object().filter(|tables| !tables.is_empty());
            (tables.is_some_and(|tables| tables.values().all(Value::is_object)), "an object of tables".into())
        }
        Form::TableList => {
            let tables = value.as_array().filter(|tables| !tables.is_empty());
            (tables.is_some_and(|tables| tables.iter().all(Value::is_object)), "a list of tables".into())
        }
        Form::Object => {
            let members = value.as_object().filter(|members| !members.is_empty());
            (members.is_some_and(|members| members.values().all(|value| text(value) || texts(value))), "an object of texts".into())
        }
    };
    (!valid).then(|| format!("must be {expected}"))
}
