//! Tests of prepared uploads: another program sends the request, and the response is read later.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use rustls::{ClientConfig, RootCertStore};
use vitalwire::client::{CancelToken, CloseMode, RefreshReason, Token};
use vitalwire::error::BoxError;
use vitalwire::open_sets::NutrientName;
use vitalwire::{CallOptions, Client, Error, ErrorKind, Table, TableId, http};
use vitalwire_runtime::reqwest;
use vitalwire_testkit::canary::{CANARY, assert_absent};
use vitalwire_testkit::memory::run_in_child;
use vitalwire_testkit::{Reply, Request, Server, json, response};

use super::{GIF, JPEG, PDF, builder};

/// The first response to a lab report (supplement, "Lab reports").
const REPORT: &str = r#"{"lab_report":{"record_id":"r-1","status":"processing","uploaded_at":"2025-01-31T06:30:00Z"}}"#;
const MEAL: &str =
    r#"{"record_id":"n-1","status":"completed","uploaded_at":"2025-01-31T06:30:00Z","nutritional_fields":{"energy_kcal":512}}"#;

fn client(server: &Server) -> Client {
    builder(server).build().unwrap()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn received(status: u16, headers: &[(&str, &str)], body: &str) -> Result<http::Response<Bytes>, BoxError> {
    let response = http::Response::builder().status(status);
    let response = headers.iter().fold(response, |response, (name, value)| response.header(*name, *value));
    Ok(response.body(Bytes::from(body.to_owned())).unwrap())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Sends a prepared upload by another HTTP client.
async fn send(upload: &vitalwire::client::PreparedUpload) -> http::Response<Bytes> {
    let tls = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let tls = tls.with_safe_default_protocol_versions().unwrap().with_root_certificates(RootCertStore::empty()).with_no_client_auth();
    let http = reqwest::Client::builder().no_proxy().tls_backend_preconfigured(tls).build().unwrap();
    let request = http.request(upload.method.clone(), &upload.url).headers(upload.headers.clone());
    let response: http::Response<reqwest::Body> = request.body(fs::read(&upload.file).unwrap()).send().await.unwrap().into();
    let (parts, body) = response.into_parts();
    let body = reqwest::Response::from(http::Response::new(body)).bytes().await.unwrap();
    http::Response::from_parts(parts, body)
}

/// Headers of a request, without those that the sending program chooses.
fn headers(request: &Request) -> Vec<(String, Option<String>)> {
    let names = ["accept", "authorization", "content-length", "content-type", "user-agent", "x-app"];
    names.map(|name| (name.to_owned(), request.header(name).map(str::to_owned))).to_vec()
}

// statements: rule.upload.prepared
#[tokio::test]
async fn a_prepared_upload_is_the_request_of_the_call() {
    let server = Server::always(json(200, REPORT));
    let (client, folder) = (client(&server), folder());
    let call = || {
        client.lab_reports().upload(PDF, "a.pdf").wait_on_process(false).options(CallOptions::new().header("x-app", "1").query("q", "a b"))
    };
    let upload = call().prepare_upload(folder.path().join("body")).await.unwrap();
    assert_eq!(server.count(), 0);
    assert_eq!(
        upload.receipt,
        r#"{"version":1,"operation":"upload_lab_report","strict_lists":false,"keep_body":false,"token":"e3b98a4d"}"#
    );
    assert_eq!(upload.token_expires_at, None);
    // %PDF-1.7 and a line feed in base64.
    assert_eq!(fs::read_to_string(&upload.file).unwrap(), r#"{"body":"JVBERi0xLjcK","filename":"a.pdf","wait_on_process":false}"#);
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&upload.file).unwrap().permissions()) & 0o777, 0o600);

    let response = send(&upload).await;
    call().await.unwrap();
    let seen = server.requests();
    assert_eq!(seen[0].line(), "POST /v3/lab_reports?q=a+b HTTP/1.1");
    assert_eq!((seen[0].line(), headers(&seen[0]), &seen[0].body), (seen[1].line(), headers(&seen[1]), &seen[1].body));
    assert_eq!(seen[0].bearer(), Some("t"));

    // Another client stands for another process.
    let later = builder(&server).build().unwrap();
    let report = later.lab_reports().read_upload_response(&upload.receipt, Ok(response)).unwrap();
    assert_eq!(report.lab_report.record_id.as_str(), "r-1");
    assert_eq!((report.metadata().status, report.metadata().attempts, report.metadata().operation()), (200, 1, Some("upload_lab_report")));
}

/// Without the variables of the parent process, this test starts itself in a child process.
// statements: rule.upload.prepared
#[tokio::test]
async fn another_process_reads_the_response() {
    let server = Server::always(json(200, REPORT));
    if let Ok(receipt) = std::env::var("VITALWIRE_TEST_RECEIPT") {
        let report = client(&server).lab_reports().read_upload_response(&receipt, received(200, &[], REPORT)).unwrap();
        assert_eq!(report.lab_report.record_id.as_str(), "r-1");
        return;
    }
    let folder = folder();
    let upload = client(&server).lab_reports().upload(PDF, "a.pdf").prepare_upload(folder.path().join("body")).await.unwrap();
    run_in_child("upload::prepared::another_process_reads_the_response", &[("VITALWIRE_TEST_RECEIPT", &upload.receipt)]);
    // The file waits for a process that ended between preparing and sending.
    assert_eq!(files(folder.path()), [upload.file]);
}

#[tokio::test]
async fn a_response_is_decoded_as_the_call_requested_it() {
    let server = Server::always(json(200, MEAL));
    let (client, folder) = (client(&server), folder());
    let call =
        || client.nutrition_records().upload().body(JPEG).include_nutrition_fields([NutrientName::EnergyKcal, NutrientName::ProteinG]);
    for (number, include) in [false, true].into_iter().enumerate() {
        let call = || call().include_ingredients(include).options(CallOptions::new().keep_body(include).strict_lists(include));
        let upload = call().prepare_upload(folder.path().join(number.to_string())).await.unwrap();
        let meals = builder(&server).build().unwrap().nutrition_records();
        let read = meals.read_upload_response(&upload.receipt, received(200, &[("content-encoding", "gzip")], MEAL)).unwrap();
        let direct = call().await.unwrap();
        assert_eq!(*read, *direct);
        assert_eq!(read.body(), direct.body());
        assert_eq!(read.body().is_some(), include);
        // Tables have the columns that were requested, and none of the rows that were not.
        let tables = [&read, &direct].map(|meal| {
            [TableId::NutritionRecords, TableId::NutritionIngredients].map(|id| {
                let table = Table::read(id, "upload_nutrition_record", MEAL.as_bytes()).unwrap();
                let table = table.require_requested_rows(meal.metadata(), MEAL.as_bytes())?.with_requested_columns(meal.metadata());
                Ok::<_, Error>(table.columns().map(|column| column.field().name.to_string()).collect::<Vec<_>>())
            })
        });
        let [read, direct] = tables.map(|tables| tables.map(|table| table.map_err(|error| error.to_string())));
        assert_eq!(read, direct);
        let names = read[0].as_ref().unwrap();
        assert!(names.contains(&"energy_kcal".to_owned()) && names.contains(&"protein_g".to_owned()), "{names:?}");
        assert_eq!(read[1].is_ok(), include, "{:?}", read[1]);
    }
    // The client's settings apply when it prepares.
    let strict = builder(&server).strict_lists(true).build().unwrap();
    let upload = strict.nutrition_records().upload().body(JPEG).prepare_upload(folder.path().join("strict")).await.unwrap();
    assert_eq!(
        upload.receipt,
        r#"{"version":1,"operation":"upload_nutrition_record","unrequested":["nutrition_ingredients"],"strict_lists":true,"keep_body":false,"token":"e3b98a4d"}"#
    );
    let broken = MEAL.replace("\"status\"", "\"ingredients\":[7],\"status\"");
    let error = client.nutrition_records().read_upload_response(&upload.receipt, received(200, &[], &broken)).unwrap_err();
    assert_eq!((error.kind(), error.json_path(), error.record_id()), (ErrorKind::Decode, Some("ingredients[0]"), Some("n-1")));
}

// statements: rule.upload.prepared
#[tokio::test]
async fn errors_are_those_of_the_call() {
    const HTML: &str = "<html>CANARY-7f3a</html>";
    const EXPIRED: &str = r#"{"title":"Unauthorized","status":401,"detail":"expired jwt"}"#;
    // Kind and whether the upload may have taken effect, as documented for each status.
    let cases = [
        (401, vec![], EXPIRED, ErrorKind::Authentication, false),
        (403, vec![], "", ErrorKind::Permission, false),
        (404, vec![], "{}", ErrorKind::NotFound, false),
        (408, vec![], "", ErrorKind::Timeout, true),
        (413, vec![("content-type", "text/html")], HTML, ErrorKind::TooLarge, false),
        (422, vec![], r#"{"errors":[{"location":"body.filename","message":"CANARY-7f3a"}]}"#, ErrorKind::InvalidRequest, false),
        (429, vec![("retry-after", "7")], "", ErrorKind::RateLimited, false),
        (500, vec![("x-request-id", "abc")], "{}", ErrorKind::Service, true),
        (503, vec![("retry-after", "7")], "", ErrorKind::Service, true),
        (302, vec![("location", "https://example.org/CANARY-7f3a")], "", ErrorKind::UnexpectedStatus, true),
        (200, vec![("content-type", "text/html")], HTML, ErrorKind::Decode, true),
        (200, vec![], "", ErrorKind::Decode, true),
        // The response of another call, and a record that cannot be decoded.
        (200, vec![], MEAL, ErrorKind::Decode, true),
        (200, vec![], r#"{"lab_report":{"record_id":"r-1"}}"#, ErrorKind::Decode, true),
    ];
    let folder = folder();
    for (number, (status, headers, body, kind, effect)) in cases.into_iter().enumerate() {
        let server = Server::always(response(status, &headers, body.as_bytes()));
        let client = client(&server);
        let upload = client.lab_reports().upload(PDF, "a.pdf").prepare_upload(folder.path().join(number.to_string())).await.unwrap();
        let read = client.lab_reports().read_upload_response(&upload.receipt, received(status, &headers, body)).unwrap_err();
        let direct = client.lab_reports().upload(PDF, "a.pdf").max_retries(0).await.unwrap_err();
        assert_eq!((read.kind(), read.may_have_taken_effect()), (kind, effect), "{status} {body}");
        assert_eq!(read.to_string(), direct.to_string());
        assert_absent(&format!("{read} {read:?}"));
        let facts = |error: &Error| {
            let names = (error.request_id().map(str::to_owned), error.record_id().map(str::to_owned), error.json_path().map(str::to_owned));
            (error.status(), error.attempts(), error.retry_after(), error.is_transient(), names)
        };
        assert_eq!(facts(&read), facts(&direct));
        assert_eq!(read.retry_after(), matches!(status, 429 | 503).then_some(Duration::from_secs(7)));
        assert_eq!(read.problem(), direct.problem());
    }
}

#[tokio::test]
async fn without_a_response_an_upload_may_have_taken_effect() {
    let server = Server::always(Reply::Close);
    let (client, folder) = (client(&server), folder());
    let upload = client.lab_reports().upload(PDF, "a.pdf").prepare_upload(folder.path().join("body")).await.unwrap();
    let error = client.lab_reports().read_upload_response(&upload.receipt, Err("CANARY-7f3a".into())).unwrap_err();
    assert_eq!((error.kind(), error.may_have_taken_effect(), error.is_transient()), (ErrorKind::Transport, true, false));
    assert_eq!((error.status(), error.attempts(), error.operation()), (None, 1, Some("upload_lab_report")));
    assert!(error.to_string().contains("no response was received"), "{error}");
    assert_absent(&format!("{error} {error:?}"));

    let small = builder(&server).max_response_bytes(20).build().unwrap();
    let error = small.lab_reports().read_upload_response(&upload.receipt, received(200, &[], REPORT)).unwrap_err();
    assert_eq!((error.kind(), error.may_have_taken_effect()), (ErrorKind::TooLarge, true));
    small.close(CloseMode::Abort);
    let error = small.lab_reports().read_upload_response(&upload.receipt, received(200, &[], REPORT)).unwrap_err();
    assert_eq!((error.kind(), error.may_have_taken_effect()), (ErrorKind::Closed, true));
}

#[tokio::test]
async fn only_the_receipt_of_the_operation_is_accepted() {
    let server = Server::always(Reply::Close);
    let (client, folder) = (client(&server), folder());
    let upload = client.nutrition_records().upload().body(JPEG).prepare_upload(folder.path().join("body")).await.unwrap();
    let other = upload.receipt.replace("\"version\":1", "\"version\":2,\"more\":[]");
    let unknown = upload.receipt.replace("\"keep_body\"", "\"kept\":true,\"keep_body\"");
    for (receipt, reason) in [
        (upload.receipt.replace("upload_nutrition_record", "upload_lab_report"), ""),
        (upload.receipt.clone(), "another operation"),
        (other, "incompatible version"),
        (unknown, "must be the unchanged receipt"),
        (upload.receipt[1..].to_owned(), "must be the unchanged receipt"),
        (String::new(), "must be the unchanged receipt"),
        ("[".repeat(60_000), "must be the unchanged receipt"),
        (format!("{}{}", upload.receipt, " ".repeat(70_000)), "must be the unchanged receipt"),
        (CANARY.to_owned(), "must be the unchanged receipt"),
    ] {
        let read = client.lab_reports().read_upload_response(&receipt, received(200, &[], REPORT));
        let Err(error) = read else {
            assert_eq!(reason, "");
            continue;
        };
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("receipt")), "{receipt}");
        assert!(error.may_have_taken_effect(), "the request was sent");
        assert!(error.to_string().contains(reason) && !reason.is_empty(), "{error}");
        assert_absent(&error.to_string());
    }
}

// statements: rule.upload.prepared
#[tokio::test]
async fn a_file_that_exists_or_cannot_be_written_is_rejected() {
    let server = Server::always(Reply::Close);
    let (client, folder) = (client(&server), folder());
    let existing = folder.path().join(CANARY);
    fs::write(&existing, "kept").unwrap();
    let link = folder.path().join("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("target"), &link).unwrap();
    for (path, reason) in [
        (existing.clone(), "must not exist yet"),
        (folder.path().to_owned(), "must not exist yet"),
        (link, "must not exist yet"),
        (folder.path().join("missing").join(CANARY), "its folder does not exist"),
        (existing.join("file"), "its folder does not exist"),
        (PathBuf::new(), "its folder does not exist"),
        (PathBuf::from("/dev/null/x\0"), "cannot be written"),
    ] {
        let error = client.lab_reports().upload(PDF, "a.pdf").prepare_upload(&path).await.unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("file")), "{error}");
        assert!(error.to_string().contains(reason) && !error.may_have_taken_effect(), "{error}");
        assert_absent(&format!("{error} {error:?}"));
    }
    assert_eq!(fs::read(&existing).unwrap(), b"kept");
    assert_eq!(files(folder.path()).len(), if cfg!(unix) { 2 } else { 1 });
    assert_eq!(server.count(), 0);
}

#[tokio::test]
async fn a_call_that_would_fail_is_not_prepared() {
    let server = Server::always(Reply::Close);
    let (client, folder) = (client(&server), folder());
    let file = folder.path().join("body");
    let (labs, meals) = (client.lab_reports(), client.nutrition_records());
    let failed = |kind, argument: Option<&str>, result: Result<vitalwire::client::PreparedUpload, Error>| {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.argument()), (kind, argument), "{error}");
        assert_eq!(files(folder.path()), Vec::<PathBuf>::new());
    };
    failed(ErrorKind::InvalidArgument, Some("body"), meals.upload().body(GIF).prepare_upload(&file).await);
    failed(ErrorKind::InvalidArgument, Some("body"), labs.upload(b"", "a.pdf").prepare_upload(&file).await);
    // The limit is 7.5 MiB, which are 10 MiB in base64.
    failed(ErrorKind::TooLarge, Some("body"), labs.upload(vec![b'%'; 7_864_321], "a.pdf").prepare_upload(&file).await);
    let host = CallOptions::new().header("host", "example.org");
    failed(ErrorKind::InvalidArgument, Some("header"), labs.upload(PDF, "a.pdf").options(host).prepare_upload(&file).await);
    let cancel = CancelToken::new();
    cancel.cancel();
    failed(ErrorKind::Cancelled, None, labs.upload(PDF, "a.pdf").cancel_token(&cancel).prepare_upload(&file).await);

    let no_token = Client::builder().base_url(server.url()).build().unwrap();
    failed(ErrorKind::Configuration, Some("token"), no_token.lab_reports().upload(PDF, "a.pdf").prepare_upload(&file).await);
    let failing = |_: RefreshReason| async { Err::<Token, BoxError>(CANARY.into()) };
    let failing = Client::builder().base_url(server.url()).token_provider(failing).build().unwrap();
    failed(ErrorKind::Authentication, None, failing.lab_reports().upload(PDF, "a.pdf").prepare_upload(&file).await);
    let hanging = |_: RefreshReason| std::future::pending::<Result<Token, BoxError>>();
    let hanging = Client::builder().base_url(server.url()).token_provider(hanging).build().unwrap();
    let call = hanging.lab_reports().upload(PDF, "a.pdf").timeout(Duration::from_millis(50));
    failed(ErrorKind::Timeout, None, call.prepare_upload(&file).await);
    client.close(CloseMode::Abort);
    failed(ErrorKind::Closed, None, labs.upload(PDF, "a.pdf").prepare_upload(&file).await);
    // A token never leaves over plain HTTP: such a client cannot be built.
    let plain = Client::builder().base_url("http://health.example.org").token("t").build().unwrap_err();
    assert_eq!((plain.kind(), plain.argument()), (ErrorKind::Configuration, Some("base_url")));
    assert_eq!(server.count(), 0);
}

#[tokio::test]
async fn the_token_is_in_the_headers_only_and_its_expiry_is_stated() {
    let server = Server::always(Reply::Close);
    let folder = folder();
    let expiry = SystemTime::now() + Duration::from_secs(3600);
    let provider = move |_: RefreshReason| async move { Ok::<_, BoxError>(Token::expiring(CANARY, expiry)) };
    let client = Client::builder().base_url(server.url()).token_provider(provider).build().unwrap();
    let call = || client.lab_reports().upload(PDF, CANARY).options(CallOptions::new().query("q", CANARY).header("x-app", CANARY));
    let upload = call().prepare_upload(folder.path().join(CANARY)).await.unwrap();
    assert_eq!(upload.token_expires_at, Some(expiry));
    assert_eq!(upload.headers["authorization"], format!("Bearer {CANARY}"));
    assert_absent(&format!("{upload:?} {upload:#?} {:?} {}", upload.headers, upload.receipt));
    // The token of a call has no known expiry.
    let own = client.lab_reports().upload(PDF, "a.pdf").options(CallOptions::new().token("own"));
    let own = own.prepare_upload(folder.path().join("own")).await.unwrap();
    assert_eq!((own.token_expires_at, &own.headers["authorization"]), (None, &"Bearer own".parse().unwrap()));
}

#[tokio::test]
async fn after_a_401_the_next_upload_has_another_token() {
    let server = Server::always(Reply::Close);
    let folder = folder();
    let client = || {
        let reasons = Arc::new(Mutex::new(Vec::new()));
        let asked = Arc::clone(&reasons);
        let provider = move |reason: RefreshReason| {
            asked.lock().unwrap().push(reason);
            async move { Ok::<_, BoxError>(Token::new(if reason == RefreshReason::Rejected { "new" } else { "old" })) }
        };
        (Client::builder().base_url(server.url()).token_provider(provider).build().unwrap(), reasons)
    };
    let prepare = async |client: &Client, name: &str| {
        let upload = client.lab_reports().upload(PDF, "a.pdf").prepare_upload(folder.path().join(name)).await.unwrap();
        (upload.headers["authorization"].to_str().unwrap().to_owned(), upload.receipt)
    };
    let (first, reasons) = client();
    let (token, receipt) = prepare(&first, "a").await;
    assert_eq!(token, "Bearer old");
    let rejected = || received(401, &[], r#"{"status":401,"detail":"expired jwt"}"#);
    let error = first.lab_reports().read_upload_response(&receipt, rejected()).unwrap_err();
    assert_eq!((error.kind(), error.may_have_taken_effect()), (ErrorKind::Authentication, false));
    assert_eq!(prepare(&first, "b").await.0, "Bearer new");
    assert_eq!(prepare(&first, "c").await.0, "Bearer new");
    assert_eq!(*reasons.lock().unwrap(), [RefreshReason::Missing, RefreshReason::Rejected]);
    // The provider of another process may keep the rejected token.
    let (next, reasons) = client();
    next.lab_reports().read_upload_response(&receipt, rejected()).unwrap_err();
    assert_eq!(prepare(&next, "d").await.0, "Bearer new");
    assert_eq!(*reasons.lock().unwrap(), [RefreshReason::Rejected]);
    // The current token was not rejected: the upload had an earlier token, a token of its own, or a damaged receipt.
    let own = next.lab_reports().upload(PDF, "a.pdf").options(CallOptions::new().token("own"));
    let own = own.prepare_upload(folder.path().join("own")).await.unwrap().receipt;
    for receipt in [&receipt, &own, "{}"] {
        next.lab_reports().read_upload_response(receipt, rejected()).unwrap_err();
    }
    assert_eq!(prepare(&next, "e").await.0, "Bearer new");
    assert_eq!(*reasons.lock().unwrap(), [RefreshReason::Rejected]);
}

/// Starts itself in a namespace with a disk of 64 KiB, where the system allows to mount one.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_is_an_error_and_leaves_no_file() {
    use std::process::Command;

    const DISK: &str = "VITALWIRE_TEST_DISK";
    const SCRIPT: &str = "mount -t tmpfs -o size=64k none \"$VITALWIRE_TEST_DISK\" || exit 77
        exec \"$0\" --exact upload::prepared::a_full_disk_is_an_error_and_leaves_no_file";
    let Some(disk) = std::env::var_os(DISK).map(PathBuf::from) else {
        let (folder, program) = (folder(), std::env::current_exe().unwrap());
        if Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|status| status.success()) {
            let child = Command::new("unshare").args(["-rm", "sh", "-c", SCRIPT]).arg(program).env(DISK, folder.path()).output().unwrap();
            let ran = String::from_utf8_lossy(&child.stdout).contains("1 passed");
            assert!(child.status.code() == Some(77) || child.status.success() && ran, "{}", String::from_utf8_lossy(&child.stdout));
        }
        return;
    };
    let server = Server::always(Reply::Close);
    let labs = client(&server).lab_reports();
    let error = labs.upload(vec![b'%'; 100_000], "a.pdf").prepare_upload(disk.join("body")).await.unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("file")), "{error}");
    assert!(error.to_string().contains("no space is left"), "{error}");
    assert_eq!(files(&disk), Vec::<PathBuf>::new());
    labs.upload(PDF, "a.pdf").prepare_upload(disk.join("body")).await.unwrap();
}
