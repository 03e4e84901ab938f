//! Default names that the service rejects are left out, with a note.

use std::collections::BTreeSet;
use std::process::Output;

use serde_json::{Value, json};
use vitalwire::open_sets::{NutrientName, StatisticName};
use vitalwire::value::OpenSet;

use crate::scripted::{Reply, Request, ScriptedServer};

/// The way in which a service states the rejected names.
#[derive(Clone, Copy, Debug)]
enum RejectionStyle {
    /// One problem item per rejected name, with its value.
    Value,
    /// One problem item per rejected name, with its position.
    Place,
    /// Only the first rejected name.
    First,
    /// Only the list, with all requested and all accepted names.
    List,
    Nothing,
}

impl RejectionStyle {
    fn problem(self, requested: &[String], rejected: &[usize], parameter: &str) -> Reply {
        let value = |at: &usize| json!({ "location": parameter, "message": "not one of steps", "value": requested[*at] });
        let errors: Vec<Value> = match self {
            Self::Value => rejected.iter().map(value).collect(),
            Self::Place => rejected.iter().map(|at| json!({ "location": format!("{parameter}[{at}]"), "message": "no" })).collect(),
            Self::First => rejected.iter().take(1).map(value).collect(),
            Self::List => {
                vec![json!({ "location": parameter, "message": "takes heartrate, distance_total", "value": requested.join(",") })]
            }
            Self::Nothing => Vec::new(),
        };
        Reply::problem(422, json!({ "detail": "validation failed", "errors": errors }).to_string())
    }
}

/// Returns the statistics that a request names.
fn types(request: &Request) -> Vec<String> {
    let (_, query) = request.line.split_once('?').expect("a query");
    let lists = query.split('&').filter_map(|pair| pair.strip_prefix("types="));
    lists.flat_map(|list| list.replace("%2C", ",").split(',').map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Creates a service that rejects some statistics.
fn service_without(missing: &'static [&'static str], style: RejectionStyle) -> ScriptedServer {
    ScriptedServer::start(move |_, request| {
        let requested = types(request);
        let rejected: Vec<usize> = (0..requested.len()).filter(|at| missing.contains(&requested[*at].as_str())).collect();
        if !rejected.is_empty() {
            return style.problem(&requested, &rejected, "query.types");
        }
        Reply::json(r#"{"from_date":"2025-01-01","to_date":"2025-01-14","statistics":[{"date":"2025-01-02","values":{"heartrate":61}}]}"#)
    })
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

fn remaining_names(known: &[&str], missing: &[&str]) -> BTreeSet<String> {
    known.iter().filter(|name| !missing.contains(name)).map(|name| (*name).to_owned()).collect()
}

#[test]
fn rejected_default_names_are_left_out_with_a_note() {
    for (style, missing, requests) in [
        (RejectionStyle::Value, &["steps"][..], 2),
        (RejectionStyle::Value, &["hrv_sdnn", "steps"], 2),
        (RejectionStyle::Place, &["hrv_sdnn", "steps"], 2),
        // Each rejected name takes one response.
        (RejectionStyle::First, &["hrv_sdnn", "steps"], 3),
    ] {
        // With a last day, the user's time zone is not requested.
        for (command, last_day) in [("daily", &["--to", "2025-01-14"][..]), ("interval", &[])] {
            let server = service_without(missing, style);
            let output = server.command(&[&["stats", command][..], last_day].concat()).output().expect("it starts");
            assert!(output.status.success(), "{output:?}");
            let requested: Vec<BTreeSet<String>> = server.requests().iter().map(|request| types(request).into_iter().collect()).collect();
            assert_eq!(requested.len(), requests, "{style:?}");
            let known = requested[0].iter().map(String::as_str).collect::<Vec<_>>();
            assert_eq!(requested[requests - 1], remaining_names(&known, missing), "{style:?}");
            let notes: Vec<&str> = stderr(&output).lines().collect();
            assert_eq!(notes.len(), 1, "{notes:?}");
            let them = if missing.len() == 1 { "it" } else { "them" };
            assert!(notes[0].starts_with(&format!("vitalwire: note: left out, because the service rejects {them}: ")), "{notes:?}");
            assert!(missing.iter().all(|name| notes[0].contains(name)), "{notes:?}");
        }
    }
}

#[test]
fn unstated_rejections_are_found_by_bisection() {
    for style in [RejectionStyle::List, RejectionStyle::Nothing] {
        let server = service_without(&["steps", "sleep_score"], style);
        let output = server.command(&["stats", "daily", "--from", "2025-01-01", "--to", "2025-01-14"]).output().expect("it starts");
        assert_eq!(stderr(&output), "vitalwire: note: left out, because the service rejects them: steps, sleep_score\n");
        let requests = server.requests();
        // The full request, the bisection over one day, and the full request without the rejected names.
        assert!(requests.len() <= 24, "{}", requests.len());
        let over = |request: &Request| request.line.contains("from_date=2025-01-01");
        assert_eq!(requests.iter().filter(|request| over(request)).count(), 2);
        let last = requests.last().expect("a request");
        assert!(
            over(last)
                && types(last).into_iter().collect::<BTreeSet<_>>() == remaining_names(StatisticName::KNOWN, &["steps", "sleep_score"])
        );
    }
}

#[test]
fn other_rejections_are_errors() {
    // Another parameter is rejected; every name is rejected; the service fails during the bisection.
    let elsewhere = || Reply::problem(422, json!({ "errors": [{ "location": "query.from_date", "message": "no" }] }).to_string());
    let servers = [
        (ScriptedServer::start(move |_, _| elsewhere()), 1),
        (ScriptedServer::start(|_, _| Reply::problem(422, "{}")), 16),
        (ScriptedServer::start(|number, _| Reply::problem(if number == 0 { 422 } else { 503 }, "{}")), 2),
    ];
    for (server, most) in servers {
        let output = server.command(&["stats", "daily", "--to", "2025-01-14"]).output().expect("it starts");
        assert_eq!(output.status.code(), Some(12), "{output:?}");
        assert!(stderr(&output).starts_with("vitalwire: invalid_request: ") && !stderr(&output).contains("left out"), "{output:?}");
        assert!(server.requests().len() <= most, "{}", server.requests().len());
    }
}

#[test]
fn a_rejected_name_from_the_user_is_an_error() {
    let server = service_without(&["steps"], RejectionStyle::Value);
    let output = server.command(&["stats", "daily", "--to", "2025-01-14", "--types", "steps,heartrate"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(12), "{output:?}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_resumed_run_leaves_out_the_same_names() {
    let server = ScriptedServer::start(|number, request| {
        let requested = types(request);
        match requested.iter().position(|name| name == "steps") {
            Some(at) => RejectionStyle::Value.problem(&requested, &[at], "query.types"),
            // The first part is rejected once and then accepted. The second part fails.
            None if number == 2 => Reply::problem(503, "{}"),
            None => Reply::json(r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[]}"#),
        }
    });
    let split = ["stats", "daily", "--from", "2025-01-01", "--to", "2025-01-04", "--split-days", "2", "--concurrency", "1"];
    let stopped = server.command(&split).output().expect("it starts");
    assert_eq!(stopped.status.code(), Some(13), "{stopped:?}");
    let token = stderr(&stopped).split('\'').nth(1).expect("a token");
    let rest = server.command(&["stats", "daily", "--resume", token]).output().expect("it starts");
    assert!(rest.status.success(), "{rest:?}");
    assert_eq!(stderr(&rest), "vitalwire: note: left out, because the service rejects it: steps\n");
}

const RECEIPT: &str = r#"{"record_id":"6f1c9a52-0000-4000-8000-000000000000","uploaded_at":"2025-01-01T00:00:00Z","status":"pending"}"#;

#[test]
fn the_word_all_requests_the_nutrients_that_the_service_accepts() {
    let service_without = |style: RejectionStyle| {
        ScriptedServer::start(move |_, request| {
            let body: Value = serde_json::from_str(&request.body).expect("JSON");
            let requested = body["include_nutrition_fields"].as_array().expect("a list").iter();
            let requested: Vec<String> = requested.map(|name| name.as_str().expect("a name").to_owned()).collect();
            match requested.iter().position(|name| name == "salt_g") {
                Some(at) => style.problem(&requested, &[at], "body.include_nutrition_fields"),
                None => Reply::json(RECEIPT),
            }
        })
    };
    let upload = |server: &ScriptedServer, fields: &str| {
        let command = ["nutrition", "upload", "https://pictures.example/a.jpg", "--fields", fields];
        server.command(&command).output().expect("it starts")
    };
    let server = service_without(RejectionStyle::Value);
    let output = upload(&server, "all");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(stderr(&output), "vitalwire: note: left out, because the service rejects it: salt_g\n");
    let last: Value = serde_json::from_str(&server.requests()[1].body).expect("JSON");
    assert_eq!(last["include_nutrition_fields"].as_array().map(Vec::len), Some(NutrientName::KNOWN.len() - 1));
    // Uploads are not bisected, and names that the user gave are not dropped.
    for (style, fields) in [(RejectionStyle::Nothing, "all"), (RejectionStyle::Value, "energy_kcal,salt_g")] {
        let server = service_without(style);
        assert_eq!(upload(&server, fields).status.code(), Some(12), "{style:?}");
        assert_eq!(server.requests().len(), 1, "{style:?}");
    }
}
