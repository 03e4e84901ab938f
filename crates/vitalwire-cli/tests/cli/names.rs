//! Names of sets that may grow: known ones are listed, unknown ones sent, and what the service refuses of those gets a hint.

use serde_json::json;
use vitalwire::open_sets::{AnalysisMode, NutrientName, ProviderSlug, StatisticName};
use vitalwire::operations::StatisticsIntervalParams;
use vitalwire::value::OpenSet;

use crate::common::{run, vitalwire};
use crate::scripted::{Reply, Scripted};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// Without line breaks, which stand between names too.
fn help(arguments: &[&str]) -> String {
    let output = run(&[arguments, &["--help"]].concat());
    text(output.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands behind an option in a help, as far as its last value.
fn values<'a>(help: &'a str, option: &str) -> Vec<&'a str> {
    let (_, rest) = help.split_once(option).unwrap_or_else(|| panic!("no {option}"));
    let (_, rest) = rest.split_once("[possible values: ").expect("values");
    rest.split_once(']').expect("an end").0.split(", ").collect()
}

#[test]
fn help_lists_the_names_that_the_client_knows() {
    assert_eq!(values(&help(&["stats", "daily"]), "--types <NAME,...>"), StatisticName::KNOWN);
    assert_eq!(values(&help(&["stats", "daily"]), "--providers <PROVIDER,...>"), ProviderSlug::KNOWN);
    // The interface's, without the scores and the total that was removed.
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
fn names_that_nobody_knows_are_sent() {
    let server = Scripted::json(r#"{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[]}"#);
    let output =
        server.caller(&["stats", "daily", "--to", "2025-01-01", "--types", "step", "--providers", "new_one"]).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let request = server.only();
    assert!(request.line.contains("types=step&") || request.line.ends_with("types=step"), "{}", request.line);
    assert!(request.line.contains("providers=new_one"), "{}", request.line);
}

fn refused(location: Option<&str>, arguments: &[&str]) -> String {
    let errors = location.map(|location| json!({ "location": location, "message": "no" }));
    let body = json!({ "detail": "validation failed", "errors": errors.as_slice() }).to_string();
    let server = Scripted::start(move |_, _| Reply::problem(422, body.clone()));
    text(server.caller(arguments).output().expect("it starts").stderr)
}

#[test]
fn what_was_meant_is_said_where_the_service_refuses_a_name() {
    let daily = ["stats", "daily", "--types", "step,qwertz,heartrate,hartrate", "--providers", "oure"];
    // A name that is like no other is named too.
    let types = "unknown to this program: `step` (did you mean `steps`?), `qwertz`, `hartrate` (did you mean `heartrate`?)";
    for (location, hint) in [
        (Some("query.types"), types),
        (Some("query.types[0]"), types),
        (Some("query.providers"), "unknown to this program: `oure` (did you mean `oura`?)"),
        (Some("query.from_date"), "the service rejects the request"),
        (None, &format!("{types}, `oure` (did you mean `oura`?)")),
    ] {
        let told = refused(location, &daily);
        assert!(told.contains(&format!("hint: {hint}")), "{location:?}: {told}");
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
        // Known, but not by the hour: nothing is a typing error.
        ("query.types", &["stats", "interval", "--types", "stress_score"], "the service rejects the request"),
        ("query.types", &["stats", "daily", "--types", "zzz"], "unknown to this program: `zzz`"),
    ] {
        let told = refused(Some(location), arguments);
        assert!(told.contains(&format!("hint: {hint}")), "{told}");
    }
    // With parts, how to go on is said too.
    let told = refused(Some("query.types"), &[&daily[..], &["--from", "2025-01-01", "--to", "2025-01-09", "--split-days", "3"]].concat());
    assert!(told.contains(&format!("{types} parts written: 0")), "{told}");
}

/// The sandbox says as the interface does which name it does not take.
#[test]
fn the_sandbox_is_understood() {
    let output = vitalwire().args(["--sandbox", "stats", "daily", "--types", "step"]).output().expect("it starts");
    let told = text(output.stderr);
    assert!(
        told.ends_with("  query.types: not a type of this endpoint\nhint: unknown to this program: `step` (did you mean `steps`?)\n"),
        "{told}"
    );
}
