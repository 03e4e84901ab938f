//! Ids, instants, dates and numbers.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use vitalwire::models::{NutritionRecord, SleepRecord, UserInfo};
use vitalwire::value::{Date, Id, Timestamp};

use crate::api::{date, instant};

#[test]
fn an_id_keeps_its_text_and_may_be_a_uuid() {
    for (text, uuid) in [
        ("6f1c9a52-0000-4000-8000-00000000000a", true),
        ("6F1C9A52-0000-4000-8000-00000000000A", true),
        ("", false),
        ("µ", false),
        ("6f1c9a52-0000-4000-8000-00000000000", false),
        ("6f1c9a52-0000-4000-8000-00000000000aa", false),
    ] {
        let id = Id::from(text);
        assert_eq!((id.as_str(), id.to_string(), id.uuid().is_some()), (text, text.to_owned(), uuid), "{text}");
    }
    assert!(Id::from("A") != Id::from("a"), "ids are compared as text");
    let long = "x".repeat(1000);
    assert_eq!(Id::from(long.clone()).as_str(), long);
    assert!(Id::from("a") < Id::from("b"));
}

/// A date is not shifted by any time zone.
#[test]
fn dates_and_instants_are_distinct_types() {
    let night: SleepRecord = serde_json::from_str(
        r#"{"modified_at":"2025-01-31T23:59:59.999999999-12:00","start_at_timestamp":"2025-01-01T00:00:00+14:00","sleep_date":"2025-01-01"}"#,
    )
    .unwrap();
    assert_eq!(night.sleep_date, Date::new(2025, 1, 1));
    assert_eq!(night.start_at_timestamp.to_string(), "2024-12-31T10:00:00Z");
    assert_eq!(night.modified_at.to_string(), "2025-02-01T11:59:59.999999999Z");
    assert_eq!((night.modified_at.subsec_nanoseconds(), date("2025-01-01").ymd()), (999_999_999, (2025, 1, 1)));
}

#[test]
fn an_instant_keeps_up_to_nine_decimals() {
    for digits in 0..=9_usize {
        let fraction = "123456789"[..digits].to_owned();
        let text = if digits == 0 { "2025-01-31T06:30:00".to_owned() } else { format!("2025-01-31T06:30:00.{fraction}") };
        for offset in ["", "Z", "z", "+00:00", "-00:00"] {
            let read = instant(&format!("{text}{offset}"));
            assert_eq!(read.to_string(), format!("{text}Z"));
            assert_eq!(format!("{:09}", read.subsec_nanoseconds()), format!("{fraction:0<9}"));
        }
    }
    for digits in 1..=9 {
        assert_eq!(instant(&format!("2025-01-31T06:30:00.{}", "0".repeat(digits))).to_string(), "2025-01-31T06:30:00Z");
        let nine = format!("2025-01-31T06:30:00.{}", "9".repeat(digits));
        assert_eq!(instant(&nine).to_string(), format!("{nine}Z"), "nothing is rounded up");
    }
}

#[test]
fn instants_convert_from_and_to_system_time() {
    let moment = UNIX_EPOCH + Duration::new(1_738_305_000, 250_000_000);
    assert_eq!(Timestamp::try_from(moment).unwrap(), instant("2025-01-31T06:30:00.25Z"));
    assert_eq!(SystemTime::from(instant("2025-01-31T06:30:00.25Z")), moment);
    assert_eq!(Timestamp::from_unix(1_738_305_000, 250_000_000), Some(instant("2025-01-31T06:30:00.25")));
    assert!(instant("2025-01-31T06:30:00+01:00") < instant("2025-01-31T06:30:00Z"));
}

#[test]
fn integers_beyond_2_to_the_53_stay_exact() {
    for (text, written) in [
        ("9007199254740993", "9007199254740993"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775807", "9223372036854775807"),
        ("42.0", "42"),
        ("4.2e1", "42"),
    ] {
        let user: UserInfo = serde_json::from_str(&format!("{{\"application_id\":{text}}}")).unwrap();
        assert_eq!(user.application_id.unwrap().to_string(), written);
        assert_eq!(serde_json::to_string(&user).unwrap(), format!("{{\"application_id\":{written}}}"));
    }
    // A number out of the range of an i64 is kept in `extra`.
    for text in ["9223372036854775808", "18446744073709551615", "42.5", "1e30"] {
        let user: UserInfo = serde_json::from_str(&format!("{{\"application_id\":{text}}}")).unwrap();
        assert_eq!((user.application_id, user.extra.get("application_id").unwrap().to_string()), (None, text.replace("e30", "e+30")));
    }
}

#[test]
fn a_utc_offset_in_minutes_determines_the_local_day() {
    let meal: NutritionRecord = serde_json::from_str(
        r#"{"record_id":"m","status":"completed","uploaded_at":"2025-01-31T23:30:00Z","modified_at":"2025-01-31T23:30:00Z","user_time_offset_minutes":60}"#,
    )
    .unwrap();
    let local = meal.uploaded_at.local(meal.user_time_offset_minutes.unwrap()).unwrap();
    assert_eq!(local.to_string(), "2025-02-01T00:30:00");
}

/// A decimal is decoded as the nearest double, in fields, number maps and `extra`, so serialization does not change it.
#[test]
fn a_long_number_is_decoded_exactly() {
    for text in ["5.2205853476661786e-306", "324.83578946983675", "691.5704812559325", "775.4482498380623", "1.7976931348623157e308"] {
        let body = format!(
            r#"{{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","metrics":{{"heartrate":{text}}},"aside":{text}}}"#
        );
        let night: SleepRecord = serde_json::from_str(&body).unwrap();
        // The standard library parses exactly.
        let exact: f64 = text.parse().unwrap();
        assert_eq!(night.metrics.as_ref().unwrap().heartrate().map(f64::to_bits), Some(exact.to_bits()), "{text}");
        assert_eq!(night.extra.get("aside").unwrap().as_f64().map(f64::to_bits), Some(exact.to_bits()), "{text}");
        assert!(serde_json::from_str::<SleepRecord>(&serde_json::to_string(&night).unwrap()).unwrap() == night, "{text}");
    }
}

/// If a field is first a text and then a number, the record equals a record without the text.
#[test]
fn a_replaced_value_of_the_wrong_type_is_not_kept() {
    let once = r#"{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","score":72}"#;
    let twice = once.replace(r#""score""#, r#""score":"x","score""#);
    let read = |body: &str| serde_json::from_str::<SleepRecord>(body).unwrap();
    assert_eq!(read(&twice).score, Some(72));
    assert!(read(&twice) == read(once));
}
