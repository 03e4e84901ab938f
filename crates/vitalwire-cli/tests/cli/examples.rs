//! Examples of the crates, each run as a process against the sandbox. Files `*.out` have what they print.

use std::collections::BTreeSet;
use std::io::Write as _;

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
    token_server = "../../../vitalwire/examples/token_server.rs";
    tokens = "../../../vitalwire/examples/tokens.rs";
    upload = "../../../vitalwire/examples/upload.rs";
    webhooks = "../../../vitalwire/examples/webhooks.rs";
    #[cfg(feature = "tables")]
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
        Err(error) => panic!("{name}: {error:?}"),
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
    assert!(missing.is_empty() || (!cfg!(feature = "tables") && missing == ["export", "year"]), "{missing:?}");
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
    let rejected = send(&address, "POST", "/token", "authorization: Bearer another\r\n", "");
    assert!(rejected.starts_with("HTTP/1.1 401 "), "{rejected}");
    let response = send(&address, "POST", "/token", "authorization: Bearer a-session-of-person-1\r\n", "");
    let body: Value = serde_json::from_str(response.split_once("\r\n\r\n").expect("a body").1).expect("JSON");
    assert_eq!(body["expires_in"], 3600);
    let builder = vitalwire::Client::builder().base_url(served.field("base_url")).no_proxy();
    let client = builder.token(body["access_token"].as_str().expect("a token")).build().expect("a client");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { client.user().info().await }).expect("the token is accepted");
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

#[cfg(feature = "tables")]
#[test]
fn a_year_continues_after_a_failed_part() {
    let served = sandbox();
    let mut example = Example::new("year", &served);
    let fault = json!({ "fault": "status; status=500; operation=daily_statistics" });
    assert_eq!(control(&served, "POST", "/faults", &fault.to_string()).0, 201);
    let first = example.output();
    assert!(first.ends_with("335 rows in 2025.csv, 1 parts failed\n"), "{first}");
    let rest = example.output();
    assert_eq!(rest, "part 1 of 1, 30 days\n30 rows in 2025-rest.csv, 0 parts failed\n");

    // Both files together have each day once, as the file of an uninterrupted run.
    std::fs::rename(example.folder.path().join("2025.csv"), example.folder.path().join("first.csv")).expect("renamed");
    let complete = example.output();
    example.check(&complete);
    let rows = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(example.folder.path().join(name)).expect("a file");
        text.lines().skip(1).map(str::to_owned).collect()
    };
    let mut parts = [rows("first.csv"), rows("2025-rest.csv")].concat();
    parts.sort();
    assert_eq!(parts, rows("2025.csv"));
    assert_eq!(parts.len(), 365);
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
