//! Tests of the tables of nutrition records and ingredients.

use vitalwire::table::TableId;

use crate::table::{NEW_YEAR, SECOND, read, rows};

const MEAL: &str = r#"{"record_id":"m-1","status":"completed","uploaded_at":"2025-01-01T00:00:00Z","modified_at":"2025-01-01T00:00:01Z",
  "ingredients":[{"name":"rice","serving_size":120,"unit":"g","nutritional_fields":{"energy_kcal":150}},{"name":"peas"}],
  "nutritional_fields":{"energy_kcal":0,"fiber_g":2.5},"dish_name":"bowl","consumed_at":"2025-01-01T00:00:00","user_time_offset_minutes":120}"#;

#[test]
fn the_basis_depends_on_the_operation() {
    for (operation, basis) in
        [("get_nutrition_record", "per_serving"), ("update_nutrition_record", "per_100"), ("upload_nutrition_record", "unknown")]
    {
        let table = read(TableId::NutritionRecords, operation, MEAL);
        let local = NEW_YEAR + 7200 * SECOND;
        assert_eq!(
            rows(&table, &["basis", "record_id", "consumed_at", "consumed_at_local", "energy_kcal", "fiber_g", "zinc_mg"]),
            [format!("{basis} m-1 {NEW_YEAR} {local} 0 2.5 -")],
            "{operation}"
        );
        let table = read(TableId::NutritionIngredients, operation, MEAL);
        assert_eq!(
            rows(&table, &["record_id", "dish_name", "basis", "consumed_at_local", "name", "serving_size", "unit", "energy_kcal"]),
            [format!("m-1 bowl {basis} {local} rice 120 g 150"), format!("m-1 bowl {basis} {local} peas - - -")],
            "{operation}"
        );
    }
}

#[test]
fn a_list_of_records_becomes_rows() {
    let table = read(TableId::NutritionRecords, "list_nutrition_records", &format!("[{MEAL},{MEAL}]"));
    assert_eq!(rows(&table, &["basis", "dish_name"]), ["per_serving bowl", "per_serving bowl"]);
    let table = read(TableId::NutritionIngredients, "list_nutrition_records", &format!("[{MEAL},{MEAL}]"));
    assert_eq!(rows(&table, &["name"]), ["rice", "peas", "rice", "peas"]);
}

/// `modified_at` is optional in the response of an upload.
#[test]
fn an_upload_response_may_lack_fields_of_a_record() {
    let body = r#"{"record_id":"m","status":"in_progress","uploaded_at":"2025-01-01T00:00:00Z"}"#;
    let table = read(TableId::NutritionRecords, "upload_nutrition_record", body);
    assert_eq!(rows(&table, &["record_id", "modified_at"]), ["m -"]);
}
