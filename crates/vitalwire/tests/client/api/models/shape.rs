//! Valid and invalid values for each kind of field, with their expected serialization.

use serde_json::{Map, Value, json};

/// Fields of a model, as described by the interface.
pub struct Shape {
    pub name: &'static str,
    pub required: &'static [Field],
    pub optional: &'static [Field],
}

pub type Field = (&'static str, Kind);

#[derive(Clone, Copy)]
pub enum Kind {
    Text,
    Id,
    Integer,
    Number,
    Boolean,
    Instant,
    Date,
    Open,
    Any,
    Object(&'static Shape),
    List(&'static Kind),
    /// A number map.
    Numbers,
    /// A series map.
    Series,
}

/// A valid value and its serialization.
pub struct Sample {
    pub sent: Value,
    pub written: Value,
}

fn same(value: impl Into<Value>) -> Sample {
    let value = value.into();
    Sample { sent: value.clone(), written: value }
}

fn changed(sent: impl Into<Value>, written: impl Into<Value>) -> Sample {
    Sample { sent: sent.into(), written: written.into() }
}

const STRANGE: &str = "µ 😀 \u{0} \\ \" / \u{202e} \r\n é";

impl Kind {
    /// Returns valid values.
    pub fn valid(self) -> Vec<Sample> {
        match self {
            Self::Text | Self::Open | Self::Id => {
                let long = "é".repeat(70);
                ["plain", "", STRANGE, "6F1C9A52-0000-4000-8000-00000000000A", &long, " 5 "].map(same).into()
            }
            Self::Integer => vec![
                same(0),
                same(-1),
                same(9_007_199_254_740_993_i64),
                same(-9_007_199_254_740_993_i64),
                same(i64::MAX),
                same(i64::MIN),
                changed(72.0, 72),
                changed(-3.0, -3),
                changed(1e3, 1000),
            ],
            Self::Number => vec![
                same(5.123_456),
                same(0.000_001),
                same(-1.5),
                same(1e300),
                same(5e-324),
                same(0),
                changed(72.0, 72),
                changed(-40.0, -40),
                changed(123_456_789.0, 123_456_789),
                same(9_007_199_254_740_992_i64),
                changed(9_007_199_254_740_992.0, 9_007_199_254_740_992_i64),
            ],
            Self::Boolean => vec![same(true), same(false)],
            Self::Instant => vec![
                same("2025-01-31T06:30:00Z"),
                changed("2025-01-31T06:30:00", "2025-01-31T06:30:00Z"),
                changed("2025-01-31T06:30:00.500", "2025-01-31T06:30:00.5Z"),
                changed("2025-01-31T06:30:00.000000000Z", "2025-01-31T06:30:00Z"),
                changed("2025-01-31T06:30:00.123456789", "2025-01-31T06:30:00.123456789Z"),
                changed("2025-01-31T00:30:00+01:00", "2025-01-30T23:30:00Z"),
                changed("2025-01-31T06:30:00.100-00:30", "2025-01-31T07:00:00.1Z"),
                same("1969-12-31T23:59:59.999999999Z"),
                same("0001-01-01T00:00:00Z"),
            ],
            Self::Date => vec![same("2024-02-29"), same("0001-01-01"), same("9999-12-31")],
            Self::Any => [json!(5), json!(true), json!("x"), json!([1, null]), json!({"a": {"b": []}}), json!(1.25)].map(same).into(),
            Self::Object(shape) => vec![shape.full(), changed(json!({}), shape.minimal()), shape.minimal_sample()]
                .into_iter()
                .filter(|sample| shape.required.is_empty() || sample.sent != json!({}))
                .collect(),
            Self::List(item) => {
                let items = item.valid();
                let all = |value: fn(&Sample) -> &Value| Value::Array(items.iter().map(|item| value(item).clone()).collect());
                vec![changed(all(|sample| &sample.sent), all(|sample| &sample.written)), same(json!([]))]
            }
            Self::Numbers => vec![
                changed(json!({"not a name": 72.0, "µ": 0.000_001, "": 1.0}), json!({"not a name": 72, "µ": 0.000_001, "": 1})),
                same(json!({})),
            ],
            Self::Series => vec![
                changed(json!({"not a name": [72.0, 0.5, 5], "empty": []}), json!({"not a name": [72, 0.5, 5], "empty": []})),
                same(json!({})),
            ],
        }
    }

    /// Returns invalid values other than null.
    pub fn invalid(self) -> Vec<Value> {
        let (list, object) = (json!(["x", {"y": null}]), json!({"x": [1, null]}));
        match self {
            Self::Text | Self::Open | Self::Id => vec![json!(5), json!(1.5), json!(false), list, object, json!({}), json!([])],
            Self::Integer => {
                vec![json!(72.5), json!("72"), json!(true), json!(u64::MAX), json!(9_007_199_254_740_992.0), json!(1e300), list, object]
            }
            Self::Number => vec![json!("72"), json!(""), json!("NaN"), json!(false), json!([72]), object],
            Self::Boolean => vec![json!(0), json!(1), json!("true"), json!(""), list, object],
            Self::Instant => {
                let texts =
                    ["", "2025-01-31", "yesterday", "2025-02-30T00:00:00Z", "2025-01-31T25:00:00Z", "1738305000", "2025-01-31T06h30"];
                texts.map(Value::from).into_iter().chain([json!(1_738_305_000), json!(1.5), json!(true), list, object]).collect()
            }
            Self::Date => {
                let texts = ["", "2025-01-31T00:00:00Z", "2025-02-29", "31.01.2025", "20250131", "2025-1-31", " 2025-01-31"];
                texts.map(Value::from).into_iter().chain([json!(20_250_131), json!(false), list, object]).collect()
            }
            Self::Any => Vec::new(),
            Self::Object(_) | Self::Numbers | Self::Series => vec![json!([]), json!([{}]), json!("{}"), json!(5), json!(0.5), json!(true)],
            Self::List(_) => vec![json!({}), object, json!("[]"), json!(5), json!(0.5), json!(false)],
        }
    }

    fn first(self) -> Sample {
        self.valid().swap_remove(0)
    }
}

fn object(members: impl Iterator<Item = (&'static str, Value)>) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

impl Shape {
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.required.iter().chain(self.optional)
    }

    /// Returns an object with the required fields only.
    pub fn minimal(&self) -> Value {
        object(self.required.iter().map(|(name, kind)| (*name, kind.first().written)))
    }

    fn minimal_sample(&self) -> Sample {
        let sent = object(self.required.iter().map(|(name, kind)| (*name, kind.first().sent)));
        Sample { sent, written: self.minimal() }
    }

    /// Returns an object with all fields.
    pub fn full(&self) -> Sample {
        let sent = object(self.fields().map(|(name, kind)| (*name, kind.first().sent)));
        let written = object(self.fields().map(|(name, kind)| (*name, kind.first().written)));
        Sample { sent, written }
    }
}

/// Returns the JSON text of an object with these fields, including repeated names.
pub fn text_of(members: &[(&str, &Value)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| format!("{}:{value}", json!(name))).collect();
    format!("{{{}}}", members.join(","))
}
