//! Instants and dates as texts, computed from numbers, so that the client's own formatting is not used.

use time::OffsetDateTime;

/// Formats seconds since 1970 and nanoseconds as `YYYY-MM-DDTHH:MM:SS[.fraction]Z`, without trailing zeros.
pub(super) fn instant(seconds: i64, nanoseconds: u32) -> String {
    let Ok(time) = OffsetDateTime::from_unix_timestamp(seconds) else { return format!("{seconds} s after 1970") };
    let (year, month, day) = time.to_calendar_date();
    let (hours, minutes, second) = time.to_hms();
    let fraction = if nanoseconds == 0 { String::new() } else { format!(".{nanoseconds:09}") };
    let fraction = fraction.trim_end_matches('0');
    format!("{year:04}-{:02}-{day:02}T{hours:02}:{minutes:02}:{second:02}{fraction}Z", u8::from(month))
}

/// Formats a date as `YYYY-MM-DD`.
pub(super) fn date(year: i16, month: i8, day: i8) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_in_utc_without_trailing_zeros() {
        assert_eq!(instant(0, 0), "1970-01-01T00:00:00Z");
        assert_eq!(instant(-1, 500_000_000), "1969-12-31T23:59:59.5Z");
        assert_eq!(instant(951_782_400, 0), "2000-02-29T00:00:00Z");
        assert_eq!(instant(1_709_251_199, 999_999_999), "2024-02-29T23:59:59.999999999Z");
        assert_eq!(instant(4_107_542_400, 10), "2100-03-01T00:00:00.00000001Z");
        assert_eq!(instant(1_735_689_599, 120_000_000), "2024-12-31T23:59:59.12Z");
        assert_eq!(instant(-62_135_596_800, 0), "0001-01-01T00:00:00Z");
        assert_eq!(instant(253_402_300_799, 0), "9999-12-31T23:59:59Z");
    }

    #[test]
    fn dates_have_two_digits_and_four() {
        assert_eq!(date(7, 1, 9), "0007-01-09");
        assert_eq!(date(2024, 12, 31), "2024-12-31");
    }
}
