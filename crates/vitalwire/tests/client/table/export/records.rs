//! Exports of sleeps, lab reports and nutrition records.

use vitalwire::table::TableId;

use super::check;
use crate::table::{NEW_YEAR, SECOND, read};

const NIGHT: &str = r#"{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","sleep_id":"n",
    "user_time_offset_minutes":-90,
    "stages":[{"stage":"rem","start_at":"2025-01-01T00:00:00Z","end_at":"2025-01-01T00:00:30Z","duration":30000,"metrics":{"body_fat":0}},
              {"stage":"brand_new","start_at":"2025-01-01T00:00:30Z"}],
    "samples":{"offsets":[0,60000.5],"durations":[60000,60000],"values":{"body_fat":[70,70.5],"moon":[1,2]}}}"#;

const BACK: i64 = -90 * 60 * SECOND;

#[test]
fn stages_are_exported_with_types_and_units() {
    check(
        &read(TableId::SleepStages, "get_sleep", NIGHT),
        &[
            "sleep_id Utf8?",
            "stage Utf8?",
            "start_at Instant[UTC]?",
            "start_at_local Local?",
            "end_at Instant[UTC]?",
            "end_at_local Local?",
            "duration Int64? ms",
            "body_fat Float64? percent",
        ],
        &["sleep_id", "stage", "start_at", "start_at_local", "end_at", "end_at_local", "duration", "body_fat"],
        &[
            format!("n rem {NEW_YEAR} {} {} {} 30000 0", NEW_YEAR + BACK, NEW_YEAR + 30 * SECOND, NEW_YEAR + BACK + 30 * SECOND),
            format!("n brand_new {} {} - - - -", NEW_YEAR + 30 * SECOND, NEW_YEAR + BACK + 30 * SECOND),
        ],
    );
}

#[test]
fn samples_are_exported_with_types_and_units() {
    let later = NEW_YEAR + 60_000_500;
    check(
        &read(TableId::SleepSamples, "get_sleep", NIGHT),
        &[
            "sleep_id Utf8?",
            "at Instant[UTC]?",
            "at_local Local?",
            "offset Float64? ms",
            "duration Float64? ms",
            "body_fat Float64? percent",
            "moon Float64?",
        ],
        &["sleep_id", "at", "at_local", "offset", "duration", "body_fat", "moon"],
        &[format!("n {NEW_YEAR} {} 0 60000 70 1", NEW_YEAR + BACK), format!("n {later} {} 60000.5 60000 70.5 2", later + BACK)],
    );
}

#[test]
fn lab_results_are_exported_with_types_and_units() {
    let report = r#"{"record_id":"r-1","status":"completed","uploaded_at":"2025-01-01T00:00:00Z","sections":[
        {"loinc_code":"S1","results":[{"value":1.5,"loinc_code":"R1","tested_positive":true,"within_normal_range":false},
                                      {"value_text":"< 3, \"low\"","normal_min":0,"within_normal_range":true}]},
        {"results":[{"tested_positive":false}]}]}"#;
    check(
        &read(TableId::LabResults, "get_lab_report", report),
        &[
            "record_id Utf8",
            "report_status Utf8",
            "collection_date Utf8?",
            "result_date Utf8?",
            "uploaded_at Instant[UTC]?",
            "original_section_name Utf8?",
            "standard_section_name Utf8?",
            "section_loinc_code Utf8?",
            "section_loinc_common_name Utf8?",
            "section_notes Utf8?",
            "original_test_name Utf8?",
            "original_unit_name Utf8?",
            "standard_test_name Utf8?",
            "standard_unit_name Utf8?",
            "loinc_code Utf8?",
            "loinc_common_name Utf8?",
            "notes Utf8?",
            "normal_min Float64?",
            "normal_max Float64?",
            "value Float64?",
            "value_text Utf8?",
            "require_human_review Boolean?",
            "tested_positive Boolean?",
            "within_normal_range Boolean?",
        ],
        &["record_id", "uploaded_at", "section_loinc_code", "value", "value_text", "normal_min", "tested_positive", "within_normal_range"],
        &[
            format!("r-1 {NEW_YEAR} S1 1.5 - - true false"),
            format!("r-1 {NEW_YEAR} S1 - < 3, \"low\" 0 - true"),
            format!("r-1 {NEW_YEAR} - - - - false -"),
        ],
    );
}

const MEAL: &str = r#"{"record_id":"m-1","status":"completed","uploaded_at":"2025-01-01T00:00:00Z","modified_at":"2025-01-01T00:00:01Z",
  "ingredients":[{"name":"rice","serving_size":120,"unit":"g","nutritional_fields":{"energy_kcal":150}},{"name":"Grüße 🍚"}],
  "nutritional_fields":{"energy_kcal":0,"sodium_mg":2.5},"dish_name":"bowl","consumed_at":"2025-01-01T00:00:00","user_time_offset_minutes":120}"#;

#[test]
fn meals_are_exported_with_types_and_units() {
    let ahead = NEW_YEAR + 7200 * SECOND;
    check(
        &read(TableId::NutritionRecords, "get_nutrition_record", MEAL),
        &[
            "basis Utf8",
            "record_id Utf8",
            "status Utf8",
            "uploaded_at Instant[UTC]?",
            "uploaded_at_local Local?",
            "modified_at Instant[UTC]?",
            "modified_at_local Local?",
            "dish_name Utf8?",
            "dish_name_translated Utf8?",
            "dish_description Utf8?",
            "dish_description_translated Utf8?",
            "serving_size Float64?",
            "unit Utf8?",
            "consumed_at Instant[UTC]?",
            "consumed_at_local Local?",
            "failure_reason Utf8?",
            "input_type Utf8?",
            "nutri_score Utf8?",
            "energy_kcal Float64? kcal",
            "sodium_mg Float64? mg",
            "user_time_offset_minutes Int64? min",
        ],
        &[
            "basis",
            "record_id",
            "consumed_at",
            "consumed_at_local",
            "dish_name",
            "unit",
            "serving_size",
            "energy_kcal",
            "sodium_mg",
            "user_time_offset_minutes",
        ],
        &[format!("per_serving m-1 {NEW_YEAR} {ahead} bowl - - 0 2.5 120")],
    );
}

#[test]
fn ingredients_are_exported_with_types_and_units() {
    let ahead = NEW_YEAR + 7200 * SECOND;
    check(
        &read(TableId::NutritionIngredients, "update_nutrition_record", MEAL),
        &[
            "record_id Utf8",
            "dish_name Utf8?",
            "consumed_at Instant[UTC]?",
            "consumed_at_local Local?",
            "basis Utf8",
            "name Utf8?",
            "name_translated Utf8?",
            "serving_size Float64?",
            "unit Utf8?",
            "energy_kcal Float64? kcal",
        ],
        &["record_id", "dish_name", "consumed_at_local", "basis", "name", "serving_size", "unit", "energy_kcal"],
        &[format!("m-1 bowl {ahead} per_100 rice 120 g 150"), format!("m-1 bowl {ahead} per_100 Grüße 🍚 - - -")],
    );
}
