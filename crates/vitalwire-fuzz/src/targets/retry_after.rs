//! Target for the `Retry-After` header.

use std::time::{Duration, SystemTime};

use vitalwire::fuzzing;

/// 6 November 1994, 08:49:37 UTC: the date of the examples in the HTTP specification, used as the current time.
const NOW: u64 = 784_111_777;

/// Reads any bytes as the header value.
pub fn run(input: &[u8]) {
    check(input, &fuzzing::parse_retry_after);
}

/// Parses a header value relative to the current time.
pub type ParseDelay<'a> = &'a dyn Fn(&[u8], SystemTime) -> Option<Duration>;

/// Checks a parser of the header.
pub fn check(input: &[u8], read: ParseDelay<'_>) {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW);
    let delay = read(input, now);
    let text = std::str::from_utf8(input).unwrap_or_default().trim_matches([' ', '\t']);
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that overflows is a very long delay, not an invalid one.
        let seconds = text.bytes().try_fold(0_u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
        let longest = Duration::from_millis(i64::MAX.unsigned_abs());
        assert_eq!(delay, Some(Duration::from_secs(seconds.unwrap_or(u64::MAX)).min(longest)));
    } else if let Ok(until) = jiff::fmt::rfc2822::parse(text).map(|zoned| zoned.timestamp().as_second())
        && is_fixed_date(text)
    {
        let wait = u64::try_from(until).unwrap_or_default().saturating_sub(NOW);
        assert_eq!(delay, Some(Duration::from_secs(wait)));
    } else if delay.is_some() {
        // A date in one of the obsolete formats, which only the library under test parses. It accepts any byte as one of the separators.
        assert!((24..=33).contains(&text.len()) && DAYS.iter().any(|day| text.starts_with(day)), "an invalid value has a delay");
    }
    // No delay exceeds the cap, whatever the service asks for.
    for retry in [0, 1, u32::MAX] {
        let (retry_delay, cap) = fuzzing::retry_delay(retry, delay);
        assert_eq!(retry_delay.is_none(), delay.is_some_and(|delay| delay > cap));
        assert!(retry_delay.is_none_or(|retry_delay| retry_delay <= cap && retry_delay >= delay.unwrap_or_default()));
    }
}

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Whether a text has the form `Sun, 06 Nov 1994 08:49:37 GMT`, the only format that mail and HTTP share.
fn is_fixed_date(text: &str) -> bool {
    let shape = b"aaa, dd aaa dddd dd:dd:dd GMT";
    // One library reads a leap second as the last second of the minute, the other rejects it. HTTP dates before 1970 are invalid.
    text.len() == shape.len()
        && text.bytes().zip(shape).all(|(byte, shape)| match shape {
            b'a' => byte.is_ascii_alphabetic(),
            b'd' => byte.is_ascii_digit(),
            exact => byte == *exact,
        })
        && text.get(12..16).is_some_and(|year| year >= "1970")
        && text.get(23..25) != Some("60")
        // Mail accepts names in any case; HTTP does not.
        && text.get(..3).is_some_and(|day| DAYS.contains(&day))
        && text.get(8..11).is_some_and(|month| MONTHS.contains(&month))
}
