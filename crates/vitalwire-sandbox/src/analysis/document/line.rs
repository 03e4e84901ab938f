//! Reads a result from a printed line: a name, a value, and in any order a unit, a range and a flag.

use super::loinc;
use super::number::{self, DecimalStyle, NormalRange, ResultValue};
use super::row::Row;

/// Maximum length of a line, in bytes. Longer lines are skipped.
const MAX_LINE_BYTES: usize = 400;
/// Maximum number of words in a test's name.
const MAX_NAME_WORDS: usize = 8;

/// Reads the result in a line, if any. An unknown test needs a range, because prose contains numbers too.
pub(super) fn read(line: &str, style: DecimalStyle) -> Option<Row> {
    if line.len() > MAX_LINE_BYTES {
        return None;
    }
    let line = line.replace(['\u{a0}', '|', '\t'], " ").replace(['–', '—', '−'], "-");
    let words: Vec<&str> = line.split_whitespace().filter(|word| !word.trim_matches(['.', '_', ':', '=']).is_empty()).collect();
    let (name, rest) = split_name(&words, style)?;
    let (value, rest) = take_value(rest, style)?;
    let mut row = Row { name, value, ..Row::default() };
    read_details(&mut row, rest, style);
    let useful = row.known_analyte().is_some() || row.range != NormalRange::default();
    useful.then_some(row)
}

/// Splits a line into the name and the remaining words. A known name may contain numbers (`Vitamin B12`); others end before the value.
fn split_name<'a>(words: &'a [&'a str], style: DecimalStyle) -> Option<(String, &'a [&'a str])> {
    let known = (1..words.len().min(MAX_NAME_WORDS)).rev().find(|count| {
        let (name, rest) = words.split_at(*count);
        let whole = name.last().is_some_and(|last| last.contains(char::is_alphanumeric));
        whole && loinc::find_exact(&name.join(" ")).is_some() && take_value(rest, style).is_some()
    });
    let begins = |at: &usize| take_value(&words[*at..], style).is_some() && !is_flag(words[*at]);
    let count = known.or_else(|| (1..words.len().min(MAX_NAME_WORDS + 1)).find(begins))?;
    let name = words[..count].join(" ");
    let name = name.trim_end_matches([':', '=', '.', '_', ' ']);
    name.contains(char::is_alphabetic).then(|| (name.to_owned(), &words[count..]))
}

/// Takes the value at the start. A flag may precede it, and its sign may be a separate word.
fn take_value<'a>(words: &'a [&'a str], style: DecimalStyle) -> Option<(String, &'a [&'a str])> {
    let words = if words.len() > 1 && is_flag(words[0]) { &words[1..] } else { words };
    let (first, rest) = words.split_first()?;
    if matches!(*first, "<" | ">" | "<=" | ">=" | "≤" | "≥") {
        let (second, rest) = rest.split_first()?;
        let text = format!("{first}{second}");
        return number::parse_value(&text, style).map(|_| (text, rest));
    }
    let first = first.trim_start_matches([':', '=']);
    number::parse_value(first, style).map(|_| (first.trim_end_matches('*').to_owned(), rest))
}

/// Whether a word is a flag that laboratories print next to abnormal values.
fn is_flag(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', '[', ']', '*', '!']);
    word.is_empty()
        || matches!(
            word.to_lowercase().as_str(),
            "h" | "l" | "hh" | "ll" | "high" | "low" | "normal" | "n" | "a" | "abnormal" | "+" | "++" | "hoch" | "niedrig"
        )
}

fn read_details(row: &mut Row, words: &[&str], style: DecimalStyle) {
    let text = words.join(" ").replace(['(', ')', '[', ']', '{', '}'], " ");
    // A range may contain spaces: `4.0 - 11.0`, `< 5`.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" - ", "-");
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match words.last_mut() {
            Some(last) if matches!(last.as_str(), "<" | ">" | "<=" | ">=" | "≤" | "≥") => last.push_str(word),
            _ => words.push(word.to_owned()),
        }
    }
    for word in &words {
        let word = word.trim_end_matches([',', ';']);
        let range = number::parse_range(word, style).filter(|_| row.range == NormalRange::default());
        if let Some(range) = range {
            row.range = range;
        } else if row.unit.is_none() && is_unit(word, style) {
            row.unit = Some(word.to_owned());
        }
    }
}

fn is_unit(word: &str, style: DecimalStyle) -> bool {
    let letters = word.chars().any(char::is_alphabetic);
    let plain = letters && word.chars().count() <= 12 && !word.ends_with(':');
    let known = word == "%" || word == "‰" || (plain && (word.contains('/') || UNITS.contains(&word.to_lowercase().as_str())));
    known && !is_flag(word) && !matches!(number::parse_value(word, style), Some(ResultValue::Positive(_)))
}

/// Units without a slash.
const UNITS: [&str; 12] = ["fl", "pg", "g", "mg", "ng", "s", "sec", "mm", "ratio", "index", "ml", "mmhg"];

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, value, unit, low and high. Empty texts mean absent.
    type ExpectedRow = (&'static str, &'static str, &'static str, Option<f64>, Option<f64>);

    #[test]
    fn printed_result_lines_are_parsed() {
        let cases: [(&str, ExpectedRow); 16] = [
            ("White Blood Count 7.2 K/uL (4.0 - 11.0)", ("White Blood Count", "7.2", "K/uL", Some(4.0), Some(11.0))),
            ("Hemoglobin: 13.5 g/dL [12.0-17.5]", ("Hemoglobin", "13.5", "g/dL", Some(12.0), Some(17.5))),
            ("WBC      7.2   H   4.0-6.0   K/uL", ("WBC", "7.2", "K/uL", Some(4.0), Some(6.0))),
            ("Platelets ........ 250,000 /uL", ("Platelets", "250,000", "/uL", None, None)),
            ("Vitamin B12   412 pg/mL   200–900", ("Vitamin B12", "412", "pg/mL", Some(200.0), Some(900.0))),
            ("25-OH Vitamin D | 18.5 | ng/mL | L | 30-100", ("25-OH Vitamin D", "18.5", "ng/mL", Some(30.0), Some(100.0))),
            ("CRP < 0.5 mg/L (<5)", ("CRP", "<0.5", "mg/L", None, Some(5.0))),
            ("HDL Cholesterol  38* mg/dL  >= 40", ("HDL Cholesterol", "38", "mg/dL", Some(40.0), None)),
            ("HBsAg negative", ("HBsAg", "negative", "", None, None)),
            ("Hematocrit 41.2 %", ("Hematocrit", "41.2", "%", None, None)),
            ("MCV 88 fL 80-100", ("MCV", "88", "fL", Some(80.0), Some(100.0))),
            ("Glucose, fasting 92 mg/dL", ("Glucose, fasting", "92", "mg/dL", None, None)),
            ("Unobtainium 3.1 mg/L 1.0-2.0", ("Unobtainium", "3.1", "mg/L", Some(1.0), Some(2.0))),
            ("TSH = 2.15 mIU/L, normal 0.4-4.0", ("TSH", "2.15", "mIU/L", Some(0.4), Some(4.0))),
            ("Leukozyten (WBC)\t7,2\tG/L\t4,0 - 11,0", ("Leukozyten (WBC)", "7,2", "G/L", Some(4.0), Some(11.0))),
            ("Sedimentation Rate 12 mm/h", ("Sedimentation Rate", "12", "mm/h", None, None)),
        ];
        for (line, (name, value, unit, low, high)) in cases {
            let row = read(line, DecimalStyle::Point).unwrap_or_else(|| panic!("{line}"));
            let found = (row.name.as_str(), row.value.as_str(), row.unit.as_deref().unwrap_or(""), row.range.low, row.range.high);
            assert_eq!(found, (name, value, unit, low, high), "{line}");
        }
    }

    #[test]
    fn prose_and_headings_are_not_results() {
        for line in [
            "",
            "HEMATOLOGY",
            "Page 1 of 3",
            "Collected 2025-11-20",
            "7.2",
            "Seen by 4 people on ward 12",
            "Glucose pending",
            &"a 1 2-3 ".repeat(90),
        ] {
            assert_eq!(read(line, DecimalStyle::Point), None, "{line}");
        }
    }
}
