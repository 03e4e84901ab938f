use super::*;

fn normal(text: &str) -> Option<String> {
    text.parse::<Timestamp>().ok().map(|instant| instant.to_string())
}

#[test]
fn every_form_of_the_service_is_parsed() {
    for (text, expected) in [
        ("2025-01-31T06:30:00Z", "2025-01-31T06:30:00Z"),
        ("2025-01-31T06:30:00", "2025-01-31T06:30:00Z"),
        ("2025-01-31 06:30:00", "2025-01-31T06:30:00Z"),
        ("2025-01-31T06:30:00+02:00", "2025-01-31T04:30:00Z"),
        ("2025-01-31T06:30:00-1400", "2025-01-31T20:30:00Z"),
        ("2025-01-31T06:30:00.123456789Z", "2025-01-31T06:30:00.123456789Z"),
        ("2025-01-31T06:30:00.500", "2025-01-31T06:30:00.5Z"),
        ("2024-02-29T23:59:59.9", "2024-02-29T23:59:59.9Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        // Values of other systems for "no end".
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ("9999-12-31T23:59:59.999999999+00:00", "9999-12-31T23:59:59.999999999Z"),
        ("9999-12-31 23:59Z", "9999-12-31T23:59:00Z"),
        ("9999-12-31T23:59:59+14:00", "9999-12-31T09:59:59Z"),
    ] {
        assert_eq!(normal(text).as_deref(), Some(expected), "{text}");
    }
}

/// Reads the table that is shared with the sandbox and the command line.
#[test]
fn every_form_of_the_shared_table_is_parsed() {
    // Read at run time, because the table is not part of the published crate.
    const FORMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/forms/instants.json");
    let table: serde_json::Value = serde_json::from_slice(&std::fs::read(FORMS).unwrap()).unwrap();
    let forms = table["forms"].as_array().unwrap();
    assert!(forms.len() > 50);
    for form in forms {
        let text = form["text"].as_str().unwrap();
        assert_eq!(normal(text).as_deref(), form["instant"].as_str(), "{text}");
    }
}

#[test]
fn other_texts_are_rejected() {
    for text in [
        "",
        "2025-01-31",
        "2025-02-30T00:00:00Z",
        "2025-01-31T06",
        "2025-01-31T06:30:00[Europe/Paris]",
        "yesterday at about noon",
        "2025-13-01T00:00:00Z",
        // Half a second before the year 1. Rounding towards 1970 would make it valid.
        "0000-12-31T23:59:59.5Z",
        "0001-01-01T00:00:00.5+00:01",
        "9999-12-31T23:59:59-00:01",
        "9999-12-31T24:00:00Z",
    ] {
        assert_eq!(normal(text), None, "{text}");
    }
}

#[test]
fn instants_before_1970_are_split_into_seconds_and_nanoseconds() {
    let before: Timestamp = "1969-12-31T23:59:59.25Z".parse().unwrap();
    assert_eq!((before.unix_seconds(), before.subsec_nanoseconds()), (-1, 250_000_000));
    assert_eq!(Timestamp::from_unix(-1, 250_000_000), Some(before));
    assert_eq!(Timestamp::from_unix(0, 1_000_000_000), None);
}

#[test]
fn the_last_second_is_kept_by_every_conversion_except_to_jiff() {
    let last = Timestamp::from_unix(253_402_300_799, 999_999_999).unwrap();
    assert_eq!(last.local(0).unwrap().to_string(), "9999-12-31T23:59:59.999999999");
    assert_eq!(last.local(1), None);
    assert_eq!(Timestamp::try_from(SystemTime::from(last)), Ok(last));
    assert_eq!(last.jiff(), jiff::Timestamp::MAX);
    let first = Timestamp::from_unix(FIRST_OF_ALL, 0).unwrap();
    assert_eq!(first.local(0), Some(civil::DateTime::MIN));
    assert_eq!(Timestamp::try_from(SystemTime::from(first)), Ok(first));
    assert_eq!((Timestamp::from_unix(FIRST_OF_ALL - 1, 0), Timestamp::from_unix(LATEST + 1, 0)), (None, None));
}

#[test]
fn the_offset_is_applied_once_to_local_time() {
    let instant: Timestamp = "2025-01-31T23:30:00Z".parse().unwrap();
    assert_eq!(instant.local(60).unwrap().to_string(), "2025-02-01T00:30:00");
    assert_eq!(instant.local(-14 * 60).unwrap().to_string(), "2025-01-31T09:30:00");
    assert_eq!(instant.local(i64::MAX), None);
}
