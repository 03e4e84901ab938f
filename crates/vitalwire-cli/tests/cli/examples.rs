//! Examples of the crates, each run as a process against the sandbox. Files `*.out` have what they print.

use std::collections::BTreeSet;
use std::io::Write as _;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};
use vitalwire::error::BoxError;

use crate::common::{RunningSandbox, control};
use crate::example_process::{Example, FOLDERS, NAME, START, path, send};

/// Declares the modules of the examples, and a function that runs one by its name.
macro_rules! examples {
    ($($(#[$when:meta])* $name:ident = $path:literal;)+) => {
        $($(#[$when])* #[path = $path] mod $name;)+

        fn run_by_name(name: &str) -> Result<(), BoxError> {
            $($(#[$when])* if name == stringify!($name) {
                return $name::run();
            })+
            Err(format!("{name} is no example").into())
        }

        const NAMES: &[&str] = &[$($(#[$when])* stringify!($name)),+];
    };
}

examples! {
    consent = "../../../vitalwire/examples/consent.rs";
    errors = "../../../vitalwire/examples/errors.rs";
    #[cfg(feature = "tables")]
    export = "../../../vitalwire-cohort/examples/export.rs";
    first_night = "../../../vitalwire/examples/first_night.rs";
    meals = "../../../vitalwire/examples/meals.rs";
    nights = "../../../vitalwire/examples/nights.rs";
    production = "../../../vitalwire/examples/production.rs";
    sqlite_copy = "../../../vitalwire-sync/examples/sqlite_copy.rs";
    token_server = "../../../vitalwire/examples/token_server.rs";
    tokens = "../../../vitalwire/examples/tokens.rs";
    upload = "../../../vitalwire/examples/upload.rs";
    webhooks = "../../../vitalwire/examples/webhooks.rs";
    year = "../../../vitalwire/examples/year.rs";
}

/// Runs the example that a variable names. The other tests start it in a process of its own, to read what it prints.
#[test]
#[ignore = "serves as the child process of the other tests, with the name of an example in its environment"]
fn run_example() {
    let name = std::env::var(NAME).expect("a name");
    println!("{START}");
    match run_by_name(&name) {
        Ok(()) => std::process::exit(0),
        Err(error) => {
            eprintln!("Error: {error:?}");
            std::process::exit(1);
        }
    }
}

/// An example that is not listed here would be compiled but never run.
#[test]
fn every_example_is_listed() {
    let entries = FOLDERS.iter().flat_map(|folder| std::fs::read_dir(path(folder)).expect("examples"));
    let files = entries.map(|entry| entry.expect("an entry").path());
    // Programs, and what they print.
    let found: BTreeSet<String> = files.map(|file| file.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    let listed: BTreeSet<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    let missing: Vec<&String> = found.symmetric_difference(&listed).collect();
    assert!(missing.is_empty() || (!cfg!(feature = "tables") && missing == ["export"]), "{missing:?}");
}

/// Starts the service of the pages: their days are over.
fn sandbox() -> RunningSandbox {
    RunningSandbox::start(&["--today", "2026-01-05"])
}

#[test]
fn examples_print_what_the_pages_show() {
    let served = sandbox();
    for name in ["errors", "first_night", "nights"] {
        Example::new(name, &served).check_output();
    }
    let meals = Example::new("meals", &served).output();
    assert!(meals.lines().count() >= 3 && meals.lines().all(|line| line.ends_with(": completed")), "{meals}");
    Example::new("upload", &served).with_file("lunch.png").with_file("report.pdf").check_output();
}

#[test]
fn a_missing_number_is_not_shown_as_0() {
    let served = sandbox();
    let fault = |text: &str| assert_eq!(control(&served, "POST", "/faults", &json!({ "fault": text }).to_string()).0, 201);
    fault("nulls; what=members; times=always; operation=get_sleep");
    let nights = Example::new("nights", &served).output();
    assert!(nights.contains("unknown min") && !nights.contains(" 0 min"), "{nights}");
    assert_eq!(Example::new("first_night", &served).output(), "");
    fault("nulls; what=members; times=always; operation=get_nutrition_record");
    fault("nulls; what=members; times=always; operation=get_lab_report");
    let uploads = Example::new("upload", &served).with_file("lunch.png").with_file("report.pdf").output();
    assert_eq!(uploads, "a meal, unknown energy\na test: unknown\na test: unknown\na test: unknown\n");
}

/// The wait for a meal fails, and the example waits for its record again.
#[test]
fn an_upload_continues_after_a_failed_wait() {
    let served = sandbox();
    let fault = json!({ "fault": "status; status=500; operation=get_nutrition_record" });
    assert_eq!(control(&served, "POST", "/faults", &fault.to_string()).0, 201);
    Example::new("upload", &served).with_file("lunch.png").with_file("report.pdf").check_output();
    let uploads = served_requests(&served, "upload_nutrition_record");
    assert_eq!(uploads, 1, "the picture is uploaded once");
}

/// Returns the number of requests of an operation.
fn served_requests(served: &RunningSandbox, operation: &str) -> usize {
    let (_, log) = control(served, "GET", "/requests", "");
    let requests = log["requests"].as_array().expect("a list");
    requests.iter().filter(|request| request["operation"] == operation).count()
}

#[test]
fn a_token_is_renewed_when_the_service_rejects_it() {
    // A token that is issued in the same second is the same.
    let served = RunningSandbox::start(&["--time-scale", "3600"]);
    let fault = json!({ "fault": "status; status=401; operation=get_user_info" });
    assert_eq!(control(&served, "POST", "/faults", &fault.to_string()).0, 201);
    Example::new("tokens", &served).check_output();
}

#[test]
fn metrics_show_a_retry() {
    let served = sandbox();
    let fault = json!({ "fault": "status; status=503; operation=get_user_info" });
    assert_eq!(control(&served, "POST", "/faults", &fault.to_string()).0, 201);
    Example::new("production", &served).check_output();
}

#[test]
fn a_server_returns_tokens_to_users_who_are_logged_in() {
    let served = sandbox();
    let mut example = Example::new("token_server", &served);
    let mut running = example.start();
    let address = running.address();
    const SESSION: &str = "authorization: Bearer a-session-of-person-1\r\n";
    for (method, path, headers, status) in [
        ("POST", "/token", "authorization: Bearer another\r\n", 401),
        ("POST", "/token", "authorization: a-session-of-person-1\r\n", 401),
        ("POST", "/token", "", 401),
        ("GET", "/token", SESSION, 405),
        ("POST", "/token/", SESSION, 404),
        ("POST", "/tokens", SESSION, 404),
    ] {
        let rejected = send(&address, method, path, headers, "");
        assert!(rejected.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path}: {rejected}");
    }
    let fault = json!({ "fault": "status; status=401; operation=exchange_token" });
    assert_eq!(control(&served, "POST", "/faults", &fault.to_string()).0, 201);
    assert!(send(&address, "POST", "/token", SESSION, "").starts_with("HTTP/1.1 502 "));
    let response = send(&address, "POST", "/token", SESSION, "");
    let (head, body) = response.split_once("\r\n\r\n").expect("a body");
    assert!(head.contains("\r\ncache-control: no-store"), "{head}");
    let body: Value = serde_json::from_str(body).expect("JSON");
    assert_eq!(body["expires_in"], 3600);
    let builder = vitalwire::Client::builder().base_url(served.field("base_url")).no_proxy();
    let client = builder.token(body["access_token"].as_str().expect("a token")).build().expect("a client");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { client.user().info().await }).expect("the token is accepted");
}

/// Sends a signed webhook, and returns the status.
fn send_webhook(key: &str, address: &str, body: &str) -> String {
    let signature = vitalwire::webhook::sign(body.as_bytes(), key);
    let response = send(address, "POST", "/", &format!("x-body-signature: {signature}\r\n"), body);
    response.split(' ').nth(1).expect("a status").to_owned()
}

#[test]
fn a_webhook_that_is_being_processed_is_requested_again() {
    let served = sandbox();
    let mut example = Example::new("webhooks", &served);
    let mut running = example.start();
    let (address, key) = (running.address(), served.field("webhook_key"));
    // A lab report and a meal can have these fields.
    assert_eq!(send_webhook(&key, &address, "{\"record_id\":\"1\",\"status\":\"completed\"}"), "400");
    // The server waits while it prints this name, because it does not fit into the pipe.
    let name = "n".repeat(1 << 20);
    let body = json!([{ "application_user_id": "person-1", "event_type": name }]).to_string();
    let (sender, statuses) = std::sync::mpsc::channel();
    for _ in 0..2 {
        let (sender, key, address, body) = (sender.clone(), key.clone(), address.clone(), body.clone());
        std::thread::spawn(move || sender.send(send_webhook(&key, &address, &body)));
    }
    assert_eq!(statuses.recv().as_deref(), Ok("503"));
    assert_eq!(running.line(), name);
    assert_eq!(statuses.recv().as_deref(), Ok("200"));
    assert_eq!(send_webhook(&key, &address, &body), "200");
}

#[test]
fn a_server_processes_each_webhook_once() {
    let served = sandbox();
    let mut example = Example::new("webhooks", &served);
    let mut running = example.start();
    let address = running.address();
    let url = format!("http://{address}/");
    let settings = json!({ "main": url, "lab_reports": url, "nutrition_records": url, "copies": 2 });
    assert_eq!(control(&served, "PUT", "/webhooks", &settings.to_string()).0, 200);
    let forged = send(&address, "POST", "/", "x-body-signature: 00\r\n", "[]");
    assert!(forged.starts_with("HTTP/1.1 401 "), "{forged}");

    let client = served.client();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut printed = String::new();
    let picture = std::fs::read(path("tests/cli/guide/lunch.png")).expect("a picture");
    runtime.block_on(async { client.lab_reports().upload("WBC 7.2 K/uL\n".as_bytes(), "a.txt").and_wait().await }).expect("a report");
    printed += &(running.line() + "\n");
    runtime.block_on(async { client.nutrition_records().upload().body(picture).and_wait().await }).expect("a meal");
    printed += &(running.line() + "\n");
    let user = runtime.block_on(async { client.user().info().await }).expect("a user");
    let slug = user.integrated_providers.iter().find_map(|known| known.provider_slug.clone()).expect("a provider");
    runtime.block_on(async { client.integrations().delete(slug).await }).expect("it ends");
    printed += &(running.line() + "\n");
    example.check(&printed);
}

#[test]
fn a_redirect_completes_the_consent() {
    let served = sandbox();
    let mut example = Example::new("consent", &served);
    let mut running = example.start();
    let line = running.line();
    let (address, path) = line.strip_prefix("open http://").and_then(|url| url.split_once('/')).expect("a URL");
    let path = format!("/{path}");
    let page = send(address, "GET", &path, "", "");
    let form_token = page.split_once("name=\"form_token\" value=\"").and_then(|(_, rest)| rest.split('"').next()).expect("a form");
    let form = format!("form_token={form_token}&answer=allow");
    let answer = send(address, "POST", &path, "content-type: application/x-www-form-urlencoded\r\n", &form);
    let redirect = answer.lines().find_map(|line| line.strip_prefix("location: ")).expect("a redirect");
    running.child.stdin.take().expect("a pipe").write_all(format!("{redirect}\n").as_bytes()).expect("it is read");
    assert_eq!([running.line(), running.line()], ["paste the URL that the browser ends at:", "oura is connected"]);
}

/// Makes the next request of a part of the year fail, without retries.
fn fail_a_part(served: &RunningSandbox) {
    let fault = json!({ "fault": "status; status=500; operation=daily_statistics" });
    assert_eq!(control(served, "POST", "/faults", &fault.to_string()).0, 201);
}

/// Each run that fails leaves a part to the next one, and no run changes the rows of an earlier one.
#[test]
fn a_year_continues_after_failed_parts() {
    let served = sandbox();
    let mut example = Example::new("year", &served);
    let complete = example.output();
    example.check(&complete);
    let parts: Vec<String> = (0..13).map(|part| format!("2025-part-{part:02}.csv")).collect();
    let expected: Vec<String> = parts.iter().map(|name| std::fs::read_to_string(example.folder.path().join(name)).expect(name)).collect();
    let days: Vec<&str> = expected.iter().flat_map(|text| text.lines().skip(1)).map(|row| &row[..10]).collect();
    assert_eq!((days.len(), days[0], days[364]), (365, "2025-01-01", "2025-12-31"));
    assert!(days.is_sorted() && expected.iter().all(|text| text.starts_with("date,steps,heartrate_resting\n")), "{expected:?}");

    let mut example = Example::new("year", &served);
    fail_a_part(&served);
    fail_a_part(&served);
    let first = example.failing_output();
    assert!(first.ends_with("part 13 of 13, 305 days\n"), "{first}");
    let written = files(example.folder.path());
    fail_a_part(&served);
    let second = example.failing_output();
    assert!(second.ends_with("part 2 of 2, 30 days\n"), "{second}");
    assert!(written.iter().filter(|(name, _)| name.as_str() != "2025.resume").all(|file| files(example.folder.path()).contains(file)));
    assert_eq!(example.output(), "part 1 of 1, 30 days\n");
    assert_eq!(files(example.folder.path()), parts.into_iter().zip(expected).collect::<Vec<_>>());
}

/// Returns the names and texts of all files in a folder. Only their owner can read them.
fn files(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<(String, String)> = entries
        .map(|file| {
            #[cfg(unix)]
            assert_eq!(file.metadata().expect("a mode").permissions().mode() & 0o777, 0o600, "{}", file.display());
            (file.file_name().expect("a name").to_string_lossy().into_owned(), std::fs::read_to_string(&file).expect("a text"))
        })
        .collect();
    files.sort();
    files
}

fn token_of_another_user(served: &RunningSandbox) -> String {
    let application_id = served.ready["application_id"].as_i64().expect("a number");
    let signature = vitalwire::signing::sign_user_id(served.field("application_key"), "person-2").expect("a signature");
    let client = served.client();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { client.tokens().exchange(application_id, "person-2", signature).await }).expect("a token").access_token.clone()
}

#[test]
fn the_resume_token_of_another_user_is_rejected() {
    let served = sandbox();
    let mut example = Example::new("year", &served);
    fail_a_part(&served);
    example.failing_output();
    let before = files(example.folder.path());
    example.set("VITALWIRE_TOKEN", &token_of_another_user(&served));
    assert_eq!(example.failing_output(), "");
    assert_eq!(files(example.folder.path()), before);
}

#[cfg(feature = "tables")]
#[test]
fn a_dataset_of_two_users_is_exported() {
    let served = sandbox();
    let mut example = Example::new("export", &served);
    let users = std::fs::read_to_string(path("tests/cli/guide/users.csv")).expect("a file");
    let users = users.replace(",1001,", &format!(",{},", served.ready["application_id"]));
    std::fs::write(example.folder.path().join("users.csv"), users).expect("written");
    example.check_output();
    assert!(example.folder.path().join("study/_manifest/dataset.json").exists());
}

/// Returns the records of the example's copy with their days, and its state.
fn copied(example: &Example) -> (Vec<(String, String, String)>, Vec<u8>) {
    let store = rusqlite::Connection::open(example.folder.path().join("copy/copy.sqlite")).expect("a database");
    let mut query = store.prepare("SELECT kind, day, rows FROM records ORDER BY kind, id").expect("a query");
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("rows");
    let state = store.query_row("SELECT state FROM states", [], |row| row.get(0)).expect("a state");
    (rows.collect::<Result<_, _>>().expect("records"), state)
}

#[test]
fn a_copy_has_the_records_of_the_service() {
    let served = RunningSandbox::start(&["--today", "2026-02-01"]);
    let mut example = Example::new("sqlite_copy", &served);
    example.set("SYNC_SECRET", "a secret of 24 letters..");
    example.check_output();
    let (records, state) = copied(&example);
    let steps = |records: &[(String, String, String)]| -> Vec<(String, Option<f64>)> {
        let value = |rows: &str| serde_json::from_str::<Value>(rows).expect("JSON")[0]["steps"].as_f64();
        records.iter().filter(|(kind, ..)| kind == "daily").map(|(_, day, rows)| (day.clone(), value(rows))).collect()
    };
    assert_eq!(steps(&records), served_steps(&served));
    assert!(records.iter().filter(|(kind, ..)| kind == "sleeps").count() >= 32);

    // Today ends, and two days follow.
    assert_eq!(control(&served, "POST", "/clock", &json!({ "advance": 2 * 86_400 }).to_string()).0, 200);
    assert!(!example.output().is_empty());
    let (records, next) = copied(&example);
    assert_eq!((steps(&records), state == next), (served_steps(&served), false));
    assert!(example.output().lines().all(|line| line.ends_with(" 0 changes")));
    let copy = copied(&example);
    example.set("SYNC_SECRET", "another secret of 24 letters");
    assert_eq!(example.failing_output(), "");
    assert!(copied(&example) == copy, "a run that fails changes nothing");
    #[cfg(unix)]
    assert_eq!(example.folder.path().join("copy").metadata().expect("a mode").permissions().mode() & 0o777, 0o700);
}

/// Returns the steps of each day of 2026 that the service has.
fn served_steps(served: &RunningSandbox) -> Vec<(String, Option<f64>)> {
    let client = served.client();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let year = vitalwire::DateRange::new("2026-01-01".parse().expect("a day"), "2026-12-31".parse().expect("a day")).expect("a range");
    let days = runtime.block_on(async { client.statistics().daily(year, ["steps"]).await }).expect("statistics");
    let steps = |day: &vitalwire::models::DailyBucket| day.values.as_ref().and_then(vitalwire::models::StatisticsValues::steps);
    days.statistics.iter().map(|day| (day.date.expect("a date").to_string(), steps(day))).collect()
}
