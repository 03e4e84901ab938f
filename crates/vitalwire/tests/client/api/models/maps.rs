//! Number maps and series maps.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use vitalwire::models::{Metrics, SleepRecord, SleepSampleValues};
use vitalwire::open_sets::MetricName;
use vitalwire::value::OpenSet;
use vitalwire_testkit::{Server, json as reply};

use super::fields::to_json;
use super::shapes;
use crate::api::client;

/// Returns an object with a distinct number for each name.
fn numbers(names: &[&str]) -> Value {
    Value::Object(names.iter().zip(0_i32..).map(|(name, at)| ((*name).to_owned(), json!(f64::from(at) + 0.5))).collect::<Map<_, _>>())
}

/// Checks that a set knows exactly the names of the specification, and that each name returns its own number. The conformance cases test
/// the getters.
fn check<K: OpenSet>(names: &[&'static str], read: impl Fn(&K) -> Option<f64>, mut numbers: Vec<(String, f64)>) {
    let set = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!((K::KNOWN.len(), set(K::KNOWN)), (names.len(), set(names)));
    let mut expected: Vec<(String, f64)> = Vec::new();
    for (at, name) in (0_i32..).zip(names) {
        let value = f64::from(at) + 0.5;
        let key = K::from_text(name);
        assert!(key.is_known() && key.as_str() == *name, "{name}");
        assert_eq!(read(&key), Some(value), "{name}");
        expected.push(((*name).to_owned(), value));
    }
    expected.sort_by(|left, right| left.0.cmp(&right.0));
    numbers.sort_by(|left, right| left.0.cmp(&right.0));
    assert_eq!(numbers, expected);
}

macro_rules! number_maps {
    ($($map:ident by $key:ident)*) => {
        /// Checks every map.
        pub fn check_all() {
            $({
                let names = super::shapes::numbers(stringify!($map));
                let map: vitalwire::models::$map = serde_json::from_value(super::numbers(&names)).unwrap();
                let read = map.iter().map(|(name, value)| (name.to_owned(), value)).collect();
                super::check::<vitalwire::open_sets::$key>(&names, |key| map.get(key), read);
                assert_eq!(super::to_json(&map), super::numbers(&names));
            })*
        }
    };
}

#[path = "../generated/number_maps.rs"]
mod all;

#[test]
fn every_name_returns_its_number() {
    all::check_all();
}

#[test]
fn a_getter_returns_its_number() {
    let map: Metrics = serde_json::from_value(json!({"heartrate": 61, "heartrate_max": 88.5, "weight": 70})).unwrap();
    assert_eq!((map.heartrate(), map.heartrate_max(), map.weight(), map.steps()), (Some(61.0), Some(88.5), Some(70.0), None));
}

#[test]
fn the_last_of_repeated_names_counts_in_any_order() {
    let text = r#"{"weight":1,"steps":2,"later":3,"air_temperature":4,"steps":5,"later":6.5,"glucose":"x","glucose":95.123456,
        "heartrate":60,"heartrate":null,"spo2":97,"spo2":"high","odd":1,"odd":[1],"even":{},"even":2,"cadence":"x","cadence":null}"#;
    let map: Metrics = serde_json::from_str(text).unwrap();
    assert_eq!((map.steps(), map.get_text("later"), map.glucose()), (Some(5.0), Some(6.5), Some(95.123_456)));
    assert_eq!((map.heartrate(), map.spo2(), map.get_text("odd"), map.get_text("even")), (None, None, None, Some(2.0)));
    let extra: Vec<(&str, &str)> = map.extra().iter().collect();
    assert_eq!(extra, [("odd", "[1]"), ("spo2", "\"high\"")], "a value that is not a number is kept under its name");
    let expected =
        json!({"weight": 1, "steps": 5, "later": 6.5, "air_temperature": 4, "glucose": 95.123_456, "spo2": "high", "odd": [1], "even": 2});
    assert_eq!(to_json(&map), expected);
    assert_eq!(map.len(), 6);
}

#[test]
fn unknown_names_and_values_of_the_wrong_type_are_kept() {
    let sent = json!({"steps": "4321", "µ-metric 😀": 1.5, "": 0, "a\u{0}b": -1, "heartrate": [60], "spo2": {"value": 97}, "x": true, "glucose": null, "y": null});
    let map: Metrics = serde_json::from_value(sent).unwrap();
    assert_eq!((map.steps(), map.heartrate(), map.spo2(), map.glucose()), (None, None, None, None), "nothing is coerced");
    assert_eq!((map.get_text("µ-metric 😀"), map.get_text(""), map.get_text("a\u{0}b")), (Some(1.5), Some(0.0), Some(-1.0)));
    assert_eq!(map.get(&MetricName::from("µ-metric 😀")), Some(1.5));
    assert_eq!((map.len(), map.extra().len()), (3, 4), "null is absent");
    let expected = json!({"steps": "4321", "µ-metric 😀": 1.5, "": 0, "a\u{0}b": -1, "heartrate": [60], "spo2": {"value": 97}, "x": true});
    assert_eq!(to_json(&map), expected);
    let empty: Metrics = serde_json::from_str("{}").unwrap();
    assert!(empty.is_empty() && empty.extra().is_empty());
}

#[test]
fn numbers_keep_their_value() {
    for (text, written_as) in [
        ("95.123456", "95.123456"),
        ("0.000001", "1e-6"),
        ("72.0", "72"),
        ("72", "72"),
        ("-0.5", "-0.5"),
        ("1e2", "100"),
        ("123456789012345", "123456789012345"),
        ("0.1", "0.1"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("9007199254740992", "9007199254740992"),
        ("5e-324", "5e-324"),
    ] {
        let map: Metrics = serde_json::from_str(&format!("{{\"glucose\":{text}}}")).unwrap();
        assert_eq!(map.glucose(), Some(text.parse().unwrap()));
        assert_eq!(serde_json::to_string(&map).unwrap(), format!("{{\"glucose\":{written_as}}}"));
    }
}

#[test]
fn a_series_keeps_every_number_in_its_position() {
    let text = r#"{"heartrate":[60,61.5,60,-0.25],"later µ":[],"spo2":"none","x":null,"heartrate":[1,2],"y":[1],"y":{"a":1},"z":5,"z":[7],"w":[1],"w":null}"#;
    let series: SleepSampleValues = serde_json::from_str(text).unwrap();
    assert_eq!(series.get(&MetricName::Heartrate), Some(&[1.0, 2.0][..]), "the last counts");
    assert_eq!((series.get_text("later µ"), series.get_text("x"), series.get_text("w")), (Some(&[][..]), None, None));
    assert_eq!((series.get_text("y"), series.get_text("z")), (None, Some(&[7.0][..])));
    assert_eq!((series.len(), series.extra().len()), (3, 2));
    assert_eq!(series.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["heartrate", "later µ", "z"]);
    assert_eq!(to_json(&series), json!({"heartrate": [1, 2], "later µ": [], "spo2": "none", "y": {"a": 1}, "z": [7]}));
    for odd in ["[1,\"1\"]", "[true]", "[[1]]", "[{},2]", "[2,-1e400]"] {
        let series: SleepSampleValues = serde_json::from_str(&format!("{{\"x\":{odd},\"y\":[1]}}")).unwrap();
        assert_eq!((series.get_text("x"), series.get_text("y")), (None, Some(&[1.0][..])), "{odd}");
        assert_eq!(series.extra().get_text("x"), Some(odd));
    }
}

#[test]
fn a_null_in_a_series_is_nan() {
    let read = |text: &str| serde_json::from_str::<SleepSampleValues>(text).unwrap();
    let series = read(r#"{"heartrate":[60,null,62],"x":[null]}"#);
    let heart = series.get(&MetricName::Heartrate).unwrap();
    assert!((heart[0], heart[2]) == (60.0, 62.0) && heart[1].is_nan() && series.get_text("x").unwrap()[0].is_nan());
    assert_eq!(to_json(&series), json!({"heartrate": [60, null, 62], "x": [null]}));
    assert!(series == series.clone() && series != read(r#"{"heartrate":[60,61,62],"x":[null]}"#));
}

#[tokio::test]
async fn a_long_series_is_decoded_completely() {
    let values: Vec<String> = (0..100_000).map(|at| format!("{at}.25")).collect();
    let body = format!(
        r#"{{"modified_at":"2025-01-31T07:00:00Z","start_at_timestamp":"2025-01-30T22:00:00Z","samples":{{"values":{{"glucose":[{}]}}}}}}"#,
        values.join(",")
    );
    let server = Server::always(reply(200, &body));
    let night: SleepRecord = client(&server).sleeps().get("x").await.unwrap().into_inner();
    let glucose = night.samples.as_ref().unwrap().values.as_ref().unwrap().get_text("glucose").unwrap();
    assert_eq!((glucose.len(), glucose[0], glucose[99_999]), (100_000, 0.25, 99_999.25));
    assert!(glucose.windows(2).all(|pair| pair[1] - pair[0] == 1.0));
}

#[test]
fn a_map_can_be_collected_from_names_and_numbers() {
    let map: Metrics = [(MetricName::Weight, 72.5), (MetricName::Steps, 1.0), (MetricName::from("x"), 2.0), (MetricName::Steps, 3.0)]
        .into_iter()
        .collect();
    assert_eq!(to_json(&map), json!({"steps": 3, "weight": 72.5, "x": 2}));
    let read: Metrics = serde_json::from_str(r#"{"x":2,"weight":72.5,"steps":3}"#).unwrap();
    assert!(map == read);
}
