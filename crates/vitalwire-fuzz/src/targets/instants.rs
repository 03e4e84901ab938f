//! Targets for dates and instants, compared with another library where the rules are the same.

use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date as OtherDate, OffsetDateTime};
use vitalwire::value::{Date, Timestamp};

/// Checks that both libraries accept the same dates.
pub fn dates(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    check_date(text, &|text| text.parse().ok());
}

/// Checks a date parser.
pub fn check_date(text: &str, parse: &dyn Fn(&str) -> Option<Date>) {
    let ours = parse(text);
    let theirs = matches_pattern(text, "dddd-dd-dd")
        .then(|| OtherDate::parse(text, format_description!("[year]-[month]-[day]")).ok())
        .flatten()
        .filter(|date| date.year() > 0);
    assert_eq!(ours.is_some(), theirs.is_some(), "only one library accepts the date");
    let (Some(ours), Some(theirs)) = (ours, theirs) else { return };
    assert_eq!(ours.to_string(), text);
    assert_eq!(
        ours.ymd(),
        (i16::try_from(theirs.year()).unwrap_or_default(), u8::from(theirs.month()).cast_signed(), theirs.day().cast_signed())
    );
    let epoch = Date::new(1970, 1, 1).expect("a date");
    let days = theirs.to_julian_day() - 2_440_588;
    assert_eq!(epoch.days_until(ours), days);
    assert_eq!(ours.days_until(epoch), -days);
    assert_eq!(epoch.plus_days(days), Some(ours));
    assert_eq!(format!("{ours:?}"), "Date(..)");
}

/// Checks that both libraries read an RFC 3339 text as the same instant, and that it is written in one format.
pub fn timestamps(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    check_timestamp(text, &|text| text.parse().ok());
}

/// Range of seconds since 1970 for the years 1 to 9999.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// Checks a parser of instants.
pub fn check_timestamp(text: &str, parse: &dyn Fn(&str) -> Option<Timestamp>) {
    let ours = parse(text);
    // Texts in the grammar of RFC 3339, or without an offset, which means UTC. Leap seconds and hour 24 are excluded: one library accepts
    // them, the other rejects them.
    let strict = is_rfc3339(text);
    let naive = !text.get(19..).unwrap_or_default().contains(['Z', 'z', '+', '-']);
    if strict && text.get(17..19) != Some("60") && text.get(11..13) != Some("24") {
        let whole = if naive { format!("{text}Z") } else { text.to_owned() };
        let theirs = OffsetDateTime::parse(&whole, &Rfc3339).ok().filter(|instant| SECONDS.contains(&instant.unix_timestamp()));
        assert_eq!(ours.is_some(), theirs.is_some(), "only one library accepts the instant");
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            assert_eq!(
                i128::from(ours.unix_seconds()) * 1_000_000_000 + i128::from(ours.subsec_nanoseconds()),
                theirs.unix_timestamp_nanos()
            );
        }
    }
    let Some(ours) = ours else { return };
    assert!(SECONDS.contains(&ours.unix_seconds()), "an instant outside of the years 1 to 9999");
    let written = ours.to_string();
    assert!(
        is_rfc3339(&written) && written.ends_with('Z') && !written.ends_with("0Z") | !written.contains('.'),
        "an instant is written as {written}"
    );
    assert_eq!(parse(&written), Some(ours));
    assert_eq!(Timestamp::from_unix(ours.unix_seconds(), ours.subsec_nanoseconds()), Some(ours));
    assert_eq!(format!("{ours:?}"), "Timestamp(..)");
    for minutes in [0, -14 * 60, 14 * 60, 1] {
        // The local time may lie after the year 9999.
        let Some(local) = ours.local(minutes) else { continue };
        let utc = ours.local(0).expect("a usual offset");
        assert_eq!(local.duration_since(utc).as_secs(), minutes * 60);
    }
}

/// Whether a text is `YYYY-MM-DDTHH:MM:SS` with up to nine decimals, followed by `Z`, an offset or nothing.
fn is_rfc3339(text: &str) -> bool {
    let Some((start, rest)) = text.split_at_checked(19) else { return false };
    if !["dddd-dd-ddTdd:dd:dd", "dddd-dd-ddtdd:dd:dd"].iter().any(|shape| matches_pattern(start, shape)) {
        return false;
    }
    let digits = rest.strip_prefix('.').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    if rest.starts_with('.') && !(1..=9).contains(&digits) {
        return false;
    }
    let offset = rest.get(if digits > 0 { digits + 1 } else { 0 }..).unwrap_or_default();
    matches!(offset, "" | "Z" | "z")
        || (matches_pattern(offset, "+dd:dd") || matches_pattern(offset, "-dd:dd")) && offset.get(1..3).is_some_and(|hours| hours < "24")
}

/// Whether a text matches a pattern in which `d` is a digit.
fn matches_pattern(text: &str, shape: &str) -> bool {
    text.len() == shape.len()
        && text.bytes().zip(shape.bytes()).all(|(byte, shape)| if shape == b'd' { byte.is_ascii_digit() } else { byte == shape })
}
