//! Date-time forms beyond RFC 3339 that date libraries write.

/// Length of `YYYY-MM-DDTHH:MM`.
const PREFIX_LENGTH: usize = 16;
/// Maximum number of decimals of a second.
const MAX_DECIMALS: usize = 9;

/// A date-time rewritten in the form of RFC 3339, with or without an offset.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rfc3339Text {
    pub(super) text: String,
    /// Whether to add a day to the instant: `text` has `T00:00` in place of `T24:00`, which is the end of the day.
    pub(super) next_day: bool,
}

/// Rewrites a date-time without seconds, with more than nine decimals, or with hour 24. Returns `None` if the text does not begin with
/// `YYYY-MM-DDTHH:MM`; `t` or a space may replace `T`. The parser rejects all other invalid texts.
pub(super) fn rewrite(text: &str) -> Option<Rfc3339Text> {
    let (minutes, rest) = text.split_at_checked(PREFIX_LENGTH)?;
    let shape = minutes.as_bytes();
    if shape.get(13) != Some(&b':') || !matches!(shape.get(10), Some(b'T' | b't' | b' ')) {
        return None;
    }
    let (seconds, rest) = match rest.strip_prefix(':') {
        Some(rest) => rest.split_at_checked(2)?,
        None if rest.is_empty() || rest.starts_with(['Z', 'z', '+', '-']) => ("00", rest),
        None => return None,
    };
    let (decimals, offset) = match rest.strip_prefix(['.', ',']) {
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        None => ("", rest),
    };
    if decimals.is_empty() && offset.len() < rest.len() {
        return None;
    }
    let next_day = minutes.get(11..13) == Some("24");
    if next_day && (minutes.get(14..) != Some("00") || seconds != "00" || decimals.bytes().any(|digit| digit != b'0')) {
        return None;
    }
    let (day, hour) = (minutes.get(..10)?, if next_day { "00" } else { minutes.get(11..13)? });
    let minute = minutes.get(14..)?;
    let point = if decimals.is_empty() { "" } else { "." };
    let decimals = decimals.get(..MAX_DECIMALS).unwrap_or(decimals);
    Some(Rfc3339Text { text: format!("{day}T{hour}:{minute}:{seconds}{point}{decimals}{offset}"), next_day })
}
