//! Tests with whole handwritten documents.

use serde_json::{Value, json};

use super::*;

#[cfg(feature = "documents")]
mod pdf;

fn sections(bytes: &[u8]) -> (Contents, Value) {
    match read(bytes) {
        DocumentOutcome::Read(contents) => {
            let sections = serde_json::to_value(&contents.sections).unwrap();
            (contents, sections)
        }
        other => panic!("{other:?}"),
    }
}

const REPORT: &str = "\
Example Laboratory Report
Laboratory: Example Labs
Patient: Jane Doe
Name: Jane Doe
Date of birth: 1980-01-02
JANE DOE
Collected: 2025-11-20 08:30
Reported: 2025-11-21

HEMATOLOGY
White Blood Count      7.2     K/uL     4.0 - 11.0
Hemoglobin             18.1 H  g/dL     (12.0-17.5)

SEROLOGY
HBsAg                  negative

LIPID PANEL
HDL Cholesterol        38 *    mg/dL    >= 40
";

/// Returns the expected contents of [`REPORT`].
fn expected() -> Value {
    json!([
        {
            "loinc_code": "58410-2", "loinc_common_name": "CBC panel - Blood by Automated count",
            "original_section_name": "HEMATOLOGY", "standard_section_name": "Complete blood count",
            "results": [
                {
                    "original_test_name": "White Blood Count", "standard_test_name": "White Blood Count",
                    "original_unit_name": "K/uL", "standard_unit_name": "K/uL", "loinc_code": "6690-2",
                    "loinc_common_name": "Leukocytes [#/volume] in Blood by Automated count", "normal_min": 4.0, "normal_max": 11.0,
                    "value": 7.2, "value_text": "7.2", "within_normal_range": true, "require_human_review": false,
                },
                {
                    "original_test_name": "Hemoglobin", "standard_test_name": "Hemoglobin",
                    "original_unit_name": "g/dL", "standard_unit_name": "g/dL", "loinc_code": "718-7",
                    "loinc_common_name": "Hemoglobin [Mass/volume] in Blood", "normal_min": 12.0, "normal_max": 17.5,
                    "value": 18.1, "value_text": "18.1", "within_normal_range": false, "require_human_review": false,
                },
            ],
        },
        {
            "original_section_name": "SEROLOGY", "standard_section_name": "Infectious disease",
            "results": [{
                "original_test_name": "HBsAg", "standard_test_name": "Hepatitis B Surface Antigen", "loinc_code": "5196-1",
                "loinc_common_name": "Hepatitis B virus surface Ag [Presence] in Serum or Plasma by Immunoassay",
                "value_text": "negative", "tested_positive": false, "require_human_review": false,
            }],
        },
        {
            "loinc_code": "24331-1", "loinc_common_name": "Lipid 1996 panel - Serum or Plasma",
            "original_section_name": "LIPID PANEL", "standard_section_name": "Lipid panel",
            "results": [{
                "original_test_name": "HDL Cholesterol", "standard_test_name": "HDL Cholesterol",
                "original_unit_name": "mg/dL", "standard_unit_name": "mg/dL", "loinc_code": "2085-9",
                "loinc_common_name": "Cholesterol in HDL [Mass/volume] in Serum or Plasma", "normal_min": 40.0,
                "value": 38.0, "value_text": "38", "within_normal_range": false, "require_human_review": false,
            }],
        },
    ])
}

#[test]
fn a_text_is_read_without_patient_data() {
    let (contents, sections) = sections(REPORT.as_bytes());
    assert_eq!(sections, expected());
    assert_eq!(contents.mime, "text/plain");
    assert_eq!(contents.collected, Some(jiff::civil::date(2025, 11, 20)));
    assert_eq!(contents.reported, Some(jiff::civil::date(2025, 11, 21)));
    assert_eq!(contents.laboratory.as_deref(), Some("Example Labs"));
    assert!(!serde_json::to_string(&contents).unwrap().to_lowercase().contains("doe"));
    let stored: Contents = serde_json::from_str(&serde_json::to_string(&contents).unwrap()).unwrap();
    assert_eq!(stored, contents, "what is stored comes back");
}

#[test]
fn a_german_text_has_decimal_commas() {
    let text = "Entnahmedatum 20.11.2025\nLeukozyten 7,2 10^3/µL (4,0 - 11,0)\nHämoglobin (Hb): 13,5 g/dL\nFerritin 1.234 ng/mL 15-300\nCRP <0,6 mg/L\n";
    // In Latin-1, as older programs write it.
    let latin: Vec<u8> = text.chars().map(|char| u8::try_from(u32::from(char)).unwrap()).collect();
    for bytes in [text.as_bytes(), &latin] {
        let (contents, sections) = sections(bytes);
        assert_eq!(contents.collected, Some(jiff::civil::date(2025, 11, 20)));
        let found: Vec<(&str, Option<f64>, &str, Option<bool>)> = sections
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|section| section["results"].as_array().unwrap())
            .map(|result| {
                let text = |name: &str| result[name].as_str().unwrap();
                (text("loinc_code"), result["value"].as_f64(), text("value_text"), result["within_normal_range"].as_bool())
            })
            .collect();
        let expected = [
            ("6690-2", Some(7.2), "7,2", Some(true)),
            ("718-7", Some(13.5), "13,5", Some(true)),
            ("2276-4", Some(1_234.0), "1.234", Some(false)),
            ("1988-5", None, "<0,6", Some(true)),
        ];
        assert_eq!(found, expected);
        assert_eq!(sections[0]["standard_section_name"], "Complete blood count");
        assert!(sections[0].get("original_section_name").is_none(), "there is no heading");
    }
}

#[test]
fn encodings_are_detected() {
    for text in ["Hämoglobin 13,5".as_bytes(), b"H\xe4moglobin 13,5", b"\xef\xbb\xbfH\xc3\xa4moglobin 13,5"] {
        assert_eq!(decode_text(text).as_deref(), Some("Hämoglobin 13,5"));
    }
    for binary in [&b"\0\x01\x02"[..], b"a\x07", b"\xff\xfeH\0", b"", b" \n"] {
        assert_eq!(decode_text(binary), None);
    }
}

#[test]
fn unreadable_texts_fail_and_pictures_need_review() {
    assert_eq!(read(b"\x89PNG\r\n\x1a\n"), DocumentOutcome::NeedsReview("image/png"));
    assert_eq!(read(b"\0\x01\x02\x03"), DocumentOutcome::NeedsReview("application/octet-stream"));
    for text in ["Dear Sir or Madam,\nsee page 3 of 4.", "a,b\n1,2\n"] {
        assert_eq!(read(text.as_bytes()), DocumentOutcome::Failed("No laboratory results were found in the document"), "{text}");
    }
}

#[cfg(not(feature = "documents"))]
#[test]
fn a_pdf_fails_without_the_documents_feature() {
    let DocumentOutcome::Failed(reason) = read(b"%PDF-1.7") else { panic!("it is not read") };
    assert!(reason.contains("no reader of PDF files") && reason.contains("documents"), "{reason}");
}

#[test]
fn long_documents_are_read_quickly() {
    let started = std::time::Instant::now();
    let long = "WBC 7.2 K/uL ".repeat(200_000);
    assert!(!matches!(read(long.as_bytes()), DocumentOutcome::Read(_)), "a line nobody prints");
    let rows = "WBC 7\n".repeat(300_000);
    let DocumentOutcome::Read(contents) = read(rows.as_bytes()) else { panic!("it is read") };
    assert_eq!(contents.sections[0].results.len(), MAX_RESULTS);
    assert!(started.elapsed() < std::time::Duration::from_secs(30), "{:?}", started.elapsed());
}
