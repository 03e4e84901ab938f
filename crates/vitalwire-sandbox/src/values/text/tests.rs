use super::*;

#[test]
fn instants_are_parsed_with_and_without_an_offset() {
    let eight = parse_instant("2025-01-31T08:00:00Z").unwrap();
    assert_eq!(eight.as_second(), 1_738_310_400);
    assert_eq!(parse_instant("2025-01-31T08:00:00"), Some(eight));
    assert_eq!(parse_instant("2025-01-31T09:00:00+01:00"), Some(eight));
    assert_eq!(parse_instant("2025-01-31T08:00:00.000000000"), Some(eight));
    for bad in [
        "",
        "2025-01-31",
        "2025-02-30T00:00:00Z",
        "2025-01-31T08:00:00+99:00",
        "2025-01-31T08:00:00 01:00",
        "20250131T080000Z",
        "2025-01-31T08:00:00Z[UTC]",
        "now",
        "0000-12-31T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "ääääääääää",
    ] {
        assert_eq!(parse_instant(bad), None, "{bad}");
    }
}

/// Tests the table of forms that the client, the sandbox and the CLI share.
#[test]
fn reads_the_forms_of_the_shared_table() {
    // Read at run time, because the published crate does not contain the table.
    const FORMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/forms/instants.json");
    let table: serde_json::Value = serde_json::from_slice(&std::fs::read(FORMS).unwrap()).unwrap();
    for form in table["forms"].as_array().unwrap() {
        let text = form["text"].as_str().unwrap();
        assert_eq!(parse_instant(text).map(|instant| instant.to_string()).as_deref(), form["instant"].as_str(), "{text}");
    }
}

#[test]
fn the_default_start_is_not_before_year_1() {
    let first = parse_instant("0001-01-01T00:00:00Z").unwrap();
    assert_eq!(hours_before(first, 24), first);
    assert_eq!(hours_before(parse_instant("2025-01-31T08:00:00Z").unwrap(), 24).to_string(), "2025-01-30T08:00:00Z");
}

#[test]
fn dates_are_strict() {
    assert_eq!(parse_date("2024-02-29"), Some(jiff::civil::date(2024, 2, 29)));
    for bad in ["2025-02-29", "20250101", "2025-1-1", "2025-01-01T00:00", "25-01-01", "+2025-1-01"] {
        assert_eq!(parse_date(bad), None, "{bad}");
    }
}
