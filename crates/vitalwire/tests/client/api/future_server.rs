//! Responses of a later version of the service, and contradictory ones: every record is decoded without loss.

use serde_json::{Value, json};
use vitalwire::models::NutritionRecord;
use vitalwire::value::OpenSet;
use vitalwire_testkit::{Server, json as reply};

use crate::api::models::fields::to_json;
use crate::api::{client, date};

async fn call_with_body<T: serde::Serialize>(body: &Value, send: impl AsyncFnOnce(vitalwire::Client) -> T) -> T {
    let server = Server::always(reply(200, &body.to_string()));
    send(client(&server)).await
}

#[tokio::test]
async fn an_unknown_sleep_record_is_decoded_without_loss() {
    let body = json!({
        "sleep_id": "night-1", "modified_at": "2025-01-31T07:00:00.123456789", "start_at_timestamp": "2025-01-30T22:00:00.000000001",
        "end_at_timestamp": "2025-01-31T06:00:00", "duration": 28_800_000.0, "input_method": "telepathy", "provider_slug": "new_band",
        "score": 71.5, "sleep_date": "2025-01-31T00:00:00", "record_ids": ["not a uuid"], "chronotype": "owl",
        "metrics": {"sleep_duration": 25_000_000, "dreams_remembered": 2, "sleep_efficiency": "86.8 %", "coherence": {"mean": 0.5}},
        "samples": {"offsets": [0, 60_000.0], "durations": [60_000, 60_000], "values": {"eeg_delta": [0.25, 0.5]}, "codec": "none"},
        "source": {"device_model": "Band 9", "device_colour": "red"},
        "stages": [
            {"stage": "deep_rem", "start_at": "2025-01-30T22:00:00", "end_at": "2025-01-30T23:00:00Z", "duration": 3_600_000, "confidence": 0.9},
            {"stage": "awake", "start_at": "2025-01-30T22:30:00", "end_at": "2025-01-30T22:10:00", "duration": -5, "metrics": null},
        ],
    });
    let night = call_with_body(&body, async |client| client.sleeps().get("night-1").await.unwrap().into_inner()).await;
    assert!(!night.provider_slug.as_ref().unwrap().is_known() && !night.input_method.as_ref().unwrap().is_known());
    assert_eq!(night.extra.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["chronotype", "score", "sleep_date"]);
    assert_eq!((night.score, night.sleep_date, night.duration), (None, None, Some(28_800_000)));
    let metrics = night.metrics.as_ref().unwrap();
    assert_eq!((metrics.get_text("dreams_remembered"), metrics.sleep_efficiency()), (Some(2.0), None));
    // The stages do not add up to the whole, and one ends before it begins. Such values are kept.
    assert_eq!(night.stages.iter().filter_map(|stage| stage.duration).sum::<i64>(), 3_599_995);
    let mut expected = body.clone();
    expected["modified_at"] = json!("2025-01-31T07:00:00.123456789Z");
    expected["start_at_timestamp"] = json!("2025-01-30T22:00:00.000000001Z");
    expected["end_at_timestamp"] = json!("2025-01-31T06:00:00Z");
    expected["duration"] = json!(28_800_000);
    expected["samples"]["offsets"] = json!([0, 60_000]);
    expected["stages"][0]["start_at"] = json!("2025-01-30T22:00:00Z");
    expected["stages"][1]["start_at"] = json!("2025-01-30T22:30:00Z");
    expected["stages"][1]["end_at"] = json!("2025-01-30T22:10:00Z");
    expected["stages"][1].as_object_mut().unwrap().remove("metrics");
    assert_eq!(to_json(&night), expected);
}

#[tokio::test]
async fn an_unknown_nutrition_record_is_decoded_without_loss() {
    let meal = json!({
        "record_id": "m-1", "status": "reviewing", "uploaded_at": "2025-01-31T12:00:00", "modified_at": "2025-01-31T12:00:05.000Z",
        "unit": "oz", "input_type": "voice", "nutri_score": "A+", "serving_size": 100, "allergens": ["nuts"],
        "nutritional_fields": {"energy_kcal": 500, "caffeine_mg": 80.0},
        "ingredients": [{"name": "rice", "unit": "cup", "nutritional_fields": {"energy_kcal": 900}, "origin": null}],
    });
    let failed = json!({"record_id": "m-2", "status": "failed", "uploaded_at": "2025-01-31T12:00:00Z", "modified_at": "2025-01-31T12:00:00Z",
        "failure_reason": "Unable to identify food items", "ingredients": null});
    let body = json!([meal, failed]);
    let meals = call_with_body(&body, async |client| client.nutrition_records().list().await.unwrap().into_inner()).await;
    let [first, second]: &[NutritionRecord] = &meals else { panic!("two meals") };
    let sets = [first.status.is_known(), first.unit.as_ref().unwrap().is_known(), first.nutri_score.as_ref().unwrap().is_known()];
    assert_eq!(sets, [false; 3]);
    assert_eq!((second.status.as_ref(), second.ingredients.is_null()), ("failed", true), "a failed record is a result");
    let mut expected = body.clone();
    expected[0]["uploaded_at"] = json!("2025-01-31T12:00:00Z");
    expected[0]["modified_at"] = json!("2025-01-31T12:00:05Z");
    expected[0]["nutritional_fields"]["caffeine_mg"] = json!(80);
    assert_eq!(json!([to_json(first), to_json(second)]), expected);
}

#[tokio::test]
async fn an_unknown_lab_report_is_decoded_without_loss() {
    let body = json!({"record_id": "r", "status": "queued", "collection_date": "early 2025", "uploaded_at": 1_738_305_000, "urgency": {"level": 1},
        "patient_information": {"age": "44", "gender": "Other", "species": "human"}, "lab_information": [],
        "sections": [{"loinc_code": 584_102, "results": [{"value": 7.2, "normal_min": "<4", "within_normal_range": "yes", "flag": "H"}]}]});
    let report = call_with_body(&body, async |client| client.lab_reports().get("r").await.unwrap().into_inner()).await;
    assert!(!report.status.is_known() && report.lab_information.is_none() && report.uploaded_at.is_none());
    let section = &report.sections.as_slice()[0];
    let result = &section.results.as_slice()[0];
    assert_eq!((result.value, result.normal_min, result.within_normal_range), (Some(7.2), None, None));
    assert_eq!((report.extra.len(), section.extra.len(), result.extra.len()), (3, 1, 3));
    assert_eq!(to_json(&report), body, "everything is serialized as received");
}

#[tokio::test]
async fn unknown_user_information_is_decoded_without_loss() {
    let body = json!({"application_id": "42", "uid": 7, "created_at": "2024-10-29", "tier": "gold", "integrated_providers": [
        {"provider_slug": "new_ring", "is_integration_broken": "no", "provider_integration_id": 9_007_199_254_740_993_i64, "since": null}]});
    let user = call_with_body(&body, async |client| client.user().info().await.unwrap().into_inner()).await;
    assert!(user.application_id.is_none() && user.uid.is_none() && user.created_at.is_none());
    assert_eq!(user.integrated_providers.as_slice()[0].provider_integration_id, Some(9_007_199_254_740_993));
    assert_eq!(to_json(&user), body);

    let body = json!({"properties": {"gender": "prefer not to say", "birth_year": 1980.5, "weight": "72 kg", "height": 1.8, "shoe_size": 43}, "version": 4});
    let response = call_with_body(&body, async |client| client.user().properties().await.unwrap().into_inner()).await;
    let properties = response.properties.as_ref().unwrap();
    assert_eq!((properties.birth_year, properties.weight, properties.height), (None, None, Some(1.8)));
    assert_eq!(to_json(&response), body);

    let body = json!({"provider_slug": "new_ring", "path": ["https://consent.example/a"], "expires_in": 600});
    let init = call_with_body(&body, async |client| client.integrations().init_url("new_ring").await.unwrap().into_inner()).await;
    assert!(init.path.is_none() && !init.provider_slug.as_ref().unwrap().is_known());
    assert_eq!(to_json(&init), body);
}

#[tokio::test]
async fn unknown_statistics_are_decoded_without_loss() {
    let body = json!({"from_date": "2025-01-01", "to_date": "2025-01-31", "statistics": [
        {"date": "2025-01-01", "record_ids": ["x"], "values": {"steps": 10, "distance_walking": 100, "distance_running": 100, "distance_total": 50,
            "mood_score": 7.0, "stress_score": "low", "recovery_score": null}, "quality": "good"},
        {"date": "01/02/2025", "values": []}, {}], "next": null});
    let days = call_with_body(&body, async |client| {
        client.statistics().daily(date("2025-01-01")..=date("2025-01-31"), ["mood_score"]).await.unwrap().into_inner()
    })
    .await;
    let values = days.statistics[0].values.as_ref().unwrap();
    assert_eq!((values.distance_total(), values.get_text("mood_score"), values.stress_score()), (Some(50.0), Some(7.0), None));
    assert_eq!((days.statistics.len(), days.statistics[1].date, days.statistics[1].values.is_none()), (3, None, true));
    let mut expected = body.clone();
    expected["statistics"][0]["values"]["mood_score"] = json!(7);
    expected["statistics"][0]["values"].as_object_mut().unwrap().remove("recovery_score");
    assert_eq!(to_json(&days), expected);

    let body = json!({"from_timestamp": null, "statistics": [{"from_timestamp": "2025-01-01T00:00:00.987654321", "values": {"sleep_duration_total": 5}}]});
    let hours = call_with_body(&body, async |client| client.statistics().interval("15m", ["steps"]).await.unwrap().into_inner()).await;
    let expected = json!({"statistics": [{"from_timestamp": "2025-01-01T00:00:00.987654321Z", "values": {"sleep_duration_total": 5}}]});
    assert_eq!(to_json(&hours), expected);
}

#[tokio::test]
async fn unknown_benefits_are_decoded_without_loss() {
    let body = json!({"id": "b", "status": "partial", "data": {"planType": 5, "visitLimit": "20", "copayTiers": ["1", "2"]}, "payer": {}});
    let benefits = call_with_body(&body, async |client| client.care().benefits("c", "p", "q").await.unwrap().into_inner()).await;
    let data = benefits.data.as_ref().unwrap();
    assert_eq!((data.plan_type.is_none(), data.visit_limit.as_deref(), data.extra.len()), (true, Some("20"), 2));
    assert_eq!(to_json(&benefits), body);
}
