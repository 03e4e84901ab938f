//! `POST /_sandbox/reset`: undoes all changes of callers and keeps the time.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};
use vitalwire_sandbox::Sandbox;

use super::pictures::green;
use super::support::{Service, ServiceResponse, http, write_exchange};
use super::webhook_receiver::Receiver;

/// Returns everything that callers can change, as they see it.
async fn visible_state(service: &Service) -> Vec<Value> {
    let care = format!("{}/public/v1/clinics/c/patients/p/policies/1/benefits", service.sandbox.care_base_url());
    vec![
        service.get("/nutrition_records?from_timestamp=2025-11-01T00:00:00Z&to_timestamp=2025-11-21T00:00:00Z").await.ok(),
        service.get("/lab_reports").await.ok(),
        service.get("/userinfo").await.ok(),
        service.send(service.http.get(care).bearer_auth(service.sandbox.care_token())).await.ok()["status"].clone(),
        service.control_get("/webhooks").await.ok(),
        service.control_get("/webhooks/deliveries").await.ok(),
        service.control_get("/faults").await.ok()["faults"].clone(),
    ]
}

async fn reset(service: &Service) -> ServiceResponse {
    service.send(service.control(Method::POST, "/reset").header("content-type", "application/json")).await
}

#[tokio::test]
async fn a_reset_restores_everything_but_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    for database in [None, Some(folder.path().join("sandbox.db"))] {
        let builder = || {
            let builder = Sandbox::builder().benefits_lookup(Duration::from_secs(60)).webhook_key("first");
            database.iter().fold(builder, |builder, path| builder.database(path))
        };
        let receiver = Receiver::start(200).await;
        let service = Service::with_builder(builder()).await;
        let app = service.sandbox.app().clone();
        let before = visible_state(&service).await;
        let meal = before[0][0]["record_id"].as_str().unwrap();
        let slug = before[2]["integrated_providers"][0]["provider_slug"].as_str().unwrap();

        let webhooks =
            json!({"main": receiver.url, "lab_reports": receiver.url, "nutrition_records": receiver.url, "key": "k", "copies": 2});
        service.send(service.control(Method::PUT, "/webhooks").json(&webhooks)).await.ok();
        service.delete(&format!("/nutrition_records/{meal}")).await;
        let upload = service.post("/nutrition_records", &json!({"body": green(b""), "consumed_at": "2025-11-20T12:00:00Z"})).await.ok();
        service.post("/lab_reports", &json!({"body": "V0JDIDcuMiBLL3VMCg==", "filename": "a.txt"})).await.ok();
        service.delete(&format!("/providers/{slug}/integration")).await;
        let page = service.get("/providers/luna/integration/init_url").await.ok()["path"].as_str().unwrap().to_owned();
        let connect = json!({"user_id": "person-1", "provider_slug": "luna", "state": "connected"});
        service.control_post("/integrations", &connect).await.ok();
        app.faults().add("status; status=503; times=always; operation=get_sleep".parse().unwrap());
        receiver.wait_for(1).await;
        app.advance(Duration::from_secs(120)).unwrap();
        app.set_scale(60.0).unwrap();
        let changed = visible_state(&service).await;
        assert!(before.iter().zip(&changed).all(|(before, changed)| before != changed), "{changed:#?}");

        let now = app.now();
        assert_eq!(reset(&service).await.status, StatusCode::NO_CONTENT);
        assert_eq!(service.control_get("/requests").await.ok()["requests"], json!([]));
        assert!(app.now() >= now && app.scale() == 0.0);
        assert_eq!(visible_state(&service).await, before);
        service.get(&format!("/nutrition_records/{}", upload["record_id"].as_str().unwrap())).await.problem(404);
        assert_eq!(service.send(service.http.get(page)).await.status, StatusCode::NOT_FOUND);
        // Ids are not reused.
        let second = service.post("/nutrition_records", &json!({"body": green(b"")})).await.ok();
        assert_ne!(second["record_id"], upload["record_id"]);
        service.control_post("/reset", &json!({})).await;
        let now = app.now();
        drop(app);
        service.sandbox.shutdown().await;

        if database.is_some() {
            let service = Service::with_builder(builder()).await;
            assert_eq!(visible_state(&service).await, before);
            assert_eq!(service.sandbox.app().now(), now);
        }
    }
}

#[tokio::test]
async fn a_reset_rewinds_a_replay_and_removes_faults() {
    let folder = tempfile::tempdir().unwrap();
    write_exchange(folder.path(), "1.json", "/v3/userinfo", &json!({ "application_id": 1 }));
    write_exchange(folder.path(), "2.json", "/v3/userinfo", &json!({ "application_id": 2 }));
    let sandbox = Sandbox::builder().replay(folder.path()).start().await.unwrap();
    let token = sandbox.replay_token().expect("a token");
    let get = async || {
        let request = http().get(format!("{}/v3/userinfo", sandbox.base_url())).bearer_auth(token);
        request.send().await.unwrap().json::<Value>().await.unwrap()["application_id"].clone()
    };
    assert_eq!([get().await, get().await, get().await], [1, 2, 2]);
    sandbox.app().faults().add("status; times=always".parse().unwrap());
    sandbox.app().reset().await.unwrap();
    assert_eq!([get().await, get().await], [1, 2]);
    sandbox.shutdown().await;
}

#[tokio::test]
async fn only_local_programs_may_reset() {
    let service = Service::new().await;
    service.post("/lab_reports", &json!({"body": "V0JDIDcuMiBLL3VMCg==", "filename": "a.txt"})).await.ok();
    let uploads = async || service.get("/lab_reports").await.ok().as_array().unwrap().len();
    let before = uploads().await;
    service.send(service.control(Method::POST, "/reset").json(&json!({})).header("origin", "http://evil.test")).await.problem(403);
    service.send(service.control(Method::POST, "/reset").json(&json!({})).header("sec-fetch-site", "cross-site")).await.problem(403);
    service.send(service.control(Method::POST, "/reset")).await.problem(415);
    service.send(service.control(Method::GET, "/reset")).await.problem(405);
    assert_eq!(service.control_post("/reset", &json!({"clock": true})).await.problem(422), ["body.clock"]);
    assert_eq!(uploads().await, before);
    service.sandbox.app().reset().await.unwrap();
    assert_eq!(uploads().await, before - 1);
}
