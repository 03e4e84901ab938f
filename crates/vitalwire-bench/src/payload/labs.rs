//! Lab reports: 50 reports, each with 40 results in four sections.

use super::Unknown;
use super::generator::{Generator, compact, day, instant, join};

const REPORTS: u32 = 50;
const SECTIONS: u32 = 4;
const RESULTS: usize = 10;

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
    let mut generator = Generator::new(5, unknown);
    format!("[{}]", join((0..REPORTS).map(|at| report(&mut generator, at)))).into_bytes()
}

fn report(generator: &mut Generator, at: u32) -> String {
    let (id, collected, reported) = (generator.id(), day(at * 7), day(at * 7 + 2));
    let (uploaded, modified) = (instant(at * 7 * 86_400 + 9_000), instant(at * 7 * 86_400 + 9_042));
    let (sections, unknown) = (join((0..SECTIONS).map(|_| section(generator))), generator.unknown());
    compact(&format!(
        r#"{{"record_id":"{id}","status":"completed","collection_date":"{collected}","result_date":"{reported}",
        "uploaded_at":"{uploaded}","modified_at":"{modified}","sections":[{sections}]{unknown}}}"#
    ))
}

fn section(generator: &mut Generator) -> String {
    let results = join((0..RESULTS).map(|at| result(generator, at)));
    compact(&format!(
        r#"{{"loinc_code":"58410-2","loinc_common_name":"CBC panel - Blood by Automated count","original_section_name":"HEMATOLOGY",
        "standard_section_name":"Complete blood count","results":[{results}]}}"#
    ))
}

fn result(generator: &mut Generator, at: usize) -> String {
    let (original, standard, unit, code) = TESTS[at % TESTS.len()];
    let (low, high, value) = (generator.number(1.0, 9.0, 1), generator.number(10.0, 90.0, 1), generator.number(5.0, 50.0, 2));
    let unknown = generator.unknown();
    compact(&format!(
        r#"{{"original_test_name":"{original}","original_unit_name":"{unit}","standard_test_name":"{standard}",
        "standard_unit_name":"{unit}","loinc_code":"{code}","loinc_common_name":"{standard} [Mass or count per volume] in Blood or Serum",
        "notes":"Measured twice; mean reported","normal_min":{low},"normal_max":{high},"value":{value},
        "value_text":"within the range","require_human_review":false,"tested_positive":false,"within_normal_range":true{unknown}}}"#
    ))
}
