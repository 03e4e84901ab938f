//! Operations that read: their requests and their decoded responses.

use vitalwire::open_sets::{BenefitsStatus, LabReportStatus, NutritionStatus, ProviderSlug};
use vitalwire::value::OpenSet;
use vitalwire_testkit::{Request, Server, json};

use crate::api::{client, instant, only, pairs, query, raw_query, target};

/// Checks that a request has the health token and no body.
fn assert_health_read(seen: &Request) {
    assert_eq!(seen.header("authorization"), Some("Bearer health-token"));
    assert_eq!(seen.header("accept"), Some("application/json"));
    assert_eq!(seen.header("content-type"), None);
    assert_eq!(seen.header("api-version"), None);
    assert!(seen.body.is_empty());
}

const REPORT: &str = r#"{"record_id":"11111111-2222-4333-8444-555555555555","status":"completed"}"#;
const MEAL: &str = r#"{"record_id":"11111111-2222-4333-8444-555555555555","status":"updated",
    "uploaded_at":"2025-01-31T12:00:00Z","modified_at":"2025-01-31T12:00:05.25"}"#;

#[tokio::test]
async fn user_info_is_requested_and_decoded() {
    let server = Server::always(json(
        200,
        r#"{"application_id":42,"application_user_id":"user-1","created_at":"2024-10-29T08:00:00Z",
            "integrated_providers":[{"provider_slug":"whoop","is_integration_broken":true,"provider_integration_id":7}]}"#,
    ));
    let user = client(&server).user().info().await.unwrap();
    assert_eq!((user.application_id, user.application_user_id.as_deref()), (Some(42), Some("user-1")));
    let provider = &user.integrated_providers.as_slice()[0];
    assert_eq!(provider.provider_slug, Some(ProviderSlug::Whoop));
    assert_eq!((provider.is_integration_broken, provider.provider_integration_id), (Some(true), Some(7)));
    assert_eq!((user.metadata().status, user.metadata().attempts), (200, 1));
    let seen = only(&server);
    assert_health_read(&seen);
    assert_eq!((target(&seen), raw_query(&seen)), ("GET /v3/userinfo", None));
}

#[tokio::test]
async fn user_properties_are_requested_and_decoded() {
    let server = Server::always(json(200, r#"{"properties":{"birth_year":1980,"weight":72.5}}"#));
    let response = client(&server).user().properties().await.unwrap();
    let properties = response.properties.as_ref().unwrap();
    assert_eq!((properties.birth_year, properties.weight), (Some(1980), Some(72.5)));
    let seen = only(&server);
    assert_health_read(&seen);
    assert_eq!((target(&seen), raw_query(&seen)), ("GET /v3/userproperties", None));
}

#[tokio::test]
async fn a_consent_url_is_requested_with_its_parameters() {
    let server = Server::always(json(200, r#"{"provider_slug":"ultrahuman","path":"https://consent.example/x"}"#));
    let client = client(&server);
    let call = client.integrations().init_url(ProviderSlug::Ultrahuman);
    let call = call.redirect_uri("https://app.example/back?a=1&b=ü").state("a b+c&d=e#f").provider_user_id("jane@example.org");
    let init = call.await.unwrap();
    assert_eq!(init.path.as_deref(), Some("https://consent.example/x"));
    assert_eq!(init.provider_slug, Some(ProviderSlug::Ultrahuman));
    let seen = only(&server);
    assert_health_read(&seen);
    assert_eq!(target(&seen), "GET /v3/providers/ultrahuman/integration/init_url");
    let expected =
        [("provider_user_id", "jane@example.org"), ("redirect_uri", "https://app.example/back?a=1&b=ü"), ("state", "a b+c&d=e#f")];
    assert_eq!(query(&seen), pairs(&expected));

    client.integrations().init_url("samsung_health_data").await.unwrap();
    let seen = server.requests();
    assert_eq!(seen[1].line(), "GET /v3/providers/samsung_health_data/integration/init_url HTTP/1.1", "no `?` without parameters");
}

#[tokio::test]
async fn lab_reports_are_listed_and_read() {
    let server = Server::in_order([json(200, &format!("[{REPORT}]")), json(200, "null"), json(200, "[]"), json(200, REPORT)]);
    let client = client(&server);
    let call = client.lab_reports().list();
    let list = call.from_timestamp(instant("2025-01-01T00:00:00")).to_timestamp(instant("2025-02-01T00:00:00.5+01:00")).await.unwrap();
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].status, LabReportStatus::Completed);
    assert!(client.lab_reports().list().await.unwrap().is_empty(), "null is an empty list");
    assert!(client.lab_reports().list().await.unwrap().is_empty());
    let one = client.lab_reports().get("11111111-2222-4333-8444-555555555555").await.unwrap();
    assert_eq!(one.record_id.as_str(), "11111111-2222-4333-8444-555555555555");

    let seen = server.requests();
    seen.iter().for_each(assert_health_read);
    assert_eq!(target(&seen[0]), "GET /v3/lab_reports");
    let expected = [("from_timestamp", "2025-01-01T00:00:00Z"), ("to_timestamp", "2025-01-31T23:00:00.5Z")];
    assert_eq!(query(&seen[0]), pairs(&expected));
    assert_eq!(seen[1].line(), "GET /v3/lab_reports HTTP/1.1");
    assert_eq!(seen[3].line(), "GET /v3/lab_reports/11111111-2222-4333-8444-555555555555 HTTP/1.1");
}

#[tokio::test]
async fn nutrition_records_are_listed_and_read() {
    let server = Server::in_order([json(200, &format!("[{MEAL},{MEAL}]")), json(200, " null\n"), json(200, MEAL)]);
    let client = client(&server);
    let call = client.nutrition_records().list();
    let list = call.from_timestamp(instant("2025-01-01T00:00:00Z")).to_timestamp(instant("2025-02-01T00:00:00Z")).await.unwrap();
    assert_eq!(list.len(), 2);
    assert_eq!(list[1].status, NutritionStatus::Updated);
    assert_eq!(list[1].modified_at, instant("2025-01-31T12:00:05.250Z"));
    assert!(client.nutrition_records().list().await.unwrap().is_empty(), "null is an empty list");
    let one = client.nutrition_records().get("meal 1").await.unwrap();
    assert_eq!(one.uploaded_at, instant("2025-01-31T12:00:00Z"));

    let seen = server.requests();
    seen.iter().for_each(assert_health_read);
    assert_eq!(target(&seen[0]), "GET /v3/nutrition_records");
    let expected = [("from_timestamp", "2025-01-01T00:00:00Z"), ("to_timestamp", "2025-02-01T00:00:00Z")];
    assert_eq!(query(&seen[0]), pairs(&expected));
    assert_eq!(seen[1].line(), "GET /v3/nutrition_records HTTP/1.1");
    assert_eq!(seen[2].line(), "GET /v3/nutrition_records/meal%201 HTTP/1.1");
}

#[tokio::test]
async fn a_sleep_is_read_with_its_parameters() {
    let body = r#"{"sleep_id":"night","modified_at":"2025-01-31T07:00:00Z","start_at_timestamp":"2025-01-30T22:00:00Z","stages":null}"#;
    let server = Server::always(json(200, body));
    let client = client(&server);
    let night = client.sleeps().get("night").include_stages(true).include_samples(false).await.unwrap();
    assert_eq!(night.sleep_id.as_deref(), Some("night"));
    assert!(night.stages.is_null() && night.record_ids.is_absent());
    client.sleeps().get("night").await.unwrap();
    let seen = server.requests();
    seen.iter().for_each(assert_health_read);
    assert_eq!(target(&seen[0]), "GET /v3/queries/sleeps/night");
    assert_eq!(query(&seen[0]), pairs(&[("include_samples", "false"), ("include_stages", "true")]));
    assert_eq!(seen[1].line(), "GET /v3/queries/sleeps/night HTTP/1.1");
}

#[tokio::test]
async fn benefits_are_requested_from_the_care_service_with_its_token() {
    let health = Server::always(json(500, "{}"));
    let server = Server::always(json(200, r#"{"id":"b-1","status":"success","data":{"planType":"PPO"}}"#));
    let client = crate::api::builder(&health).care_base_url(format!("{}/gate", server.url())).build().unwrap();
    let benefits = client.care().benefits("clinic 1", "p/2", "3").await.unwrap();
    assert_eq!((benefits.id.as_str(), &benefits.status), ("b-1", &BenefitsStatus::Success));
    assert!(benefits.status.is_known());
    assert_eq!(benefits.data.as_ref().unwrap().plan_type.as_deref(), Some("PPO"));
    let seen = only(&server);
    assert_eq!(seen.line(), "GET /gate/public/v1/clinics/clinic%201/patients/p%2F2/policies/3/benefits HTTP/1.1");
    assert_eq!(seen.header("authorization"), Some("Bearer care-token"));
    assert_eq!(seen.header("accept"), Some("application/json"));
    assert_eq!(health.count(), 0);
}
