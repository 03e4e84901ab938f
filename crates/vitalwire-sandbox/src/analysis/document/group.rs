//! Groups of laboratory tests and their headings in reports.

use crate::reference::analytes::SECTIONS;

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
    fn headings_are_found_in_many_spellings() {
        for (line, at) in [("HEMATOLOGY", 0), ("== Lipid Panel ==", 2), ("Klinische Chemie:", 1), ("Complete blood count", 0)] {
            assert_eq!(find_heading(line), Some(at), "{line}");
        }
        assert_eq!(find_heading("JANE DOE"), None);
    }
}
