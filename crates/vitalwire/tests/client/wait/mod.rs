//! Tests of waits with real sockets: requests, intervals, ends and errors.

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

/// A server that responds to the upload with the status `first` and to reads with the statuses `then`, of which the last one repeats.
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

fn request_lines(server: &Server) -> Vec<String> {
    server.requests().iter().map(|seen| seen.line().trim_end_matches(" HTTP/1.1").to_owned()).collect()
}

#[tokio::test]
async fn an_upload_is_sent_once_and_its_record_is_read_until_it_has_ended() {
    let server = analysis("pending", &["pending", "processing", "completed"]);
    let reports = Arc::new(Mutex::new(Vec::new()));
    let recorded = reports.clone();
    let wait = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait().interval(MILLI(5), MILLI(10));
    let record = wait.on_progress(move |p| recorded.lock().unwrap().push((p.polls, p.status.to_owned()))).await.unwrap();
    assert_eq!(record.status, NutritionStatus::Completed);
    // In a record that is read, numbers are per serving. In the response of an upload this is unknown.
    assert_eq!(record.nutritional_fields.as_ref().unwrap().basis(), NumberBasis::PerServing);
    let get = "GET /v3/nutrition_records/n-1";
    assert_eq!(request_lines(&server), ["POST /v3/nutrition_records", get, get, get]);
    let reports = reports.lock().unwrap();
    let reports: Vec<_> = reports.iter().map(|(polls, status)| (*polls, status.as_str())).collect();
    assert_eq!(reports, [(0, "pending"), (1, "pending"), (2, "processing"), (3, "completed")]);
}

#[tokio::test]
async fn failed_and_updated_end_a_wait() {
    for (status, is) in [("failed", NutritionStatus::Failed), ("updated", NutritionStatus::Updated)] {
        let server = Server::always(record(status));
        let record = client(&server).nutrition_records().wait_for("n-1").await.unwrap();
        assert_eq!(record.status, is);
        assert_eq!(request_lines(&server), ["GET /v3/nutrition_records/n-1"]);
    }
}

/// With `wait_on_process` the response has ended, but the record is still read at once for its numbers.
#[tokio::test]
async fn the_record_of_an_ended_upload_is_read_without_waiting() {
    let server = analysis("completed", &["completed"]);
    let started = Instant::now();
    let wait = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").wait_on_process(true).and_wait();
    let wait = wait.interval(MILLI(60_000), MILLI(60_000));
    assert_eq!(wait.await.unwrap().status, NutritionStatus::Completed);
    assert!(started.elapsed() < PATIENCE, "the interval of one minute was used");
    assert_eq!(request_lines(&server).len(), 2);
}

#[tokio::test]
async fn the_first_read_is_after_a_second_by_default() {
    let server = analysis("processing", &["completed"]);
    let started = Instant::now();
    client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait().await.unwrap();
    assert!((MILLI(1000)..PATIENCE).contains(&started.elapsed()), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_wait_continues_on_unknown_statuses_and_reports_them() {
    let server = analysis("queued", &["reviewing", "completed"]);
    let reports = Arc::new(Mutex::new(Vec::new()));
    let recorded = reports.clone();
    let wait = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait().interval(MILLI(5), MILLI(5));
    wait.on_progress(move |p| recorded.lock().unwrap().push(p.status.to_owned())).await.unwrap();
    assert_eq!(*reports.lock().unwrap(), ["queued", "reviewing", "completed"]);
}

#[tokio::test]
async fn a_timeout_error_of_a_wait_has_the_last_record_and_its_id() {
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

/// The response takes longer than the timeout of the wait.
#[tokio::test]
async fn the_timeout_also_applies_during_a_read() {
    let server = Server::always(Reply::SendAndHang(Vec::new()));
    let started = Instant::now();
    let error = client(&server).nutrition_records().wait_for("n-1").timeout(MILLI(200)).await.unwrap_err();
    assert_eq!(error.error().kind(), ErrorKind::Timeout);
    assert!(error.last().is_none());
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

#[tokio::test]
async fn an_error_of_a_wait_has_the_record_id_of_the_upload() {
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
async fn a_wait_for_a_lab_report_ends() {
    let server = Server::with_script(|seen: &Request, _| {
        let body = r#"{"record_id":"r-7","status":"completed","sections":null}"#;
        if seen.line().starts_with("POST") { json(200, &format!(r#"{{"lab_report":{body}}}"#)) } else { json(200, body) }
    });
    let report = client(&server).lab_reports().upload(b"%PDF-1.7", "report.pdf").and_wait().await.unwrap();
    assert_eq!(report.status, LabReportStatus::Completed);
    assert_eq!(request_lines(&server), ["POST /v3/lab_reports", "GET /v3/lab_reports/r-7"]);
}

/// Without a record to read, the same call is repeated.
#[tokio::test]
async fn benefits_are_requested_again_until_success() {
    let requests = Mutex::new(0);
    let server = Server::with_script(move |_: &Request, _| {
        let mut requests = requests.lock().unwrap();
        *requests += 1;
        json(200, &format!(r#"{{"id":"b-1","status":"{}"}}"#, if *requests < 3 { "pending" } else { "success" }))
    });
    let wait = client(&server).care().benefits("c", "p", "y").and_wait().interval(MILLI(5), MILLI(5));
    assert_eq!(wait.await.unwrap().status, BenefitsStatus::Success);
    assert_eq!(request_lines(&server), vec!["GET /public/v1/clinics/c/patients/p/policies/y/benefits"; 3]);
}

#[tokio::test]
async fn an_unsafe_id_in_a_response_is_a_decode_error() {
    for id in ["", "..", "."] {
        let server = Server::with_script(move |_: &Request, _| {
            json(200, &format!(r#"{{"record_id":"{id}","status":"completed","uploaded_at":"2025-01-31T06:30:00Z"}}"#))
        });
        let error = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait().await.unwrap_err();
        assert_eq!(error.error().kind(), ErrorKind::Decode, "{id:?}");
        assert_eq!(request_lines(&server), ["POST /v3/nutrition_records"]);
    }
}

#[tokio::test]
async fn an_unsafe_id_of_the_caller_is_an_invalid_argument() {
    let server = Server::always(record("completed"));
    let error = client(&server).nutrition_records().wait_for("..").await.unwrap_err();
    assert_eq!(error.error().kind(), ErrorKind::InvalidArgument);
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn an_interval_of_zero_is_an_error_before_a_request() {
    let server = analysis("pending", &["completed"]);
    let wait = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").and_wait();
    let error = wait.interval(MILLI(0), MILLI(5)).await.unwrap_err();
    assert_eq!((error.error().kind(), error.error().argument()), (ErrorKind::InvalidArgument, Some("interval")));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn dropping_a_wait_ends_its_requests() {
    let server = analysis("pending", &["processing"]);
    let wait = client(&server).nutrition_records().wait_for("n-1").interval(MILLI(10), MILLI(10));
    tokio::select! {
        _ = wait.send() => panic!("it never ends"),
        () = server.wait_for(2) => {}
    }
    let requests = server.requests().len();
    tokio::time::sleep(MILLI(100)).await;
    assert!(server.requests().len() <= requests + 1, "one read may have been in flight");
}

/// All requests have the headers and the token of the call. Only the first has its query parameters.
#[tokio::test]
async fn call_options_apply_to_all_requests() {
    let server = analysis("pending", &["completed"]);
    let options = vitalwire::client::CallOptions::new().header("x-trace", "t-1").token("own-token").query("verbose", "1");
    let call = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").options(options);
    call.and_wait().interval(MILLI(5), MILLI(5)).await.unwrap();
    for seen in server.requests() {
        assert_eq!((seen.header("x-trace"), seen.header("authorization")), (Some("t-1"), Some("Bearer own-token")));
    }
    assert_eq!(request_lines(&server), ["POST /v3/nutrition_records?verbose=1", "GET /v3/nutrition_records/n-1"]);
}

#[cfg(feature = "blocking")]
#[test]
fn a_wait_can_block_its_thread() {
    let server = Server::always(record("completed"));
    let client = client(&server);
    assert_eq!(client.nutrition_records().wait_for("n-1").send_blocking().unwrap().status, NutritionStatus::Completed);
}

#[tokio::test]
async fn a_cancelled_wait_reports_the_last_record() {
    let server = analysis("pending", &["processing"]);
    let token = CancelToken::new();
    let stop = token.clone();
    let options = CallOptions::new().cancel_token(&token);
    let upload = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").options(options);
    let wait = upload.and_wait().interval(MILLI(5), MILLI(5));
    let wait = wait.timeout(Duration::from_secs(60)).on_progress(move |progress| {
        // After the second read.
        if progress.polls == 2 {
            stop.cancel();
        }
    });
    let started = Instant::now();
    let error = wait.await.unwrap_err();
    assert_eq!((error.error().kind(), error.record_id()), (ErrorKind::Cancelled, Some("n-1")));
    // The service has the picture. A second upload would create a duplicate.
    assert!(error.error().may_have_taken_effect() && !error.error().is_transient());
    assert_eq!(error.last().unwrap().status, NutritionStatus::Processing);
    assert!(started.elapsed() < PATIENCE);
    assert_eq!(request_lines(&server).len(), 3);
}

#[tokio::test]
async fn a_wait_that_is_cancelled_before_its_start_sends_no_request() {
    let server = analysis("pending", &["completed"]);
    let token = CancelToken::new();
    token.cancel();
    let error =
        client(&server).nutrition_records().get("n-1").options(CallOptions::new().cancel_token(&token)).and_wait().await.unwrap_err();
    assert!(request_lines(&server).is_empty());
    assert_eq!((error.error().kind(), error.record_id(), error.last().is_some()), (ErrorKind::Cancelled, None, false));
}
