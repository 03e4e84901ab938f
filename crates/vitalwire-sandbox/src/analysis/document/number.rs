//! Parses numbers as laboratories print them: decimal commas or points, bounds, words and ranges.

/// Decimal separator of a document. It decides the meaning of `1,234` and `1.234`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecimalStyle {
    Point,
    Comma,
}

impl DecimalStyle {
    /// Detects the style that most unambiguous numbers of a document have.
    pub(super) fn detect(text: &str) -> Self {
        let (mut points, mut commas) = (0, 0);
        for token in text.split_whitespace() {
            let token = token.trim_matches(|char: char| !char.is_ascii_digit());
            let Some(at) = token.rfind(['.', ',']) else { continue };
            let (whole, decimals) = (&token[..at], &token[at + 1..]);
            let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            if plain(whole) && plain(decimals) && (decimals.len() != 3 || whole == "0") {
                if token.as_bytes()[at] == b',' { commas += 1 } else { points += 1 }
            }
        }
        if commas > points { Self::Comma } else { Self::Point }
    }

    const fn separator(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }
}

/// Parses a number without a sign. Laboratories print no negative ones.
pub(super) fn parse_number(token: &str, style: DecimalStyle) -> Option<f64> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if token.len() > 24 || !token.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',') {
        return None;
    }
    let Some(last) = token.rfind(['.', ',']) else {
        return token.parse().ok();
    };
    let separator = if token.as_bytes()[last] == b',' { ',' } else { '.' };
    let (whole, decimals) = (&token[..last], &token[last + 1..]);
    let repeated = whole.contains(separator);
    let grouped = decimals.len() == 3 && !whole.starts_with('0') && (1..=3).contains(&whole.split(['.', ',']).next()?.len());
    let thousands = repeated || (grouped && !whole.contains(['.', ',']) && separator != style.separator());
    let groups: Vec<&str> = whole.split(['.', ',']).collect();
    // All groups after the first have three digits, and all separators are the same.
    let sound = groups.iter().all(|group| digits(group)) && groups.iter().skip(1).all(|group| group.len() == 3);
    if !sound || !digits(decimals) || (thousands && (!grouped || whole.contains(if separator == ',' { '.' } else { ',' }))) {
        return None;
    }
    let whole = groups.concat();
    if thousands { format!("{whole}{decimals}").parse().ok() } else { format!("{whole}.{decimals}").parse().ok() }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ResultValue {
    Exact(f64),
    /// Less than, or at most, this number.
    Below(f64),
    /// Greater than, or at least, this number.
    Above(f64),
    Positive(bool),
}

pub(super) fn parse_value(token: &str, style: DecimalStyle) -> Option<ResultValue> {
    let token = token.trim_end_matches('*');
    if let Some(number) = parse_number(token, style) {
        return Some(ResultValue::Exact(number));
    }
    if let Some(rest) = strip_sign(token, &["<=", "≤", "<"]) {
        return parse_number(rest, style).map(ResultValue::Below);
    }
    if let Some(rest) = strip_sign(token, &[">=", "≥", ">"]) {
        return parse_number(rest, style).map(ResultValue::Above);
    }
    match token.trim_end_matches(['.', ',', ';']).to_lowercase().as_str() {
        "positive" | "pos" | "positiv" | "positif" | "reactive" | "detected" | "(+)" => Some(ResultValue::Positive(true)),
        "negative" | "neg" | "negativ" | "négatif" | "non-reactive" | "nonreactive" | "undetected" | "(-)" => {
            Some(ResultValue::Positive(false))
        }
        _ => None,
    }
}

fn strip_sign<'a>(token: &'a str, signs: &[&str]) -> Option<&'a str> {
    signs.iter().find_map(|sign| token.strip_prefix(sign)).map(str::trim_start)
}

/// Normal range printed next to a result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct NormalRange {
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
}

impl NormalRange {
    /// Whether a value is in the range. `None` if that cannot be decided.
    pub(super) fn contains(self, value: ResultValue) -> Option<bool> {
        if self.low.is_none() && self.high.is_none() {
            return None;
        }
        let (low, high) = (self.low.unwrap_or(f64::NEG_INFINITY), self.high.unwrap_or(f64::INFINITY));
        match value {
            ResultValue::Exact(value) => Some(low <= value && value <= high),
            // Measured values are never negative.
            ResultValue::Below(most) if low <= 0.0 && most <= high => Some(true),
            ResultValue::Below(most) if most <= low => Some(false),
            ResultValue::Above(least) if high == f64::INFINITY && least >= low => Some(true),
            ResultValue::Above(least) if least >= high => Some(false),
            _ => None,
        }
    }
}

/// Parses a range: `4.0-11.0`, `<5`, `>= 40`.
pub(super) fn parse_range(text: &str, style: DecimalStyle) -> Option<NormalRange> {
    let text = text.trim();
    if let Some((low, high)) = text.split_once(['-', '–']) {
        let (low, high) = (parse_number(low.trim(), style)?, parse_number(high.trim(), style)?);
        return (low <= high).then_some(NormalRange { low: Some(low), high: Some(high) });
    }
    match parse_value(text, style)? {
        ResultValue::Below(high) => Some(NormalRange { low: None, high: Some(high) }),
        ResultValue::Above(low) => Some(NormalRange { low: Some(low), high: None }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_decides_the_meaning_of_commas_and_points() {
        for (text, point, comma) in [
            ("7.2", Some(7.2), Some(7.2)),
            ("7,2", Some(7.2), Some(7.2)),
            ("0,123", Some(0.123), Some(0.123)),
            ("1,234", Some(1_234.0), Some(1.234)),
            ("1.234", Some(1.234), Some(1_234.0)),
            ("250,000", Some(250_000.0), Some(250.0)),
            ("1,234.5", Some(1_234.5), Some(1_234.5)),
            ("1.234,56", Some(1_234.56), Some(1_234.56)),
            ("1,234,567", Some(1_234_567.0), Some(1_234_567.0)),
            ("12", Some(12.0), Some(12.0)),
            ("1,2,3", None, None),
            ("12.11.2025", None, None),
            ("1.23,4", None, None),
            (".5", None, None),
            ("5.", None, None),
            ("", None, None),
            ("K/uL", None, None),
            ("-3", None, None),
        ] {
            assert_eq!(parse_number(text, DecimalStyle::Point), point, "{text}");
            assert_eq!(parse_number(text, DecimalStyle::Comma), comma, "{text}");
        }
        assert_eq!(DecimalStyle::detect("Leukozyten 7,2 (4,0-11,0) am 20.11.2025"), DecimalStyle::Comma);
        assert_eq!(DecimalStyle::detect("Platelets 250,000, Hb 13.5"), DecimalStyle::Point);
        assert_eq!(DecimalStyle::detect("nothing"), DecimalStyle::Point);
    }

    #[test]
    fn bounds_words_and_ranges_are_parsed() {
        let read = |text| parse_value(text, DecimalStyle::Point);
        assert_eq!(read("<5"), Some(ResultValue::Below(5.0)));
        assert_eq!(read("≥0,5"), Some(ResultValue::Above(0.5)));
        assert_eq!(read("7.2*"), Some(ResultValue::Exact(7.2)));
        assert_eq!(read("NEGATIVE"), Some(ResultValue::Positive(false)));
        assert_eq!(read("Reactive"), Some(ResultValue::Positive(true)));
        assert_eq!(read("pending"), None);
        let parse = |text| parse_range(text, DecimalStyle::Point);
        assert_eq!(parse("4.0-11.0"), Some(NormalRange { low: Some(4.0), high: Some(11.0) }));
        assert_eq!(parse("4 – 11"), Some(NormalRange { low: Some(4.0), high: Some(11.0) }));
        assert_eq!(parse("<= 5"), Some(NormalRange { low: None, high: Some(5.0) }));
        assert_eq!(parse(">40"), Some(NormalRange { low: Some(40.0), high: None }));
        assert_eq!(parse("11-4"), None);
        assert_eq!(parse("5"), None);
    }

    #[test]
    fn bounds_are_within_a_range_only_if_that_is_certain() {
        let up_to = |high| NormalRange { low: None, high: Some(high) };
        let both = NormalRange { low: Some(2.0), high: Some(10.0) };
        let zero = NormalRange { low: Some(0.0), high: Some(10.0) };
        for (range, value, within) in [
            (both, ResultValue::Exact(2.0), Some(true)),
            (both, ResultValue::Exact(10.1), Some(false)),
            (up_to(5.0), ResultValue::Below(5.0), Some(true)),
            (up_to(4.0), ResultValue::Below(5.0), None),
            (zero, ResultValue::Below(5.0), Some(true)),
            (both, ResultValue::Below(5.0), None),
            (both, ResultValue::Below(2.0), Some(false)),
            (both, ResultValue::Above(10.0), Some(false)),
            (both, ResultValue::Above(3.0), None),
            (NormalRange { low: Some(40.0), high: None }, ResultValue::Above(90.0), Some(true)),
            (both, ResultValue::Positive(true), None),
            (NormalRange::default(), ResultValue::Exact(1.0), None),
        ] {
            assert_eq!(range.contains(value), within, "{range:?} {value:?}");
        }
    }
}
