//! Every field of every model: valid, absent, null, of the wrong type and repeated.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use super::shape::{Kind, Sample, text_of};
use super::{Model, Visit, each, shapes};

/// Fields of an object in their order, including repeated ones.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Entries;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Entries, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = members.next_entry()? {
                    all.push(entry);
                }
                Ok(Entries(all))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// Serializes a model. Panics if a name occurs twice.
pub fn to_json(model: &impl serde::Serialize) -> Value {
    let text = serde_json::to_string(model).unwrap();
    let Entries(entries) = serde_json::from_str(&text).unwrap();
    let count = entries.len();
    let object: Map<String, Value> = entries.into_iter().collect();
    assert_eq!(object.len(), count, "a name is written twice: {text}");
    serde_json::to_value(model).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Returns the minimal object with one field set or removed.
fn with<M: Model>(name: &str, value: Option<&Value>) -> Value {
    let mut object = minimal::<M>();
    match value {
        Some(value) => object.insert(name.to_owned(), value.clone()),
        None => object.remove(name),
    };
    Value::Object(object)
}

fn minimal<M: Model>() -> Map<String, Value> {
    match M::shape().minimal() {
        Value::Object(object) => object,
        _ => unreachable!(),
    }
}

fn read<M: Model>(value: &Value) -> M {
    let text = value.to_string();
    let model: M = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}: {text}", M::shape().name));
    let again: M = serde_json::from_str(&serde_json::to_string(&model).unwrap()).unwrap();
    assert!(again == model, "{}: a serialized model decodes to an equal one: {text}", M::shape().name);
    model
}

fn error_of<M: Model>(text: &str) -> String {
    match serde_json::from_str::<M>(text) {
        Ok(_) => panic!("{} was read from {text}", M::shape().name),
        Err(error) => error.to_string(),
    }
}

/// Returns the names at the first level of a `Debug` text.
fn shown_names(text: &str) -> Vec<String> {
    let (mut depth, mut names, mut word) = (0, Vec::new(), String::new());
    for letter in text.chars() {
        match letter {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            ':' if depth == 1 => names.push(std::mem::take(&mut word)),
            letter if letter.is_ascii_alphanumeric() || letter == '_' => {
                word.push(letter);
                continue;
            }
            _ => {}
        }
        word.clear();
    }
    names
}

struct FieldVisitor {
    models: BTreeSet<&'static str>,
}

impl Visit for FieldVisitor {
    fn visit<M: Model>(&mut self) {
        let shape = M::shape();
        self.models.insert(shape.name);
        let least: M = read(&Value::Object(minimal::<M>()));
        assert!(least.extra().is_empty());
        assert_eq!(to_json(&least), shape.minimal(), "{}", shape.name);
        // The model has exactly the fields of the interface.
        // `planType` on the wire is the field `plan_type`, so compare without case and underscores.
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        let mut expected: Vec<String> = shape.fields().map(|(name, _)| plain(name)).chain(["extra".to_owned()]).collect();
        let shown = format!("{least:?}");
        let mut names: Vec<String> = shown_names(&shown).iter().map(|name| plain(name)).collect();
        assert!(shown.starts_with(&format!("{} {{ ", shape.name)), "{shown}");
        expected.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, expected, "{}", shape.name);

        let Sample { sent, written: expected } = shape.full();
        let full: M = read(&sent);
        assert!(full.extra().is_empty(), "{}", shape.name);
        assert_eq!(to_json(&full), expected, "{}", shape.name);

        for (name, kind) in shape.required {
            check_absent_required::<M>(name);
            check_valid::<M>(name, *kind);
            check_invalid_required::<M>(name, *kind);
        }
        for (name, kind) in shape.optional {
            check_null_optional::<M>(name, *kind);
            check_valid::<M>(name, *kind);
            check_invalid_optional::<M>(name, *kind);
        }
        check_unknown_fields::<M>();
        check_not_an_object::<M>();
    }
}

fn check_valid<M: Model>(name: &str, kind: Kind) {
    for Sample { sent, written: back } in kind.valid() {
        let model: M = read(&with::<M>(name, Some(&sent)));
        assert!(model.extra().is_empty(), "{}.{name}: {sent}", M::shape().name);
        assert_eq!(to_json(&model).get(name), Some(&back), "{}.{name}: {sent}", M::shape().name);
    }
}

fn check_absent_required<M: Model>(name: &str) {
    let error = error_of::<M>(&with::<M>(name, None).to_string());
    assert!(error.starts_with(&format!("missing field `{name}`")), "{}.{name}: {error}", M::shape().name);
}

fn check_invalid_required<M: Model>(name: &str, kind: Kind) {
    for value in kind.invalid() {
        let error = error_of::<M>(&with::<M>(name, Some(&value)).to_string());
        assert!(error.starts_with("expected "), "{}.{name}: {error}", M::shape().name);
    }
    let null = with::<M>(name, Some(&Value::Null));
    if matches!(kind, Kind::List(_)) {
        assert_eq!(to_json(&read::<M>(&null)).get(name), Some(&json!([])), "a required list that is null is empty");
    } else {
        let error = error_of::<M>(&null.to_string());
        assert!(error.starts_with("expected "), "{}.{name}: {error}", M::shape().name);
    }
}

fn check_null_optional<M: Model>(name: &str, kind: Kind) {
    let model: M = read(&with::<M>(name, Some(&Value::Null)));
    assert!(model.extra().is_empty(), "{}.{name}", M::shape().name);
    let expected = matches!(kind, Kind::List(_)).then_some(&Value::Null);
    assert_eq!(to_json(&model).get(name), expected, "{}.{name}: null and absent are distinguished for lists only", M::shape().name);
    assert_eq!(to_json(&read::<M>(&with::<M>(name, None))).get(name), None);
}

fn check_invalid_optional<M: Model>(name: &str, kind: Kind) {
    for value in kind.invalid() {
        let model: M = read(&with::<M>(name, Some(&value)));
        assert_eq!(model.extra().get(name).as_ref(), Some(&value), "{}.{name}: kept as received", M::shape().name);
        assert_eq!(model.extra().len(), 1);
        assert_eq!(to_json(&model).get(name), Some(&value), "{}.{name}: written back", M::shape().name);
        check_repeated::<M>(name, kind, &value);
    }
}

/// Checks that the last of repeated fields counts.
fn check_repeated<M: Model>(name: &str, kind: Kind, wrong: &Value) {
    let least = minimal::<M>();
    let with_values = |values: &[&Value]| -> M {
        let mut members: Vec<(&str, &Value)> = least.iter().map(|(name, value)| (name.as_str(), value)).collect();
        members.extend(values.iter().map(|value| (name, *value)));
        serde_json::from_str(&text_of(&members)).unwrap()
    };
    let Sample { sent, written: back } = kind.valid().swap_remove(0);
    let last_right = with_values(&[wrong, &Value::Null, wrong, &sent]);
    assert!(last_right.extra().is_empty(), "{}.{name}", M::shape().name);
    assert_eq!(to_json(&last_right).get(name), Some(&back), "{}.{name}", M::shape().name);
    let last_wrong = with_values(&[&sent, wrong]);
    assert_eq!(to_json(&last_wrong).get(name), Some(wrong), "{}.{name}", M::shape().name);
    let last_null = with_values(&[&sent, wrong, &Value::Null]);
    assert!(last_null.extra().is_empty());
    assert_ne!(to_json(&last_null).get(name), Some(wrong), "{}.{name}", M::shape().name);
}

fn check_unknown_fields<M: Model>() {
    let unknown = [
        ("x_later", json!({"deep": [1, null, "µ 😀", {"a": 1.5}]})),
        ("", json!("empty name")),
        ("\u{0} \" \\ µ", json!(null)),
        ("extra", json!(true)),
        ("Status", json!(["names differ by case"])),
        ("big", json!(u64::MAX)),
    ];
    let mut object = minimal::<M>();
    object.extend(unknown.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let model: M = read(&Value::Object(object.clone()));
    assert_eq!(model.extra().len(), unknown.len(), "{}", M::shape().name);
    for (name, value) in &unknown {
        assert_eq!(model.extra().get(name).as_ref(), Some(value), "{}: {name:?}", M::shape().name);
    }
    assert_eq!(to_json(&model), Value::Object(object), "{}", M::shape().name);
    let least: Vec<(String, Value)> = minimal::<M>().into_iter().collect();
    let (first, last) = (json!(1), json!("last"));
    let mut members: Vec<(&str, &Value)> = least.iter().map(|(name, value)| (name.as_str(), value)).collect();
    members.extend([("later", &first), ("later", &last)]);
    let model: M = serde_json::from_str(&text_of(&members)).unwrap();
    assert_eq!(to_json(&model).get("later"), Some(&last));
}

fn check_not_an_object<M: Model>() {
    for text in ["null", "[]", "\"x\"", "5", "0.5", "true", "[{}]"] {
        assert!(error_of::<M>(text).starts_with("expected an object"), "{} from {text}", M::shape().name);
    }
}

#[test]
fn every_field_of_every_model_follows_the_rules() {
    let mut all = FieldVisitor { models: BTreeSet::new() };
    each(&mut all);
    assert_eq!(all.models, shapes::received());
}
