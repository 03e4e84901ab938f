//! Waiting for analyses over real sockets: what is asked, how often, when it ends, and what an ended wait leaves behind.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use vitalwire::client::{CallOptions, CancelToken, Client};
use vitalwire::error::ErrorKind;
use vitalwire::open_sets::{BenefitsStatus, LabReportStatus, NutritionStatus};
use vitalwire::value::NumberBasis;
use vitalwire_testkit::{PATIENCE, Reply, Request, Server, json};

const MILLI: fn(u64) -> Duration = Duration::from_millis;

fn client(server: &Server) -> Client {
    let builder = Client::builder().base_url(server.url()).care_base_url(server.url());
    builder.token("health-token").care_token("care-token").no_proxy().retry_delay_scale(0.01).build().unwrap()
}

fn record(status: &str) -> Reply {
    json(
        200,
        &format!(
            r#"{{"record_id":"n-1","status":"{status}","uploaded_at":"2025-01-31T06:30:00Z","modified_at":"2025-01-31T06:31:00Z",
            "nutritional_fields":{{"energy_kcal":100}}}}"#
        ),
    )
}

/// The upload's answer, then one status per reading; the last one stays.
fn analysis(first: &'static str, then: &'static [&'static str]) -> Server {
    let reads = Mutex::new(0);
    Server::with_script(move |seen: &Request, _| {
        if seen.line().starts_with("POST") {
            return json(200, &format!(r#"{{"record_id":"n-1","status":"{first}","uploaded_at":"2025-01-31T06:30:00Z"}}"#));
        }
        let mut at = reads.lock().unwrap();
        *at += 1;
        record(then[(*at - 1).min(then.len() - 1)])
    })
}

fn lines(server: &Server) -> Vec<String> {
    server.requests().iter().map(|seen| seen.line().trim_end_matches(" HTTP/1.1").to_owned()).collect()
}

#[tokio::test]
async fn an_upload_is_sent_once_and_read_until_it_has_ended() {
    let server = analysis("pending", &["pending", "processing", "completed"]);
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = told.clone();
    let wait = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait().interval(MILLI(5), MILLI(10));
    let record = wait.on_progress(move |p| tell.lock().unwrap().push((p.polls, p.status.to_owned()))).await.unwrap();
    assert_eq!(record.status, NutritionStatus::Completed);
    // Read back, numbers are for the serving; an upload's answer would leave that unknown.
    assert_eq!(record.nutritional_fields.as_ref().unwrap().basis(), NumberBasis::PerServing);
    let get = "GET /v3/nutrition_records/n-1";
    assert_eq!(lines(&server), ["POST /v3/nutrition_records", get, get, get]);
    let told = told.lock().unwrap();
    let told: Vec<_> = told.iter().map(|(polls, status)| (*polls, status.as_str())).collect();
    assert_eq!(told, [(0, "pending"), (1, "pending"), (2, "processing"), (3, "completed")]);
}

#[tokio::test]
async fn failed_is_a_result_and_updated_is_an_end() {
    for (status, is) in [("failed", NutritionStatus::Failed), ("updated", NutritionStatus::Updated)] {
        let server = Server::always(record(status));
        let record = client(&server).nutrition_records().wait_for("n-1").await.unwrap();
        assert_eq!(record.status, is);
        assert_eq!(lines(&server), ["GET /v3/nutrition_records/n-1"]);
    }
}

/// `wait_on_process`: the answer has ended, but numbers are read from the record itself, at once.
#[tokio::test]
async fn an_upload_that_has_ended_is_read_without_waiting() {
    let server = analysis("completed", &["completed"]);
    let started = Instant::now();
    let wait = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").wait_on_process(true).and_wait();
    let wait = wait.interval(MILLI(60_000), MILLI(60_000));
    assert_eq!(wait.await.unwrap().status, NutritionStatus::Completed);
    assert!(started.elapsed() < PATIENCE, "the floor of one minute was waited for");
    assert_eq!(lines(&server).len(), 2);
}

#[tokio::test]
async fn unless_said_otherwise_the_first_reading_comes_after_a_second() {
    let server = analysis("processing", &["completed"]);
    let started = Instant::now();
    client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait().await.unwrap();
    assert!((MILLI(1000)..PATIENCE).contains(&started.elapsed()), "{:?}", started.elapsed());
}

#[tokio::test]
async fn an_unknown_status_is_waited_out_and_seen() {
    let server = analysis("queued", &["reviewing", "completed"]);
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = told.clone();
    let wait = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait().interval(MILLI(5), MILLI(5));
    wait.on_progress(move |p| tell.lock().unwrap().push(p.status.to_owned())).await.unwrap();
    assert_eq!(*told.lock().unwrap(), ["queued", "reviewing", "completed"]);
}

#[tokio::test]
async fn a_wait_that_runs_out_carries_the_last_record_and_its_id() {
    let server = analysis("pending", &["processing"]);
    let wait = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait();
    let started = Instant::now();
    let error = wait.interval(MILLI(20), MILLI(20)).timeout(MILLI(1500)).await.unwrap_err();
    assert!((MILLI(1490)..PATIENCE).contains(&started.elapsed()), "{:?}", started.elapsed());
    assert_eq!(error.error().kind(), ErrorKind::Timeout);
    assert_eq!(error.last().unwrap().status, NutritionStatus::Processing);
    assert_eq!(error.record_id(), Some("n-1"));
    let text = format!("{error} {error:?}");
    assert!(!text.contains("n-1") && !text.contains("processing"), "{text}");
    assert_eq!(vitalwire::Error::from(error).kind(), ErrorKind::Timeout);
}

/// The service answers, but slower than the wait may take.
#[tokio::test]
async fn the_time_ends_within_a_reading_too() {
    let server = Server::always(Reply::SendAndHang(Vec::new()));
    let started = Instant::now();
    let error = client(&server).nutrition_records().wait_for("n-1").timeout(MILLI(200)).await.unwrap_err();
    assert_eq!(error.error().kind(), ErrorKind::Timeout);
    assert!(error.last().is_none());
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_failure_while_waiting_leaves_the_upload_findable() {
    let server = Server::with_script(|seen: &Request, _| {
        if seen.line().starts_with("POST") {
            return json(200, r#"{"lab_report":{"record_id":"r-7","status":"processing","uploaded_at":"2025-01-31T06:30:00Z"}}"#);
        }
        json(404, r#"{"status":404,"title":"Not Found"}"#)
    });
    let wait = client(&server).lab_reports().upload(b"%PDF-1.7", "report.pdf").and_wait().interval(MILLI(5), MILLI(5));
    let error = wait.await.unwrap_err();
    assert_eq!(error.error().kind(), ErrorKind::NotFound);
    assert_eq!(error.record_id(), Some("r-7"));
    assert_eq!(error.error().operation(), Some("get_lab_report"));
}

#[tokio::test]
async fn a_lab_report_ends_completed() {
    let server = Server::with_script(|seen: &Request, _| {
        let body = r#"{"record_id":"r-7","status":"completed","sections":null}"#;
        if seen.line().starts_with("POST") { json(200, &format!(r#"{{"lab_report":{body}}}"#)) } else { json(200, body) }
    });
    let report = client(&server).lab_reports().upload(b"%PDF-1.7", "report.pdf").and_wait().await.unwrap();
    assert_eq!(report.status, LabReportStatus::Completed);
    assert_eq!(lines(&server), ["POST /v3/lab_reports", "GET /v3/lab_reports/r-7"]);
}

/// No record to read: the same call is made again.
#[tokio::test]
async fn benefits_are_asked_for_again_until_they_are_there() {
    let asked = Mutex::new(0);
    let server = Server::with_script(move |_: &Request, _| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        json(200, &format!(r#"{{"id":"b-1","status":"{}"}}"#, if *asked < 3 { "pending" } else { "success" }))
    });
    let wait = client(&server).care().benefits("c", "p", "y").and_wait().interval(MILLI(5), MILLI(5));
    assert_eq!(wait.await.unwrap().status, BenefitsStatus::Success);
    assert_eq!(lines(&server), vec!["GET /public/v1/clinics/c/patients/p/policies/y/benefits"; 3]);
}

#[tokio::test]
async fn an_id_that_would_leave_the_path_is_an_unreadable_answer() {
    for id in ["", "..", "."] {
        let server = Server::with_script(move |_: &Request, _| {
            json(200, &format!(r#"{{"record_id":"{id}","status":"completed","uploaded_at":"2025-01-31T06:30:00Z"}}"#))
        });
        let error = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait().await.unwrap_err();
        assert_eq!(error.error().kind(), ErrorKind::Decode, "{id:?}");
        assert_eq!(lines(&server), ["POST /v3/nutrition_records"]);
    }
}

#[tokio::test]
async fn the_callers_own_bad_id_is_an_invalid_argument() {
    let server = Server::always(record("completed"));
    let error = client(&server).nutrition_records().wait_for("..").await.unwrap_err();
    assert_eq!(error.error().kind(), ErrorKind::InvalidArgument);
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn asking_without_a_pause_is_refused_before_anything_is_sent() {
    let server = analysis("pending", &["completed"]);
    let wait = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait();
    let error = wait.interval(MILLI(0), MILLI(5)).await.unwrap_err();
    assert_eq!((error.error().kind(), error.error().argument()), (ErrorKind::InvalidArgument, Some("interval")));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn dropping_ends_the_asking() {
    let server = analysis("pending", &["processing"]);
    let wait = client(&server).nutrition_records().wait_for("n-1").interval(MILLI(10), MILLI(10));
    tokio::select! {
        _ = wait.send() => panic!("it never ends"),
        () = server.wait_for(2) => {}
    }
    let asked = server.requests().len();
    tokio::time::sleep(MILLI(100)).await;
    assert!(server.requests().len() <= asked + 1, "one reading may have been on its way");
}

/// Headers and token of the call go with every request; query pairs with the first only.
#[tokio::test]
async fn options_go_with_every_request() {
    let server = analysis("pending", &["completed"]);
    let options = vitalwire::client::CallOptions::new().header("x-trace", "t-1").token("own-token").query("verbose", "1");
    let call = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").options(options);
    call.and_wait().interval(MILLI(5), MILLI(5)).await.unwrap();
    for seen in server.requests() {
        assert_eq!((seen.header("x-trace"), seen.header("authorization")), (Some("t-1"), Some("Bearer own-token")));
    }
    assert_eq!(lines(&server), ["POST /v3/nutrition_records?verbose=1", "GET /v3/nutrition_records/n-1"]);
}

#[cfg(feature = "blocking")]
#[test]
fn on_this_thread() {
    let server = Server::always(record("completed"));
    let client = client(&server);
    assert_eq!(client.nutrition_records().wait_for("n-1").send_blocking().unwrap().status, NutritionStatus::Completed);
}

#[tokio::test]
async fn what_ends_the_waiting_early_leaves_what_was_known() {
    let server = analysis("pending", &["processing"]);
    let token = CancelToken::new();
    let stop = token.clone();
    let options = CallOptions::new().cancel_token(&token);
    let upload = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").options(options);
    let wait = upload.and_wait().interval(MILLI(5), MILLI(5));
    let wait = wait.timeout(Duration::from_secs(60)).on_progress(move |progress| {
        // After the second reading.
        if progress.polls == 2 {
            stop.cancel();
        }
    });
    let started = Instant::now();
    let error = wait.await.unwrap_err();
    assert_eq!((error.error().kind(), error.record_id()), (ErrorKind::Cancelled, Some("n-1")));
    // The picture was taken: sent again it would be there twice.
    assert!(error.error().may_have_taken_effect() && !error.error().is_transient());
    assert_eq!(error.last().unwrap().status, NutritionStatus::Processing);
    assert!(started.elapsed() < PATIENCE);
    assert_eq!(lines(&server).len(), 3);
}

#[tokio::test]
async fn what_ends_the_waiting_at_once_sends_nothing_more() {
    let server = analysis("pending", &["completed"]);
    let token = CancelToken::new();
    token.cancel();
    let error =
        client(&server).nutrition_records().get("n-1").options(CallOptions::new().cancel_token(&token)).and_wait().await.unwrap_err();
    assert!(lines(&server).is_empty());
    assert_eq!((error.error().kind(), error.record_id(), error.last().is_some()), (ErrorKind::Cancelled, None, false));
}
