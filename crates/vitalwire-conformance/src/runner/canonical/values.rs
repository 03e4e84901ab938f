//! Single values, lists and maps.

use serde_json::{Map, Number, Value, json};
use vitalwire::value::{Date, Id, Json, NumberMap, OpenSet, SeriesMap, Timestamp};

use super::object::extra;
use super::time::{date, instant};
use super::{Bases, Canonical};
use crate::canonical::normalize;

/// Returns a double as the shortest decimal that reads back the same. Integers have no decimal point; a gap in a series is null.
fn normalize_number(double: f64) -> Value {
    if double.is_nan() {
        return Value::Null;
    }
    // Infinities, which JSON cannot represent, become texts.
    Number::from_f64(double).map_or_else(|| double.to_string().into(), |number| normalize(&Value::Number(number), None))
}

/// Converts a number map to JSON from its iterator. If the getter of a known name returns another number, the entry is a list of both
/// numbers, so that the comparison fails.
pub(in crate::runner) fn numbers<K: OpenSet>(map: &NumberMap<K>, known: &[(&str, Option<f64>)]) -> Value {
    let mut object: Map<String, Value> = map.iter().map(|(name, value)| (name.to_owned(), normalize_number(value))).collect();
    for (name, value) in known {
        let (iterated, got) = (object.get(*name).cloned(), value.map(normalize_number));
        if iterated != got {
            object.insert((*name).to_owned(), [iterated, got].into_iter().map(Option::unwrap_or_default).collect());
        }
    }
    object.extend(extra(map.extra()));
    Value::Object(object)
}

/// Returns series by name.
pub(in crate::runner) fn series<K: OpenSet>(map: &SeriesMap<K>, bases: &mut Bases) -> Value {
    let series = map.iter().map(|(name, series)| (name.to_owned(), series.iter().map(|value| value.canonical(bases)).collect()));
    let mut object: Map<String, Value> = series.collect();
    object.extend(extra(map.extra()));
    Value::Object(object)
}

impl Canonical for String {
    fn canonical(&self, _: &mut Bases) -> Value {
        Value::from(self.as_str())
    }
}

impl Canonical for bool {
    fn canonical(&self, _: &mut Bases) -> Value {
        Value::from(*self)
    }
}

impl Canonical for i64 {
    fn canonical(&self, _: &mut Bases) -> Value {
        Value::from(*self)
    }
}

impl Canonical for f64 {
    fn canonical(&self, _: &mut Bases) -> Value {
        normalize_number(*self)
    }
}

impl Canonical for Id {
    fn canonical(&self, _: &mut Bases) -> Value {
        Value::from(self.as_str())
    }
}

impl Canonical for Timestamp {
    fn canonical(&self, _: &mut Bases) -> Value {
        Value::from(instant(self.unix_seconds(), self.subsec_nanoseconds()))
    }
}

impl Canonical for Date {
    fn canonical(&self, _: &mut Bases) -> Value {
        let (year, month, day) = self.ymd();
        Value::from(date(year, month, day))
    }
}

impl Canonical for Json {
    fn canonical(&self, _: &mut Bases) -> Value {
        self.to_value().map_or_else(|| Value::from(self.as_text()), |value| normalize(&value, None))
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn canonical(&self, bases: &mut Bases) -> Value {
        self.iter().map(|item| item.canonical(bases)).collect()
    }
}

/// A response without body.
impl Canonical for () {
    fn canonical(&self, _: &mut Bases) -> Value {
        Value::Null
    }
}

/// Returns a value of an open set: its text, with a mark if the set does not know it.
pub(in crate::runner) fn name(value: &impl OpenSet) -> Value {
    let text = Value::from(value.as_str());
    if value.is_known() { text } else { json!({ "unknown": text }) }
}

/// Open sets.
macro_rules! canonical_texts {
    ($($set:path),* $(,)?) => {
        $(impl $crate::runner::canonical::Canonical for $set {
            fn canonical(&self, _: &mut $crate::runner::canonical::Bases) -> serde_json::Value {
                $crate::runner::canonical::name(self)
            }
        })*
    };
}
pub(in crate::runner) use canonical_texts;

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use vitalwire::open_sets::Gender;

    use super::*;

    /// Decodes a value like a response.
    fn read<T: DeserializeOwned>(value: Value) -> T {
        serde_json::from_str(&value.to_string()).unwrap()
    }

    fn canonical(value: &impl Canonical) -> Value {
        super::super::to_canonical(value).0
    }

    #[test]
    fn numbers_have_their_shortest_form() {
        for (double, text) in [
            (72.0, "72"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (-1.5, "-1.5"),
            (9_007_199_254_740_992.0, "9007199254740992"),
            (9_007_199_254_740_994.0, "9007199254740994.0"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(canonical(&double).to_string(), text);
        }
        assert_eq!(canonical(&i64::MAX).to_string(), "9223372036854775807");
    }

    #[test]
    fn values_of_any_type_have_canonical_numbers() {
        let given: Value = serde_json::from_str(r#"{"a": [72.0, 1e3, 1.5, null, "72.0"], "b": 18446744073709551615}"#).unwrap();
        assert_eq!(canonical(&Json::from(given)).to_string(), r#"{"a":[72,1000,1.5,null,"72.0"],"b":18446744073709551615}"#);
    }

    #[test]
    fn times_and_texts_have_canonical_forms() {
        assert_eq!(canonical(&"2025-03-01T22:30:00.120+14:00".parse::<Timestamp>().unwrap()), json!("2025-03-01T08:30:00.12Z"));
        assert_eq!(canonical(&Date::new(2024, 2, 29).unwrap()), json!("2024-02-29"));
        assert_eq!(canonical(&Id::from("Ab-1")), json!("Ab-1"));
        assert_eq!(canonical(&Gender::from("female")), json!("female"));
        assert_eq!(canonical(&Gender::from("not known yet")), json!({"unknown": "not known yet"}));
        assert_eq!(canonical(&()), Value::Null);
        assert_eq!(canonical(&vec!["b".to_owned(), "a".to_owned()]), json!(["b", "a"]));
    }

    #[test]
    fn maps_keep_unknown_names_and_values_of_other_types() {
        let map: vitalwire::models::Metrics = read(json!({"steps": 12.0, "no_metric": 0.5, "hr": null}));
        assert_eq!(canonical(&map), json!({"steps": 12, "no_metric": 0.5}));
        let odd: vitalwire::models::Metrics = read(json!({"steps": "many"}));
        assert_eq!(canonical(&odd), json!({"steps": {"extra": "many"}}));
    }

    #[test]
    fn a_getter_that_differs_from_the_iterator_is_visible() {
        let map: vitalwire::models::Metrics = read(json!({"steps": 12}));
        assert_eq!(numbers(&map, &[("steps", Some(12.0)), ("floors", None)]), json!({"steps": 12}));
        assert_eq!(numbers(&map, &[("steps", Some(13.0))]), json!({"steps": [12, 13]}));
        assert_eq!(numbers(&map, &[("steps", None)]), json!({"steps": [12, null]}));
        assert_eq!(numbers(&map, &[("floors", Some(1.0))]), json!({"steps": 12, "floors": [null, 1]}));
    }
}
