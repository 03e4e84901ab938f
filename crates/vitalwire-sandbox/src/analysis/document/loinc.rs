//! Names that laboratories give their tests: LOINC codes and names, ordinary ranges for adults, and the names that reports use. Common
//! knowledge, enough for a sandbox; no medical advice follows from it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::group::heading;
use crate::reference::analytes::{Analyte, SECTIONS, analyte};

/// An analyte, the position of its group, and its other names in lower case.
type Entry = (usize, Analyte, Vec<&'static str>);

/// Analytes beyond those of seeded reports. Without unit and range, a result is positive or negative.
static MORE: LazyLock<Vec<Entry>> = LazyLock::new(|| include_str!("analytes.tsv").lines().skip(1).filter_map(entry).collect());

fn entry(line: &'static str) -> Option<Entry> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [group, code, loinc_name, name, unit, low, high, names] = cells[..] else { return None };
    let range = (low.parse().ok()?, high.parse().ok()?);
    Some((heading(group)?, analyte(code, loinc_name, name, unit, range, 0), names.split('|').collect()))
}

/// Other names of the analytes of seeded reports, by code.
static NAMES: [(&str, &[&str]); 12] = [
    ("6690-2", &["wbc", "white blood cells", "white blood cell count", "leukocytes", "leukozyten", "leucocytes"]),
    ("789-8", &["rbc", "red blood cells", "red blood cell count", "erythrocytes", "erythrozyten", "érythrocytes", "hématies"]),
    ("718-7", &["hb", "hgb", "haemoglobin", "hämoglobin", "hémoglobine"]),
    ("4544-3", &["hct", "haematocrit", "hämatokrit", "hématocrite"]),
    ("777-3", &["plt", "platelets", "thrombozyten", "plaquettes", "thrombocytes"]),
    ("2345-7", &["glukose", "blutzucker", "glycémie", "blood glucose", "fasting glucose", "glucose fasting"]),
    ("2160-0", &["kreatinin", "créatinine", "serum creatinine"]),
    ("2951-2", &["natrium", "na"]),
    ("2823-3", &["kalium", "k"]),
    ("2093-3", &["cholesterol", "total cholesterol", "cholesterin", "gesamtcholesterin", "cholestérol total"]),
    ("2085-9", &["hdl", "hdl c", "hdl cholesterin", "cholestérol hdl"]),
    ("2571-8", &["triglyceride", "triglyzeride", "triglycérides"]),
];

/// An analyte that is known, and its group.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) analyte: &'static Analyte,
    pub(super) group: usize,
}

/// By name as [`plain`] writes it, and by code.
static INDEX: LazyLock<HashMap<String, Known>> = LazyLock::new(|| {
    let seeded = SECTIONS.iter().enumerate().flat_map(|(group, section)| section.analytes.iter().map(move |analyte| (group, analyte)));
    let names = |code: &str| NAMES.iter().find(|(name, _)| *name == code).map_or(&[][..], |(_, names)| names);
    let all = seeded
        .map(|(group, analyte)| (Known { analyte, group }, names(analyte.code)))
        .chain(MORE.iter().map(|(group, analyte, names)| (Known { analyte, group: *group }, names.as_slice())));
    let mut index = HashMap::new();
    for (known, names) in all {
        for name in names.iter().chain([&known.analyte.name, &known.analyte.code]) {
            index.insert(plain(name), known);
        }
    }
    index
});

/// Lower case, words of letters and digits with one space between.
fn plain(name: &str) -> String {
    let words = name.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// A test by exactly that name, or by its LOINC code.
pub(super) fn exact(name: &str) -> Option<Known> {
    INDEX.get(&plain(name)).copied()
}

/// A test by its name, with or without what stands in brackets or behind a comma.
pub(super) fn find(name: &str) -> Option<Known> {
    let before = name.split(['(', '[', ',']).next().unwrap_or(name);
    let within = name.split(['(', '[']).nth(1).and_then(|rest| rest.split([')', ']']).next());
    exact(name).or_else(|| exact(before)).or_else(|| within.and_then(exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_by_their_names_and_codes() {
        for (name, code) in [
            ("White Blood Count", "6690-2"),
            ("WBC", "6690-2"),
            ("Leukozyten (WBC)", "6690-2"),
            ("Glucose, fasting", "2345-7"),
            ("25-OH Vitamin D", "1989-3"),
            ("Hämoglobin", "718-7"),
            ("4548-4", "4548-4"),
            ("Something (CRP)", "1988-5"),
        ] {
            assert_eq!(find(name).map(|known| known.analyte.code), Some(code), "{name}");
        }
        assert!(find("Unobtainium").is_none() && find("").is_none());
    }

    #[test]
    fn no_name_means_two_things_and_codes_have_their_check_digit() {
        let codes: Vec<&str> =
            SECTIONS.iter().flat_map(|section| section.analytes).chain(MORE.iter().map(|(_, more, _)| more)).map(|one| one.code).collect();
        assert_eq!(codes.len(), 45);
        for code in &codes {
            let (body, check) = code.split_once('-').unwrap();
            // LOINC's mod-10 check: from the right, every other digit doubled, digits summed.
            let sum: u32 = body
                .bytes()
                .rev()
                .enumerate()
                .map(|(at, byte)| {
                    let digit = u32::from(byte - b'0');
                    if at % 2 == 0 { digit * 2 / 10 + digit * 2 % 10 } else { digit }
                })
                .sum();
            assert_eq!(check.parse::<u32>().unwrap(), (10 - sum % 10) % 10, "{code}");
        }
        let names: usize =
            NAMES.iter().map(|(_, names)| names.len()).sum::<usize>() + MORE.iter().map(|(.., names)| names.len()).sum::<usize>();
        // A name that stood for two tests, or was spelled twice, would be missing here.
        assert_eq!(INDEX.len(), names + 2 * codes.len());
    }
}
