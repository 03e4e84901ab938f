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
    date.strftime("%a %-d %b %-Y").to_string()
}

/// Formats the UTC date of an instant, `2025-11-21`.
pub(crate) fn date(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

/// Formats a day without its year, `21 Nov`.
pub(crate) fn short_day(date: civil::Date) -> String {
    date.strftime("%-d %b").to_string()
}

#[cfg(test)]
mod tests;
