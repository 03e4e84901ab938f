//! Numbers, durations and times of day for people.

use jiff::civil;
use vitalwire::value::Timestamp;

/// Smaller numbers are printed with an exponent.
const MIN_DECIMAL: f64 = 1e-6;

/// Formats a number with this many decimals and with commas between thousands.
pub(crate) fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(whole, fraction)| (whole, Some(fraction)));
    let mut out = String::new();
    // A number that is shown as zero has no sign.
    if value < 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        out.push('-');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) && whole.chars().all(|char| char.is_ascii_digit()) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// Formats a number in its shortest form, with at most this many decimals.
pub(crate) fn brief(value: f64, decimals: usize) -> String {
    let text = grouped(value, decimals);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Formats a number with this many decimals, or with more if it is so small that fewer than two digits would show.
pub(crate) fn significant(value: f64, decimals: usize) -> String {
    let size = value.abs();
    if size == 0.0 || size >= 1.0 || !size.is_finite() {
        return grouped(value, decimals);
    }
    if size < MIN_DECIMAL {
        return format!("{value:.1e}");
    }
    // 0.0345 has its first digit in the second place, so two digits take three decimals.
    let places = (-size.log10().floor()).max(1.0) as usize + 1;
    let text = grouped(value, places.max(decimals));
    let least = text.find('.').map_or(text.len(), |point| point + 1 + decimals.max(1));
    let kept = text.trim_end_matches('0').len().max(least);
    text.get(..kept).unwrap_or(&text).to_owned()
}

/// Formats milliseconds as hours and minutes, `7:05`, rounded to the minute.
pub(crate) fn hours_minutes(milliseconds: f64) -> String {
    let minutes = (milliseconds / 60_000.0).round() as i64;
    let sign = if minutes < 0 { "-" } else { "" };
    let minutes = minutes.unsigned_abs();
    format!("{sign}{}:{:02}", minutes / 60, minutes % 60)
}

/// Formats the local time of day, `23:04`. Returns an empty text if the offset makes the time invalid.
pub(crate) fn clock(at: Timestamp, offset_minutes: i64) -> String {
    at.local(offset_minutes).map_or_else(String::new, |local| format!("{:02}:{:02}", local.hour(), local.minute()))
}

/// Formats an offset from UTC, `UTC+05:30`.
pub(crate) fn offset(minutes: i64) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.unsigned_abs();
    format!("UTC{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Formats a day, `Fri 21 Nov 2025`.
pub(crate) fn day(date: civil::Date) -> String {
    format!("{} {} {} {}", weekday(date), date.day(), month(date), date.year())
}

/// Formats the UTC date of an instant, `2025-11-21`.
pub(crate) fn date(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

/// Formats a day without its year, `21 Nov`.
pub(crate) fn short_day(date: civil::Date) -> String {
    format!("{} {}", date.day(), month(date))
}

fn month(date: civil::Date) -> &'static str {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let at = usize::from(date.month().unsigned_abs()).saturating_sub(1);
    MONTHS.get(at).copied().unwrap_or_default()
}

fn weekday(date: civil::Date) -> &'static str {
    use civil::Weekday::{Friday, Monday, Saturday, Sunday, Thursday, Tuesday, Wednesday};
    match date.weekday() {
        Monday => "Mon",
        Tuesday => "Tue",
        Wednesday => "Wed",
        Thursday => "Thu",
        Friday => "Fri",
        Saturday => "Sat",
        Sunday => "Sun",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (value, decimals, expected) in [
            (0.0, 0, "0"),
            (999.0, 0, "999"),
            (1_000.0, 0, "1,000"),
            (1_234_567.891, 2, "1,234,567.89"),
            (-1_234.5, 1, "-1,234.5"),
            (-0.004, 2, "0.00"),
            (-0.2, 2, "-0.20"),
            (f64::NAN, 0, "NaN"),
            (f64::INFINITY, 1, "inf"),
        ] {
            assert_eq!(grouped(value, decimals), expected);
        }
    }

    #[test]
    fn brief_numbers_have_no_trailing_zeros() {
        assert_eq!(brief(350.0, 2), "350");
        assert_eq!(brief(1_200.0, 0), "1,200");
        assert_eq!(brief(0.25, 2), "0.25");
        assert_eq!(brief(4.10, 2), "4.1");
    }

    #[test]
    fn small_numbers_keep_two_digits() {
        for (value, decimals, expected) in [
            (0.0, 1, "0.0"),
            (12.34, 1, "12.3"),
            (1_234.0, 0, "1,234"),
            (0.5, 1, "0.5"),
            (0.45, 1, "0.45"),
            (0.0345, 1, "0.035"),
            (0.002, 1, "0.002"),
            (-0.0021, 1, "-0.0021"),
            (0.4, 0, "0.4"),
            (0.999, 1, "1.0"),
            (3.42e-8, 1, "3.4e-8"),
            (f64::NAN, 1, "NaN"),
        ] {
            assert_eq!(significant(value, decimals), expected, "{value}");
        }
    }

    #[test]
    fn durations_are_rounded_to_minutes() {
        assert_eq!(hours_minutes(0.0), "0:00");
        assert_eq!(hours_minutes(25_500_000.0), "7:05");
        // 59 min 30 s rounds to the hour.
        assert_eq!(hours_minutes(3_570_000.0), "1:00");
        assert_eq!(hours_minutes(-120_000.0), "-0:02");
    }

    #[test]
    fn local_times_are_shifted_by_the_offset() {
        let at: Timestamp = "2025-11-20T22:04:30Z".parse().expect("a date-time");
        assert_eq!(clock(at, 60), "23:04");
        assert_eq!(clock(at, 330), "03:34");
        assert_eq!(clock(at, -300), "17:04");
        assert_eq!(clock(at, i64::MAX), "");
        assert_eq!(date(at), "2025-11-20");
        assert_eq!(offset(330), "UTC+05:30");
        assert_eq!(offset(-300), "UTC-05:00");
        assert_eq!(offset(0), "UTC+00:00");
    }

    #[test]
    fn days_are_formatted_with_names() {
        assert_eq!(day(civil::date(2025, 11, 21)), "Fri 21 Nov 2025");
        assert_eq!(short_day(civil::date(2024, 2, 9)), "9 Feb");
    }
}
