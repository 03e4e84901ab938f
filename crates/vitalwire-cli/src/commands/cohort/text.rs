//! Texts that several commands print.

use crate::render::number::grouped;

/// Returns a number with a noun, such as `1 user` or `2,000 users`.
pub(super) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", number_text(number))
}

/// Returns a number with separators of thousands.
#[allow(clippy::cast_precision_loss, reason = "a text")]
pub(super) fn number_text(number: u64) -> String {
    grouped(number as f64, 0)
}

/// Formats a duration in seconds.
pub(super) fn duration_text(seconds: f64) -> String {
    let whole = seconds.ceil();
    let (hours, minutes) = ((whole / 3600.0).floor(), (whole / 60.0).floor() % 60.0);
    if hours > 0.0 {
        format!("{hours:.0} h {minutes:02.0} min")
    } else if minutes > 0.0 {
        format!("{minutes:.0} min {:02.0} s", whole % 60.0)
    } else {
        format!("{whole:.0} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!(count(1, "user"), "1 user");
        assert_eq!(count(0, "request"), "0 requests");
    }
}
