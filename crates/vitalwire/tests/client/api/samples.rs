//! Synthetic mock responses (feature `samples`).

use vitalwire::mock::samples;
use vitalwire::{Client, OPERATIONS};

#[tokio::test]
async fn every_operation_has_a_sample_that_the_client_decodes() {
    let text = include_str!("../../../src/mock/samples.json");
    let shipped: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).unwrap();
    let mut operations: Vec<&str> = OPERATIONS.iter().map(|operation| operation.id).collect();
    operations.sort_unstable();
    let mut ids: Vec<&str> = shipped.keys().map(String::as_str).collect();
    ids.sort_unstable();
    assert_eq!(ids, operations);

    let client = Client::builder().mock_responses(&samples()).build().unwrap();
    assert!(client.user().info().await.unwrap().uid.is_some());
    assert!(client.sleeps().get("any").include_stages(true).await.unwrap().stages.iter().len() > 0);
    assert!(!client.lab_reports().list().await.unwrap().is_empty());
    assert!(!client.nutrition_records().list().await.unwrap().is_empty());
    client.nutrition_records().delete("any").await.unwrap();
    client.care().benefits("c", "p", "1").await.unwrap();
}
