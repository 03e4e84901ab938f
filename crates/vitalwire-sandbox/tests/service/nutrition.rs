//! Nutrition records: reading, changing, deleting.

use http::StatusCode;
use serde_json::{Value, json};
use vitalwire_sandbox::Sandbox;

use super::pictures::green;
use super::specification::SPECIFICATION;
use super::support::{Service, is_uuid, names, seconds};

const DAY: &str = "/nutrition_records?from_timestamp=2025-11-19T23:00:00Z&to_timestamp=2025-11-20T23:00:00Z";

/// Returns the sorted names of all nutrients.
fn nutrients() -> Vec<&'static str> {
    let mut names = SPECIFICATION.names("upload_nutrition_record", "include_nutrition_fields");
    names.sort_unstable();
    names
}

#[tokio::test]
async fn a_day_has_three_meals_with_every_nutrient() {
    let service = Service::new().await;
    // A local day in Berlin.
    let list = service.get(DAY).await.ok();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 3);
    for record in list {
        assert!(is_uuid(&record["record_id"]));
        assert_eq!(record["status"], "completed");
        assert_eq!(record["user_time_offset_minutes"], 60);
        assert!(seconds(&record["uploaded_at"]) > seconds(&record["consumed_at"]));
        let fields = names(&record["nutritional_fields"]);
        assert_eq!(fields, nutrients());
        let id = record["record_id"].as_str().unwrap();
        assert_eq!(&service.get(&format!("/nutrition_records/{id}")).await.ok(), record);
        service.get_as(1, &format!("/nutrition_records/{id}")).await.problem(404);
    }
}

#[tokio::test]
async fn a_new_meal_is_not_modified_in_the_future() {
    let later = Service::new().await;
    later.sandbox.app().advance(std::time::Duration::from_secs(86_400)).unwrap();
    let meal = later.get("/nutrition_records?from_timestamp=2025-11-22T00:00:00Z").await.ok()[0].clone();
    assert!(seconds(&meal["modified_at"]) > seconds(&meal["uploaded_at"]));
    // A seeded meal is being analysed after its upload, too.
    let service = Service::new().await;
    service.sandbox.app().set_time(meal["uploaded_at"].as_str().unwrap().parse().unwrap()).unwrap();
    let early = service.get(&format!("/nutrition_records/{}", meal["record_id"].as_str().unwrap())).await.ok();
    assert_eq!((&early["status"], &early["modified_at"]), (&json!("pending"), &meal["uploaded_at"]));
}

#[tokio::test]
async fn a_change_that_began_earlier_does_not_set_the_record_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let start = async || Service::with_builder(Sandbox::builder().database(&file)).await;
    let service = start().await;
    let path = format!("/nutrition_records/{}", service.get(DAY).await.ok()[0]["record_id"].as_str().unwrap());
    assert_eq!(service.patch(&path, &json!({"serving_size": 10})).await.ok()["modified_at"], "2025-11-21T12:00:00Z");
    service.sandbox.shutdown().await;
    // Simulates that the first change began a second after the second one.
    let database = rusqlite::Connection::open(&file).unwrap();
    let sql = "UPDATE documents SET value = json_set(value, '$.kept.modified_at', '2025-11-21T12:00:01Z') WHERE kind = 'meal'";
    assert_eq!(database.execute(sql, []).unwrap(), 1);
    drop(database);
    let service = start().await;
    assert_eq!(service.patch(&path, &json!({"serving_size": 20})).await.ok()["modified_at"], "2025-11-21T12:00:01Z");
}

// statements: supplement.meal.range, supplement.meal.array
#[tokio::test]
async fn the_range_includes_its_start_and_not_its_end() {
    let service = Service::new().await;
    let list = service.get(DAY).await.ok();
    let at: Vec<&str> = (0..3).map(|number| list[number]["consumed_at"].as_str().unwrap()).collect();
    let count = async |from: &str, to: &str| {
        let path = format!("/nutrition_records?from_timestamp={from}&to_timestamp={to}");
        service.get(&path).await.ok().as_array().unwrap().len()
    };
    assert_eq!(count(at[0], at[2]).await, 2);
    assert_eq!(count(at[0].trim_end_matches('Z'), at[1]).await, 1);
    assert_eq!(count(at[1], at[1]).await, 0);
    assert_eq!(count("0001-01-01T00:00:00Z", "2020-01-01T00:00:00Z").await, 0);
    assert_eq!(count("2025-11-21T12:00:00Z", "9999-12-30T00:00:00Z").await, 0, "nothing is eaten in the future");
    let wrong = service.get(&format!("/nutrition_records?from_timestamp={}&to_timestamp={}", at[1], at[0])).await;
    assert_eq!(wrong.problem(422), ["query.from_timestamp"]);
    // Without a start, the list goes back 30 days: about 90 meals.
    let all = service.get("/nutrition_records").await.ok();
    assert!((89..=92).contains(&all.as_array().unwrap().len()));
    let first = seconds(&all[0]["consumed_at"]);
    assert!(service.sandbox.app().now().as_second() - first <= 30 * 86_400);
}

/// Returns all nutritional fields and serving sizes of a record and its ingredients, by path.
fn numbers(record: &Value) -> Vec<(String, f64)> {
    let mut found = vec![("serving".to_owned(), record["serving_size"].as_f64().unwrap())];
    let mut add = |place: &str, fields: &Value| {
        for (name, value) in fields.as_object().unwrap() {
            found.push((format!("{place}.{name}"), value.as_f64().unwrap()));
        }
    };
    add("record", &record["nutritional_fields"]);
    for (at, ingredient) in record["ingredients"].as_array().unwrap().iter().enumerate() {
        add(&at.to_string(), &ingredient["nutritional_fields"]);
        add(&at.to_string(), &json!({"serving": ingredient["serving_size"]}));
    }
    found
}

fn assert_scaled(before: &Value, after: &Value, factor: f64) {
    let after: std::collections::HashMap<String, f64> = numbers(after).into_iter().collect();
    let mut compared = 0;
    for (place, value) in numbers(before) {
        if let Some(scaled) = after.get(&place) {
            assert!((scaled - value * factor).abs() <= 1e-6, "{place}: {value} * {factor} != {scaled}");
            compared += 1;
        }
    }
    assert_eq!(compared, after.len());
    assert!(compared > 29);
}

/// Converts the response to an update, with values per 100 g or ml, to values for the serving size.
fn for_serving(response: &Value) -> Value {
    let mut record = response.clone();
    let scale = |part: &mut Value| {
        let serving = part["serving_size"].as_f64().unwrap();
        for value in part["nutritional_fields"].as_object_mut().unwrap().values_mut() {
            *value = json!(value.as_f64().unwrap() * serving / 100.0);
        }
    };
    scale(&mut record);
    record["ingredients"].as_array_mut().unwrap().iter_mut().for_each(scale);
    record
}

// statements: service.serving_size, nutrition.state.recalculated, nutrition_update.effect, nutrition.fields.update_omits
// statements: nutrition.fields.basis_update, nutrition.fields.basis_retrieval, supplement.meal.updated
#[tokio::test]
async fn a_new_serving_size_scales_all_amounts() {
    let service = Service::new().await;
    let before = service.get(DAY).await.ok()[0].clone();
    let path = format!("/nutrition_records/{}", before["record_id"].as_str().unwrap());
    let serving = before["serving_size"].as_f64().unwrap();
    service.sandbox.app().advance(std::time::Duration::from_secs(5)).unwrap();

    let response = service.patch(&path, &json!({"serving_size": serving * 2.5})).await.ok();
    assert_eq!(response["status"], "updated");
    assert_eq!(response["record_id"], before["record_id"]);
    assert_eq!(response["uploaded_at"], before["uploaded_at"]);
    assert_eq!(response["consumed_at"], before["consumed_at"]);
    assert_eq!(response["input_type"], before["input_type"]);
    assert_eq!(response["modified_at"], "2025-11-21T12:00:05Z");
    let omitted = ["manganese_mcg", "salt_g", "salt_mg", "sodium_g"];
    let expected: Vec<&str> = nutrients().into_iter().filter(|name| !omitted.contains(name)).collect();
    let fields = names(&response["nutritional_fields"]);
    assert_eq!(fields, expected);
    assert_scaled(&before, &for_serving(&response), 2.5);

    let read = service.get(&path).await.ok();
    assert_eq!(read["status"], "updated");
    assert_scaled(&before, &read, 2.5);
    assert_scaled(&read, &for_serving(&response), 1.0);
    assert_eq!(names(&read["nutritional_fields"]), nutrients());
    // A change to a tiny serving size and back loses no precision.
    service.patch(&path, &json!({"serving_size": 0.01})).await.ok();
    let back = service.patch(&path, &json!({"serving_size": serving})).await.ok();
    assert_scaled(&before, &for_serving(&back), 1.0);
    // Values per 100 g or ml do not depend on the serving size.
    assert_eq!(back["nutritional_fields"], response["nutritional_fields"]);
    assert_eq!(service.get(DAY).await.ok().as_array().unwrap().len(), 3);
}

// statements: supplement.meal.idempotent
#[tokio::test]
async fn a_repeated_update_has_the_same_result() {
    let service = Service::new().await;
    let before = service.get(DAY).await.ok()[0].clone();
    let path = format!("/nutrition_records/{}", before["record_id"].as_str().unwrap());
    let serving = json!({"serving_size": before["serving_size"].as_f64().unwrap() * 3.0});
    let first = service.patch(&path, &serving).await.ok();
    let read = service.get(&path).await.ok();
    service.sandbox.app().advance(std::time::Duration::from_secs(5)).unwrap();
    let second = service.patch(&path, &serving).await.ok();
    let without_instant = |mut record: Value| {
        record.as_object_mut().unwrap().remove("modified_at").unwrap();
        record
    };
    assert_ne!(first["modified_at"], second["modified_at"]);
    assert_eq!(without_instant(first), without_instant(second));
    assert_eq!(without_instant(service.get(&path).await.ok()), without_instant(read));
}

// statements: limits.serving_size, supplement.error.conditions
#[tokio::test]
async fn an_invalid_serving_size_changes_nothing() {
    let service = Service::new().await;
    let before = service.get(DAY).await.ok()[0].clone();
    let path = format!("/nutrition_records/{}", before["record_id"].as_str().unwrap());
    for bad in [json!(0.009), json!(0), json!(-1), json!("5"), json!(null), json!([1]), json!(1e305)] {
        let response = service.patch(&path, &json!({"serving_size": bad})).await;
        assert_eq!(response.problem(422), ["body.serving_size"], "{bad}");
    }
    let too_much = service.patch(&path, &json!({"serving_size": 1e305})).await.json();
    assert_eq!(too_much["errors"][0]["message"], "expected a number from 0.01 to 1e300");
    assert_eq!(service.patch(&path, &json!({})).await.problem(422), ["body.serving_size"]);
    assert_eq!(service.get(&path).await.ok(), before);
    service.patch("/nutrition_records/nothing", &json!({"serving_size": 1})).await.problem(404);
    let text = service.patch(&path, &json!({"serving_size": 1e300})).await.ok().to_string();
    assert!(!text.contains("null"), "a number became null");
}

// statements: service.serving_size, nutrition_delete.success_204, errors.delete_missing
#[tokio::test]
async fn deleting_is_always_204() {
    let service = Service::new().await;
    let uploaded = service.post("/nutrition_records", &json!({"body": green(b"z")})).await.ok();
    let eaten = service.get(DAY).await.ok()[1].clone();
    for record in [uploaded, eaten] {
        let path = format!("/nutrition_records/{}", record["record_id"].as_str().unwrap());
        // A deletion by another user succeeds with 204 and deletes nothing.
        let other = service.send(service.request_as(1, http::Method::DELETE, &path)).await;
        assert_eq!(other.status, StatusCode::NO_CONTENT);
        service.get(&path).await.ok();
        for _ in 0..2 {
            let response = service.delete(&path).await;
            assert_eq!((response.status, response.text.as_str()), (StatusCode::NO_CONTENT, ""));
        }
        service.get(&path).await.problem(404);
        service.patch(&path, &json!({"serving_size": 1})).await.problem(404);
    }
    assert_eq!(service.delete("/nutrition_records/never-there").await.status, StatusCode::NO_CONTENT);
    assert_eq!(service.get(DAY).await.ok().as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn uploads_are_listed_by_the_time_of_eating() {
    let service = Service::new().await;
    let body = json!({"body": green(b"old"), "consumed_at": "2018-03-04T10:00:00Z", "wait_on_process": true});
    let record = service.post("/nutrition_records", &body).await.ok();
    let found = service.get("/nutrition_records?from_timestamp=2018-03-04T10:00:00Z&to_timestamp=2018-03-04T10:00:01Z").await.ok();
    assert_eq!(found, json!([record]));
    let found = service.get("/nutrition_records?from_timestamp=2018-03-04T10:00:01Z&to_timestamp=2018-03-05T00:00:00Z").await.ok();
    assert_eq!(found, json!([]));
}

#[tokio::test]
async fn a_long_list_is_streamed_and_equals_the_short_ones() {
    let service = Service::new().await;
    let list = async |from: &str, to: &str| {
        let path = format!("/nutrition_records?from_timestamp={from}T00:00:00Z&to_timestamp={to}T00:00:00Z");
        service.get(&path).await
    };
    // Changes and deletes a seeded record, and uploads one for an earlier day and one for now.
    let day = list("2025-03-10", "2025-03-11").await.ok();
    let id = |at: usize| day[at]["record_id"].as_str().unwrap().to_owned();
    service.patch(&format!("/nutrition_records/{}", id(0)), &json!({"serving_size": 10})).await.ok();
    service.delete(&format!("/nutrition_records/{}", id(1))).await;
    let before = list("2025-01-01", "2025-12-01").await.ok().as_array().unwrap().len();
    service.post("/nutrition_records", &json!({"body": green(b"m"), "consumed_at": "2025-06-10T10:00:00Z"})).await.ok();
    service.post("/nutrition_records", &json!({"body": green(b"n")})).await.ok();

    let long = list("2025-01-01", "2025-12-01").await;
    assert!(!long.headers.contains_key("content-length"), "the list is streamed");
    let long = long.ok().as_array().unwrap().clone();
    assert_eq!(long.len(), before + 2);
    let consumed: Vec<i64> = long.iter().map(|record| seconds(&record["consumed_at"])).collect();
    assert!(consumed.is_sorted());
    let mut short = Vec::new();
    for month in 1..12 {
        let part = list(&format!("2025-{month:02}-01"), &format!("2025-{:02}-01", month + 1)).await.ok();
        short.extend(part.as_array().unwrap().clone());
    }
    assert_eq!(long, short);
}
