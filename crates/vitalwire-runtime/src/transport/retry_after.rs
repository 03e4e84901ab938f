//! Parser for the `Retry-After` header.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, header};

/// Longest delay. Its milliseconds fit into the signed integers of every language.
const LONGEST: Duration = Duration::from_millis(i64::MAX.unsigned_abs());

/// Returns the delay that the service asks for, stated in seconds or as a date. A date in the past is a zero delay. Returns `None` for
/// invalid values.
pub(crate) fn parse_retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        // A number that overflows is a very long delay, not an invalid one.
        return Some(text.parse().map_or(LONGEST, Duration::from_secs).min(LONGEST));
    }
    let until = httpdate::parse_http_date(text).ok()?;
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(value: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(header::RETRY_AFTER, value.parse().expect("a header value"));
        // 6 November 1994, 08:49:37 UTC, the date of the examples in the HTTP specification.
        parse_retry_after(&headers, SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777))
    }

    #[test]
    fn seconds_and_dates_are_parsed() {
        assert_eq!(parse("120"), Some(Duration::from_secs(120)));
        assert_eq!(parse(" 0 "), Some(Duration::ZERO));
        for huge in ["9223372036854776", "99999999999999999999999"] {
            assert_eq!(parse(huge).map(|delay| delay.as_millis()), Some(9_223_372_036_854_775_807), "{huge}");
        }
        assert_eq!(parse("Sun, 06 Nov 1994 08:49:47 GMT"), Some(Duration::from_secs(10)));
        assert_eq!(parse("Sunday, 06-Nov-94 08:50:37 GMT"), Some(Duration::from_secs(60)));
        assert_eq!(parse("Sun Nov  6 08:49:38 1994"), Some(Duration::from_secs(1)));
        assert_eq!(parse("Sun, 06 Nov 1994 08:49:00 GMT"), Some(Duration::ZERO));
    }

    #[test]
    fn an_invalid_value_is_ignored() {
        for value in ["", "-1", "1.5", "soon", "Sun, 99 Nov 1994 08:49:47 GMT", "+5"] {
            assert_eq!(parse(value), None, "{value}");
        }
        assert_eq!(parse_retry_after(&HeaderMap::new(), SystemTime::now()), None);
    }
}
