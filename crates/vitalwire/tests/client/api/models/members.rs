//! One by one, for every member of every model.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use super::shape::{Kind, Sample, text_of};
use super::{Model, Visit, each, shapes};

/// The members of an object as written, repeated ones too.
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

/// What a model writes; no name may be there twice.
pub fn written(model: &impl serde::Serialize) -> Value {
    let text = serde_json::to_string(model).unwrap();
    let Entries(entries) = serde_json::from_str(&text).unwrap();
    let count = entries.len();
    let object: Map<String, Value> = entries.into_iter().collect();
    assert_eq!(object.len(), count, "a name is written twice: {text}");
    serde_json::to_value(model).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The members of the minimal object, with one of them set or left out.
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
    assert!(again == model, "{}: what is written reads back the same: {text}", M::shape().name);
    model
}

fn error_of<M: Model>(text: &str) -> String {
    match serde_json::from_str::<M>(text) {
        Ok(_) => panic!("{} was read from {text}", M::shape().name),
        Err(error) => error.to_string(),
    }
}

/// The names at the first level of a `{:?}`.
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

struct Everything {
    models: BTreeSet<&'static str>,
}

impl Visit for Everything {
    fn visit<M: Model>(&mut self) {
        let shape = M::shape();
        self.models.insert(shape.name);
        let least: M = read(&Value::Object(minimal::<M>()));
        assert!(least.extra().is_empty());
        assert_eq!(written(&least), shape.minimal(), "{}", shape.name);
        // The model has the members of the interface and no others.
        // `planType` on the wire is `plan_type` here, so both are compared without case and underscores.
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        let mut expected: Vec<String> = shape.members().map(|(name, _)| plain(name)).chain(["extra".to_owned()]).collect();
        let shown = format!("{least:?}");
        let mut names: Vec<String> = shown_names(&shown).iter().map(|name| plain(name)).collect();
        assert!(shown.starts_with(&format!("{} {{ ", shape.name)), "{shown}");
        expected.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, expected, "{}", shape.name);

        let Sample { sent, written: expected } = shape.full();
        let full: M = read(&sent);
        assert!(full.extra().is_empty(), "{}", shape.name);
        assert_eq!(written(&full), expected, "{}", shape.name);

        for (name, kind) in shape.required {
            absent_required::<M>(name);
            right::<M>(name, *kind);
            wrong_required::<M>(name, *kind);
        }
        for (name, kind) in shape.optional {
            null_optional::<M>(name, *kind);
            right::<M>(name, *kind);
            wrong_optional::<M>(name, *kind);
        }
        unknown_members::<M>();
        no_object::<M>();
    }
}

fn right<M: Model>(name: &str, kind: Kind) {
    for Sample { sent, written: back } in kind.right() {
        let model: M = read(&with::<M>(name, Some(&sent)));
        assert!(model.extra().is_empty(), "{}.{name}: {sent}", M::shape().name);
        assert_eq!(written(&model).get(name), Some(&back), "{}.{name}: {sent}", M::shape().name);
    }
}

fn absent_required<M: Model>(name: &str) {
    let error = error_of::<M>(&with::<M>(name, None).to_string());
    assert!(error.starts_with(&format!("missing field `{name}`")), "{}.{name}: {error}", M::shape().name);
}

fn wrong_required<M: Model>(name: &str, kind: Kind) {
    for value in kind.wrong() {
        let error = error_of::<M>(&with::<M>(name, Some(&value)).to_string());
        assert!(error.starts_with("expected "), "{}.{name}: {error}", M::shape().name);
    }
    let null = with::<M>(name, Some(&Value::Null));
    if matches!(kind, Kind::List(_)) {
        assert_eq!(written(&read::<M>(&null)).get(name), Some(&json!([])), "a required list that is null is empty");
    } else {
        let error = error_of::<M>(&null.to_string());
        assert!(error.starts_with("expected "), "{}.{name}: {error}", M::shape().name);
    }
}

fn null_optional<M: Model>(name: &str, kind: Kind) {
    let model: M = read(&with::<M>(name, Some(&Value::Null)));
    assert!(model.extra().is_empty(), "{}.{name}", M::shape().name);
    let kept = matches!(kind, Kind::List(_)).then_some(&Value::Null);
    assert_eq!(written(&model).get(name), kept, "{}.{name}: null and absent are told apart for lists only", M::shape().name);
    assert_eq!(written(&read::<M>(&with::<M>(name, None))).get(name), None);
}

fn wrong_optional<M: Model>(name: &str, kind: Kind) {
    for value in kind.wrong() {
        let model: M = read(&with::<M>(name, Some(&value)));
        assert_eq!(model.extra().get(name).as_ref(), Some(&value), "{}.{name}: kept as it came", M::shape().name);
        assert_eq!(model.extra().len(), 1);
        assert_eq!(written(&model).get(name), Some(&value), "{}.{name}: written back", M::shape().name);
        repeated::<M>(name, kind, &value);
    }
}

/// Of a name that is there more than once, the last counts.
fn repeated<M: Model>(name: &str, kind: Kind, wrong: &Value) {
    let least = minimal::<M>();
    let of = |values: &[&Value]| -> M {
        let mut members: Vec<(&str, &Value)> = least.iter().map(|(name, value)| (name.as_str(), value)).collect();
        members.extend(values.iter().map(|value| (name, *value)));
        serde_json::from_str(&text_of(&members)).unwrap()
    };
    let Sample { sent, written: back } = kind.right().swap_remove(0);
    let last_right = of(&[wrong, &Value::Null, wrong, &sent]);
    assert!(last_right.extra().is_empty(), "{}.{name}", M::shape().name);
    assert_eq!(written(&last_right).get(name), Some(&back), "{}.{name}", M::shape().name);
    let last_wrong = of(&[&sent, wrong]);
    assert_eq!(written(&last_wrong).get(name), Some(wrong), "{}.{name}", M::shape().name);
    let last_null = of(&[&sent, wrong, &Value::Null]);
    assert!(last_null.extra().is_empty());
    assert_ne!(written(&last_null).get(name), Some(wrong), "{}.{name}", M::shape().name);
}

fn unknown_members<M: Model>() {
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
    assert_eq!(written(&model), Value::Object(object), "{}", M::shape().name);
    let least: Vec<(String, Value)> = minimal::<M>().into_iter().collect();
    let (first, last) = (json!(1), json!("last"));
    let mut members: Vec<(&str, &Value)> = least.iter().map(|(name, value)| (name.as_str(), value)).collect();
    members.extend([("later", &first), ("later", &last)]);
    let model: M = serde_json::from_str(&text_of(&members)).unwrap();
    assert_eq!(written(&model).get("later"), Some(&last));
}

fn no_object<M: Model>() {
    for text in ["null", "[]", "\"x\"", "5", "0.5", "true", "[{}]"] {
        assert!(error_of::<M>(text).starts_with("expected an object"), "{} from {text}", M::shape().name);
    }
}

#[test]
fn every_member_of_every_model() {
    let mut all = Everything { models: BTreeSet::new() };
    each(&mut all);
    assert_eq!(all.models, shapes::received());
}
