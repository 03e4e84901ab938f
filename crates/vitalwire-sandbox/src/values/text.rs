//! Parses dates and instants in the forms that callers use.

use jiff::civil::{Date, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

use super::calendar::plus;

/// Parses a date as `YYYY-MM-DD`, from year 1.
pub(crate) fn parse_date(text: &str) -> Option<Date> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    if shaped { text.parse().ok().filter(|date: &Date| date.year() > 0) } else { None }
}

/// Parses a date-time with `Z` or an offset. Defaults to UTC. `tests/forms/instants.json` lists the accepted forms.
pub(crate) fn parse_instant(text: &str) -> Option<Timestamp> {
    let (day, rest) = text.split_at_checked(10)?;
    let day = parse_date(day)?;
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let end = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(end);
    let (days, time) = parse_time_of_day(clock)?;
    let local = day.to_datetime(time).checked_add(SignedDuration::from_hours(24 * days)).ok()?;
    let instant = TimeZone::fixed(parse_offset(zone)?).to_timestamp(local).ok()?;
    // An offset can lead outside the years that the format supports.
    (instant >= earliest()).then_some(instant)
}

/// Parses `HH:MM` or `HH:MM:SS` with decimals, truncated after the ninth. Returns the time and the days to add, 1 for `24:00`.
fn parse_time_of_day(text: &str) -> Option<(i64, Time)> {
    let (clock, decimals) = text.split_once(['.', ',']).map_or((text, None), |(clock, decimals)| (clock, Some(decimals)));
    let parts: Vec<i8> = clock.split(':').map(parse_two_digits).collect::<Option<_>>()?;
    let (hour, minute, second) = match (parts.as_slice(), decimals) {
        ([hour, minute], None) => (*hour, *minute, 0),
        ([hour, minute, second], _) => (*hour, *minute, *second),
        _ => return None,
    };
    let nanoseconds = decimals.map_or(Some(0), parse_nanoseconds)?;
    if hour == 24 {
        let zero = (minute, second) == (0, 0) && decimals.is_none_or(|digits| digits.bytes().all(|digit| digit == b'0'));
        return zero.then_some((1, Time::midnight()));
    }
    // A leap second becomes the last second of a clock without leap seconds.
    let second = if second == 60 { 59 } else { second };
    Some((0, Time::new(hour, minute, second, nanoseconds).ok()?))
}

/// Parses decimals of a second.
fn parse_nanoseconds(decimals: &str) -> Option<i32> {
    if decimals.is_empty() || !decimals.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    format!("{decimals:0<9}").get(..9)?.parse().ok()
}

/// Parses `Z`, `+HH`, `+HHMM`, `+HH:MM`, the same with `-`, or nothing.
fn parse_offset(text: &str) -> Option<Offset> {
    if matches!(text, "" | "Z" | "z") {
        return Some(Offset::UTC);
    }
    let (sign, digits) = text.split_at_checked(1)?;
    let (hours, minutes) = match digits.len() {
        2 => (digits, "00"),
        4 => digits.split_at_checked(2)?,
        5 => digits.split_once(':')?,
        _ => return None,
    };
    let (hours, minutes) = (parse_two_digits(hours)?, parse_two_digits(minutes)?);
    let seconds = (i32::from(hours) * 60 + i32::from(minutes)) * 60;
    if hours > 23 || minutes > 59 {
        return None;
    }
    Offset::from_seconds(if sign == "-" { -seconds } else { seconds }).ok()
}

fn parse_two_digits(text: &str) -> Option<i8> {
    if text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit()) { text.parse().ok() } else { None }
}

pub(crate) fn without_byte_order_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Returns a key without the byte order mark and line ends that a file adds.
pub(crate) fn without_line_ends(key: &str) -> &str {
    key.strip_prefix('\u{feff}').unwrap_or(key).trim_end_matches(['\n', '\r'])
}

/// Returns the default start of a range: `hours` before its end.
pub(crate) fn hours_before(to: Timestamp, hours: i64) -> Timestamp {
    plus(to, SignedDuration::from_hours(-hours)).max(earliest())
}

/// Returns the first accepted instant, 0001-01-01T00:00:00Z.
fn earliest() -> Timestamp {
    Timestamp::from_second(-62_135_596_800).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests;
