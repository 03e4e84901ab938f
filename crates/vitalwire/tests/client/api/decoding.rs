//! Decoding of bodies without a call.

use vitalwire::models::{Metrics, NutritionRecord, NutritionalFields, SleepRecord, UserInfo};
use vitalwire::value::decode::{self, DecodeFailure, FromBody, NullableList};
use vitalwire::value::{Model, NumberBasis};
use vitalwire::{ErrorKind, INTERFACE};

fn from_slice<T: FromBody>(body: &[u8]) -> Result<T, DecodeFailure> {
    decode::from_slice(body, INTERFACE.field_names)
}

fn failure<T: FromBody>(body: &str) -> (String, &'static str) {
    let failure = from_slice::<T>(body.as_bytes()).err().unwrap();
    (failure.json_path, failure.reason)
}

/// The expected offsets of the first invalid byte are counted by hand.
#[test]
fn an_error_outside_of_a_field_names_the_byte() {
    for (body, byte, reason) in [
        (&b""[..], 0, "empty"),
        (b" \n ", 3, "empty"),
        (b"{\"a\":", 5, "truncated JSON"),
        (b"{\n\"a\": x}", 7, "malformed JSON"),
        (b"{} {}", 3, "malformed JSON"),
        (b"{\"a\":\"\xff\"}", 6, "not UTF-8"),
        (b"  [1]", 2, "expected an object"),
    ] {
        let failure = from_slice::<vitalwire::models::UserProperties>(body).err().unwrap();
        assert_eq!((failure.json_path, failure.reason), (format!("byte {byte}"), reason), "{body:?}");
    }
}

/// serde_json cannot decode a lone surrogate, so its JSON text is kept.
#[test]
fn a_lone_surrogate_is_kept_as_json_text() {
    for half in [r"\ud800", r"\udc00", r"a\ud83dx", r"\ud800\u0041", r"\ud800\n"] {
        let night = from_slice::<SleepRecord>(format!("{{{START},\"sleep_id\":\"{half}\",\"x\":\"{half}\"}}").as_bytes()).unwrap();
        assert_eq!(night.extra.get_text("x"), Some(&*format!("\"{half}\"")));
        let texts = decode::decode::<NullableList<String>>(format!("[\"a\",\"{half}\"]").as_bytes(), &[], false).unwrap();
        assert_eq!((texts.value.0, texts.skipped.as_slice()[0].reason()), (vec!["a".to_owned()], "expected a string"));
        let list = from_slice::<SleepRecord>(format!("{{{START},\"stages\":[{{\"stage\":\"{half}\"}}]}}").as_bytes()).unwrap();
        assert_eq!(list.stages.as_slice().len(), 1);
        for member in ["stages", "samples", "metrics", "score"] {
            let night = from_slice::<SleepRecord>(format!("{{{START},\"{member}\":\"{half}\",\"duration\":1}}").as_bytes()).unwrap();
            assert!(night.extra.get_text(member).is_some() && night.duration == Some(1), "{member}");
        }
    }
    assert!(from_slice::<Vec<String>>(br#"["\ud83d\ude00"]"#).is_ok_and(|texts| texts == ["\u{1f600}"]));
}

const START: &str = r#""modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z""#;

/// Values of a few bytes in the body that take tens or hundreds of bytes in memory.
#[test]
fn a_body_that_takes_too_much_memory_is_rejected() {
    let body = |member: &str, item: &str| format!("{{{START},\"{member}\":[{}{item}]}}", format!("{item},").repeat(3_000_000));
    assert_eq!(failure::<SleepRecord>(&body("stages", "{}")).1, "must not exceed the memory limit");
    let series = format!("{{{START},\"samples\":{{\"offsets\":[{}0]}}}}", "60000,".repeat(1_000_000));
    assert!(from_slice::<SleepRecord>(series.as_bytes()).is_ok(), "a long night is decoded");
    for member in ["unknown", "score"] {
        let record = from_slice::<SleepRecord>(body(member, "0").as_bytes()).unwrap();
        assert_eq!(record.extra.get_text(member).map(str::len), Some(6_000_003), "kept as text of the same length");
    }
}

#[test]
fn many_unknown_names_take_linear_time() {
    let names: Vec<String> = (0..200_000).map(|at| format!("\"m{at}\":{at}")).collect();
    let body = format!("{{{START},\"metrics\":{{{}}}}}", names.join(","));
    let started = std::time::Instant::now();
    let record = from_slice::<vitalwire::models::SleepRecord>(body.as_bytes()).unwrap();
    assert_eq!(record.metrics.unwrap().get_text("m199999"), Some(199_999.0));
    // Comparing each name with all earlier ones would take 20,000,000,000 comparisons.
    assert!(started.elapsed() < std::time::Duration::from_secs(10));
}

fn round_trip<T: Model>(text: &str) -> T {
    let first = T::from_json(text.as_bytes()).unwrap();
    let second = T::from_json(first.to_json().unwrap().as_bytes()).unwrap();
    assert!(first == second, "{}", T::NAME);
    second
}

#[test]
fn a_round_trip_through_json_loses_nothing() {
    let sleep: SleepRecord = round_trip(
        r#"{"modified_at":"2025-01-02T03:04:05.123456789Z","start_at_timestamp":"2025-01-01T22:00:00","record_ids":null,
            "stages":[{"stage":"new one"}],"score":"high","far":123456789012345678901234567890,"x":1e400,"d":[[1,{"a":null}]]}"#,
    );
    assert_eq!(sleep.modified_at.subsec_nanoseconds(), 123_456_789);
    assert!(sleep.record_ids.is_null() && sleep.stages.as_slice().len() == 1);
    let extra: Vec<(&str, &str)> = sleep.extra.iter().collect();
    assert_eq!(extra, [("d", "[[1,{\"a\":null}]]"), ("far", "123456789012345678901234567890"), ("score", "\"high\""), ("x", "1e400")]);
    let metrics: Metrics = round_trip(r#"{"new":0.1,"glucose":97.123456,"steps":"many","heartrate":5e-324}"#);
    assert_eq!((metrics.get_text("heartrate"), metrics.extra().get_text("steps")), (Some(5e-324), Some("\"many\"")));
}

/// A declared field with a value of the wrong type has the text of the value as received, however the body is decoded.
#[test]
fn a_value_of_the_wrong_type_keeps_its_text() {
    // All bodies except the first are decoded in several passes: an item is skipped, or the fast path cannot read the whole body.
    let nested = format!(",\"x\":{}{}", "[".repeat(200), "]".repeat(200));
    let others = ["", ",\"record_ids\":[null]", ",\"x\":\"\\ud800\"", ",\"x\":1e400", &nested];
    let large = format!("1{}", "0".repeat(400));
    for number in ["7", "-0", "0.10", "1.50", "1E+2", "-1e-400", "18446744073709551616", "12345678901234567890123", "1e400", &large] {
        for other in others {
            let values = format!(r#""sleep_id": {number} ,"source":{{"device_model":{number}}},"stages":[{{"stage":{number}}}]"#);
            let body = format!("{{{START},{values}{other}}}");
            let by_serde = decode::decode_by_serde::<SleepRecord>(body.as_bytes(), INTERFACE.field_names, false).unwrap().value;
            for night in [from_slice::<SleepRecord>(body.as_bytes()).unwrap(), by_serde] {
                assert_eq!(night.extra.get_text("sleep_id"), Some(number), "{body}");
                assert!(night.to_json().unwrap().contains(&format!("\"sleep_id\":{number}")), "{body}");
                assert_eq!(night.source.unwrap().extra.get_text("device_model"), Some(number), "{body}");
                assert_eq!(night.stages.as_slice()[0].extra.get_text("stage"), Some(number), "{body}");
            }
        }
    }
    for value in [r#""\u0068igh""#, "[ 1.50 ]", r#"{ "a" : 1.50 }"#, "true"] {
        for other in others {
            let body = format!("{{{START},\"score\": {value} {other}}}");
            let by_serde = decode::decode_by_serde::<SleepRecord>(body.as_bytes(), INTERFACE.field_names, false).unwrap().value;
            for night in [from_slice::<SleepRecord>(body.as_bytes()).unwrap(), by_serde] {
                assert_eq!(night.extra.get_text("score"), Some(value), "{body}");
            }
        }
    }
    for number in ["1.50", "1e30", "9223372036854775808", "-12345678901234567890123"] {
        let night = from_slice::<SleepRecord>(format!("{{{START},\"score\":{number}}}").as_bytes()).unwrap();
        assert_eq!((night.score, night.extra.get_text("score")), (None, Some(number)));
    }
    // Numbers beyond a double, in a number map and in a series.
    for number in ["-1e400", &large] {
        let body = format!("{{{START},\"metrics\":{{\"steps\":{number}}},\"samples\":{{\"offsets\":[1.50,{number}]}}}}");
        let night = from_slice::<SleepRecord>(body.as_bytes()).unwrap();
        assert_eq!(night.metrics.unwrap().extra().get_text("steps"), Some(number));
        assert_eq!(night.samples.unwrap().extra.get_text("offsets"), Some(&*format!("[1.50,{number}]")));
    }
}

#[test]
fn the_basis_of_a_model_can_be_set() {
    const START: &str =
        r#"{"record_id":"r","status":"completed","uploaded_at":"2025-01-01T00:00:00Z","modified_at":"2025-01-01T00:00:00Z""#;
    let read = |rest: &str| NutritionRecord::from_json(format!("{START}{rest}}}").as_bytes()).unwrap();
    assert_eq!(read("").basis(), None);
    let mut record = read(r#","ingredients":[{"name":"a"},{"nutritional_fields":{"salt_g":1}}]"#);
    assert_eq!(record.basis(), Some(NumberBasis::Unknown));
    record.set_basis(NumberBasis::Per100);
    assert_eq!(record.basis(), Some(NumberBasis::Per100));
    let mut fields = NutritionalFields::from_json(b"{\"salt_g\":1}").unwrap();
    fields.set_basis(NumberBasis::PerServing);
    assert_eq!((NutritionalFields::NAME, Model::basis(&fields)), ("NutritionalFields", Some(NumberBasis::PerServing)));
    assert_eq!((UserInfo::NAME, Metrics::NAME), ("UserInfo", "Metrics"));
}

#[test]
fn the_error_of_an_invalid_model_names_the_json_path() {
    let error = SleepRecord::from_json(br#"{"modified_at":"2025-01-01T00:00:00Z"}"#).err().unwrap();
    assert_eq!((error.kind(), error.json_path(), error.reason()), (ErrorKind::Decode, Some("start_at_timestamp"), Some("missing")));
}
