//! Lab reports: 50 reports, each with 40 results in four sections.

use super::Unknown;
use super::json_writer::{JsonWriter, day, instant};

const REPORTS: u32 = 50;
const SECTIONS: u32 = 4;
const RESULTS: u32 = 10;

/// Printed name, standard name, unit and code.
const TESTS: [(&str, &str, &str, &str); 5] = [
    ("White Blood Count", "Leukocytes", "K/uL", "6690-2"),
    ("Haemoglobin, whole blood", "Hemoglobin", "g/dL", "718-7"),
    ("Fasting glucose (plasma)", "Glucose", "mg/dL", "1558-6"),
    ("Cholesterol, total, serum", "Cholesterol", "mg/dL", "2093-3"),
    ("Alanine aminotransferase", "ALT", "U/L", "1742-6"),
];

/// Returns the lab reports.
#[must_use]
pub fn labs(unknown: Unknown) -> Vec<u8> {
    let mut json = JsonWriter::new(5);
    json.list(|json| (0..REPORTS).for_each(|at| report(json, at, unknown)));
    json.finish()
}

fn report(json: &mut JsonWriter, at: u32, unknown: Unknown) {
    json.object(|json| {
        let id = json.id();
        json.text_field("record_id", id);
        json.text_field("status", "completed");
        json.text_field("collection_date", day(at * 7));
        json.text_field("result_date", day(at * 7 + 2));
        json.text_field("uploaded_at", instant(at * 7 * 86_400 + 9_000));
        json.text_field("modified_at", instant(at * 7 * 86_400 + 9_042));
        json.name("sections");
        json.list(|json| (0..SECTIONS).for_each(|_| section(json, unknown)));
        json.unknown(unknown);
    });
}

fn section(json: &mut JsonWriter, unknown: Unknown) {
    json.object(|json| {
        json.text_field("loinc_code", "58410-2");
        json.text_field("loinc_common_name", "CBC panel - Blood by Automated count");
        json.text_field("original_section_name", "HEMATOLOGY");
        json.text_field("standard_section_name", "Complete blood count");
        json.name("results");
        json.list(|json| (0..RESULTS).for_each(|at| result(json, at, unknown)));
    });
}

fn result(json: &mut JsonWriter, at: u32, unknown: Unknown) {
    let (original, standard, unit, code) = TESTS[usize::try_from(at).unwrap_or_default() % TESTS.len()];
    json.object(|json| {
        json.text_field("original_test_name", original);
        json.text_field("original_unit_name", unit);
        json.text_field("standard_test_name", standard);
        json.text_field("standard_unit_name", unit);
        json.text_field("loinc_code", code);
        json.text_field("loinc_common_name", format_args!("{standard} [Mass or count per volume] in Blood or Serum"));
        json.text_field("notes", "Measured twice; mean reported");
        json.name("normal_min");
        json.number(1.0, 9.0, 1);
        json.name("normal_max");
        json.number(10.0, 90.0, 1);
        json.name("value");
        json.number(5.0, 50.0, 2);
        json.text_field("value_text", "within the range");
        json.field("require_human_review", false);
        json.field("tested_positive", false);
        json.field("within_normal_range", true);
        json.unknown(unknown);
    });
}
