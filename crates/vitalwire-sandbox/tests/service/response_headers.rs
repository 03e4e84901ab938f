//! Headers of every response: the data set and the time of the sandbox's clock.

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Value, json};
use vitalwire_sandbox::{Builder, Sandbox};

use super::socket;
use super::support::{Service, TODAY, http, write_exchange};

/// Returns the date and the data set of a response, in lower case.
fn headers(response: &socket::RawResponse) -> [Option<String>; 2] {
    ["date", "vitalwire-sandbox"].map(|name| response.header(name))
}

fn at(date: &str) -> [Option<String>; 2] {
    [date, "seed=7"].map(|value| Some(value.to_owned()))
}

#[tokio::test]
async fn every_response_states_the_sandbox_clock_and_the_data_set() {
    let service = Service::new().await;
    let send = async |line: &str, headers: &[(&str, &str)]| socket::send_as_person(&service, line, headers, "").await;
    let noon = at("fri, 21 nov 2025 12:00:00 gmt");
    for (path, status) in [
        ("/v3/userinfo", 200),
        ("/v3/nothing", 404),
        ("/v3/queries/sleeps/nothing", 404),
        ("/care/public/v1/clinics/a/patients/b/policies/c/benefits", 401),
        ("/_sandbox/state", 200),
        ("/_sandbox/nothing", 404),
        ("/", 200),
    ] {
        let response = send(&format!("GET {path}"), &[]).await;
        assert_eq!((response.status(), headers(&response)), (status, noon.clone()), "{path}");
    }
    for fault in ["status; status=503", "truncate; percent=50", "wrong_length; by=1", "gzip", "html", "nonsense"] {
        let response = send("GET /v3/userinfo", &[("x-sandbox-fault", fault)]).await;
        assert_eq!(headers(&response), noon, "{fault}");
    }
    service.control_post("/clock", &json!({"set": "2026-01-02T03:04:05Z"})).await.ok();
    assert_eq!(headers(&send("GET /v3/userinfo", &[]).await), at("fri, 02 jan 2026 03:04:05 gmt"));
    let moved = service.send(service.control(Method::POST, "/clock").json(&json!({"advance": "1h"}))).await;
    assert_eq!(moved.headers["date"], "Fri, 02 Jan 2026 04:04:05 GMT");
}

/// A copy of one data set must not be continued with another one.
#[tokio::test]
async fn the_data_set_depends_on_all_settings_that_change_the_data() {
    let data_set = async |builder: Builder| {
        let sandbox = builder.seed(7).today(TODAY).start().await.unwrap();
        let response = http().get(format!("{}/_sandbox/state", sandbox.base_url())).send().await.unwrap();
        let data_set = response.headers()["vitalwire-sandbox"].to_str().unwrap().to_owned();
        sandbox.shutdown().await;
        data_set
    };
    let builders = || {
        [
            Sandbox::builder(),
            Sandbox::builder().missing(0.1),
            Sandbox::builder().missing(0.2),
            Sandbox::builder().effects("all".parse().unwrap()),
            Sandbox::builder().deliveries("person-2=late:3".parse().unwrap()),
        ]
    };
    let mut names = BTreeSet::new();
    for (builder, again) in builders().into_iter().zip(builders()) {
        let name = data_set(builder).await;
        assert_eq!(data_set(again).await, name);
        assert!(name == "seed=7" || name.starts_with("seed=7 options="), "{name}");
        assert!(names.insert(name), "two settings have the same name");
    }
    // More people, and settings that change only responses, keep the data of each person.
    assert_eq!(data_set(Sandbox::builder().people(9).null_for_empty(true)).await, "seed=7");
}

#[tokio::test]
async fn replayed_responses_keep_their_headers() {
    let folder = tempfile::tempdir().unwrap();
    let record = |name: &str, path: &str, headers: Value| {
        let request = json!({ "method": "GET", "path": path });
        let response = json!({ "status": 200, "headers": headers, "body": { "json": {} } });
        let exchange = json!({ "vitalwire_exchange": 1, "request": request, "response": response });
        std::fs::write(folder.path().join(name), exchange.to_string()).unwrap();
    };
    record("1.json", "/v3/userinfo", json!([["date", "Sun, 06 Nov 1994 08:49:37 GMT"]]));
    record("2.json", "/v3/userproperties", json!([]));
    let sandbox = Sandbox::builder().seed(7).today(TODAY).replay(folder.path()).start().await.unwrap();
    let token = sandbox.replay_token().expect("a token");
    let get =
        async |path: &str| http().get(format!("{}{path}", sandbox.base_url())).bearer_auth(token).send().await.unwrap().headers().clone();
    let recorded = get("/v3/userinfo").await;
    assert_eq!(recorded["date"], "Sun, 06 Nov 1994 08:49:37 GMT");
    assert!(!recorded.contains_key("vitalwire-sandbox"));
    // Without a recorded date, it is the machine's.
    let undated = get("/v3/userproperties").await;
    assert_ne!(undated["date"], "Fri, 21 Nov 2025 12:00:00 GMT");
    assert!(!undated.contains_key("vitalwire-sandbox"));
    assert_eq!(get("/_sandbox/state").await["vitalwire-sandbox"], "seed=7");
    sandbox.shutdown().await;
}

#[tokio::test]
async fn faults_apply_to_replayed_responses() {
    let folder = tempfile::tempdir().unwrap();
    write_exchange(folder.path(), "1.json", "/v3/userinfo", &json!({ "application_id": 1 }));
    write_exchange(folder.path(), "2.json", "/v3/userinfo", &json!({ "application_id": 2 }));
    let sandbox = Sandbox::builder().seed(7).today(TODAY).replay(folder.path()).start().await.unwrap();
    let token = sandbox.replay_token().expect("a token");
    let get = async |fault: &str| {
        let request = http().get(format!("{}/v3/userinfo", sandbox.base_url())).bearer_auth(token);
        let response = request.header("x-sandbox-fault", fault).send().await.unwrap();
        let is_recorded = response.headers().contains_key("x-recorded");
        assert_ne!(is_recorded, response.headers().contains_key("vitalwire-sandbox"), "{fault}");
        (response.status().as_u16(), is_recorded, response.json::<Value>().await.unwrap())
    };
    assert_eq!(get("delay; delay_ms=1").await, (200, true, json!({ "application_id": 1 })));
    // Replaces a response without taking it from the recording.
    let (status, is_recorded, problem) = get("status; status=503").await;
    assert_eq!((status, is_recorded, &problem["status"]), (503, false, &json!(503)));
    assert_eq!(get("unknown_members").await, (200, true, json!({ "application_id": 2, "synthetic_new_member": 0.5 })));
    sandbox.shutdown().await;
}
