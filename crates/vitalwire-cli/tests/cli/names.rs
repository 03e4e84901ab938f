//! Names of open sets: help lists the known ones, unknown ones are sent, and rejected ones get a hint.

use serde_json::json;
use vitalwire::open_sets::{AnalysisMode, NutrientName, ProviderSlug, StatisticName};
use vitalwire::operations::StatisticsIntervalParams;
use vitalwire::value::OpenSet;

use crate::common::{run, vitalwire};
use crate::scripted::{Reply, ScriptedServer};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// Returns a help text on one line.
fn help(arguments: &[&str]) -> String {
    let output = run(&[arguments, &["--help"]].concat());
    text(output.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the possible values of an option in a help text.
fn values<'a>(help: &'a str, option: &str) -> Vec<&'a str> {
    let (_, rest) = help.split_once(option).unwrap_or_else(|| panic!("no {option}"));
    let (_, rest) = rest.split_once("[possible values: ").expect("values");
    rest.split_once(']').expect("an end").0.split(", ").collect()
}

#[test]
fn help_lists_the_names_that_the_client_knows() {
    assert_eq!(values(&help(&["stats", "daily"]), "--types <NAME,...>"), StatisticName::KNOWN);
    assert_eq!(values(&help(&["stats", "daily"]), "--providers <PROVIDER,...>"), ProviderSlug::KNOWN);
    // The names of the interface, without the scores and the removed total.
    let hourly = help(&["stats", "interval"]);
    let hourly = values(&hourly, "--types <NAME,...>");
    assert_eq!(hourly, StatisticsIntervalParams::KNOWN_TYPES);
    for removed in ["sleep_duration_total", "sleep_score", "activity_score", "recovery_score", "stress_score"] {
        assert!(!hourly.contains(&removed), "{removed}");
    }
    let upload = help(&["nutrition", "upload"]);
    assert_eq!(values(&upload, "--fields <NAME,...>"), [&["all"], NutrientName::KNOWN].concat());
    assert_eq!(values(&upload, "--mode <MODE>"), AnalysisMode::KNOWN);
    for command in ["init-url", "delete"] {
        assert_eq!(values(&help(&["integrations", command]), "<PROVIDER>"), ProviderSlug::KNOWN);
    }
}

#[test]
fn unknown_names_are_sent() {
    let server = ScriptedServer::json(r#"{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[]}"#);
    let output =
        server.command(&["stats", "daily", "--to", "2025-01-01", "--types", "step", "--providers", "new_one"]).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let request = server.only_request();
    assert!(request.line.contains("types=step&") || request.line.ends_with("types=step"), "{}", request.line);
    assert!(request.line.contains("providers=new_one"), "{}", request.line);
}

fn rejection(location: Option<&str>, arguments: &[&str]) -> String {
    let errors = location.map(|location| json!({ "location": location, "message": "no" }));
    let body = json!({ "detail": "validation failed", "errors": errors.as_slice() }).to_string();
    let server = ScriptedServer::start(move |_, _| Reply::problem(422, body.clone()));
    text(server.command(arguments).output().expect("it starts").stderr)
}

#[test]
fn a_rejected_name_gets_a_hint_with_the_most_similar_name() {
    let daily = ["stats", "daily", "--types", "step,qwertz,heartrate,hartrate", "--providers", "oure"];
    // A name that resembles no known name is listed too.
    let types = "unknown to this program: `step` (did you mean `steps`?), `qwertz`, `hartrate` (did you mean `heartrate`?)";
    for (location, hint) in [
        (Some("query.types"), types),
        (Some("query.types[0]"), types),
        (Some("query.providers"), "unknown to this program: `oure` (did you mean `oura`?)"),
        (Some("query.from_date"), "the service rejected the request"),
        (None, &format!("{types}, `oure` (did you mean `oura`?)")),
    ] {
        let stderr = rejection(location, &daily);
        assert!(stderr.contains(&format!("hint: {hint}")), "{location:?}: {stderr}");
    }
    for (location, arguments, hint) in [
        (
            "path.provider_slug",
            &["integrations", "init-url", "freestyle"][..],
            "unknown to this program: `freestyle` (did you mean `freestyle_libre`?)",
        ),
        (
            "query.types",
            &["stats", "interval", "--types", "calories_burnt_total"],
            "unknown to this program: `calories_burnt_total` (did you mean `calories_burned_total`?)",
        ),
        // A known name that is not available by the hour is not a typing error.
        ("query.types", &["stats", "interval", "--types", "stress_score"], "the service rejected the request"),
        ("query.types", &["stats", "daily", "--types", "zzz"], "unknown to this program: `zzz`"),
    ] {
        let stderr = rejection(Some(location), arguments);
        assert!(stderr.contains(&format!("hint: {hint}")), "{stderr}");
    }
    // With parts, the hint also says how to continue.
    let stderr =
        rejection(Some("query.types"), &[&daily[..], &["--from", "2025-01-01", "--to", "2025-01-09", "--split-days", "3"]].concat());
    assert!(stderr.contains(&format!("{types} parts written: 0")), "{stderr}");
}

/// The sandbox states rejected names as the interface describes.
#[test]
fn rejected_names_of_the_sandbox_get_a_hint() {
    let output = vitalwire().args(["--sandbox", "stats", "daily", "--types", "step"]).output().expect("it starts");
    let stderr = text(output.stderr);
    assert!(
        stderr.ends_with("  query.types: not a type of this endpoint\nhint: unknown to this program: `step` (did you mean `steps`?)\n"),
        "{stderr}"
    );
}
