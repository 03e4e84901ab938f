use jiff::Timestamp;

use super::*;

fn by_jiff(text: &str) -> Option<(i64, u32)> {
    let instant: Timestamp = text.parse().ok()?;
    let nanoseconds = instant.as_nanosecond();
    let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000)).unwrap();
    Some((seconds, u32::try_from(nanoseconds.rem_euclid(1_000_000_000)).unwrap()))
}

#[test]
fn every_date_is_parsed_like_jiff() {
    for year in (1..=9999).step_by(7).chain([4, 100, 400, 1900, 1970, 2000, 2023, 2024, 2025, 2100]) {
        for month in 0..=13 {
            for day in 0..=32 {
                let text = format!("{year:04}-{month:02}-{day:02}T12:34:56Z");
                assert_eq!(parse_instant(text.as_bytes()), by_jiff(&text), "{text}");
            }
        }
    }
}

#[test]
fn every_time_and_offset_is_parsed_like_jiff() {
    for part in 0..100 {
        let offset = |form: &str| form.replace("%", &format!("{part:02}"));
        for text in ["2024-02-29T%:00:00Z", "2024-02-29T00:%:00Z", "2024-12-31T00:00:00+%:30", "2024-01-01T00:00:00-07:%"].map(offset) {
            // jiff accepts offsets of up to 25 hours.
            let far = matches!(part, 24 | 25) && text.contains('+');
            assert_eq!(parse_instant(text.as_bytes()), by_jiff(&text).filter(|_| !far), "{text}");
        }
        let second = offset("1969-12-31T23:59:%Z");
        // The fast parser leaves leap seconds to jiff.
        assert_eq!(parse_instant(second.as_bytes()), by_jiff(&second).filter(|_| part != 60), "{second}");
    }
    for decimals in ["0", "5", "25", "000000001", "999999999", "123456"] {
        for offset in ["Z", "+05:45", "-00:30"] {
            let text = format!("1969-12-31T23:59:59.{decimals}{offset}");
            assert_eq!(parse_instant(text.as_bytes()), by_jiff(&text), "{text}");
        }
    }
}

#[test]
fn a_missing_offset_is_utc_and_other_layouts_are_rejected() {
    assert_eq!(parse_instant(b"1970-01-02T00:00:01"), Some((86_401, 0)));
    assert_eq!(parse_instant(b"1970-01-01T00:00:00.5"), Some((0, 500_000_000)));
    for text in [
        "1970-01-01T00:00:00z",
        "1970-01-01t00:00:00Z",
        "1970-01-01 00:00:00Z",
        "1970-01-01T00:00:0:Z",
        "1970-01-0/T00:00:00Z",
        "1970-01-01T00:00:00+0100",
        "1970-01-01T00:00:00.Z",
        "1970-01-01T00:00:00.1234567890Z",
        "1970-01-01T00:00:00Zx",
        "0000-01-01T00:00:00Z",
        "",
    ] {
        assert_eq!(parse_instant(text.as_bytes()), None, "{text}");
    }
}
