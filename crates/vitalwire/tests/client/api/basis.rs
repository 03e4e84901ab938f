//! Basis of nutritional numbers, which depends on the operation that returned them.

use vitalwire::models::{Ingredient, NutritionRecord, NutritionUploadResponse, NutritionWebhook, NutritionalFields};
use vitalwire::value::{ListMember, NumberBasis};
use vitalwire_testkit::{Server, json};

use crate::api::client;

const MEAL: &str = r#"{"record_id":"m","status":"completed","uploaded_at":"2025-01-31T12:00:00Z","modified_at":"2025-01-31T12:00:00Z",
    "nutritional_fields":{"energy_kcal":250.5,"protein_g":10},
    "ingredients":[{"name":"rice","nutritional_fields":{"energy_kcal":200}},{"name":"salt"},{"nutritional_fields":{}}]}"#;

/// Returns the bases of the record and of each ingredient.
fn bases(record: Option<&NutritionalFields>, ingredients: &ListMember<Ingredient>) -> Vec<Option<NumberBasis>> {
    let basis = |numbers: Option<&NutritionalFields>| numbers.map(|numbers| numbers.basis());
    std::iter::once(basis(record)).chain(ingredients.iter().map(|ingredient| basis(ingredient.nutritional_fields.as_ref()))).collect()
}

fn record_bases(record: &NutritionRecord) -> Vec<Option<NumberBasis>> {
    bases(record.nutritional_fields.as_ref(), &record.ingredients)
}

fn all(basis: NumberBasis) -> Vec<Option<NumberBasis>> {
    vec![Some(basis), Some(basis), None, Some(basis)]
}

#[tokio::test]
async fn a_retrieved_record_is_per_serving() {
    let server = Server::always(json(200, MEAL));
    let record = client(&server).nutrition_records().get("m").await.unwrap();
    assert_eq!(record_bases(&record), all(NumberBasis::PerServing));
    assert_eq!(record.nutritional_fields.as_ref().unwrap().energy_kcal(), Some(250.5));
}

#[tokio::test]
async fn every_listed_record_is_per_serving() {
    let server = Server::always(json(200, &format!("[{MEAL},{MEAL}]")));
    let records = client(&server).nutrition_records().list().await.unwrap();
    assert_eq!(records.iter().map(record_bases).collect::<Vec<_>>(), [all(NumberBasis::PerServing), all(NumberBasis::PerServing)]);
}

#[tokio::test]
async fn the_response_to_an_update_is_per_100() {
    let server = Server::always(json(200, MEAL));
    let record = client(&server).nutrition_records().update("m", 150.0).await.unwrap();
    assert_eq!(record_bases(&record), all(NumberBasis::Per100));
}

#[tokio::test]
async fn the_response_to_an_upload_has_an_unknown_basis() {
    let server = Server::always(json(200, MEAL));
    let response: NutritionUploadResponse = client(&server).nutrition_records().upload().body(b"x").await.unwrap().into_inner();
    assert_eq!(bases(response.nutritional_fields.as_ref(), &response.ingredients), all(NumberBasis::Unknown));
}

#[test]
fn a_record_without_a_call_has_an_unknown_basis() {
    let record: NutritionRecord = serde_json::from_str(MEAL).unwrap();
    assert_eq!(record_bases(&record), all(NumberBasis::Unknown));
    let webhook: NutritionWebhook = serde_json::from_str(MEAL).unwrap();
    assert_eq!(bases(webhook.nutritional_fields.as_ref(), &webhook.ingredients), all(NumberBasis::Unknown));
}

#[tokio::test]
async fn the_basis_is_not_serialized_but_distinguishes_records() {
    let server = Server::always(json(200, MEAL));
    let client = client(&server);
    let got = client.nutrition_records().get("m").await.unwrap().into_inner();
    let updated = client.nutrition_records().update("m", 150.0).await.unwrap().into_inner();
    assert_eq!(serde_json::to_value(&got).unwrap(), serde_json::to_value(&updated).unwrap());
    assert_ne!(got, updated, "equal numbers with another basis are not equal");
    assert_eq!(
        [NumberBasis::PerServing, NumberBasis::Per100, NumberBasis::Unknown].map(NumberBasis::as_str),
        ["per_serving", "per_100", "unknown"]
    );
}

#[tokio::test]
async fn nutritional_fields_of_the_wrong_type_have_no_basis() {
    let body = MEAL.replace(r#"{"energy_kcal":250.5,"protein_g":10}"#, "[250.5]");
    let server = Server::always(json(200, &body));
    let record = client(&server).nutrition_records().get("m").await.unwrap();
    assert!(record.nutritional_fields.is_none());
    assert_eq!(record.extra.get("nutritional_fields").unwrap()[0], 250.5);
    assert_eq!(record_bases(&record)[1], Some(NumberBasis::PerServing), "the ingredients still have a basis");
}
