//! What laboratories call their tests: LOINC codes and names, ordinary ranges for adults, and the names reports use. Facts of common
//! knowledge, enough for a stand-in; no medical advice follows from them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::reference::analytes::{Analyte, SECTIONS, analyte};

/// No unit and no range: answered with positive or negative.
const fn presence(code: &'static str, loinc_name: &'static str, name: &'static str) -> Analyte {
    analyte(code, loinc_name, name, "", (0.0, 0.0), 0)
}

/// Beyond the analytes of seeded reports: the position of the group, the analyte, and other names in lower case.
static MORE: [(usize, Analyte, &[&str]); 33] = [
    (
        0,
        analyte("787-2", "MCV [Entitic mean volume] in Red Blood Cells by Automated count", "MCV", "fL", (80.0, 100.0), 1),
        &["mean corpuscular volume", "vgm"],
    ),
    (0, analyte("785-6", "MCH [Entitic mass] by Automated count", "MCH", "pg", (27.0, 33.0), 1), &["mean corpuscular hemoglobin"]),
    (
        0,
        analyte("786-4", "MCHC [Entitic Mass/volume] in Red Blood Cells by Automated count", "MCHC", "g/dL", (32.0, 36.0), 1),
        &["mean corpuscular hemoglobin concentration"],
    ),
    (
        0,
        analyte("788-0", "Erythrocyte [DistWidth] in Blood by Automated count", "RDW", "%", (11.5, 14.5), 1),
        &["red cell distribution width", "rdw cv"],
    ),
    (
        0,
        analyte("770-8", "Neutrophils/Leukocytes in Blood by Automated count", "Neutrophils", "%", (40.0, 70.0), 1),
        &["neutrophile", "neut"],
    ),
    (
        0,
        analyte("736-9", "Lymphocytes/Leukocytes in Blood by Automated count", "Lymphocytes", "%", (20.0, 45.0), 1),
        &["lymphozyten", "lymph"],
    ),
    (0, analyte("5905-5", "Monocytes/Leukocytes in Blood by Automated count", "Monocytes", "%", (2.0, 10.0), 1), &["monozyten", "mono"]),
    (0, analyte("713-8", "Eosinophils/Leukocytes in Blood by Automated count", "Eosinophils", "%", (0.0, 6.0), 1), &["eosinophile"]),
    (0, analyte("706-2", "Basophils/Leukocytes in Blood by Automated count", "Basophils", "%", (0.0, 2.0), 1), &["basophile"]),
    (
        1,
        analyte("3094-0", "Urea nitrogen [Mass/volume] in Serum or Plasma", "Urea Nitrogen", "mg/dL", (7.0, 20.0), 0),
        &["bun", "blood urea nitrogen"],
    ),
    (
        1,
        analyte("2075-0", "Chloride [Moles/volume] in Serum or Plasma", "Chloride", "mmol/L", (98.0, 107.0), 0),
        &["chlorid", "chlorure", "cl"],
    ),
    (
        1,
        analyte("2028-9", "Carbon dioxide, total [Moles/volume] in Serum or Plasma", "Carbon Dioxide", "mmol/L", (22.0, 29.0), 0),
        &["co2", "total co2", "bicarbonate"],
    ),
    (1, analyte("17861-6", "Calcium [Mass/volume] in Serum or Plasma", "Calcium", "mg/dL", (8.6, 10.3), 1), &["kalzium", "ca"]),
    (
        1,
        analyte("1742-6", "Alanine aminotransferase [Enzymatic activity/volume] in Serum or Plasma", "ALT", "U/L", (7.0, 56.0), 0),
        &["sgpt", "gpt", "alat", "alanine aminotransferase"],
    ),
    (
        1,
        analyte("1920-8", "Aspartate aminotransferase [Enzymatic activity/volume] in Serum or Plasma", "AST", "U/L", (10.0, 40.0), 0),
        &["sgot", "got", "asat", "aspartate aminotransferase"],
    ),
    (
        1,
        analyte(
            "6768-6",
            "Alkaline phosphatase [Enzymatic activity/volume] in Serum or Plasma",
            "Alkaline Phosphatase",
            "U/L",
            (44.0, 147.0),
            0,
        ),
        &["alp", "ap", "alkalische phosphatase"],
    ),
    (
        1,
        analyte("2324-2", "Gamma glutamyl transferase [Enzymatic activity/volume] in Serum or Plasma", "GGT", "U/L", (5.0, 40.0), 0),
        &["gamma gt", "gamma glutamyl transferase"],
    ),
    (
        1,
        analyte("1975-2", "Bilirubin.total [Mass/volume] in Serum or Plasma", "Bilirubin, Total", "mg/dL", (0.1, 1.2), 1),
        &["bilirubin", "total bilirubin", "bilirubine totale"],
    ),
    (1, analyte("1751-7", "Albumin [Mass/volume] in Serum or Plasma", "Albumin", "g/dL", (3.5, 5.0), 1), &["albumine"]),
    (
        1,
        analyte("2885-2", "Protein [Mass/volume] in Serum or Plasma", "Protein, Total", "g/dL", (6.0, 8.3), 1),
        &["total protein", "gesamteiweiß", "protéines totales"],
    ),
    (
        2,
        analyte(
            "13457-7",
            "Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation",
            "LDL Cholesterol",
            "mg/dL",
            (0.0, 130.0),
            0,
        ),
        &["ldl", "ldl c", "ldl cholesterin", "cholestérol ldl"],
    ),
    (
        3,
        analyte("4548-4", "Hemoglobin A1c/Hemoglobin.total in Blood", "Hemoglobin A1c", "%", (4.0, 5.6), 1),
        &["hba1c", "a1c", "glycated hemoglobin"],
    ),
    (
        4,
        analyte("3016-3", "Thyrotropin [Units/volume] in Serum or Plasma", "TSH", "mIU/L", (0.4, 4.0), 2),
        &["thyrotropin", "thyroid stimulating hormone", "tsh basal"],
    ),
    (
        4,
        analyte("3024-7", "Thyroxine (T4) free [Mass/volume] in Serum or Plasma", "Free T4", "ng/dL", (0.8, 1.8), 2),
        &["ft4", "t4 free", "thyroxine free"],
    ),
    (
        4,
        analyte("3051-0", "Triiodothyronine (T3) Free [Mass/volume] in Serum or Plasma", "Free T3", "pg/mL", (2.3, 4.2), 2),
        &["ft3", "t3 free"],
    ),
    (5, analyte("2498-4", "Iron [Mass/volume] in Serum or Plasma", "Iron", "ug/dL", (60.0, 170.0), 0), &["eisen", "fer", "serum iron"]),
    (5, analyte("2276-4", "Ferritin [Mass/volume] in Serum or Plasma", "Ferritin", "ng/mL", (15.0, 300.0), 0), &["ferritine"]),
    (
        5,
        analyte("2132-9", "Cobalamin (Vitamin B12) [Mass/volume] in Serum or Plasma", "Vitamin B12", "pg/mL", (200.0, 900.0), 0),
        &["b12", "cobalamin", "vitamine b12"],
    ),
    (
        5,
        analyte("1989-3", "25-hydroxyvitamin D3 [Mass/volume] in Serum or Plasma", "Vitamin D, 25-Hydroxy", "ng/mL", (30.0, 100.0), 1),
        &["vitamin d", "25 oh vitamin d", "25 hydroxyvitamin d", "vitamine d"],
    ),
    (
        6,
        analyte("1988-5", "C reactive protein [Mass/volume] in Serum or Plasma", "C-Reactive Protein", "mg/L", (0.0, 5.0), 1),
        &["crp", "c reaktives protein", "protéine c réactive"],
    ),
    (
        6,
        analyte("4537-7", "Erythrocyte sedimentation rate by Westergren method", "Sedimentation Rate", "mm/h", (0.0, 20.0), 0),
        &["esr", "bsg", "erythrocyte sedimentation rate"],
    ),
    (
        7,
        presence("5196-1", "Hepatitis B virus surface Ag [Presence] in Serum or Plasma by Immunoassay", "Hepatitis B Surface Antigen"),
        &["hbsag", "hepatitis b surface ag"],
    ),
    (
        8,
        presence("2106-3", "Choriogonadotropin (pregnancy test) [Presence] in Urine", "Pregnancy Test, Urine"),
        &["hcg urine", "urine pregnancy test", "pregnancy test"],
    ),
];

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
        .chain(MORE.iter().map(|(group, analyte, names)| (Known { analyte, group: *group }, *names)));
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
