//! Parses numbers as laboratories print them: decimal commas or points, bounds, words and ranges. Normalizes units.

/// Decimal separator of a document. It decides the meaning of `1,234` and `1.234`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecimalStyle {
    Point,
    Comma,
}

impl DecimalStyle {
    /// Detects the style that most unambiguous numbers of a document have.
    pub(super) fn detect(text: &str) -> Self {
        let is_decimal = |word: &str, separator| {
            let parts = word.trim_matches(|char: char| !char.is_ascii_digit()).split_once(separator);
            parts.is_some_and(|(whole, decimals)| is_number(whole) && is_number(decimals) && (decimals.len() != 3 || whole == "0"))
        };
        let count = |separator| text.split_whitespace().filter(|word| is_decimal(word, separator)).count();
        if count(',') > count('.') { Self::Comma } else { Self::Point }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a number without a sign. Laboratories print no negative ones.
pub(super) fn parse_number(token: &str, style: DecimalStyle) -> Option<f64> {
    let parts: Vec<&str> = token.split(['.', ',']).collect();
    if token.len() > 24 || !parts.iter().all(|part| is_number(part)) {
        return None;
    }
    let mut separators = token.matches(['.', ',']);
    let Some(first) = separators.next() else { return token.parse().ok() };
    let last = separators.next_back().unwrap_or(first);
    let are_groups = |parts: &[&str]| parts[0].len() <= 3 && !parts[0].starts_with('0') && parts[1..].iter().all(|part| part.len() == 3);
    let (decimals, whole) = parts.split_last()?;
    let decimal_separator = if style == DecimalStyle::Comma { "," } else { "." };
    if are_groups(&parts) && first == last && (whole.len() > 1 || first != decimal_separator) {
        return parts.concat().parse().ok();
    }
    let is_decimal = whole.len() == 1 || (first != last && are_groups(whole));
    if is_decimal { format!("{}.{decimals}", whole.concat()).parse().ok() } else { None }
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
    let strip = |signs: [&str; 3]| signs.into_iter().find_map(|sign| token.strip_prefix(sign)).map(str::trim_start);
    if let Some(rest) = strip(["<=", "≤", "<"]) {
        return parse_number(rest, style).map(ResultValue::Below);
    }
    if let Some(rest) = strip([">=", "≥", ">"]) {
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

/// Normalizes a unit, so that spellings of the same unit are equal.
pub(super) fn normalize_unit(text: &str) -> String {
    let text = text.trim().replace(['µ', 'μ'], "u").to_lowercase();
    let text = text.strip_prefix('x').unwrap_or(&text);
    match text {
        "10^3/ul" | "10e3/ul" | "10*3/ul" | "10³/ul" | "thou/ul" | "10^9/l" | "10*9/l" | "10e9/l" | "giga/l" | "/nl" => "k/ul".to_owned(),
        "10^6/ul" | "10e6/ul" | "10*6/ul" | "mill/ul" | "10^12/l" | "10*12/l" | "10e12/l" | "tera/l" | "/pl" => "m/ul".to_owned(),
        "iu/l" | "ui/l" => "u/l".to_owned(),
        "uiu/ml" | "mu/l" => "miu/l".to_owned(),
        "meq/l" => "mmol/l".to_owned(),
        "mm/hr" => "mm/h".to_owned(),
        "mcg/dl" => "ug/dl".to_owned(),
        other => other.to_owned(),
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

    #[test]
    fn spellings_of_a_unit_are_equal() {
        assert_eq!(normalize_unit("x10^3/µL"), normalize_unit("K/uL"));
        assert_eq!(normalize_unit("mEq/L"), normalize_unit("mmol/L"));
        assert_ne!(normalize_unit("mmol/L"), normalize_unit("mg/dL"));
    }
}
