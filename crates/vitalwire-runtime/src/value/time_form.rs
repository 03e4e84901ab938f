//! Forms of date-times beside those of RFC 3339 that libraries for dates write.

/// Length of `YYYY-MM-DDTHH:MM`.
const MINUTES: usize = 16;
/// Most decimals of a second.
const DECIMALS: usize = 9;

/// A date-time in the form of RFC 3339, with or without an offset.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rewritten {
    pub(super) text: String,
    /// Whether the instant is a day later: `T24:00` is the end of a day, which the text states as its start.
    pub(super) next_day: bool,
}

/// Rewrites a text with seconds left out, more than nine decimals, or hour 24. `None` for a text that begins neither `YYYY-MM-DDTHH:MM` nor
/// with `t` or a blank in the place of `T`. What else may be wrong with the text is left to the parser.
pub(super) fn rewrite(text: &str) -> Option<Rewritten> {
    let (minutes, rest) = text.split_at_checked(MINUTES)?;
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
    let decimals = decimals.get(..DECIMALS).unwrap_or(decimals);
    Some(Rewritten { text: format!("{day}T{hour}:{minute}:{seconds}{point}{decimals}{offset}"), next_day })
}
