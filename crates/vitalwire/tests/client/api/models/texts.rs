//! Texts and names in any script, with escapes, long ones and empty ones.

use serde_json::json;
use vitalwire::models::{LabResult, NutritionRecord, UserPropertiesResponse};
use vitalwire_testkit::{Server, json as reply};

use super::fields::to_json;
use crate::api::client;

const TEXTS: [&str; 12] = [
    "µ µ",
    "😀🏳️‍🌈👩‍👩‍👧",
    "\u{0}",
    "a\u{0}b",
    "\u{feff}bom",
    "e\u{301} and é are not made the same",
    "\u{202e}right to left",
    "العربية עברית 日本語",
    "\r\n\t\u{8}\u{c}\u{1f}",
    "\\ \" / ' < >",
    "\u{2028}\u{2029}",
    "\u{10ffff}\u{fffd}",
];

#[tokio::test]
async fn texts_are_decoded_and_serialized_unchanged() {
    for text in TEXTS {
        let record = json!({"record_id": text, "status": text, "uploaded_at": "2025-01-31T12:00:00Z", "modified_at": "2025-01-31T12:00:00Z",
            "dish_name": text, "unit": text, text: text, "nutritional_fields": {text: 1.5, "odd": text}});
        let server = Server::always(reply(200, &record.to_string()));
        let meal = client(&server).nutrition_records().get("x").await.unwrap().into_inner();
        assert_eq!((meal.record_id.as_str(), meal.dish_name.as_deref(), meal.status.as_ref()), (text, Some(text), text));
        assert_eq!(meal.extra.get(text), Some(json!(text)));
        assert_eq!(meal.nutritional_fields.as_ref().unwrap().get_text(text), Some(1.5));
        assert_eq!(to_json(&meal), record);
    }
}

#[test]
fn escaped_names_and_texts_are_decoded() {
    let escaped = r#"{"record\u005fid":"\u006d","status":"\ud83d\ude00","uploaded_at":"2025-01-31T12:00:00\u005a","modified_at":"2025-01-31T12:00:00Z",
        "nutritional\u005ffields":{"salt\u005fg":1,"\u0000":2}}"#;
    let meal: NutritionRecord = serde_json::from_str(escaped).unwrap();
    assert!(meal.extra.is_empty(), "an escaped name is recognized");
    assert_eq!((meal.record_id.as_str(), meal.status.as_ref()), ("m", "😀"));
    let numbers = meal.nutritional_fields.as_ref().unwrap();
    assert_eq!((numbers.salt_g(), numbers.get_text("\u{0}")), (Some(1.0), Some(2.0)));
}

#[test]
fn long_texts_and_many_fields_are_decoded() {
    let long = "é".repeat(1_000_000);
    let result: LabResult = serde_json::from_value(json!({"notes": long})).unwrap();
    assert_eq!(result.notes.as_deref(), Some(&*long));
    let many: serde_json::Map<_, _> = (0..10_000).map(|at| (format!("field {at}"), json!(at))).collect();
    let response: UserPropertiesResponse = serde_json::from_value(json!({"properties": many.clone()})).unwrap();
    assert_eq!(response.properties.as_ref().unwrap().extra.len(), 10_000);
    assert_eq!(to_json(&response), json!({"properties": many}));
}
