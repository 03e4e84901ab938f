//! Laboratory tests: LOINC codes and names, reference ranges for adults, names in printed reports, and headings of their groups. For the sandbox only; this is no
//! medical advice.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::reference::analytes::{Analyte, SECTIONS, analyte};

/// An analyte, the index of its group, and its other names in lower case.
type AnalyteEntry = (usize, Analyte, Vec<&'static str>);

/// Analytes that seeded reports do not contain. Without unit and range, a result is positive or negative.
static OTHER_ANALYTES: LazyLock<Vec<AnalyteEntry>> =
    LazyLock::new(|| include_str!("analytes.tsv").lines().skip(1).filter_map(parse_entry).collect());

fn parse_entry(line: &'static str) -> Option<AnalyteEntry> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [group, code, loinc_name, name, unit, low, high, names] = cells[..] else { return None };
    let range = (low.parse().ok()?, high.parse().ok()?);
    Some((find_heading(group)?, analyte(code, loinc_name, name, unit, range, 0), names.split('|').collect()))
}

/// Other names of the analytes of seeded reports, by LOINC code.
static ALIASES: [(&str, &[&str]); 12] = [
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

/// A known analyte and its group.
#[derive(Clone, Copy)]
pub(super) struct KnownAnalyte {
    pub(super) analyte: &'static Analyte,
    pub(super) group: usize,
}

/// Analytes by LOINC code, and by name normalized with [`normalize`].
static INDEX: LazyLock<HashMap<String, KnownAnalyte>> = LazyLock::new(|| {
    let seeded = SECTIONS.iter().enumerate().flat_map(|(group, section)| section.analytes.iter().map(move |analyte| (group, analyte)));
    let names = |code: &str| ALIASES.iter().find(|(name, _)| *name == code).map_or(&[][..], |(_, names)| names);
    let all = seeded
        .map(|(group, analyte)| (KnownAnalyte { analyte, group }, names(analyte.code)))
        .chain(OTHER_ANALYTES.iter().map(|(group, analyte, names)| (KnownAnalyte { analyte, group: *group }, names.as_slice())));
    let mut index = HashMap::new();
    for (known, names) in all {
        for name in names.iter().chain([&known.analyte.name, &known.analyte.code]) {
            index.insert(normalize(name), known);
        }
    }
    index
});

/// Normalizes a name: lower case, only letters and digits, single spaces.
fn normalize(name: &str) -> String {
    let words = name.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Finds a test by its exact name or LOINC code.
pub(super) fn find_exact(name: &str) -> Option<KnownAnalyte> {
    INDEX.get(&normalize(name)).copied()
}

/// Finds a test by its name, with or without text in brackets or after a comma.
pub(super) fn find(name: &str) -> Option<KnownAnalyte> {
    let before = name.split(['(', '[', ',']).next().unwrap_or(name);
    let within = name.split(['(', '[']).nth(1).and_then(|rest| rest.split([')', ']']).next());
    find_exact(name).or_else(|| find_exact(before)).or_else(|| within.and_then(find_exact))
}

/// A group of tests as printed in reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// LOINC code and name, if the group is a panel.
    pub(super) panel: Option<(&'static str, &'static str)>,
    pub(super) standard: &'static str,
    /// Headings for this group, in lower case.
    headings: &'static [&'static str],
}

const fn group(standard: &'static str, headings: &'static [&'static str]) -> Group {
    Group { panel: None, standard, headings }
}

const fn panel(section: usize, headings: &'static [&'static str]) -> Group {
    let section = &SECTIONS[section];
    Group { panel: Some((section.code, section.loinc_name)), standard: section.standard, headings }
}

/// All groups. The first three are the sections of seeded reports.
static GROUPS: [Group; 9] = [
    panel(0, &["hematology", "haematology", "complete blood count", "cbc", "blood count", "hämatologie", "blutbild", "hématologie"]),
    panel(
        1,
        &["chemistry", "clinical chemistry", "comprehensive metabolic panel", "metabolic panel", "cmp", "klinische chemie", "biochimie"],
    ),
    panel(2, &["lipids", "lipid panel", "lipid profile", "fette", "lipide", "bilan lipidique"]),
    group("Diabetes", &["diabetes", "glycemic control"]),
    group("Thyroid", &["thyroid", "thyroid panel", "thyroid function", "schilddrüse", "thyroïde"]),
    group("Iron and vitamins", &["iron", "iron studies", "vitamins", "vitamine", "iron and vitamins", "eisen"]),
    group("Inflammation", &["inflammation", "inflammatory markers", "entzündung"]),
    group("Infectious disease", &["serology", "infectious disease", "microbiology", "virology", "infektionsserologie", "sérologie"]),
    group("Urine", &["urine", "urinalysis", "urin"]),
];

pub(super) fn group_at(at: usize) -> Option<&'static Group> {
    GROUPS.get(at)
}

/// Returns the index of the group with this heading.
pub(super) fn find_heading(line: &str) -> Option<usize> {
    let line = line.trim().trim_matches(['=', '-', '*', '#', ':', ' ']).to_lowercase();
    GROUPS.iter().position(|group| group.headings.contains(&line.as_str()) || group.standard.to_lowercase() == line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn analytes_are_found_by_name_and_code() {
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
    fn names_are_unique_and_codes_have_valid_check_digits() {
        let codes: Vec<&str> = SECTIONS
            .iter()
            .flat_map(|section| section.analytes)
            .chain(OTHER_ANALYTES.iter().map(|(_, more, _)| more))
            .map(|one| one.code)
            .collect();
        assert_eq!(codes.len(), 45);
        for code in &codes {
            let (body, check) = code.split_once('-').unwrap();
            // LOINC's mod-10 check digit: from the right, double every other digit and sum all digits.
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
        let names: usize = ALIASES.iter().map(|(_, names)| names.len()).sum::<usize>()
            + OTHER_ANALYTES.iter().map(|(.., names)| names.len()).sum::<usize>();
        // Fewer entries would mean a name of two tests, or a duplicate.
        assert_eq!(INDEX.len(), names + 2 * codes.len());
    }

    #[test]
    fn headings_are_found_in_many_spellings() {
        for (line, at) in [("HEMATOLOGY", 0), ("== Lipid Panel ==", 2), ("Klinische Chemie:", 1), ("Complete blood count", 0)] {
            assert_eq!(find_heading(line), Some(at), "{line}");
        }
        assert_eq!(find_heading("JANE DOE"), None);
    }
}
