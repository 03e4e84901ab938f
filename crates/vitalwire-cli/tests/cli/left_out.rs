//! What is asked for by default is never refused as a whole: names that a service lacks are left out, and said.

use std::collections::BTreeSet;
use std::process::Output;

use serde_json::{Value, json};
use vitalwire::open_sets::{NutrientName, StatisticName};
use vitalwire::value::OpenSet;

use crate::scripted::{Reply, Request, Scripted};

/// How a service says which names it refuses.
#[derive(Clone, Copy, Debug)]
enum Says {
    /// Each by its value.
    Value,
    /// Each by its place in the list.
    Place,
    /// The first alone.
    First,
    /// That it is the list, beside all that it was given and all that it takes.
    List,
    Nothing,
}

impl Says {
    fn problem(self, asked: &[String], refused: &[usize], parameter: &str) -> Reply {
        let value = |at: &usize| json!({ "location": parameter, "message": "not one of steps", "value": asked[*at] });
        let errors: Vec<Value> = match self {
            Self::Value => refused.iter().map(value).collect(),
            Self::Place => refused.iter().map(|at| json!({ "location": format!("{parameter}[{at}]"), "message": "no" })).collect(),
            Self::First => refused.iter().take(1).map(value).collect(),
            Self::List => vec![json!({ "location": parameter, "message": "takes heartrate, distance_total", "value": asked.join(",") })],
            Self::Nothing => Vec::new(),
        };
        Reply::problem(422, json!({ "detail": "validation failed", "errors": errors }).to_string())
    }
}

/// The statistics that a request is for.
fn types(request: &Request) -> Vec<String> {
    let (_, query) = request.line.split_once('?').expect("a query");
    let lists = query.split('&').filter_map(|pair| pair.strip_prefix("types="));
    lists.flat_map(|list| list.replace("%2C", ",").split(',').map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// A service of statistics that lacks some.
fn lacking(lacks: &'static [&'static str], says: Says) -> Scripted {
    Scripted::start(move |_, request| {
        let asked = types(request);
        let refused: Vec<usize> = (0..asked.len()).filter(|at| lacks.contains(&asked[*at].as_str())).collect();
        if !refused.is_empty() {
            return says.problem(&asked, &refused, "query.types");
        }
        Reply::json(r#"{"from_date":"2025-01-01","to_date":"2025-01-14","statistics":[{"date":"2025-01-02","values":{"heartrate":61}}]}"#)
    })
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

fn without(known: &[&str], lacks: &[&str]) -> BTreeSet<String> {
    known.iter().filter(|name| !lacks.contains(name)).map(|name| (*name).to_owned()).collect()
}

#[test]
fn the_rest_is_asked_for_again_and_what_is_missing_said() {
    for (says, lacks, requests) in [
        (Says::Value, &["steps"][..], 2),
        (Says::Value, &["hrv_sdnn", "steps"], 2),
        (Says::Place, &["hrv_sdnn", "steps"], 2),
        // Each is found out by an answer of its own.
        (Says::First, &["hrv_sdnn", "steps"], 3),
    ] {
        // With a last day the user's time zone is not requested.
        for (command, last_day) in [("daily", &["--to", "2025-01-14"][..]), ("interval", &[])] {
            let server = lacking(lacks, says);
            let output = server.caller(&[&["stats", command][..], last_day].concat()).output().expect("it starts");
            assert!(output.status.success(), "{output:?}");
            let asked: Vec<BTreeSet<String>> = server.requests().iter().map(|request| types(request).into_iter().collect()).collect();
            assert_eq!(asked.len(), requests, "{says:?}");
            let known = asked[0].iter().map(String::as_str).collect::<Vec<_>>();
            assert_eq!(asked[requests - 1], without(&known, lacks), "{says:?}");
            let told: Vec<&str> = stderr(&output).lines().collect();
            assert_eq!(told.len(), 1, "{told:?}");
            let them = if lacks.len() == 1 { "it" } else { "them" };
            assert!(told[0].starts_with(&format!("vitalwire: note: left out, because the service refuses {them}: ")), "{told:?}");
            assert!(lacks.iter().all(|name| told[0].contains(name)), "{told:?}");
        }
    }
}

#[test]
fn a_service_that_does_not_say_which_is_asked_in_short() {
    for says in [Says::List, Says::Nothing] {
        let server = lacking(&["steps", "sleep_score"], says);
        let output = server.caller(&["stats", "daily", "--from", "2025-01-01", "--to", "2025-01-14"]).output().expect("it starts");
        assert_eq!(stderr(&output), "vitalwire: note: left out, because the service refuses them: steps, sleep_score\n");
        let requests = server.requests();
        // The whole, its names in halves over one day, and the whole without what those found.
        assert!(requests.len() <= 24, "{}", requests.len());
        let over = |request: &Request| request.line.contains("from_date=2025-01-01");
        assert_eq!(requests.iter().filter(|request| over(request)).count(), 2);
        let last = requests.last().expect("a request");
        assert!(over(last) && types(last).into_iter().collect::<BTreeSet<_>>() == without(StatisticName::KNOWN, &["steps", "sleep_score"]));
    }
}

#[test]
fn other_refusals_stand() {
    // Another parameter; a service that takes nothing at all; one that is down when it is asked in short.
    let elsewhere = || Reply::problem(422, json!({ "errors": [{ "location": "query.from_date", "message": "no" }] }).to_string());
    let servers = [
        (Scripted::start(move |_, _| elsewhere()), 1),
        (Scripted::start(|_, _| Reply::problem(422, "{}")), 16),
        (Scripted::start(|number, _| Reply::problem(if number == 0 { 422 } else { 503 }, "{}")), 2),
    ];
    for (server, most) in servers {
        let output = server.caller(&["stats", "daily", "--to", "2025-01-14"]).output().expect("it starts");
        assert_eq!(output.status.code(), Some(12), "{output:?}");
        assert!(stderr(&output).starts_with("vitalwire: invalid_request: ") && !stderr(&output).contains("left out"), "{output:?}");
        assert!(server.requests().len() <= most, "{}", server.requests().len());
    }
}

#[test]
fn a_name_that_was_given_is_an_error() {
    let server = lacking(&["steps"], Says::Value);
    let output = server.caller(&["stats", "daily", "--to", "2025-01-14", "--types", "steps,heartrate"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(12), "{output:?}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_run_that_is_gone_on_with_leaves_out_the_same() {
    let server = Scripted::start(|number, request| {
        let asked = types(request);
        match asked.iter().position(|name| name == "steps") {
            Some(at) => Says::Value.problem(&asked, &[at], "query.types"),
            // The first part is refused once, then taken; the second fails.
            None if number == 2 => Reply::problem(503, "{}"),
            None => Reply::json(r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[]}"#),
        }
    });
    let split = ["stats", "daily", "--from", "2025-01-01", "--to", "2025-01-04", "--split-days", "2", "--concurrency", "1"];
    let stopped = server.caller(&split).output().expect("it starts");
    assert_eq!(stopped.status.code(), Some(13), "{stopped:?}");
    let token = stderr(&stopped).split('\'').nth(1).expect("a token");
    let rest = server.caller(&["stats", "daily", "--resume", token]).output().expect("it starts");
    assert!(rest.status.success(), "{rest:?}");
    assert_eq!(stderr(&rest), "vitalwire: note: left out, because the service refuses it: steps\n");
}

const RECEIPT: &str = r#"{"record_id":"6f1c9a52-0000-4000-8000-000000000000","uploaded_at":"2025-01-01T00:00:00Z","status":"pending"}"#;

#[test]
fn all_nutrients_are_those_that_the_service_takes() {
    let lacking = |says: Says| {
        Scripted::start(move |_, request| {
            let body: Value = serde_json::from_str(&request.body).expect("JSON");
            let asked = body["include_nutrition_fields"].as_array().expect("a list").iter();
            let asked: Vec<String> = asked.map(|name| name.as_str().expect("a name").to_owned()).collect();
            match asked.iter().position(|name| name == "salt_g") {
                Some(at) => says.problem(&asked, &[at], "body.include_nutrition_fields"),
                None => Reply::json(RECEIPT),
            }
        })
    };
    let upload = |server: &Scripted, fields: &str| {
        let command = ["nutrition", "upload", "https://pictures.example/a.jpg", "--fields", fields];
        server.caller(&command).output().expect("it starts")
    };
    let server = lacking(Says::Value);
    let output = upload(&server, "all");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(stderr(&output), "vitalwire: note: left out, because the service refuses it: salt_g\n");
    let last: Value = serde_json::from_str(&server.requests()[1].body).expect("JSON");
    assert_eq!(last["include_nutrition_fields"].as_array().map(Vec::len), Some(NutrientName::KNOWN.len() - 1));
    // An upload is not made to find out; and what was named is the caller's own.
    for (says, fields) in [(Says::Nothing, "all"), (Says::Value, "energy_kcal,salt_g")] {
        let server = lacking(says);
        assert_eq!(upload(&server, fields).status.code(), Some(12), "{says:?}");
        assert_eq!(server.requests().len(), 1, "{says:?}");
    }
}
