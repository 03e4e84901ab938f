//! Webhooks: bodies, signatures, retries, redelivery and restarts.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};
use vitalwire_sandbox::{Sandbox, Webhook};

use super::pictures::green;
use super::support::{Service, ServiceResponse, seconds};
use super::webhook_receiver::{Receiver, hmac_hex};

const SECOND: Duration = Duration::from_secs(1);

impl Service {
    async fn control_json(&self, method: Method, path: &str, body: Option<Value>) -> ServiceResponse {
        let request = self.control(method, &format!("/{path}"));
        self.send(if let Some(body) = body { request.json(&body) } else { request }).await
    }

    async fn deliveries(&self) -> Vec<Value> {
        let answer = self.control_json(Method::GET, "webhooks/deliveries", None).await.ok();
        assert_eq!(answer["synthetic"], true);
        answer["deliveries"].as_array().unwrap().clone()
    }

    /// Waits until the delivery at index `at` of the log has this state and number of attempts.
    async fn wait_until(&self, at: usize, state: &str, attempts: usize) -> Value {
        for _ in 0..1_000 {
            let log = self.deliveries().await;
            if let Some(one) = log.get(at)
                && one["state"] == state
                && one["attempts"].as_array().unwrap().len() == attempts
            {
                return one.clone();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{state} after {attempts}: {:?}", self.deliveries().await);
    }

    fn advance(&self, seconds: u32) {
        self.sandbox.app().advance(SECOND * seconds).unwrap();
    }
}

const LAB_DOCUMENT: &str = "V2hpdGUgQmxvb2QgQ291bnQgNy4yIEsvdUwgKDQuMCAtIDExLjApCg==";

fn lab_upload() -> Value {
    json!({"body": LAB_DOCUMENT, "filename": "a.txt", "wait_on_process": true})
}

fn expected_body(record: &Value) -> Value {
    let mut record = record.clone();
    record["application_user_id"] = json!("person-1");
    record
}

#[test]
fn the_test_hmac_matches_rfc_4231() {
    let tag = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    assert_eq!(hmac_hex(b"Jefe", b"what do ya want for nothing?"), tag);
}

// statements: events.lab_webhook, events.nutrition_webhook, supplement.webhook.no_wrapper, supplement.webhook.signature
#[tokio::test]
async fn webhooks_contain_flat_signed_records() {
    let receiver = Receiver::start(200).await;
    let builder = Sandbox::builder().processing(SECOND * 20).webhook(Webhook::LabReports, &receiver.url);
    let service = Service::with_builder(builder.webhook(Webhook::NutritionRecords, &receiver.url).webhook_key("a webhook key")).await;
    let mut upload = lab_upload();
    upload["wait_on_process"] = json!(false);
    let receipt = service.post("/lab_reports", &upload).await.ok();
    service.advance(20);
    let first = receiver.wait_for(1).await[0].clone();
    let report = service.get(&format!("/lab_reports/{}", receipt["lab_report"]["record_id"].as_str().unwrap())).await.ok();
    assert_eq!(report["status"], "completed");
    assert!(first.head.starts_with("POST /hook?a=b HTTP/1.1"), "{}", first.head);
    assert_eq!(first.verify("a webhook key"), expected_body(&report));

    let meal = service.post("/nutrition_records", &json!({"body": green(b"x")})).await.ok();
    let path = format!("/nutrition_records/{}", meal["record_id"].as_str().unwrap());
    tokio::time::sleep(SECOND / 10).await;
    assert_eq!(receiver.count(), 1, "the initial state is not announced");
    service.advance(2);
    let processing = receiver.wait_for(2).await[1].verify("a webhook key");
    assert_eq!(processing["status"], "processing");
    assert_eq!(processing, expected_body(&service.get(&path).await.ok()));
    service.advance(18);
    let completed = receiver.wait_for(3).await[2].verify("a webhook key");
    assert_eq!((&completed["status"], &completed["dish_name"]), (&json!("completed"), &json!("mixed salad with olive oil")));
    assert_eq!(completed, expected_body(&service.get(&path).await.ok()));
    service.patch(&path, &json!({"serving_size": 10})).await.ok();
    let updated = receiver.wait_for(4).await[3].verify("a webhook key");
    assert_eq!((&updated["status"], &updated["serving_size"]), (&json!("updated"), &json!(10.0)));
    assert_eq!(updated, expected_body(&service.get(&path).await.ok()));

    // Nothing is sent for a record that is deleted before the announced instant.
    let meal = service.post("/nutrition_records", &json!({"body": green(b"y")})).await.ok();
    service.delete(&format!("/nutrition_records/{}", meal["record_id"].as_str().unwrap())).await;
    service.advance(20);
    service.wait_until(5, "dropped", 0).await;
    assert_eq!(receiver.count(), 4);
    let log = service.deliveries().await;
    assert_eq!((&log[0]["webhook"], &log[0]["record_id"]), (&json!("lab_reports"), &report["record_id"]));
    assert_eq!(log[0]["attempts"], json!([{"at": "2025-11-21T12:00:20Z", "status": 200, "failure": null}]));
    assert!(!json!(log).to_string().contains("dish_name"), "no bodies in the log");
}

// statements: supplement.webhook.response
#[tokio::test]
async fn failures_are_retried_on_the_documented_schedule() {
    let receiver = Receiver::start(500).await;
    let service = Service::with_builder(Sandbox::builder().webhook(Webhook::LabReports, &receiver.url)).await;
    service.post("/lab_reports", &lab_upload()).await.ok();
    // 5 s, 2 min, 30 min, 2 h, then every 12 h: ten retries.
    let pauses = [5, 120, 1_800, 7_200, 43_200, 43_200, 43_200, 43_200, 43_200, 43_200];
    for (number, pause) in pauses.into_iter().enumerate() {
        let one = service.wait_until(0, "pending", number + 1).await;
        let last = &one["attempts"][number];
        assert_eq!((last["status"].as_u64(), last["failure"].is_string()), (Some(if number == 1 { 204 } else { 500 }), true));
        // Only 200 is a success.
        receiver.set_status(if number == 0 { 204 } else { 500 });
        service.advance(pause - 1);
        tokio::time::sleep(SECOND / 50).await;
        assert_eq!(receiver.count(), number + 1, "a second too early");
        service.advance(1);
        receiver.wait_for(number + 2).await;
    }
    let one = service.wait_until(0, "given_up", 11).await;
    assert!(one["due_at"].is_null());
    service.advance(100_000);
    tokio::time::sleep(SECOND / 20).await;
    let all = receiver.wait_for(11).await;
    assert_eq!(all.len(), 11);
    assert!(all.iter().all(|one| one.body == all[0].body), "the same body each time");
}

#[tokio::test]
async fn a_redirect_is_a_failure_and_the_next_attempt_may_succeed() {
    let receiver = Receiver::start(302).await;
    let service = Service::with_builder(Sandbox::builder().webhook(Webhook::LabReports, &receiver.url)).await;
    service.post("/lab_reports", &lab_upload()).await.ok();
    let one = service.wait_until(0, "pending", 1).await;
    assert_eq!((&one["attempts"][0]["status"], &one["due_at"]), (&json!(302), &json!("2025-11-21T12:00:05Z")));
    receiver.set_status(200);
    // A jump over the whole schedule is one attempt.
    service.advance(1_000_000);
    service.wait_until(0, "delivered", 2).await;
    assert_eq!(receiver.count(), 2);
}

// statements: supplement.webhook.replay
#[tokio::test]
async fn duplicates_are_sent_on_demand() {
    let receiver = Receiver::start(200).await;
    let service = Service::new().await;
    let body = json!({"lab_reports": receiver.url, "key": "changed", "copies": 2});
    let answer = service.control_json(Method::PUT, "webhooks", Some(body)).await.ok();
    let expected = json!({
        "synthetic": true, "key": "changed", "copies": 2, "main": null, "lab_reports": receiver.url, "nutrition_records": null,
    });
    assert_eq!(answer, expected);
    assert_eq!(service.control_json(Method::GET, "webhooks", None).await.ok(), expected);
    service.post("/lab_reports", &lab_upload()).await.ok();
    let both = receiver.wait_for(2).await;
    both[0].verify("changed");
    assert_eq!(both[0].body, both[1].body);
    let id = service.wait_until(1, "delivered", 1).await["id"].clone();
    let send_again = service.control_json(Method::POST, "webhooks/deliveries", Some(json!({"send_again": id}))).await;
    assert_eq!(send_again.status, StatusCode::NO_CONTENT);
    assert_eq!(receiver.wait_for(3).await[2].body, both[0].body);
    service.control_json(Method::POST, "webhooks/deliveries", Some(json!({"send_again": 9}))).await.problem(404);

    service.control_json(Method::PUT, "webhooks", Some(json!({"lab_reports": null}))).await.ok();
    service.post("/lab_reports", &lab_upload()).await.ok();
    tokio::time::sleep(SECOND / 20).await;
    assert_eq!(receiver.count(), 3, "these webhooks are off");
}

#[tokio::test]
async fn only_valid_settings_are_accepted() {
    let service = Service::new().await;
    for url in ["", "nonsense", "https://127.0.0.1/", "http://192.0.2.1/", "http://example.com/", "ftp://localhost/"] {
        assert_eq!(service.control_json(Method::PUT, "webhooks", Some(json!({"main": url}))).await.problem(422), ["body.main"], "{url}");
        assert!(Sandbox::builder().webhook(Webhook::Main, url).start().await.is_err(), "{url}");
    }
    let odd = json!({"main": 1, "key": "", "copies": 6, "extra": true});
    let found = service.control_json(Method::PUT, "webhooks", Some(odd)).await.problem(422);
    assert_eq!(found, ["body.main", "body.key", "body.copies", "body.extra"]);
    let request = service.http.put(format!("{}/_sandbox/webhooks", service.sandbox.base_url())).json(&json!({}));
    service.send(request.header("origin", "http://evil.test")).await.problem(403);
    let before = service.control_json(Method::GET, "webhooks", None).await.ok();
    assert_eq!(before["key"], service.sandbox.app().webhook_key());
    assert!(before["main"].is_null());
}

// statements: supplement.webhook.changes
#[tokio::test]
async fn integration_changes_are_events_of_the_main_webhook() {
    let receiver = Receiver::start(200).await;
    let service = Service::with_builder(Sandbox::builder().webhook(Webhook::Main, &receiver.url).webhook_key("k")).await;
    let user = service.get("/userinfo").await.ok();
    let slug = user["integrated_providers"][0]["provider_slug"].as_str().unwrap();
    service.delete(&format!("/providers/{slug}/integration")).await;
    let events = receiver.wait_for(1).await[0].verify("k");
    assert_eq!(
        events,
        json!([{
            "application_user_id": "person-1", "timestamp": "2025-11-21T12:00:00Z", "event_type": "provider_integration_deleted",
            "provider_slug": slug,
        }])
    );
}

#[tokio::test]
async fn the_last_500_delivered_bodies_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let receiver = Receiver::start(200).await;
    let builder = || Sandbox::builder().webhook(Webhook::Main, &receiver.url).webhook_key("k").database(&file);
    let service = Service::with_builder(builder()).await;
    let change = async |at: usize| {
        let state = if at.is_multiple_of(2) { "connected" } else { "removed" };
        let body = json!({"user_id": "person-1", "provider_slug": "luna", "state": state});
        service.control_json(Method::POST, "integrations", Some(body)).await.ok();
    };
    change(0).await;
    let first = service.wait_until(0, "delivered", 1).await;
    for at in 1..=500 {
        change(at).await;
    }
    let all = receiver.wait_for(501).await;
    let last = service.wait_until(499, "delivered", 1).await;
    // The log has the last 500 deliveries. The first one and its body are gone.
    assert_eq!(service.deliveries().await.len(), 500);
    let send_again = async |service: &Service, id: &Value| {
        service.control_json(Method::POST, "webhooks/deliveries", Some(json!({"send_again": id}))).await
    };
    let too_old = send_again(&service, &first["id"]).await;
    assert_eq!((too_old.problem(410), too_old.detail().as_str()), (vec![], "the body was removed; the last 500 are kept"));
    assert_eq!(send_again(&service, &last["id"]).await.status, StatusCode::NO_CONTENT);
    let body: Value = receiver.wait_for(502).await[501].verify("k");
    assert_eq!((&body[0]["application_user_id"], &body[0]["provider_slug"]), (&json!("person-1"), &json!("luna")));
    assert!(all.iter().any(|one| one.verify("k") == body));
    service.wait_until(499, "delivered", 1).await;
    service.sandbox.shutdown().await;

    let database = rusqlite::Connection::open(&file).unwrap();
    let count = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM sent"), 500);
    assert_eq!(count("SELECT count(*) FROM documents WHERE kind = 'delivery'"), 502);
    assert_eq!(count("SELECT count(*) FROM documents WHERE kind = 'delivery' AND value LIKE '%provider_integration_%'"), 0);
    drop(database);
    // Bodies survive a restart.
    let service = Service::with_builder(builder()).await;
    assert_eq!(send_again(&service, &last["id"]).await.status, StatusCode::NO_CONTENT);
    assert_eq!(receiver.wait_for(503).await[502].verify("k"), body);
}

#[tokio::test]
async fn a_hanging_receiver_does_not_delay_others() {
    // The system accepts connections, but no response is ever sent.
    let hanging = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let receiver = Receiver::start(200).await;
    let builder = Sandbox::builder().webhook(Webhook::Main, format!("http://{}/", hanging.local_addr().unwrap()));
    let service = Service::with_builder(builder.webhook(Webhook::LabReports, &receiver.url)).await;
    for _ in 0..20 {
        for state in ["connected", "removed"] {
            let body = json!({"user_id": "person-1", "provider_slug": "luna", "state": state});
            service.control_json(Method::POST, "integrations", Some(body)).await.ok();
        }
    }
    service.post("/lab_reports", &lab_upload()).await.ok();
    receiver.wait_for(1).await;
    service.wait_until(40, "delivered", 1).await;
    assert_eq!(service.deliveries().await.iter().filter(|one| one["state"] == "pending").count(), 40);
}

#[tokio::test]
async fn a_webhook_that_is_sent_late_has_the_latest_change() {
    // The system accepts connections, but no response is ever sent.
    let hanging = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let receiver = Receiver::start(200).await;
    let builder = Sandbox::builder().webhook(Webhook::NutritionRecords, format!("http://{}/", hanging.local_addr().unwrap()));
    let service = Service::with_builder(builder.webhook_key("k")).await;
    let path = format!("/nutrition_records/{}", service.get("/nutrition_records").await.ok()[0]["record_id"].as_str().unwrap());
    // Eight webhooks are sent at a time, so the last two wait.
    for serving in 1..=10 {
        service.advance(1);
        service.patch(&path, &json!({"serving_size": serving})).await.ok();
    }
    service.control_json(Method::PUT, "webhooks", Some(json!({"nutrition_records": receiver.url}))).await.ok();
    drop(hanging);
    for at in [8, 9] {
        service.wait_until(at, "delivered", 1).await;
    }
    let expected = expected_body(&service.get(&path).await.ok());
    let latest = receiver.wait_for(2).await.iter().filter(|one| one.verify("k") == expected).count();
    assert!(latest >= 2, "{latest}");
}

#[tokio::test]
async fn changes_of_the_settings_at_once_are_all_kept() {
    let service = Service::new().await;
    for round in 0..20 {
        let url = format!("http://127.0.0.1:{}/", 1_000 + round);
        let put = async |name: &str| service.control_json(Method::PUT, "webhooks", Some(json!({name: url}))).await.ok();
        tokio::join!(put("main"), put("lab_reports"), put("nutrition_records"));
        let settings = service.control_json(Method::GET, "webhooks", None).await.ok();
        for name in ["main", "lab_reports", "nutrition_records"] {
            assert_eq!(settings[name], json!(url), "{name} in round {round}");
        }
    }
}

#[tokio::test]
async fn a_change_without_its_webhook_is_undone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let start = async || Service::with_builder(Sandbox::builder().webhook(Webhook::Main, "http://127.0.0.1:9/").database(&file)).await;
    let providers = async |service: &Service| service.get("/userinfo").await.ok()["integrated_providers"].clone();
    let service = start().await;
    let before = providers(&service).await;
    service.sandbox.shutdown().await;
    // Lets the second statement of a change fail.
    let database = rusqlite::Connection::open(&file).unwrap();
    let trigger = "CREATE TRIGGER refuse BEFORE INSERT ON documents WHEN new.kind = 'delivery' BEGIN SELECT RAISE(ABORT, 'full'); END";
    database.execute_batch(trigger).unwrap();
    drop(database);
    let service = start().await;
    service.delete(&format!("/providers/{}/integration", before[0]["provider_slug"].as_str().unwrap())).await.problem(500);
    assert_eq!(providers(&service).await, before);
    service.sandbox.shutdown().await;
    assert_eq!(providers(&start().await).await, before);
}

#[tokio::test]
async fn a_timed_out_wait_is_announced_once() {
    let receiver = Receiver::start(200).await;
    let builder = Sandbox::builder().processing(SECOND * 20).wait_limit(SECOND / 20).webhook(Webhook::LabReports, &receiver.url);
    let service = Service::with_builder(builder.webhook(Webhook::NutritionRecords, &receiver.url).webhook_key("k")).await;
    let meal = service.post("/nutrition_records", &json!({"body": green(b"x"), "wait_on_process": true})).await.ok();
    assert_eq!(meal["status"], "failed");
    assert_eq!(receiver.wait_for(1).await[0].verify("k"), expected_body(&meal));
    let report = service.post("/lab_reports", &lab_upload()).await.ok()["lab_report"].clone();
    assert_eq!(report["status"], "failed");
    assert_eq!(receiver.wait_for(2).await[1].verify("k"), expected_body(&report));
    // Deliveries announced for later instants are dropped.
    service.advance(100);
    let log = service.deliveries().await;
    assert_eq!(log.len(), 5, "{log:?}");
    for (at, state) in ["dropped", "dropped", "delivered", "dropped", "delivered"].into_iter().enumerate() {
        service.wait_until(at, state, usize::from(state == "delivered")).await;
    }
    assert_eq!(receiver.count(), 2);
}

// statements: events.metrics_lists, supplement.webhook.events, supplement.webhook.changes
#[tokio::test]
async fn one_webhook_has_the_nights_of_several_people() {
    let receiver = Receiver::start(200).await;
    let service = Service::with_builder(Sandbox::builder().webhook(Webhook::Main, &receiver.url).webhook_key("k")).await;
    // Waits until the sender has read the clock once.
    tokio::time::sleep(SECOND / 5).await;
    service.advance(24 * 3_600);
    let events = receiver.wait_for(1).await[0].verify("k");
    let events = events.as_array().unwrap();
    let mut users: Vec<&str> = events.iter().map(|event| event["application_user_id"].as_str().unwrap()).collect();
    users.sort_unstable();
    users.dedup();
    assert!(users.len() > 1 && users[0] == "person-1", "{users:?}");
    for event in events {
        assert_eq!(event["event_type"], "record_change");
        assert!(event["metrics"].as_array().unwrap().contains(&json!("sleep_duration")));
        assert_eq!(event["timestamp"], event["latest_record_end_at"]);
    }
    // The announced night of the first person can be read.
    let night = service.sandbox.people()[0].sleep_id("2025-11-22".parse().unwrap());
    let sleep = service.get(&format!("/queries/sleeps/{night}")).await.ok();
    let mine = |event: &&Value| event["application_user_id"] == "person-1" && event["provider_slug"] == sleep["provider_slug"];
    let mine: Vec<&Value> = events.iter().filter(mine).collect();
    assert_eq!(mine.len(), 1);
    assert_eq!(seconds(&mine[0]["earliest_record_start_at"]), seconds(&sleep["start_at_timestamp"]));
    assert_eq!(seconds(&mine[0]["latest_record_end_at"]), seconds(&sleep["end_at_timestamp"]));
}

#[tokio::test]
async fn deliveries_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    // A reserved port without a listener.
    let reserved = tokio::net::TcpSocket::new_v4().unwrap();
    reserved.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let free = reserved.local_addr().unwrap();
    let service = Service::with_builder(Sandbox::builder().database(&file)).await;
    let settings = json!({"lab_reports": format!("http://{free}/"), "key": "kept"});
    service.control_json(Method::PUT, "webhooks", Some(settings)).await.ok();
    let report = service.post("/lab_reports", &lab_upload()).await.ok()["lab_report"].clone();
    let one = service.wait_until(0, "pending", 1).await;
    assert_eq!((&one["attempts"][0]["status"], &one["attempts"][0]["failure"]), (&json!(null), &json!("the host cannot be reached")));
    service.sandbox.shutdown().await;

    let receiver = Receiver::listen_on(reserved.listen(16).unwrap(), 200);
    let service = Service::with_builder(Sandbox::builder().database(&file)).await;
    service.advance(5);
    assert_eq!(receiver.wait_for(1).await[0].verify("kept"), expected_body(&report));
    service.wait_until(0, "delivered", 2).await;
}
